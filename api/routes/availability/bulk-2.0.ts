import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { RateLimit, Taken } from '../../../core/access/rate-limit/rate-limit.ts';
import { holdFreeQueries, releaseFreeQueries } from '../../../core/billing/free-queries.ts';
import { BulkLookup, listForms, type OutputFormat } from '../../../core/coverage/lookup/bulk/answers.ts';
import {
  type AskedEntry,
  type InputFormat,
  readEntries,
} from '../../../core/coverage/lookup/bulk/coordinates.ts';
import { CovermapError } from '../../../core/errors.ts';
import type { ApiContext } from '../../context.ts';
import { BodyError, bodyChunks, mediaType } from '../../http/body.ts';
import { listMediaTypes } from '../../http/media-types.ts';
import { keyOf, requireKey } from '../../middleware/api-key.ts';
import { sendError } from '../../middleware/errors.ts';
import { ratePolicy, tellRate } from '../../middleware/rate-limit.ts';
import { refuseFreeQueries2, refuseKey2 } from './availability-2.0.ts';

/** Coordinates in one request. */
export const maxCoordinates = 10_000;
const maxBytes = 4 * 1024 * 1024;
/**
 * Reading costs as much of the allowance as one coordinate for so many bytes, and for so many entries of whatever list. It
 * counts towards the coordinates of a list that is answered, and is the price of one that is refused.
 */
const bytesACoordinate = 1024;
const entriesACoordinate = 10;
/** Paid for together: where a bucket is kept in Redis, each payment asks it. */
const entriesAtOnce = 100;
const bytesOfShortEntry = 32;
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
  const { lookup, config, meter, bulkLimit, logger, database } = context;
  router.all(
    '/api/2.0/availability/bulk',
    postOnly,
    requireKey(context, (request) => request.headers['x-api-key'], refuseKey2),
    async (request, response) => {
      const key = keyOf(request);
      const allowance = new ListAllowance(bulkLimit, key.customerId);
      let entries: AskedEntry[];
      let format: OutputFormat;
      let hold: number | undefined;
      try {
        format = outputFormat(request);
        entries = await readList(request, allowance);
        await allowance.pay(entries.length);
        if (key.freeLeft !== undefined) {
          // All that was counted so far counts for what is left.
          await meter.flush?.();
          hold = await holdFreeQueries(database, key.customerId, entries.length);
        }
      } catch (error) {
        allowance.tell(response);
        refuseList(request, response, error);
        return;
      }
      allowance.tell(response);
      const answering = new BulkLookup(lookup, config.serviceArea, format);
      const { begin, between, end } = listForms[format];
      const lines = async function* () {
        for (let from = 0; from < entries.length; from += atOnce) {
          const { text, good } = await answering.answer(entries.slice(from, from + atOnce), (error) =>
            logger.error({ err: error }, 'lookup failed'),
          );
          yield (from === 0 ? begin : between) + text;
          // Once more is wanted: what a caller who has gone did not take is not counted.
          if (good > 0 && request.socket.writable) meter.count(key.id, good);
        }
        yield end;
      };
      response.setHeader('Content-Type', listMediaTypes[format]);
      response.setHeader('Cache-Control', 'no-store');
      response.setTimeout(patienceMs, () => response.destroy());
      await pipeline(Readable.from(lines(), { objectMode: true, highWaterMark: 1 }), response).catch(
        (error) => {
          logger.info({ err: error }, 'a caller did not wait for all of its answers');
        },
      );
      if (hold !== undefined) {
        const id = hold;
        // Where the database is away, what was kept ends by itself.
        await Promise.resolve(meter.flush?.())
          .then(() => releaseFreeQueries(database, id))
          .catch((error) => logger.warn({ err: error }, 'free queries will be given back later'));
      }
    },
  );
  return router;
}

/**
 * Reads the list as it comes in, and no further than to what it is refused for.
 * @throws BodyError, CovermapError, AllowanceUsedUp
 */
