import { EventEmitter, on } from 'node:events';
import { asIngestError } from '../../ingest/errors.ts';
import type { GoOn, ReaderWork } from '../../ingest/messages.ts';
import * as processes from '../../ingest/reader.ts';
import { read, type Sink } from '../../ingest/reader-thread.ts';
import { CovermapError } from '../../platform/errors.ts';
import { isDiskFull } from '../../platform/full-disk.ts';
import { makeScratch, removeScratch } from '../../platform/scratch.ts';

/*
 * In place of `ingest/reader.ts` (vitest.config.ts): reads files in the process of the tests, as starting a process costs many times what
 * reading a small file does. `readInProcesses` is for tests of what the processes do; those of commands have them anyway.
 */

export * from '../../ingest/reader.ts';
export { processes };

let inProcesses = false;
/** Stays so until a caller sets it back, in `afterAll` or at the end of a test. */
export function readInProcesses(yes: boolean): void {
  inProcesses = yes;
}

/** GDAL reads one file at a time. */
let before: Promise<unknown> = Promise.resolve();
function inTurn<T>(signal: AbortSignal, work: (scratch: string) => Promise<T>): Promise<T> {
  const own = before.then(async () => {
    signal.throwIfAborted();
    const scratch = await makeScratch();
    try {
      return await work(scratch);
    } catch (error) {
      signal.throwIfAborted();
      throw isDiskFull(error) ? new CovermapError('storage_full') : asIngestError(error);
    } finally {
      await removeScratch(scratch);
    }
  });
  before = own.catch(() => undefined);
  return own;
}

/** Only messages that need an answer wait for one: the loader does not hold up a reader of coverage, nor thereby the next one. */
export const readFile: typeof processes.readFile = async function* (
  work,
  limits,
  signal,
  reply = () => ({}),
) {
  if (inProcesses) {
    yield* processes.readFile(work, limits, signal, reply);
    return;
  }
  const left = new AbortController();
  const stop = AbortSignal.any(signal ? [signal, left.signal] : [left.signal]);
  const port = new EventEmitter();
  const sink: Sink = {
    async send(message) {
      stop.throwIfAborted();
      port.emit('message', message);
    },
    ask: (message) =>
      new Promise<GoOn>((answer, reject) => {
        // A throw here rejects the promise: a question after the end would otherwise wait for ever.
        stop.throwIfAborted();
        stop.addEventListener('abort', () => reject(stop.reason));
        port.emit('message', message, answer);
      }),
  };
  const messages = on(port, 'message', { close: ['end'] });
  const done = inTurn(stop, (scratch) => read({ ...work, scratch, memoryMb: limits.memoryMb }, sink));
  done.catch(() => undefined).finally(() => port.emit('end'));
  try {
    for await (const [message, answer] of messages) {
      signal?.throwIfAborted();
      yield message;
      answer?.(reply());
    }
    await done;
  } finally {
    left.abort();
    await done.catch(() => undefined);
  }
};

export const readResult = (async (work: ReaderWork, limits: processes.ReaderLimits, signal?: AbortSignal) => {
  for await (const message of readFile(work, limits, signal))
    if (message.type === 'result') return message.result;
  throw new Error('the reader ended without a result');
}) as typeof processes.readResult;
