import {
  answer,
  integer,
  json,
  list,
  messageError,
  nullable,
  object,
  oneOf,
  path,
  plainError,
  query,
  ref,
  security,
  text,
  time,
  tooManyRequests,
  tooManyRequests2,
  uuid,
} from '../../openapi/parts.ts';
import type { Answer, Description } from '../../openapi/types.ts';
import { coordinateLines, csv, ndjson } from './bulk-2.0.openapi.ts';

const base = '/api/2.0/availability/jobs';
const jobId = path(
  'id',
  'Of the file',
  { type: 'string', format: 'uuid' },
  '7d1f6f0e-2b1c-4f5d-9a3e-5c7b8d9e0f1a',
);
const forbidden = messageError(
  'The key is missing or not valid; or there is no plan, and fewer free queries are left than it would take.',
  'Forbidden',
);
const fault = plainError(500, 'A fault of the server, perhaps a passing one.', 'Internal Server Error');
const unknown = plainError(
  404,
  'There is no such file, or its day is over.',
  'There is no such file: its id is wrong, or its day is over.',
);
/** Either may be: the key's rate has only a message, the number of files a code. */
const tooMany: Answer = {
  ...tooManyRequests('More than the rate of the key, or more files than are worked on at once.'),
  content: { [json]: { schema: { anyOf: [ref('Error'), ref('MessageError')] } } },
};

export const bulkJobs2Description: Description = {
  paths: {
    [base]: {
      post: {
        operationId: 'createBulkJob',
        tags: ['Coverage'],
        summary: 'Hand in a large file of positions, to be looked up by and by',
        description:
          'The result is kept for a day. Each position that is answered is one query; `cost` says what that comes to at most. ' +
          'With `quote=1` it only tells that, and is looked up once it is started.',
        security: security.key,
        parameters: [query('quote', '1: tell the cost, and wait to be started', oneOf(['1']))],
        requestBody: { required: true, content: coordinateLines },
        responses: {
          202: {
            ...answer('Kept; its turn comes.', ref('BulkJob')),
            headers: { Location: { description: 'Where its state is.', schema: text() } },
          },
          400: plainError(400, 'Nothing, or only a part, has come.', 'There are no coordinates in the body.'),
          403: forbidden,
          406: plainError(
            406,
            '`Accept` allows none of the forms.',
            'Accept must allow application/x-ndjson, application/json or text/csv.',
          ),
          413: plainError(413, 'The file is too large.', 'The file has more than 104857600 bytes.'),
          415: plainError(
            415,
            'The body is in none of the forms.',
            'Content-Type must be application/x-ndjson or text/csv: a coordinate a line.',
          ),
          429: tooMany,
          500: fault,
          503: plainError(503, 'Files cannot be kept at the moment.', 'The storage is not available.'),
          507: plainError(507, 'There is no room left.', 'There is no room left.'),
        },
      },
    },
    [`${base}/{id}`]: {
      get: {
        operationId: 'getBulkJob',
        tags: ['Coverage'],
        summary: 'How far a file is',
        security: security.key,
        parameters: [jobId],
        responses: {
          200: answer('Its state.', ref('BulkJob')),
          403: forbidden,
          404: unknown,
          429: tooManyRequests2,
          500: fault,
        },
      },
      delete: {
        operationId: 'deleteBulkJob',
        tags: ['Coverage'],
        summary: 'Throw a file and its result away',
        security: security.key,
        parameters: [jobId],
        responses: {
          204: { description: 'It is gone.' },
          403: forbidden,
          404: unknown,
          429: tooManyRequests2,
          500: fault,
        },
      },
    },
    [`${base}/{id}/start`]: {
      post: {
        operationId: 'startBulkJob',
        tags: ['Coverage'],
        summary: 'Begin a file whose cost was asked for',
        security: security.key,
        parameters: [jobId],
        responses: {
          202: answer('Its turn comes.', ref('BulkJob')),
          403: forbidden,
          404: unknown,
          429: tooManyRequests2,
          500: fault,
        },
      },
    },
    [`${base}/{id}/result`]: {
      get: {
        operationId: 'getBulkResult',
        tags: ['Coverage'],
        summary: 'The answers to a file, in its order',
        security: security.key,
        parameters: [jobId],
        responses: {
          200: {
            description: 'The answers, in the form that `Accept` asked for when the file was handed in.',
            content: {
              [json]: { schema: list(ref('BulkAnswer')) },
              [ndjson]: { schema: text('A `BulkAnswer` a line.') },
              [csv]: { schema: text('A row a provider, technology and position.') },
            },
          },
          403: forbidden,
          404: unknown,
          409: plainError(409, 'It is not done.', 'This file is not done yet.'),
          429: tooManyRequests2,
          500: fault,
        },
      },
    },
  },
  schemas: {
    BulkJob: object({
      id: uuid(),
      state: oneOf(['quoted', 'queued', 'running', 'done', 'failed']),
      percent: integer(undefined, { minimum: 0, maximum: 100 }),
      coordinates: integer('So many have been read.'),
      answered: integer('Of these, so many have an answer: queries.'),
      cost: nullable(
        object({
          coordinates: integer('Lines that are neither empty nor a heading.'),
          free: integer(),
          included: integer('In the plan.'),
          overage: integer(),
          overage_cents: integer('Without GST.'),
        }),
      ),
      error: nullable(ref('ErrorReport')),
      created_at: time(),
      finished_at: nullable(time()),
      expires_at: nullable(time('When file and result are removed.')),
      links: object(
        { self: text(), start: text('Until it is started.'), result: text('Once it is done.') },
        { optional: ['start', 'result'] },
      ),
    }),
  },
};
