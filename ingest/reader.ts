import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { IngestError } from './errors.ts';
import {
  type BatchMessage,
  goOn,
  type InspectionMessage,
  type LayerEndMessage,
  type LayerMessage,
  type ReaderMessage,
  type ReaderTask,
} from './messages.ts';

export interface ReaderLimits {
  /** Heap of the thread. */
  memoryMb: number;
  deadlineMs: number;
}

/**
 * Reads a file in a thread of its own. Messages come layer by layer: its beginning, its batches, its end. Reading waits
 * while a message is being worked on, but for a few that are made ahead.
 * @throws IngestError as the readers do, and `reader_out_of_memory`, `reader_too_slow`; Error for a fault of ours
 */
export async function* readFile(
  reading: Omit<ReaderTask, 'scratch'>,
  limits: ReaderLimits,
  signal?: AbortSignal,
): AsyncGenerator<LayerMessage | BatchMessage | LayerEndMessage | InspectionMessage> {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'covermap-reading-'));
  const task: ReaderTask = { ...reading, scratch };
  const thread = new Worker(new URL('./reader-entry.mjs', import.meta.url), {
    workerData: task,
    // What this process was started with is for its own entry.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
  });
  const queue: ReaderMessage[] = [];
  let failure: unknown;
  let ended = false;
  let wake = () => {};
  const fail = (error: unknown) => {
    failure ??= error;
    wake();
  };
  thread.on('message', (message: ReaderMessage) => {
    queue.push(message);
    wake();
  });
  thread.on('error', (error: NodeJS.ErrnoException) => {
    fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory(limits) : error);
  });
  thread.on('exit', () => {
    ended = true;
    wake();
  });
  const deadline = setTimeout(() => fail(tooSlow(limits)), limits.deadlineMs);
  const abort = () => fail(signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    signal?.throwIfAborted();
    for (;;) {
      if (failure) throw failure;
      const message = queue.shift();
      if (!message) {
        if (ended) throw new Error('the reader thread ended without a word');
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      if (message.type === 'end') return;
      if (message.type === 'error') {
        const { code, message: text, hint } = message.report;
        throw message.aboutFile ? new IngestError(code, text, hint ?? '') : new Error(text);
      }
      yield message;
      thread.postMessage(goOn);
    }
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', abort);
    if (!ended) {
      const exit = once(thread, 'exit');
      await thread.terminate();
      await exit;
    }
    await rm(scratch, { recursive: true, force: true });
  }
}

function outOfMemory(limits: ReaderLimits): IngestError {
  return new IngestError(
    'reader_out_of_memory',
    `Reading the file takes more than the ${limits.memoryMb} MB of memory that it may.`,
    'Split very large polygons, or hand the layers in one by one.',
  );
}

function tooSlow(limits: ReaderLimits): IngestError {
  return new IngestError(
    'reader_too_slow',
    `Reading and loading the file took longer than it may: ${Math.round(limits.deadlineMs / 60_000)} min.`,
    'Hand the layers in one by one, or simplify polygons that have far more vertices than the data is precise.',
  );
}
