import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { listForm } from '../../../coverage/lookup/bulk/answers.ts';
import { entryCounter } from '../../../coverage/lookup/bulk/entry-counter.ts';
import {
  bulkJobsOf,
  createBulkJob,
  findBulkJob,
  type BulkJob as Job,
  keyReused,
  partsOf,
  removeBulkJob,
  startBulkJob,
} from '../../../coverage/lookup/bulk/jobs.ts';
import type { Database } from '../../../platform/database/database.ts';
import { CovermapError } from '../../../platform/errors.ts';
import type { StoredFile } from '../../../platform/storage/storage.ts';
import type { ApiContext } from '../../context.ts';
import { answer, located, reply, routesFor, type Sent } from '../../define-route.ts';
import { inWords, Refusal, sendJson } from '../../errors.ts';
import { bodyChunks } from '../../http/body.ts';
import { revalidated } from '../../http/conditional.ts';
import {
  contentType,
  inputFormat,
  noCoordinates,
  notAcceptable,
  outputFormat,
} from '../../http/coordinate-formats.ts';
import { refuseTracing, requireOnce } from '../../http/parameters.ts';
import { sendStream } from '../../http/send-stream.ts';
import { admitKey, keyOf } from '../../middleware/key.ts';
import { BulkJob, bulkAnswers, coordinateLines } from '../../schemas/bulk.ts';
import { keyErrors2, messageError, plainError, tooManyOfEither } from '../../schemas/document-errors.ts';

const base = '/api/2.0/availability/jobs';
const kept = { 'Cache-Control': revalidated.private };

// Any other text names no job, either.
const id = z.string().meta({
  format: 'uuid',
  description: 'The ID of the job',
  example: '7d1f6f0e-2b1c-4f5d-9a3e-5c7b8d9e0f1a',
});
const idempotencyKey = z.string().max(255).optional().meta({
  description: 'Your name for the request, such as a new UUID',
  example: '0f6c1f4e-3b5a-4e0c-8a52-6f3d7f6f9c11',
});
const jobs = routesFor({ who: 'key', tag: 'Coverage' });
const ofJob = routesFor({ who: 'key', tag: 'Coverage', params: { id } });
const forbidden = messageError(
  'The key is missing or invalid; or the customer has no plan and too few free queries left.',
  'Forbidden',
);
const linesOnly = 'Content-Type must be application/x-ndjson or text/csv: a coordinate a line.';
const noSuchFile = 'There is no such file: its id is wrong, or its day is over.';
const storageUnavailable = plainError(
  503,
  'The storage is temporarily unavailable.',
  inWords(new CovermapError('storage_unavailable')),
);
const errorsOfJob = {
  ...keyErrors2,
  403: forbidden,
  404: plainError(404, 'The job does not exist or has expired.', noSuchFile),
};

