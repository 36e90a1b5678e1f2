import {
  answer,
  boolean,
  integer,
  messageError,
  nullable,
  number,
  object,
  plainError,
  ref,
  security,
  text,
  time,
  tooManyRequests2,
} from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';

export const usage2Description: Description = {
  paths: {
    '/api/2.0/usage': {
      get: {
        operationId: 'getUsage',
        tags: ['Coverage'],
        summary: 'How much of this month’s bundle is used',
        description:
          'Not counted as a query. What was answered within the last second may be missing. Money is in cents, without GST.',
        security: security.key,
        responses: {
          200: answer('The usage of all keys of the customer.', ref('KeyUsage')),
          403: messageError('The key is missing or not valid.', 'Forbidden'),
          429: tooManyRequests2,
          500: plainError(500, 'A fault of the server, perhaps a passing one.', 'Internal Server Error'),
        },
      },
    },
  },
  schemas: {
    KeyUsage: object({
      month: text('YYYY-MM, in New Zealand.'),
      begins_at: time(),
      ends_at: time(),
      as_of: time(),
      plan: nullable(text()),
      queries: integer(),
      key_queries: integer('Of these, with the key that asks.'),
      bundle: integer('What the plan includes.'),
      bundle_left: integer(),
      free: integer(),
      free_left: integer(),
      overage_allowed: boolean('Whether queries after the free ones are answered now.'),
      overage: integer(),
      overage_cents: integer(),
      limit: nullable(ref('ShownLimit')),
    }),
    ShownLimit: object({ per_second: number(), burst: number() }),
  },
};
