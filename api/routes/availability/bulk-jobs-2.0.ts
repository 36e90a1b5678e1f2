import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Request, type Response, Router } from 'express';
import { listForms } from '../../../core/coverage/lookup/bulk/answers.ts';
import { EntryCounter } from '../../../core/coverage/lookup/bulk/entry-counter.ts';
import {
  type BulkJob,
  createBulkJob,
  findBulkJob,
  partsOf,
  removeBulkJob,
  startBulkJob,
} from '../../../core/coverage/lookup/bulk/jobs.ts';
import { CovermapError } from '../../../core/errors.ts';
import type { StoredFile } from '../../../core/storage/storage.ts';
import type { ApiContext } from '../../context.ts';
import { BodyError, bodyChunks } from '../../http/body.ts';
import { listMediaTypes } from '../../http/media-types.ts';
import { keyOf, requireKey } from '../../middleware/api-key.ts';
import { sendError, sendJson } from '../../middleware/errors.ts';
import { limitRate, refuseRate2, whenAdmitted } from '../../middleware/rate-limit.ts';
import { refuseFreeQueries2, refuseKey2 } from './availability-2.0.ts';
import { inputFormat, outputFormat, postOnly } from './bulk-2.0.ts';

const base = '/api/2.0/availability/jobs';
const lineFeed = 10;

/**
 * Files of coordinates that are looked up by and by. docs/bulk.md has the whole of it.
 *
 *     POST /api/2.0/availability/jobs
 *     POST /api/2.0/availability/jobs?quote=1, and then POST /api/2.0/availability/jobs/<id>/start
 *     GET, DELETE /api/2.0/availability/jobs/<id>
 *     GET /api/2.0/availability/jobs/<id>/result
 */
export function bulkJobs2(context: ApiContext): Router {
  const { database, storage, config, logger, meter, now } = context;
  const router = Router({ caseSensitive: true });
  router.use(
    base,
    requireKey(context, (request) => request.headers['x-api-key'], refuseKey2),
    limitRate(context.limit, refuseRate2),
    whenAdmitted,
  );

  router.all(base, postOnly, async (request, response) => {
    let file: StoredFile | undefined;
    let id: string | undefined;
    try {
      const output = outputFormat(request);
      const input = inputFormat(request);
      if (input === 'json') {
        throw new BodyError(
          415,
          'Content-Type must be application/x-ndjson or text/csv: a coordinate a line.',
        );
      }
      const { quote } = request.query;
      if (quote !== undefined && quote !== '1') throw new BodyError(400, 'quote has to be 1, or absent.');
      const quoteOnly = quote === '1';
      const counter = new EntryCounter(input);
      const lines = counted(
        limitLines(bodyChunks(request, config.bulkFileBytes), config.bulkFileLines),
        counter,
      );
      file = await storage.store(`in.${input}`, Readable.from(lines));
      if (file.size === 0) throw new BodyError(400, 'There are no coordinates in the body.');
      const taken = { file, entries: counter.entries, input, output, quoteOnly };
      // Without a plan, all that was counted so far counts for what is left.
      if (keyOf(request).freeLeft !== undefined) await meter.flush?.();
      id = await createBulkJob(database, keyOf(request), taken, config.bulkKeptBytes, now());
      if (!quoteOnly) context.sendJob('bulk', id);
      response.setHeader('Location', `${base}/${id}`);
      show(response, 202, (await findBulkJob(database, id)) as BulkJob);
    } catch (error) {
      // Once the job is recorded, the file is its own. After a fault of the database nobody knows whether it is recorded:
      // a file that no row names is collected later.
      const unrecorded = id === undefined && (error instanceof CovermapError || error instanceof BodyError);
      if (file && unrecorded) await storage.remove(file.key).catch(() => undefined);
      refuse(request, response, error);
    }
  });

  router.all(`${base}/:id`, async (request, response) => {
    const job = await jobOf(request);
    if (!job) return unknownJob(response);
    if (request.method === 'DELETE') {
      await removeBulkJob(database, storage, job.id);
      response.status(204).end();
      return;
    }
    if (!isRead(request)) return refuseMethod(request, response, 'GET, HEAD, DELETE');
    show(response, 200, job);
  });

  router.all(`${base}/:id/start`, postOnly, async (request, response) => {
    const job = await jobOf(request);
    if (!job) return unknownJob(response);
    try {
      if (keyOf(request).freeLeft !== undefined) await meter.flush?.();
      await startBulkJob(database, job, now());
    } catch (error) {
      return refuse(request, response, error);
    }
    context.sendJob('bulk', job.id);
    show(response, 202, (await findBulkJob(database, job.id)) as BulkJob);
  });

  router.all(`${base}/:id/result`, async (request, response) => {
    if (!isRead(request)) return refuseMethod(request, response, 'GET, HEAD');
    const job = await jobOf(request);
    if (!job) return unknownJob(response);
    if (job.state !== 'done') {
      const why =
        job.state === 'failed'
          ? 'could not be looked up'
          : job.state === 'quoted'
            ? 'has not been started'
            : 'is not done yet';
      return sendError(response, 409, `This file ${why}.`);
    }
    const { begin, between, end } = listForms[job.output_format];
    const parts = await partsOf(database, job.id);
    const length =
      Buffer.byteLength(begin) +
      Buffer.byteLength(end) +
      Buffer.byteLength(between) * (parts.length - 1) +
      parts.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
    const pieces = async function* () {
      for (const [i, { storage_key }] of parts.entries()) {
        yield Buffer.from(i === 0 ? begin : between);
        yield* await storage.read(storage_key);
      }
      yield Buffer.from(end);
    };
    response.setHeader('Content-Type', listMediaTypes[job.output_format]);
    response.setHeader('Content-Length', length);
    response.setHeader('Content-Disposition', `attachment; filename="${job.id}.${job.output_format}"`);
    response.setHeader('Cache-Control', 'private, no-cache');
    if (request.method === 'HEAD') return void response.end();
    await pipeline(Readable.from(pieces(), { objectMode: false }), response).catch((error) => {
      logger.info({ err: error }, 'a result was not taken to its end');
    });
  });
  return router;

  async function jobOf(request: Request): Promise<BulkJob | undefined> {
    return findBulkJob(database, String(request.params.id), keyOf(request).customerId);
  }
}

