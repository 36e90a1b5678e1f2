import { CovermapError } from '../../core/errors.ts';
import { isDiskFull } from '../../core/full-disk.ts';
import { makeScratch, removeScratch } from '../../core/scratch.ts';
import type { ReaderMessage, ReaderWork } from '../../ingest/messages.ts';
import * as processes from '../../ingest/reader.ts';
import { read } from '../../ingest/reader-thread.ts';

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
/** All messages, when all of them are made. */
function messagesOf(work: ReaderWork, memoryMb: number, signal?: AbortSignal): Promise<ReaderMessage[]> {
  const own = before.then(async () => {
    signal?.throwIfAborted();
    const scratch = await makeScratch();
    const messages: ReaderMessage[] = [];
    const send = async (message: ReaderMessage) => {
      signal?.throwIfAborted();
      messages.push(message);
    };
    try {
      await read({ ...work, scratch, memoryMb }, { send, ask: (message) => send(message).then(() => ({})) });
      return messages;
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

export const readFile: typeof processes.readFile = async function* (work, limits, signal, reply) {
  if (inProcesses || !['coverage', 'inspection', 'towers'].includes(work.kind)) {
    yield* processes.readFile(work, limits, signal, reply);
    return;
  }
  for (const message of await messagesOf(work, limits.memoryMb, signal)) {
    signal?.throwIfAborted();
    if (message.type !== 'end') yield message as processes.ReaderResult;
  }
};

export const readResult = (async (work: ReaderWork, limits: processes.ReaderLimits, signal?: AbortSignal) => {
  for await (const message of readFile(work, limits, signal))
    if (message.type === 'result') return message.result;
  throw new Error('the reader ended without a result');
}) as typeof processes.readResult;
