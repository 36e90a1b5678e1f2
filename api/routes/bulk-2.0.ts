import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { BulkLookup, listForms, type OutputFormat, outputTypes } from '../../core/bulk/answers.ts';
import { type AskedEntry, type InputFormat, readEntries } from '../../core/bulk/coordinates.ts';
import { CovermapError } from '../../core/errors.ts';
import type { ApiContext } from '../app.ts';
import { BodyError, mediaType, readBody } from '../body.ts';
import { keyOf, requireKey } from '../middleware/api-key.ts';
import { sendError } from '../middleware/errors.ts';
import { ratePolicy, tellRate } from '../middleware/rate-limit.ts';
import { refuseKey2 } from './availability-2.0.ts';

/** Coordinates in one request. */
export const mostCoordinates = 10_000;
const mostBytes = 4 * 1024 * 1024;
/** Coordinates that are looked up together: enough to keep the database busy, few enough that others hardly wait. */
const atOnce = 256;
/** A caller who takes nothing for this long has gone. */
const patienceMs = 60_000;

const inputFormats: Record<string, InputFormat> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'text/csv': 'csv',
};
const acceptable: Record<string, OutputFormat> = {
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/json': 'json',
  'text/csv': 'csv',
};

/**
 * What broadband is at many positions: answers in the order of the list, as they are found.
 *
 *     POST /api/2.0/availability/bulk
 *     x-api-key: <key>
 *     Content-Type: application/json, application/x-ndjson or text/csv
 *     Accept: application/x-ndjson (unless said otherwise), application/json or text/csv
 *
 * docs/bulk.md has the whole of it.
 */
export function bulk2(context: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  const { lookup, config, meter, bulkLimit, logger } = context;
  router.all(
    '/api/2.0/availability/bulk',
    postOnly,
    requireKey(context, (request) => request.headers['x-api-key'], refuseKey2),
    async (request, response) => {
      let entries: AskedEntry[];
      let format: OutputFormat;
      try {
        format = outputFormat(request);
        entries = await readList(request);
      } catch (error) {
        return refuseBody(response, error);
      }
      const key = keyOf(request);
      const taken = await bulkLimit.take(key.customerId, entries.length);
      tellRate(response, ratePolicy(bulkLimit.rate), taken);
      if (!taken.allowed) {
        const seconds = Math.ceil(taken.retryMs / 1000);
        response.setHeader('Retry-After', String(seconds));
        return sendError(
          response,
          429,
          `Your allowance is ${taken.remaining} coordinates now, and ${entries.length} in ${seconds} s.`,
        );
      }
      const answering = new BulkLookup(lookup, config.serviceArea, format);
      const { begin, between, end } = listForms[format];
      const lines = async function* () {
        for (let from = 0; from < entries.length; from += atOnce) {
          const { text, good } = await answering.answer(entries.slice(from, from + atOnce), (error) =>
            logger.error({ err: error }, 'lookup failed'),
          );
          yield (from === 0 ? begin : between) + text;
          // Once more is wanted: what a caller who has gone did not take is not counted.
          if (good > 0) meter.count(key.id, good);
        }
        yield end;
      };
      response.setHeader('Content-Type', outputTypes[format]);
      response.setHeader('Cache-Control', 'no-store');
      response.setTimeout(patienceMs, () => response.destroy());
      await pipeline(Readable.from(lines(), { objectMode: true, highWaterMark: 1 }), response).catch(
        (error) => {
          logger.info({ err: error }, 'a caller did not wait for all of its answers');
        },
      );
    },
  );
  return router;
}

/** @throws BodyError */
async function readList(request: Request): Promise<AskedEntry[]> {
  const format = inputFormat(request);
  const text = (await readBody(request, mostBytes)).toString('utf8');
  const entries = readEntries(text, format);
  if (entries.length === 0) throw new BodyError(400, 'There are no coordinates in the body.');
  if (entries.length > mostCoordinates) {
    throw new BodyError(
      413,
      `There are ${entries.length} coordinates in the body, and at most ${mostCoordinates} are possible. Send larger files to /api/2.0/availability/jobs.`,
    );
  }
  return entries;
}

/** @throws BodyError */
export function inputFormat(request: Request): InputFormat {
  const format = inputFormats[mediaType(request) ?? ''];
  if (format) return format;
  throw new BodyError(415, 'Content-Type must be application/json, application/x-ndjson or text/csv.');
}

/** @throws BodyError */
export function outputFormat(request: Request): OutputFormat {
  const type = request.accepts(Object.keys(acceptable));
  if (type) return acceptable[type] as OutputFormat;
  throw new BodyError(406, 'Accept must allow application/x-ndjson, application/json or text/csv.');
}

/** Answers what cannot be taken, in the shape of version 2.0. */
export function refuseBody(response: Response, error: unknown): void {
  if (!(error instanceof BodyError) && !(error instanceof CovermapError)) throw error;
  const status = error instanceof BodyError ? error.status : 400;
  if (status === 413) response.setHeader('Connection', 'close');
  sendError(response, status, error.message);
}

export const postOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'POST') return next();
  response.setHeader('Allow', 'POST');
  sendError(response, 405, `${request.method} is not possible here. Use POST.`);
};
