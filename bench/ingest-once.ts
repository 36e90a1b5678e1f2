import path from 'node:path';
import { openApplication } from '../commands/application.ts';
import { submitAndFollow } from '../commands/submit.ts';
import { parseManifest } from '../core/coverage/submissions/manifest.ts';
import { startWorkers } from '../workers/worker.ts';

// A process of its own for one ingest, so that its peak of memory is its own. Prints a line of JSON.
const [file = '', manifestGiven = '{}'] = process.argv.slice(2);
const application = await openApplication();
const workers = await startWorkers(application);
const idleMb = process.resourceUsage().maxRSS / 1024;
const started = performance.now();
const manifest = parseManifest({
  provider: { name: 'Bench', url: 'https://bench.example/' },
  technology: 'fibre',
  attributes: { bandwidth_max_mbps: 'SPEED' },
  speeds: { bandwidth_up_max_mbps: 10 },
  publish: 'auto',
  ...JSON.parse(manifestGiven),
});
let rows = 0;
let features = 0;
let areaKm2 = 0;
for await (const { state, report, error } of submitAndFollow(
  application,
  { path: file, name: path.basename(file) },
  manifest,
)) {
  rows = report?.rows ?? rows;
  features = report?.features.loaded ?? features;
  areaKm2 = report?.area_km2 ?? areaKm2;
  if (state === 'failed') throw new Error(JSON.stringify(error));
}
const seconds = (performance.now() - started) / 1000;
await workers.close();
await application.close();
console.log(
  JSON.stringify({ seconds, rows, features, areaKm2, idleMb, peakMb: process.resourceUsage().maxRSS / 1024 }),
);
