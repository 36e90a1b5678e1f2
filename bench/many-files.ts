import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApplication } from '../commands/application.ts';
import { submitAndFollow } from '../commands/submit.ts';
import { parseManifest } from '../core/coverage/submissions/manifest.ts';
import { startWorkers } from '../workers/worker.ts';

/*
 * The samples, one after the other and again, through one worker, and what memory its process has: it must not grow with the
 * number of files. On the embedded database of DATA_DIR, or the servers of DATABASE_URL and REDIS_URL:
 *
 *     DATA_DIR=$(mktemp -d) node --import tsx bench/many-files.ts 1000
 */

const files = Number(process.argv[2] ?? 1000);
const told = new Set([1, 50, 100, 200, 300, 400, 500, 750, 1000, files]);
const folder = fileURLToPath(new URL('../samples', import.meta.url));
const samples = readdirSync(folder)
  .filter((name) => name.endsWith('.manifest.json'))
  .map((name) => {
    const { file, ...manifest } = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
    return { file: String(file), manifest: parseManifest({ ...manifest, publish: 'auto' }) };
  });

const application = await openApplication();
const workers = await startWorkers(application);
const tell = (count: number) => {
  const { rss, heapUsed, external } = process.memoryUsage();
  const [all, heap, outside] = [rss, heapUsed, external].map((bytes) => Math.round(bytes / 2 ** 20));
  console.log(`${count} files: ${all} MB (heap ${heap}, outside of it ${outside})`);
};
tell(0);
for (let count = 1; count <= files; count++) {
  const { file, manifest } = samples[count % samples.length] as (typeof samples)[number];
  for await (const { state, error } of submitAndFollow(
    application,
    { path: path.join(folder, file), name: file },
    manifest,
  )) {
    if (state === 'failed') throw new Error(JSON.stringify(error));
  }
  if (told.has(count)) tell(count);
}
await workers.close();
await application.close();
