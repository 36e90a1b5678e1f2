import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openApplication } from '../commands/application.ts';
import { submitAndFollow } from '../commands/submit.ts';
import { steps } from '../coverage/attempts.ts';
import { waitingRows } from '../coverage/jobs/waiting.ts';
import { parseManifest } from '../coverage/submissions/manifest.ts';
import { startWorkers } from '../workers/worker.ts';
import { childPeakMb, forgetPeak, type Ingested, peakMb, spent } from './measure.ts';

// Ingests files in a process of its own, in sequence. Arguments: the manifests as JSON, each with its `file`. Prints a list of `Ingested` as JSON. A
// sample warms the process up, and between two files it waits until all work of the first is done.
const idleMs = process.env.BENCH_QUICK ? 100 : 3_000;
const sample = {
  file: fileURLToPath(new URL('../samples/fibre-north.zip', import.meta.url)),
  provider: { name: 'Sample', url: 'https://bench.example/' },
};
const application = await openApplication();
const workers = await startWorkers(application);
if (!process.env.BENCH_QUICK) await ingest(sample);
const all: Ingested[] = [];
for (const word of process.argv.slice(2)) all.push(await ingest(JSON.parse(word)));
await workers.close();
await application.close();
console.log(JSON.stringify(all));

/** Waits for work after a publication: moving rows of a replaced version, drawing the new one. */
async function nothingWaits(): Promise<void> {
  for (const step of steps) {
    while ((await waitingRows(application.database, step)).length > 0) await sleep(100);
  }
}

async function ingest({ file, ...manifestGiven }: { file: string }): Promise<Ingested> {
  const manifest = parseManifest({
    provider: { name: 'Bench', url: 'https://bench.example/' },
    technology: 'fibre',
    publish: 'auto',
    ...manifestGiven,
  });
  await nothingWaits();
  await sleep(idleMs);
  const result = { rows: 0, features: 0, areaKm2: 0, workerMb: 0, readerMb: 0 };
  let last = '';
  forgetPeak();
  const watch = setInterval(() => {
    result.readerMb = Math.max(result.readerMb, childPeakMb());
  }, 200);
  // The servers are outside this process.
  const took = await spent(async () => {
    const submission = { path: file, name: path.basename(file) };
    for await (const step of submitAndFollow(application, submission, manifest)) {
      const { state, report, error, blocking } = step;
      last = `${state} ${JSON.stringify(error ?? blocking)}`;
      result.rows = report?.rows ?? result.rows;
      result.features = report?.features.loaded ?? result.features;
      result.areaKm2 = report?.area_km2 ?? result.areaKm2;
    }
  }, process.ppid);
  clearInterval(watch);
  if (!last.startsWith(manifest.publish === 'auto' ? 'published' : 'ready')) throw new Error(last);
  return { ...took, ...result, workerMb: peakMb(process.pid) };
}
