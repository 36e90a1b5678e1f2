import { parentPort } from 'node:worker_threads';

// In the place of ingest/rows/geometry-thread.ts: does with a feature what the x of its first position says.
parentPort.on('message', ({ feature }) => {
  const x = new DataView(feature.buffer).getFloat64(13, true);
  if (x === 1) for (;;);
  if (x === 2) throw new WebAssembly.RuntimeError('unreachable');
  if (x === 3) throw new TypeError('a fault of ours');
  parentPort.postMessage(x === 4 ? undefined : { done: x });
});
