import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openApplication } from '../commands/application.ts';
import { submitAndFollow } from '../commands/submit.ts';
import { parseManifest } from '../core/coverage/submissions/manifest.ts';
import { startWorkers } from '../workers/worker.ts';
import { median, processorSeconds } from './common.ts';

// From submission to publication of a sample of seven polygons: the first after the start, and the median of those after it.
// Prints a line of JSON.
const runs = 6;
const idleMs = 3000;
const name = 'fibre-north.zip';
const file = { path: fileURLToPath(new URL(`../samples/${name}`, import.meta.url)), name };
const application = await openApplication();
const workers = await startWorkers(application);
const wall: number[] = [];
const processor: number[] = [];
for (let i = 0; i < runs; i++) {
  await sleep(idleMs);
  // The servers are beside this process.
  const before = processorSeconds(process.ppid);
  const started = performance.now();
  const manifest = parseManifest({
    provider: { name: `Bench ${i}`, url: 'https://bench.example/' },
    technology: 'fibre',
    publish: 'auto',
  });
  for await (const { state, error } of submitAndFollow(application, file, manifest)) {
    if (state === 'failed') throw new Error(JSON.stringify(error));
  }
  wall.push((performance.now() - started) / 1000);
  processor.push(processorSeconds(process.ppid) - before);
}
await workers.close();
await application.close();
const first = { wall: wall.shift(), processor: processor.shift() };
console.log(JSON.stringify({ first, later: { wall: median(wall), processor: median(processor) } }));