/** Files of positions, looked up in the background: docs/user/bulk.md. */
export const bulkJobs2 = [
  jobs.post(base, {
    id: 'createBulkJob',
    summary: 'Create a bulk job',
    description:
      'Looks up a large file of positions or addresses in the background and keeps the result for a day. Each one that is answered counts as one query, once the result is ready; `cost` is the maximum cost. ' +
      'With `quote=1`, the job only quotes the cost and waits until you start it. ' +
      'If the answer is lost, send the file again with the same `Idempotency-Key`: the answer is the job of the first request.',
    headers: { 'Idempotency-Key': idempotencyKey },
    query: z.object({
      quote: z.enum(['1']).optional().describe('`1`: quote the cost, and wait until the job is started'),
    }),
    bodies: coordinateLines,
    answers: {
      ...keyErrors2,
      202: answer('The file is stored and queued.', BulkJob, located('The URL of the job.')),
      400: plainError(
        400,
        'The body is empty or incomplete, or in neither UTF-8 nor UTF-16; `quote` is given twice or with brackets; `Idempotency-Key` is too long; or `at`, `explain`, `nearby` or `orderable` is given, which single lookups know.',
        noCoordinates,
      ),
      403: forbidden,
      406: notAcceptable,
      413: plainError(413, 'The file is too large.', 'The body has more than 67108864 bytes.'),
      415: plainError(415, 'The format of the body is not supported.', linesOnly),
      422: plainError(422, 'The `Idempotency-Key` is that of another request.', inWords(keyReused())),
      429: tooManyOfEither(
        'The key has exceeded its rate limit; or the customer has too many unfinished jobs, or its cap of the month leaves too few queries.',
      ),
      503: storageUnavailable,
      507: plainError(
        507,
        'The storage is full, or the customer’s files take too much of it.',
        inWords(new CovermapError('storage_full')),
      ),
    },
    serve: (context) => [...admitKey(context), refuseTracing(), requireOnce('quote'), createJob(context)],
  }),
  jobs.get(base, {
    id: 'listBulkJobs',
    summary: 'List the bulk jobs',
    description: 'Finds a job whose `Location` was lost.',
    answers: {
      ...keyErrors2,
      200: answer('The latest 100 jobs of the customer, newest first.', z.array(BulkJob)),
    },
    handle: async ({ database }, { request }) =>
      reply(200, (await bulkJobsOf(database, keyOf(request).customerId)).map(shown), kept),
  }),
  ofJob.get(`${base}/{id}`, {
    id: 'getBulkJob',
    summary: 'Get a bulk job',
    answers: { 200: answer('The job and its progress.', BulkJob), ...errorsOfJob },
    handle: async ({ database }, { params, request }) =>
      reply(200, shown(await jobOf(database, params.id, request)), kept),
  }),
  ofJob.delete(`${base}/{id}`, {
    id: 'deleteBulkJob',
    summary: 'Delete a bulk job and its result',
    description: 'A job that is deleted before it is done costs nothing.',
    answers: { 204: { description: 'The job is deleted.' }, ...errorsOfJob },
    async handle({ database, storage }, { params, request }) {
      await removeBulkJob(database, storage, (await jobOf(database, params.id, request)).id);
      return reply(204, undefined);
    },
  }),
  ofJob.post(`${base}/{id}/start`, {
    id: 'startBulkJob',
    summary: 'Start a quoted bulk job',
    answers: { 202: answer('The job is queued.', BulkJob), ...errorsOfJob },
    async handle({ database, queryHolds, now, sendJob }, { params, request }) {
      const job = await jobOf(database, params.id, request);
      if (keyOf(request).limits !== null) await queryHolds.settle(job.customer_id);
      await startBulkJob(database, job, now());
      sendJob('bulk-lookup', job.id);
      return reply(202, shown(await jobOf(database, job.id, request)), kept);
    },
  }),
  ofJob.get(`${base}/{id}/result`, {
    id: 'getBulkResult',
    summary: 'Get the result of a bulk job',
    answers: {
      200: {
        description:
          'The answers in the order of the file, in the format that `Accept` named when the job was created.',
        content: bulkAnswers,
      },
      ...errorsOfJob,
      409: plainError(409, 'The job is not done.', 'This file is not done yet.'),
      503: storageUnavailable,
    },
    async handle(context, { params, request, response }) {
      const job = await jobOf(context.database, params.id, request);
      if (job.state !== 'done') throw new Refusal(409, `This file ${whyNoResult(job)}.`);
      await sendResult(context, request, response, job);
      return undefined;
    },
  }),
];

/** A job, for keys of its customer. Another such key may have removed it meanwhile. */
async function jobOf(database: Database, id: string, request: Request): Promise<Job> {
  const job = await findBulkJob(database, id, keyOf(request).customerId);
  if (!job) throw new Refusal(404, noSuchFile);
  return job;
}

