import {
  answer,
  list,
  messageError,
  object,
  plainError,
  ref,
  security,
  text,
  tooManyRequests2,
} from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';
import { cached } from './availability-2.0.openapi.ts';

export const providers2Description: Description = {
  paths: {
    '/api/2.0/providers': {
      get: {
        operationId: 'getProviders',
        tags: ['Coverage'],
        summary: 'Who supplies coverage',
        description: 'Those with published coverage, by name. Not counted as a query.',
        security: security.key,
        responses: {
          200: {
            ...answer('The providers.', ref('Providers'), {
              results: [
                {
                  name: 'Kauri Fibre',
                  description: 'Fibre in the north.',
                  areaServed: ['Auckland', 'Northland'],
                  technologies: ['Fibre'],
                  url: 'https://kauri-fibre.example/',
                },
              ],
            }),
            headers: cached,
          },
          304: { description: 'Not changed since the answer that `If-None-Match` names.' },
          403: messageError('The key is missing or not valid.', 'Forbidden'),
          429: tooManyRequests2,
          500: plainError(500, 'A fault of the server, perhaps a passing one.', 'Internal Server Error'),
        },
      },
    },
  },
  schemas: {
    Providers: object({ results: list(ref('Provider')) }),
    Provider: object({
      name: text(),
      description: text('May be empty.'),
      areaServed: list(text(), 'Regions.'),
      technologies: list(text(), 'As people write them: Fibre, Wireless.'),
      url: text('May be empty.'),
    }),
  },
};
