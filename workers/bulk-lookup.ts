import { Readable } from 'node:stream';
import { type AddressFinder, openAddressFinder } from '../addresses/finder.ts';
import { entriesAtOnce, listAnswerer, listForm } from '../coverage/lookup/bulk/answers.ts';
import { type AskedEntry, lineReader } from '../coverage/lookup/bulk/entries.ts';
import {
  addPart,
  type BulkJob,
  beginBulkJob,
  completeBulkJob,
  failBulkJob,
  findBulkJob,
  partsOf,
  requireKey,
  requireRoomForResult,
} from '../coverage/lookup/bulk/jobs.ts';
import { readLines } from '../coverage/lookup/bulk/lines.ts';
import { openCatalog } from '../coverage/lookup/catalog.ts';
import { type Lookup, lookupIn } from '../coverage/lookup/lookup.ts';
import type { Database } from '../platform/database/database.ts';
import { openDatabaseFor } from '../platform/database/open.ts';
import type { Replica } from '../platform/database/replica.ts';
import { CovermapError, errorReport } from '../platform/errors.ts';
import type { WorkerContext } from './context.ts';
import { type StepWork, TurnOver } from './step.ts';

/** Coordinates in one part of the result: a killed worker loses no more than this. */
const partSize = 2_000;
/** After this long, other customers' files have their turn. */
const turnMs = 30_000;

/** Looks up a file of coordinates, on the replica if there is one. Can be stopped or killed anywhere and run again. */
export function bulkLookup(context: WorkerContext, replica?: Replica): StepWork {
  const { config, database, logger } = context;
  const addresses = lazyFinder(context, replica);
  return {
    step: 'bulk-lookup',
    async work(id, signal) {
      const job = await findBulkJob(database, id);
      if (!job || !(await beginBulkJob(database, id))) return;
      await requireKey(database, job);
      const lookupDatabase = await openDatabaseFor('lookups', config, database, replica);
      try {
        const catalog = await openCatalog(lookupDatabase, database);
        try {
          const finder = job.names_addresses ? await addresses.open() : undefined;
          await lookUp(context, job, { lookup: lookupIn(lookupDatabase, catalog), finder }, signal);
        } finally {
          await catalog.close();
        }
      } finally {
        await lookupDatabase.close();
      }
    },
    async fail(id, error) {
      logger.warn({ err: error, job: id }, 'a file of coordinates could not be looked up');
      await failBulkJob(database, id, errorReport(error));
    },
    close: addresses.close,
  };
}

/** The finder of a process, which the first file that names addresses opens: its streets take seconds to read, and memory. */
function lazyFinder({ config, database }: WorkerContext, replica: Replica | undefined) {
  let opened: { database: Database; finder: AddressFinder } | undefined;
  return {
    async open(): Promise<AddressFinder> {
      if (!opened) {
        const own = await openDatabaseFor('lookups', config, database, replica);
        try {
          opened = { database: own, finder: await openAddressFinder(own, database) };
        } catch (error) {
          await own.close();
          throw error;
        }
      }
      return opened.finder;
    },
    async close(): Promise<void> {
      await opened?.finder.close();
      await opened?.database.close();
    },
  };
}

/** The upload's count sets the limits and the price of a file: a worker never answers more positions than that. */
const entriesDiffer = ({ entries }: BulkJob) =>
  new CovermapError(
    'bulk_entries_differ',
    `The file has more positions than the ${entries} that were counted when it came.`,
    'It costs nothing. Tell your service administrator, and send it again.',
  );

async function lookUp(
  { config, database, storage, logger }: WorkerContext,
  job: BulkJob,
  { lookup, finder }: { lookup: Lookup; finder: AddressFinder | undefined },
  signal: AbortSignal,
): Promise<void> {
  const endsAt = performance.now() + turnMs;
  // As many as a key may search for in a day.
  let candidates = config.addressesPerDay;
  const addresses = finder && { finder, mayName: () => candidates-- > 0 };
  const answering = listAnswerer(lookup, config.serviceArea, job.output_format, addresses);
  const { between } = listForm(job.output_format, job.names_addresses);
  const batchSize = entriesAtOnce(job.names_addresses);
  const parts = await partsOf(database, job.id);
  const last = parts.at(-1);
  let number = last?.number ?? 0;
  let answered = job.coordinates;

  const keep = async (entries: AskedEntry[], readBytes: number): Promise<boolean> => {
    answered += entries.length;
    if (answered > job.entries) throw entriesDiffer(job);
    let good = 0;
    const texts: string[] = [];
    let fault: unknown;
    const answersFrom = (from: number) =>
      answering(entries.slice(from, from + batchSize), (error) => {
        fault = error;
      });
    let ahead = answersFrom(0);
    for (let from = 0; from < entries.length; from += batchSize) {
      signal.throwIfAborted();
      const pending = ahead;
      // The database works on the next ones while these are written.
      if (from + batchSize < entries.length) ahead = answersFrom(from + batchSize);
      const answers = await pending;
      // There is time: failed lookups are repeated later.
      if (fault) throw fault;
      good += answers.good;
      texts.push(answers.text);
    }
    number++;
    const text = Buffer.from(texts.join(between));
    await requireKey(database, job);
    await requireRoomForResult(database, job.customer_id, text.length, config.bulkKeptBytes);
    const file = await storage.store('part.txt', Readable.from([text]));
    const part = await addPart(database, job.id, {
      number,
      storage_key: file.key,
      size_bytes: file.size,
      coordinates: entries.length,
      good,
      read_bytes: readBytes,
    });
    if (!part) await storage.remove(file.key);
    return part !== undefined;
  };

  const readLine = lineReader(job.input_format);
  const source = await storage.read(job.storage_key);
  let entries: AskedEntry[] = [];
  let end = 0;
  try {
    for await (const line of readLines(source)) {
      const entry = readLine(line.text);
      end = line.end;
      // Parsed again only for the columns of the header.
      if (!entry || line.end <= (last?.read_bytes ?? 0)) continue;
      entries.push(entry);
      if (entries.length < partSize) continue;
      if (!(await keep(entries, end))) return;
      entries = [];
      if (performance.now() > endsAt) throw new TurnOver();
    }
  } finally {
    source.destroy();
  }
  if (entries.length > 0 && !(await keep(entries, end))) return;
  await completeBulkJob(database, job);
  logger.info({ job: job.id }, 'a file of coordinates was looked up');
}