function createJob(context: ApiContext): RequestHandler {
  const { database, storage, config, queryHolds, now } = context;
  return async (request, response) => {
    let file: StoredFile | undefined;
    let id: string | undefined;
    try {
      const output = outputFormat(request);
      const input = inputFormat(request, linesOnly);
      if (input === 'json') throw new Refusal(415, linesOnly);
      const { quote } = request.query;
      if (quote !== undefined && quote !== '1') throw new Refusal(400, 'quote must be 1, or absent.');
      const quoteOnly = quote === '1';
      const named = idempotencyKey.safeParse(request.get('Idempotency-Key') || undefined);
      if (!named.success) throw new Refusal(400, 'Idempotency-Key has more than 255 characters.');
      const counter = entryCounter(input);
      const { bulkFileBytes, bulkFileLines: max } = config;
      const chunks = counter.pass(bodyChunks(request, bulkFileBytes), (lines) => {
        if (lines > max) throw new Refusal(413, `The file has more than ${max} lines.`);
      });
      file = await storage.store(`in.${input}`, Readable.from(chunks));
      if (counter.entries === 0) throw new Refusal(400, noCoordinates);
      const { entries, namesAddresses } = counter;
      const taken = { file, entries, namesAddresses, input, output, quoteOnly, idempotencyKey: named.data };
      const { limits, customerId } = keyOf(request);
      if (limits !== null) await queryHolds.settle(customerId);
      id = await createBulkJob(database, keyOf(request), taken, config.bulkKeptBytes, now());
      if (!quoteOnly) context.sendJob('bulk-lookup', id);
      response.setHeader('Location', `${base}/${id}`);
      response.setHeader('Cache-Control', revalidated.private);
      const job = await jobOf(database, id, request);
      // The same request, sent again: its job has the file of the first.
      if (job.storage_key !== file.key) await storage.remove(file.key).catch(() => undefined);
      sendJson(response, 202, shown(job));
    } catch (error) {
      // After a fault of the database the job may be recorded; a file that no row refers to is removed later.
      const unrecorded = id === undefined && (error instanceof CovermapError || error instanceof Refusal);
      if (file && unrecorded) await storage.remove(file.key).catch(() => undefined);
      if (!response.destroyed) throw error;
    }
  };
}

function whyNoResult({ state }: Job): string {
  if (state === 'failed') return 'could not be looked up';
  return state === 'quoted' ? 'has not been started' : 'is not done yet';
}

/** @throws CovermapError `storage_unavailable` */
async function sendResult(
  { database, storage }: ApiContext,
  request: Request,
  response: Response,
  job: Job,
): Promise<void> {
  const { begin, between, end } = listForm(job.output_format, job.names_addresses);
  const parts = await partsOf(database, job.id);
  const length =
    Buffer.byteLength(begin) +
    Buffer.byteLength(end) +
    Buffer.byteLength(between) * (parts.length - 1) +
    parts.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  const pieces = async function* () {
    for (const [i, { storage_key }] of parts.entries()) {
      const part = await storage.read(storage_key);
      yield Buffer.from(i === 0 ? begin : between);
      yield* part;
    }
    yield Buffer.from(end);
  };
  const answers = Readable.from(pieces(), { objectMode: false });
  // A result that cannot be read is an error, not an answer that breaks off.
  await once(answers, 'readable');
  response.setHeader('Content-Type', contentType(job.output_format));
  response.setHeader('Content-Length', length);
  response.setHeader('Content-Disposition', `attachment; filename="${job.id}.${job.output_format}"`);
  response.setHeader('Cache-Control', revalidated.private);
  if (request.method !== 'HEAD') return sendStream(response, answers);
  answers.destroy();
  response.end();
}

function shown(job: Job): Sent<z.input<typeof BulkJob>> {
  const { id, state, coordinates, cost, error, created_at, finished_at } = job;
  const self = `${base}/${id}`;
  return {
    id,
    state,
    percent: state === 'done' ? 100 : Math.floor((100 * job.read_bytes) / job.size_bytes),
    coordinates,
    answered: job.good,
    cost,
    error: error as z.input<typeof BulkJob>['error'],
    created_at,
    finished_at,
    expires_at: finished_at === null && state !== 'quoted' ? null : job.expires_at,
    links: {
      self,
      ...(state === 'quoted' ? { start: `${self}/start` } : {}),
      ...(state === 'done' ? { result: `${self}/result` } : {}),
    },
  };
}