async function* counted(chunks: AsyncIterable<Buffer>, counter: EntryCounter): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    counter.push(chunk);
    yield chunk;
  }
}

/** Lets a file through that has so many line breaks at most. @throws BodyError */
async function* limitLines(chunks: AsyncIterable<Buffer>, maxLines: number): AsyncGenerator<Buffer> {
  let lines = 0;
  for await (const chunk of chunks) {
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) lines++;
    if (lines > maxLines) throw new BodyError(413, `The file has more than ${maxLines} lines.`);
    yield chunk;
  }
}

function refuse(request: Request, response: Response, error: unknown): void {
  if (response.destroyed) return;
  // What is still coming is thrown away.
  if (!request.complete) {
    response.setHeader('Connection', 'close');
    request.resume();
  }
  if (error instanceof BodyError) {
    sendError(response, error.status, error.message);
    return;
  }
  if (error instanceof CovermapError && error.code === 'free_queries_used_up') {
    refuseFreeQueries2(response, error.message);
    return;
  }
  const statuses: Record<string, number> = {
    bulk_jobs_too_many: 429,
    bulk_quota_exceeded: 507,
    storage_full: 507,
    storage_unavailable: 503,
  };
  const status = error instanceof CovermapError ? statuses[error.code] : undefined;
  if (!(error instanceof CovermapError) || status === undefined) throw error;
  if (status === 429 || status === 503) response.setHeader('Retry-After', '60');
  sendError(response, status, [error.message, error.hint].filter(Boolean).join(' '));
}

function show(response: Response, status: number, job: BulkJob): void {
  const self = `${base}/${job.id}`;
  response.setHeader('Cache-Control', 'private, no-cache');
  sendJson(response, status, {
    id: job.id,
    state: job.state,
    percent: job.state === 'done' ? 100 : Math.floor((100 * job.read_bytes) / job.size_bytes),
    coordinates: job.coordinates,
    answered: job.good,
    cost: job.cost,
    error: job.error,
    created_at: job.created_at,
    finished_at: job.finished_at,
    expires_at: job.finished_at === null && job.state !== 'quoted' ? null : job.expires_at,
    links: {
      self,
      ...(job.state === 'quoted' ? { start: `${self}/start` } : {}),
      ...(job.state === 'done' ? { result: `${self}/result` } : {}),
    },
  });
}

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD';

function refuseMethod(request: Request, response: Response, allowed: string): void {
  response.setHeader('Allow', allowed);
  sendError(response, 405, `${request.method} is not possible here.`);
}

function unknownJob(response: Response): void {
  sendError(response, 404, 'There is no such file: its id is wrong, or its day is over.');
}
