import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openApplication } from '../commands/application.ts';
import { submitAndFollow } from '../commands/submit.ts';
import { parseManifest } from '../core/coverage/submissions/manifest.ts';
import { startWorkers } from '../workers/worker.ts';
import type { Spent } from './figures.ts';
import { childPeakMb, spent } from './measure.ts';

/** One file, from its submission until it is published, or until what its manifest says. */
export interface Ingested extends Spent {
  rows: number;
  features: number;
  areaKm2: number;
  /** The most memory that the process which reads the file had, in MB. */
  readerMb: number;
}

/** What `ingest-once.ts` prints: of each file, in order, and the most memory that its own process had, in MB. */
export interface IngestResult {
  runs: Ingested[];
  workerMb: number;
}

// Ingests files in a process of its own, one after the other. Words: the manifests as JSON, each with its `file`. Between two
// files it waits, so that the processor time of what the first began is not the second's.
const idleMs = 3_000;
const application = await openApplication();
const workers = await startWorkers(application);
const runs: Ingested[] = [];
for (const word of process.argv.slice(2)) {
  const { file, ...manifestGiven } = JSON.parse(word) as { file: string };
  const manifest = parseManifest({
    provider: { name: 'Bench', url: 'https://bench.example/' },
    technology: 'fibre',
    publish: 'auto',
    ...manifestGiven,
  });
  await sleep(idleMs);
  const ingested = { rows: 0, features: 0, areaKm2: 0, readerMb: 0 };
  // The servers are beside this process.
  const watch = setInterval(() => {
    ingested.readerMb = Math.max(ingested.readerMb, childPeakMb());
  }, 200);
  let last = '';
  const took = await spent(async () => {
    const submission = { path: file, name: path.basename(file) };
    for await (const step of submitAndFollow(application, submission, manifest)) {
      const { state, report, error, blocking } = step;
      last = `${state} ${JSON.stringify(error ?? blocking)}`;
      ingested.rows = report?.rows ?? ingested.rows;
      ingested.features = report?.features.loaded ?? ingested.features;
      ingested.areaKm2 = report?.area_km2 ?? ingested.areaKm2;
    }
  }, process.ppid);
  if (!last.startsWith(manifest.publish === 'auto' ? 'published' : 'ready')) throw new Error(last);
  clearInterval(watch);
  runs.push({ ...took, ...ingested });
}
await workers.close();
await application.close();
const result: IngestResult = { runs, workerMb: process.resourceUsage().maxRSS / 1024 };
console.log(JSON.stringify(result));
