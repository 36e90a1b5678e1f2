import { Readable } from 'node:stream';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { Hold } from '../../../billing/query-holds.ts';
import {
  entriesAtOnce,
  listAnswerer,
  listForm,
  type OutputFormat,
} from '../../../coverage/lookup/bulk/answers.ts';
import { type AskedEntry, readEntries } from '../../../coverage/lookup/bulk/entries.ts';
import type { ApiContext } from '../../context.ts';
import { routesFor } from '../../define-route.ts';
import { Refusal } from '../../errors.ts';
import { bodyChunks } from '../../http/body.ts';
import {
  contentType,
  inputFormat,
  noCoordinates,
  notAcceptable,
  outputFormat,
  unsupportedFormat,
} from '../../http/coordinate-formats.ts';
import { refuseTracing } from '../../http/parameters.ts';
import { logged } from '../../http/request-id.ts';
import { sendStream } from '../../http/send-stream.ts';
import { takeSearch } from '../../middleware/address-search.ts';
import { keyOf, orUnavailable, requireKey, scheme2 } from '../../middleware/key.ts';
import { ListAllowance } from '../../middleware/list-allowance.ts';
import { AskedCoordinate, bulkAnswers, coordinateLines } from '../../schemas/bulk.ts';
import { forbidden2, plainError, tooManyOfEither, unavailable } from '../../schemas/document-errors.ts';

const maxCoordinates = 10_000;
const tooManyCoordinates = `There are more than ${maxCoordinates} coordinates in the body. Send larger files to /api/2.0/availability/jobs.`;
const maxBytes = 4 * 1024 * 1024;
/** Bytes, or entries, at the price of one coordinate: the price of a refused list. */
const bytesACoordinate = 1024;
const entriesACoordinate = 10;
/** Entries in one payment, as each payment may ask Redis. */
const entriesAPayment = 100;
const bytesOfShortEntry = 32;
/** Batches under way: the database works on one while the answers of another are written. So few hardly delay others. */
const batchesAtOnce = 2;
/** A caller that reads nothing for this long counts as gone. */
const idleTimeoutMs = 60_000;

/** Lists of positions: docs/user/bulk.md. */
export const bulk2 = [
  routesFor({ who: 'key', tag: 'Coverage' }).post('/api/2.0/availability/bulk', {
    id: 'getAvailabilityOfMany',
    summary: `What broadband is at up to ${maxCoordinates.toLocaleString('en-NZ')} positions or addresses`,
    description:
      'Streams the answers in the order of the list. An invalid position, or an address that is not sure, gets an error in its place. ' +
      'Each answered position counts as one query. All keys of a customer share an allowance of coordinates, separate from the rate limit.',
    bodies: {
      'application/json': {
        schema: z.array(AskedCoordinate),
        example: [
          [-36.9026834, 174.8075834],
          { lat: -41.2865, lng: 174.7762, id: 'branch' },
          { address_id: '1234567' },
        ],
      },
      ...coordinateLines,
    },
    answers: {
      200: {
        description: 'The answers, in the format that `Accept` names; newline-delimited JSON by default.',
        content: bulkAnswers,
      },
      400: plainError(
        400,
        'The body is not a list of coordinates, or in neither UTF-8 nor UTF-16; or `at`, `explain`, `nearby` or `orderable` is given, which single lookups know.',
        noCoordinates,
      ),
      403: forbidden2,
      406: notAcceptable,
      413: plainError(413, 'The list has too many coordinates or bytes.', tooManyCoordinates),
      415: unsupportedFormat,
      429: tooManyOfEither(
        'The customer has exceeded its allowance of coordinates; or its cap of the month leaves too few queries.',
      ),
      503: unavailable,
    },
    serve: (context) => [requireKey(context, scheme2), refuseTracing(), answerList(context)],
  }),
];

