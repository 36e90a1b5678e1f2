import { z } from 'zod';
import { named } from '../../platform/schemas.ts';
import { type Answer, answer, type DescribedHeader } from '../define-route.ts';

/* The descriptions of errors in the shapes of the two documents, and of headers. */

const ErrorBody = named('Error', z.object({ code: z.int().describe('The HTTP status.'), error: z.string() }));
const MessageError = named('MessageError', { message: z.string() });

type Headers = Record<string, DescribedHeader>;

/** An error of both documents: `{code, error}`. */
export const plainError = (status: number, description: string, error: string, headers?: Headers): Answer =>
  answer(description, ErrorBody, { example: { code: status, error }, ...(headers && { headers }) });

/** An error of version 2.0 that has only a message. */
export const messageError = (description: string, message: string): Answer =>
  answer(description, MessageError, { example: { message } });

export const notModified: Answer = {
  description: 'Not modified since the answer that `If-None-Match` names.',
};

/** Headers of cacheable answers. */
export const keptHeaders: Headers = {
  'Cache-Control': { description: 'The answer can be cached for ten days.' },
  ETag: { description: 'Send it as `If-None-Match` to get a 304 if nothing has changed.' },
};

export const retryAfter: Headers = { 'Retry-After': { description: 'The number of seconds to wait.' } };

/** The 429 of a key past its rate. */
export const tooMany = 'There were too many requests with this key. Try again after the time in Retry-After.';

/** The 429 of both documents. */
export const tooManyRequests = (description: string, error = tooMany): Answer =>
  plainError(429, description, error, retryAfter);

/** The 429 of routes without a key. */
export const tooManyOfAddress = tooManyRequests(
  'The IP address has exceeded its rate limit.',
  'Too many requests come from your address. Try again in 7 s.',
);

/** A 429 in either shape: that of a key's rate has only a message. */
export const tooManyOfEither = (description: string): Answer =>
  answer(description, z.union([ErrorBody, MessageError]), { headers: retryAfter });

export const forbidden2 = messageError('The key is missing or invalid.', 'Forbidden');

export const fault2 = plainError(500, 'An internal error. It may be temporary.', 'Internal Server Error');

export const holdsUnavailable =
  'How many queries this account has left is not known for the moment. Try again.';

export const unavailable = plainError(
  503,
  'The account has a cap or free queries, and how many are left is not known for the moment.',
  holdsUnavailable,
  retryAfter,
);

/** The errors of most routes of version 2.0. */
export const keyErrors2 = {
  403: forbidden2,
  429: {
    ...messageError(
      'The key has exceeded its rate limit, or its customer has reached the cap of the month.',
      tooMany,
    ),
    headers: retryAfter,
  },
  500: fault2,
};

export const anyOriginHeaders: Headers = {
  'Access-Control-Allow-Origin': { description: '`*`: pages of any origin can read the answer.' },
};

export const notARegistrar = plainError(
  403,
  'The IP address is not registered.',
  'Calls are taken from the registered addresses of registrars only.',
);

export const tooManyNames = tooManyRequests(
  'The registrar has exceeded its rate limit.',
  'You have asked for too many names. Try again in 7 s.',
);
