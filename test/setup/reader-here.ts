import { CovermapError } from '../../core/errors.ts';
import { isDiskFull } from '../../core/full-disk.ts';
import { makeScratch, removeScratch } from '../../core/scratch.ts';
import { inspectContents } from '../../ingest/inspect-contents.ts';
import type { InspectionWork, ReaderMessage, TowersWork } from '../../ingest/messages.ts';
import { openTowerBundle } from '../../ingest/modelling/tower-bundle.ts';
import { readCoverage } from '../../ingest/read-coverage.ts';
import * as processes from '../../ingest/reader.ts';
import { parseTowers } from '../../ingest/tower-file.ts';

/*
 * In place of `ingest/reader.ts` (vitest.config.ts): reads files in the process of the tests, as starting a process costs many times what
 * reading a small file does. `readInProcesses` is for tests of what the processes do; those of commands have them anyway.
 */

export * from '../../ingest/reader.ts';

let inProcesses = false;
/** For a whole test file, from `beforeAll` to `afterAll`. */
export function readInProcesses(yes: boolean): void {
  inProcesses = yes;
}

/** GDAL reads one file at a time. */
let before: Promise<unknown> = Promise.resolve();
function inTurn<T>(signal: AbortSignal | undefined, work: (scratch: string) => Promise<T>): Promise<T> {
  const own = before.then(async () => {
    signal?.throwIfAborted();
    const scratch = await makeScratch();
    try {
      return await work(scratch);
    } catch (error) {
      signal?.throwIfAborted();
      throw isDiskFull(error) ? new CovermapError('storage_full') : error;
    } finally {
      await removeScratch(scratch);
    }
  });
  before = own.catch(() => undefined);
  return own;
}

/** Messages come when all of them are made. */
export const readFile: typeof processes.readFile = async function* (work, limits, signal, reply) {
  if (inProcesses || work.kind !== 'coverage') {
    yield* processes.readFile(work, limits, signal, reply);
    return;
  }
  const messages: ReaderMessage[] = [];
  await inTurn(signal, (scratch) =>
    readCoverage({ ...work, scratch, memoryMb: limits.memoryMb }, async (message) => {
      signal?.throwIfAborted();
      messages.push(message);
    }),
  );
  for (const message of messages) {
    signal?.throwIfAborted();
    yield message as processes.ReaderResult;
  }
};

export const readResult = ((
  given: InspectionWork | TowersWork,
  limits: processes.ReaderLimits,
  signal?: AbortSignal,
) => {
  if (inProcesses || !['inspection', 'towers'].includes(given.kind))
    return processes.readResult(given as InspectionWork, limits, signal);
  return inTurn(signal, async (scratch) => {
    if (given.kind === 'inspection') return inspectContents({ ...given, scratch });
    const { list } = await openTowerBundle(given.file, scratch);
    return parseTowers(list, given.speeds, given.serviceArea);
  });
}) as typeof processes.readResult;
