import {
  answer,
  header,
  list,
  object,
  plainError,
  ref,
  registrarRateHeaders,
  security,
  text,
  tooManyNames,
} from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';
import { notARegistrar } from './availability-1.0.openapi.ts';

const localTime = (description: string) =>
  text(description, { pattern: '^\\d{4,}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d$' });

export const registryDroplistDescription: Description = {
  paths: {
    '/1.0/droplist': {
      get: {
        operationId: 'getDroplist',
        tags: ['Registry'],
        summary: 'Names that are about to be released',
        description:
          'Those whose `release_date` is at most two days ahead, or past and not yet released; by `drop_date`, then by name. ' +
          'What a daily run has released stays until the end of its window, 00:00:34. ' +
          'Answered to the registered addresses of registrars only.',
        security: security.nobody,
        parameters: [
          header(
            'If-Modified-Since',
            'What `Last-Modified` was: 304 where nothing has changed since',
            text(),
          ),
        ],
        responses: {
          200: {
            ...answer('The names.', list(ref('DroplistEntry')), [
              {
                domain: 'blue-duck.net.nz',
                registered: '2016-11-23 04:42:11+13:00',
                cancel_date: '2026-08-24 18:06:11+12:00',
                release_date: '2026-11-22 18:06:11+13:00',
                drop_date: '2026-11-23 00:00:34+13:00',
              },
            ]),
            headers: {
              ...registrarRateHeaders,
              'Last-Modified': { description: 'When the content last changed.', schema: text() },
              ETag: { description: 'The hash of the content.', schema: text() },
            },
          },
          304: { description: 'Not changed.' },
          403: notARegistrar,
          429: tooManyNames(),
          500: plainError(500, 'The register could not be read.', 'The droplist could not be read.'),
        },
      },
    },
  },
  schemas: {
    DroplistEntry: object({
      domain: text('As the register stores it.'),
      registered: localTime('When it was registered.'),
      cancel_date: localTime('When it was cancelled.'),
      release_date: localTime('90 days after that: from when on it may be released.'),
      drop_date: localTime('When it is expected to be released: the end of the first daily run after that.'),
    }),
  },
};
