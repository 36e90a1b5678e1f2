import type { RequestHandler } from 'express';
import { z } from 'zod';
import { DroplistEntry, readDroplist } from '../../../registry/droplist.ts';
import type { ApiContext } from '../../context.ts';
import { answer, routesFor } from '../../define-route.ts';
import { Refusal } from '../../errors.ts';
import { revalidated, sendKeptJson } from '../../http/conditional.ts';
import { limitNames, requireRegistrar } from '../../middleware/registrars.ts';
import { notARegistrar, plainError, tooManyNames } from '../../schemas/document-errors.ts';

/** The droplist: `GET /1.0/droplist`. */
export const registryDroplist1 = [
  routesFor({ who: 'registrar', tag: 'Registry' }).get('/1.0/droplist', {
    id: 'getDroplist',
    summary: 'List names about to be released',
    description:
      'Lists the names whose `release_date` is at most two days ahead, or past without a release, by `drop_date`, then by name. ' +
      'Names that a daily run has released stay until the end of its window, 00:00:34. ' +
      'Only the registered IP addresses of registrars have access.',
    headers: {
      'If-Modified-Since': z
        .string()
        .optional()
        .describe('The last `Last-Modified`: the answer is 304 if nothing has changed since'),
    },
    answers: {
      200: answer('The names.', z.array(DroplistEntry), {
        example: [
          {
            domain: 'blue-duck.net.nz',
            registered: '2016-11-23 04:42:11+13:00',
            cancel_date: '2026-08-24 18:06:11+12:00',
            release_date: '2026-11-22 18:06:11+13:00',
            drop_date: '2026-11-23 00:00:34+13:00',
          },
        ],
        headers: {
          'Last-Modified': { description: 'When the content last changed.' },
          ETag: { description: 'A hash of the content.' },
        },
      }),
      304: { description: 'Not modified.' },
      403: notARegistrar,
      429: tooManyNames,
      500: plainError(500, 'The register could not be read.', 'The droplist could not be read.'),
    },
    serve: (context) => [requireRegistrar(context), answerDroplist(context)],
  }),
];

function answerDroplist({
  newestDatabase,
  registryLimit,
  config,
  presentNow: clock,
}: ApiContext): RequestHandler {
  const takeNames = limitNames(registryLimit);
  return async (request, response) => {
    await takeNames(request, response, 1);
    const now = clock();
    const { entries, modified } = await readDroplist(newestDatabase, now, config.releaseTime).catch(
      (cause) => {
        throw new Refusal(500, 'The droplist could not be read.', { cause });
      },
    );
    // RFC 9110, section 8.8.2.1: never later than the answer.
    const lastModified = new Date(Math.min(modified.getTime(), now.getTime()));
    response.setHeader('Last-Modified', lastModified.toUTCString());
    sendKeptJson(request, response, JSON.stringify(entries), revalidated.private, modified);
  };
}
