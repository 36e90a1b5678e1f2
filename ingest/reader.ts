import { on } from 'node:events';
import path from 'node:path';
import type { Config } from '../core/config.ts';
import { CovermapError } from '../core/errors.ts';
import { beginSpan } from '../core/tracing/tracing.ts';
import { IngestError, WhichReferenceSystem } from './errors.ts';
import type { GoOn, ReaderMessage, ReaderStart, ReaderWork, ResultOf } from './messages.ts';
import { endReader, startReader } from './started-reader.ts';

export interface ReaderLimits {
  /** For the reading process, decoders included. */
  memoryMb: number;
  /** For reading and loading. */
  deadlineMs: number;
  stalledMs: number;
}

export function readerLimits(config: Config): ReaderLimits {
  return {
    memoryMb: config.readerMemoryMb,
    deadlineMs: config.readerDeadlineMinutes * 60_000,
    stalledMs: config.readerStalledSeconds * 1000,
  };
}

/** All messages except those that end a reading. */
export type ReaderResult = Exclude<ReaderMessage, { type: 'end' | 'error' | 'stalled' }>;

/** The number of messages the reader may send before the first is acknowledged. */
const ahead = 3;
const aheadOf = (work: ReaderWork) => (work.kind === 'prediction' ? 1 : ahead);
const maxOutput = 4000;

/**
 * Reads a file in a process of its own, which is killed when the signal is aborted or a limit passed, and is only a few messages ahead of the
 * consumer.
 * @param reply called after each message: the answer to its request
 * @throws IngestError of the readers, and `reader_out_of_memory`, `reader_too_slow`, `reader_stalled`, `reader_broke_off`; CovermapError
 * `storage_full` where there is no space to unpack it; Error for a fault of ours; the signal's reason
 */
export async function* readFile(
  work: ReaderWork,
  limits: ReaderLimits,
  signal?: AbortSignal,
  reply: () => GoOn = () => ({}),
): AsyncGenerator<ReaderResult> {
  signal?.throwIfAborted();
  const span = beginSpan('read file', { attributes: { 'covermap.reader.task': work.kind } });
  const reader = await startReader(limits.memoryMb);
  const { child, scratch } = reader;
  const failed = new AbortController();
  const stop = AbortSignal.any(signal ? [signal, failed.signal] : [failed.signal]);
  stop.addEventListener('abort', () => child.kill('SIGKILL'));
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-maxOutput);
  });
  child.on('error', (error) => failed.abort(error));
  child.on('close', (code, killedBy) => failed.abort(diedOf(code, killedBy, said, limits)));
  const deadline = setTimeout(() => failed.abort(tooSlow('reader_too_slow', limits)), limits.deadlineMs);
  const task = { ...work, file: path.resolve(work.file), scratch, memoryMb: limits.memoryMb };
  const start: ReaderStart = { task, stalledMs: limits.stalledMs, ahead: aheadOf(work) };
  child.send(start, ignoreClosed);
  try {
    for await (const [message] of on(child, 'message', { signal: stop }) as AsyncIterable<[ReaderMessage]>) {
      stop.throwIfAborted();
      if (message.type === 'end') return;
      if (message.type === 'stalled') {
        const seconds = Math.round(limits.stalledMs / 1000);
        throw new IngestError('reader_stalled', `Reading the file made no progress for ${seconds} s.`);
      }
      if (message.type === 'error') {
        const { code, message: text, hint, choices } = message.report;
        const { cause } = message;
        if (isOutOfMemory(`${text} ${cause ?? ''}`)) throw outOfMemory(limits);
        if (code === 'storage_full') throw new CovermapError(code);
        if (choices) throw new WhichReferenceSystem(code, text, hint, choices);
        if (!message.aboutFile) throw new Error(text);
        const error = new IngestError(code, text, hint);
        throw cause === undefined ? error : error.causedBy(new Error(cause));
      }
      yield message;
      child.send(reply(), ignoreClosed);
    }
  } catch (error) {
    const why = stop.aborted ? stop.reason : error;
    span?.fail(why);
    throw why;
  } finally {
    clearTimeout(deadline);
    await endReader(reader);
    span?.end();
  }
}

/** Reads a file for a single result. @throws as {@link readFile} */
export async function readResult<Kind extends keyof ResultOf>(
  work: Extract<ReaderWork, { kind: Kind }>,
  limits: ReaderLimits,
  signal?: AbortSignal,
): Promise<ResultOf[Kind]> {
  for await (const message of readFile(work as ReaderWork, limits, signal))
    if (message.type === 'result') return message.result as ResultOf[Kind];
  throw new Error('the reader ended without a result');
}

/** The `close` event reports the end of the process. */
function ignoreClosed(): void {}

/** The reason why a process ended that was not killed here. */
function diedOf(code: number | null, killedBy: string | null, said: string, limits: ReaderLimits): Error {
  // The reader kills itself at its limit, like the system if memory runs out.
  if (killedBy === 'SIGKILL' || isOutOfMemory(said)) return outOfMemory(limits);
  // The signal to the whole service came before the process ignored it.
  if (killedBy === 'SIGTERM' || killedBy === 'SIGINT' || killedBy === 'SIGHUP') {
    return new Error(`the reader was ended by ${killedBy}`);
  }
  if (killedBy !== null)
    return new IngestError('reader_broke_off', `The reader crashed on this file (${killedBy}).`);
  return new Error(`the reader ended by itself (${code}): ${said.slice(-500)}`);
}

/** Messages of V8, C++, GLib, libvips and Node. */
function isOutOfMemory(text: string): boolean {
  return /out of memory|bad_alloc|failed to allocate|allocation failed|cannot allocate/i.test(text);
}

const outOfMemory = ({ memoryMb }: ReaderLimits) =>
  new IngestError(
    'reader_out_of_memory',
    `Reading the file takes more memory than the limit of ${memoryMb} MB.`,
  );

export const tooSlow = (code: 'reader_too_slow' | 'load_too_slow', { deadlineMs }: ReaderLimits) =>
  new IngestError(
    code,
    `${code === 'load_too_slow' ? 'Loading' : 'Reading and loading'} the file took longer than the limit of ${Math.round(deadlineMs / 60_000)} min.`,
  );