function answerList(context: ApiContext): RequestHandler {
  const { lookup, addresses, config, meter, bulkLimit, logger, queryHolds, now } = context;
  return async (request, response) => {
    const key = keyOf(request);
    const allowance = new ListAllowance(bulkLimit, key.customerId);
    let entries: AskedEntry[];
    let format: OutputFormat;
    let hold: Hold | undefined;
    const at = now().getTime();
    try {
      format = outputFormat(request);
      entries = await readList(request, allowance);
      await allowance.pay(entries.length);
      if (key.limits !== null)
        hold = await orUnavailable(queryHolds.holdList(key.customerId, entries.length, at));
    } finally {
      allowance.report(response);
    }
    const namesAddresses = entries.some(({ address }) => address !== undefined);
    const finder = namesAddresses ? addresses : undefined;
    const answering = listAnswerer(
      lookup,
      config.serviceArea,
      format,
      finder && { finder, mayName: () => takeSearch(context, request) },
    );
    const { begin, between, end } = listForm(format, namesAddresses);
    const batchSize = entriesAtOnce(namesAddresses);
    const answerFrom = (from: number) => {
      const batch = answering(entries.slice(from, from + batchSize), (error) =>
        logger.error({ err: error, ...logged(request) }, 'lookup failed'),
      );
      // Nobody waits for it after the caller has left.
      batch.catch(() => undefined);
      return batch;
    };
    const lines = async function* () {
      const underWay: ReturnType<typeof answerFrom>[] = [];
      let asked = 0;
      for (let from = 0; from < entries.length; from += batchSize) {
        for (; underWay.length < batchesAtOnce && asked < entries.length; asked += batchSize)
          underWay.push(answerFrom(asked));
        const { text, good } = await (underWay.shift() as ReturnType<typeof answerFrom>);
        if (hold) await queryHolds.begin(hold, Math.min(batchSize, entries.length - from));
        // Counted when sent, not when it has arrived: a caller that breaks off just before the end has nearly all of it.
        if (good > 0 && request.socket.writable) meter.count(key.id, good, hold && at);
        yield (from === 0 ? begin : between) + text;
      }
      yield end;
    };
    response.setHeader('Content-Type', contentType(format));
    response.setHeader('Cache-Control', 'no-store');
    response.setTimeout(idleTimeoutMs, () => response.destroy());
    const answers = Readable.from(lines(), { objectMode: true, highWaterMark: 0 });
    await sendStream(response, answers).catch((error) =>
      logger.error({ err: error, ...logged(request) }, 'a list could not be answered to its end'),
    );
    if (hold) await queryHolds.endList(hold);
  };
}

/** Reads the list as it arrives, up to the first fault. @throws Refusal, CovermapError */
async function readList(request: Request, allowance: ListAllowance): Promise<AskedEntry[]> {
  const format = inputFormat(request);
  const entries: AskedEntry[] = [];
  let bytes = 0;
  const announced = Number(request.headers['content-length'] ?? 0);
  /** The estimated number of coordinates in the whole list, by those read so far, at first from short entries. */
  const expected = () =>
    Math.min(
      maxCoordinates,
      Math.ceil(entries.length > 0 ? (entries.length * announced) / bytes : announced / bytesOfShortEntry),
    );
  // Without any allowance left, nothing is read.
  await allowance.pay(1, expected());
  const paid = async function* () {
    for await (const chunk of bodyChunks(request, maxBytes)) {
      bytes += chunk.length;
      await allowance.pay(Math.ceil(bytes / bytesACoordinate), expected());
      yield chunk;
    }
  };
  for await (const entry of readEntries(paid(), format)) {
    if (entries.push(entry) > maxCoordinates) throw new Refusal(413, tooManyCoordinates);
    if (entries.length % entriesAPayment === 0) {
      await allowance.pay(entries.length / entriesACoordinate, expected());
    }
  }
  if (entries.length === 0) throw new Refusal(400, noCoordinates);
  return entries;
}
