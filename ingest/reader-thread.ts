import { once } from 'node:events';
import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { CovermapError, detailedReport } from '../core/errors.ts';
import { isDiskFull } from '../core/full-disk.ts';
import { explainedPropagation, IngestError } from './errors.ts';
import { inspectContents } from './inspect-contents.ts';
import type { GoOn, ReaderMessage, ReaderTask, ResultOf, ThreadData, ThreadStart } from './messages.ts';
import { openTowerBundle } from './modelling/tower-bundle.ts';
import { countPulseIn, pulse } from './read/pulse.ts';
import { readCoverage } from './read-coverage.ts';
import { parseTowers } from './tower-file.ts';

/* Reads a file in a thread that its process watches. It waits between messages, so that it never runs far ahead. */

/** The operating system's niceness: 10 of 19. */
const politePriority = 10;

export interface Sink {
  /** Resolves when it may be sent. */
  send(message: ReaderMessage, transfer?: ArrayBuffer[]): Promise<void>;
  /** Waits until all messages are acknowledged. @returns the reply to this one */
  ask(message: ReaderMessage): Promise<GoOn>;
}

function sinkOf(port: MessagePort, ahead: number): Sink {
  let free = ahead;
  let last: GoOn = {};
  const sink: Sink = {
    async send(message, transfer = []) {
      while (free === 0) await once(port, 'message');
      free--;
      port.postMessage(message, transfer);
    },
    async ask(message) {
      await sink.send(message);
      while (free < ahead) await once(port, 'message');
      return last;
    },
  };
  port.on('message', (reply: GoOn) => {
    free++;
    last = reply;
  });
  return sink;
}

/** Does a task. The messages are those of `ReaderMessage`, with `end` as the last. */
export async function read(task: ReaderTask, sender: Sink): Promise<void> {
  if (task.kind === 'coverage')
    await readCoverage(task, (message, transfer) => sender.send(message, transfer));
  else if (task.kind === 'prediction') {
    const { predictTowers } = await import('./modelling/predict-towers.ts');
    await predictTowers(task, sender);
  } else await sender.send({ type: 'result', result: await resultOf(task) });
  await sender.send({ type: 'end' });
}

async function resultOf(task: Extract<ReaderTask, { kind: keyof ResultOf }>) {
  switch (task.kind) {
    case 'inspection':
      return inspectContents(task);
    case 'towers': {
      const { list } = await openTowerBundle(task.file, task.scratch);
      return parseTowers(list, task.speeds, task.serviceArea);
    }
    case 'terrain':
      return (await import('./modelling/list-terrain.ts')).listTerrain(task);
    case 'profile':
      return (await import('./modelling/path-profile.ts')).pathProfile(task);
  }
}

/** Tells if a file exceeds the stack, or the size of a string or list. A retry would fail the same way; V8 has no codes for these. */
const isTooMuch = (error: unknown) =>
  (error instanceof RangeError &&
    /^Maximum call stack|^Invalid (?:string|array|typed array) length|^Array buffer allocation/.test(
      error.message,
    )) ||
  (error as NodeJS.ErrnoException)?.code === 'ERR_STRING_TOO_LONG';

const tooMuch = (cause: unknown) =>
  new IngestError(
    'reader_broke_off',
    'A value in the file is too long, or nested too deep, to be read.',
  ).causedBy(cause);

if (parentPort) {
  const port = parentPort;
  countPulseIn((workerData as ThreadData).pulse);
  once(port, 'message')
    .then(([start]) => {
      const { task, ahead } = start as ThreadStart;
      pulse();
      // For this thread and those that it starts: processes that answer requests come first.
      if (task.kind === 'prediction') setPriority(politePriority);
      return read(task, sinkOf(port, ahead));
    })
    .catch((thrown) => {
      const error = isTooMuch(thrown) ? tooMuch(thrown) : explainedPropagation(thrown);
      port.postMessage({
        type: 'error',
        report: detailedReport(isDiskFull(error) ? new CovermapError('storage_full') : error),
        aboutFile: error instanceof IngestError,
        cause: error instanceof IngestError && error.cause instanceof Error ? error.cause.message : undefined,
      });
    })
    .finally(() => port.close());
}
