import { setPriority } from 'node:os';
import { describeFault, serveTask } from '@covermap/coverage-files/process/serve.ts';
import { isDiskFull } from '../platform/full-disk.ts';
import { asIngestError, IngestError, WhichReferenceSystem } from './errors.ts';
import { inspectContents } from './inspect-contents.ts';
import type { GoOn, ReaderFault, ReaderMessage, ReaderSink, ReaderTask, ResultOf } from './messages.ts';
import { readCoverage } from './rows/read-coverage.ts';
import { openTowerBundle } from './towers/tower-bundle.ts';
import { parseTowers } from './towers/tower-file.ts';

/* The tasks of the service on a file, in the thread of the reading process that `reader.ts` starts. */

/** The operating system's niceness: 10 of 19. */
const politePriority = 10;

export type Sink = ReaderSink;

/** Does a task, and sends its messages. */
export async function read(task: ReaderTask, sink: Sink): Promise<void> {
  if (task.kind === 'coverage') await readCoverage(task, (message, transfer) => sink.send(message, transfer));
  else if (task.kind === 'addresses') {
    const { readAddresses } = await import('./addresses/read-addresses.ts');
    await readAddresses(task, (message, transfer) => sink.send(message, transfer));
  } else if (task.kind === 'export') {
    const { writeExport } = await import('./exports/write-export.ts');
    await writeExport(task, sink);
  } else if (task.kind === 'regions') {
    const { readRegions } = await import('./regions/read-regions.ts');
    await readRegions(task, (message, transfer) => sink.send(message, transfer));
  } else if (task.kind === 'prediction') {
    const { predictTowers } = await import('./towers/predict-towers.ts');
    await predictTowers(task, sink);
  } else await sink.send({ type: 'result', result: await resultOf(task) });
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
      return (await import('@covermap/propagation/list-terrain.ts')).listTerrain(task.file, task);
    case 'profile':
      return (await import('./towers/path-profile.ts')).pathProfile(task);
    case 'speed-trial':
      return (await import('./towers/speed-trial.ts')).trySpeeds(task);
  }
}

function faultOf(thrown: unknown): ReaderFault {
  const error = asIngestError(thrown);
  if (isDiskFull(error)) return { code: 'storage_full', message: '' };
  if (!(error instanceof IngestError)) return describeFault(error);
  const { code, message, hint, cause } = error;
  const choices = error instanceof WhichReferenceSystem ? error.choices : undefined;
  return { code, message, hint, cause: cause instanceof Error ? cause.message : undefined, choices };
}

serveTask<ReaderTask, ReaderMessage, GoOn>(async (task, sink) => {
  // For this thread and those that it starts: processes that answer requests come first.
  if (['prediction', 'addresses', 'export', 'regions'].includes(task.kind)) setPriority(politePriority);
  await read(task, sink);
}, faultOf);
