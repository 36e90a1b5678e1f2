import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

/*
 * The process that reads a file: any crash of a decoder, JavaScript or native, ends here. A thread reads (`serve.ts`), so that this one is always free
 * to carry its messages and to watch it. Its working directory is the scratch folder of the task, its arguments the limit of its memory in MB and
 * the file of the thread. It is JavaScript because it has to start quickly.
 */

const memoryEveryMs = 50;
const progressEveryMs = 1000;
/** Files below this size are read faster where nothing of GDAL is optimised. */
const optimisedFromBytes = 1_000_000;

// Ignores signals to a whole group or service: the parent ends this process, which ends itself if the parent is gone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.on('disconnect', removeScratchAndDie);
// The parent may have ended before this.
if (!process.connected) removeScratchAndDie();

const [memoryMb, program] = process.argv.slice(2);
const pulse = new Int32Array(new SharedArrayBuffer(4));
// Started at once, so that it loads its program while the task is on its way.
const thread = new Worker(program, {
  workerData: { pulse },
  resourceLimits: { maxOldGenerationSizeMb: Number(memoryMb) },
});
let threadError;
let reportError = (error) => {
  threadError = error;
};
thread.on('error', (error) => reportError(error));

/** The first message is a `ProcessStart`, later ones are replies, which let the thread go on. */
process.once('message', ({ task, stalledMs, ahead, isLong }) => {
  watchMemory(Number(memoryMb));
  const size = statSync(task.file, { throwIfNoEntry: false })?.size ?? 0;
  if (size < optimisedFromBytes && !isLong) setFlagsFromString('--no-wasm-dynamic-tiering --no-wasm-tier-up');
  let unacknowledged = 0;
  let over = false;
  thread.on('message', (message) => {
    unacknowledged++;
    over = message.type === 'end' || message.type === 'error';
    process.send(message);
  });
  process.on('message', (reply) => {
    unacknowledged--;
    thread.postMessage(reply);
  });
  reportError = (error) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') die();
    process.send({ type: 'error', fault: { code: undefined, message: error.message } });
  };
  if (threadError) reportError(threadError);
  thread.postMessage({ task, ahead });
  // The thread counts first when its program is loaded, which takes a while on a busy machine.
  watchProgress(stalledMs, () =>
    over || unacknowledged >= ahead ? undefined : Atomics.load(pulse, 0) || undefined,
  );
});

/** No limit of the heap includes the memory of decoders. */
function watchMemory(limitMb) {
  setInterval(() => {
    if (process.memoryUsage.rss() > limitMb * 1024 * 1024) die();
  }, memoryEveryMs);
}

/** Calls back after a time without progress. @param done a count that grows with the work; undefined while there is none */
function watchProgress(stalledMs, done) {
  const maxQuiet = Math.ceil(stalledMs / progressEveryMs);
  const lookEvery = Math.max(1, Math.floor(maxQuiet / 4));
  let quiet = 0;
  let last;
  let lastBytes = 0;
  // Counts its own runs: a machine that slept has not stalled.
  setInterval(() => {
    const now = done();
    quiet = now !== undefined && now === last ? quiet + 1 : 0;
    last = now;
    if (quiet === 0 || quiet % lookEvery !== 0) return;
    // GDAL keeps its thread busy for a whole layer; only the growing file shows progress.
    const bytes = bytesIn(process.cwd());
    if (bytes !== lastBytes) quiet = 0;
    lastBytes = bytes;
    if (quiet >= maxQuiet) process.send({ type: 'stalled' });
  }, progressEveryMs);
}

function bytesIn(folder) {
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true })) {
    bytes += statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}

/** The parent no longer waits, or was killed. */
function removeScratchAndDie() {
  try {
    rmSync(process.cwd(), { recursive: true, force: true });
  } finally {
    die();
  }
}

/** Works without memory, too. The parent takes SIGKILL for the limit of memory. */
function die() {
  process.kill(process.pid, 'SIGKILL');
}