async function readList(request: Request, allowance: ListAllowance): Promise<AskedEntry[]> {
  const format = inputFormat(request);
  const entries: AskedEntry[] = [];
  let bytes = 0;
  const announced = Number(request.headers['content-length'] ?? 0);
  /** How many coordinates the whole list will take, by what was read of it; before, by entries that are short. */
  const expected = () =>
    Math.min(
      maxCoordinates,
      Math.ceil(entries.length > 0 ? (entries.length * announced) / bytes : announced / bytesOfShortEntry),
    );
  // Before anything is read: who has nothing left is not read.
  await allowance.pay(1, expected());
  const paid = async function* () {
    for await (const chunk of bodyChunks(request, maxBytes)) {
      bytes += chunk.length;
      await allowance.pay(Math.ceil(bytes / bytesACoordinate), expected());
      yield chunk;
    }
  };
  for await (const entry of readEntries(paid(), format)) {
    if (entries.push(entry) > maxCoordinates) throw tooManyCoordinates();
    if (entries.length % entriesAtOnce === 0) {
      await allowance.pay(entries.length / entriesACoordinate, expected());
    }
  }
  if (entries.length === 0) throw new BodyError(400, 'There are no coordinates in the body.');
  return entries;
}

/** What a list takes from its customer's allowance. */
class ListAllowance {
  readonly #limit: RateLimit;
  readonly #customerId: number;
  #paid = 0;
  #last: Taken | undefined;

  constructor(limit: RateLimit, customerId: number) {
    this.#limit = limit;
    this.#customerId = customerId;
  }

  /**
   * Takes what is missing until the list has cost so many coordinates.
   * @param expected what the whole of it will cost, as far as that is known: when there will be so many is told
   * @throws AllowanceUsedUp where there are fewer; what was paid before stays so
   */
  async pay(coordinates: number, expected = coordinates): Promise<void> {
    const missing = coordinates - this.#paid;
    if (missing <= 0) return;
    const taken = await this.#limit.take(this.#customerId, missing);
    this.#last = taken;
    if (taken.allowed) this.#paid = coordinates;
    else {
      // Sent again, it has to pay for all of it, also for what has not been read yet.
      const wanted = Math.max(coordinates, expected);
      const seconds = Math.ceil((wanted - taken.remaining) / this.#limit.rate.perSecond);
      throw new AllowanceUsedUp(taken.remaining, wanted, Math.max(1, seconds));
    }
  }

  /** Says in the answer what is left. */
  tell(response: Response): void {
    if (this.#last) tellRate(response, ratePolicy(this.#limit.rate), this.#last);
  }
}

class AllowanceUsedUp extends Error {
  readonly seconds: number;

  constructor(remaining: number, wanted: number, seconds: number) {
    super(`Your allowance is ${remaining} coordinates now, and ${wanted} in ${seconds} s.`);
    this.seconds = seconds;
  }
}

function tooManyCoordinates(): BodyError {
  return new BodyError(
    413,
    `There are more than ${maxCoordinates} coordinates in the body. Send larger files to /api/2.0/availability/jobs.`,
  );
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

/** Answers what cannot be taken, in the shape of version 2.0. What is still coming is thrown away. */
function refuseList(request: Request, response: Response, error: unknown): void {
  const known =
    error instanceof BodyError || error instanceof CovermapError || error instanceof AllowanceUsedUp;
  if (!known) throw error;
  if (!request.complete) request.resume();
  if (error instanceof CovermapError && error.code === 'free_queries_used_up') {
    refuseFreeQueries2(response, error.message);
    return;
  }
  let status = 400;
  if (error instanceof BodyError) status = error.status;
  if (error instanceof AllowanceUsedUp) {
    status = 429;
    response.setHeader('Retry-After', String(error.seconds));
  }
  sendError(response, status, error.message);
}

export const postOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'POST') return next();
  response.setHeader('Allow', 'POST');
  sendError(response, 405, `${request.method} is not possible here. Use POST.`);
};
