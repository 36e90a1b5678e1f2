import { FileError } from '@covermap/coverage-files/errors.ts';
import type { Limits } from '@covermap/coverage-files/process/messages.ts';
import { errorOf, runTask } from '@covermap/coverage-files/process/run.ts';
import type { Config } from '../platform/config.ts';
import { CovermapError } from '../platform/errors.ts';
import { threadFile } from '../platform/programs.ts';
import { makeScratch, removeScratch } from '../platform/scratch.ts';
import { beginSpan } from '../platform/tracing/tracing.ts';
import { asIngestError, IngestError, WhichReferenceSystem } from './errors.ts';
import type { GoOn, ReaderFault, ReaderMessage, ReaderTask, ReaderWork, ResultOf } from './messages.ts';

export type ReaderLimits = Limits;

export function readerLimits(config: Config): ReaderLimits {
  return {
    memoryMb: config.readerMemoryMb,
    deadlineMs: config.readerDeadlineMinutes * 60_000,
    stalledMs: config.readerStalledSeconds * 1000,
  };
}

/**
 * Reads a file in a process of its own (`reader-thread.ts`), which is killed when the signal is aborted or a limit passed, and is only a few messages
 * ahead of the consumer.
 * @param reply called after each message: the answer to its request
 * @throws IngestError of the readers, and `reader_out_of_memory`, `reader_too_slow`, `reader_stalled`, `reader_broke_off`; CovermapError
 * `storage_full` where there is no space to unpack it; Error for a fault of ours; the signal's reason
 */
export async function* readFile(
  work: ReaderWork,
  limits: ReaderLimits,
  signal?: AbortSignal,
  reply: () => GoOn = () => ({}),
): AsyncGenerator<ReaderMessage> {
  signal?.throwIfAborted();
  const span = beginSpan('read file', { attributes: { 'covermap.reader.task': work.kind } });
  const isLong = work.kind === 'prediction';
  const scratch = await makeScratch();
  const task: ReaderTask = { ...work, scratch, memoryMb: limits.memoryMb };
  try {
    yield* runTask<ReaderMessage, GoOn, ReaderFault>(task, {
      ...{ program: threadFile('reader'), limits, signal, isLong, reply, errorOf: errorOfFault },
      // A prediction asks, and waits for the answers.
      ...(isLong && { ahead: 1 }),
    });
  } catch (thrown) {
    const error = isTooSlow(thrown) ? tooSlow('reader_too_slow', limits) : asIngestError(thrown);
    span?.fail(error);
    throw error;
  } finally {
    await removeScratch(scratch);
    span?.end();
  }
}

function errorOfFault({ choices, ...fault }: ReaderFault): Error {
  const { code, message, hint, cause } = fault;
  if (code === undefined) return errorOf(fault);
  if (code === 'storage_full') return new CovermapError(code);
  if (choices) return new WhichReferenceSystem(code, message, hint, choices);
  const error = new IngestError(code, message, hint);
  return cause === undefined ? error : error.causedBy(new Error(cause));
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

const isTooSlow = (error: unknown) => error instanceof FileError && error.code === 'reader_too_slow';

export const tooSlow = (code: 'reader_too_slow' | 'load_too_slow', { deadlineMs }: ReaderLimits) =>
  new IngestError(
    code,
    `${code === 'load_too_slow' ? 'Loading' : 'Reading and loading'} the file took longer than the limit of ${Math.round(deadlineMs / 60_000)} min.`,
  );
