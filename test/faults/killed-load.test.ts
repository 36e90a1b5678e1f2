import { afterAll, expect, test } from 'vitest';
import { openQueue } from '../../core/queue.ts';
import { endCommandProcesses, runCommandProcess } from '../setup/processes.ts';
import { makePlace, type Place, submitFile } from '../setup/service.ts';
import { zippedShapefile } from '../setup/shapes.ts';
import type { Point } from '../setup/write-shapefile.ts';

/* A worker that dies or is stopped in the middle of a load, and one that comes after it. */

/** Loading them takes seconds, so that a kill is in the middle of it. */
const features = 4000;
const places: Place[] = [];

const file = await zippedShapefile({
  fields: [{ name: 'SPEED', type: 'N', length: 8 }],
  features: Array.from({ length: features }, (_, i) => ({
    rings: [blob(170 + (i % 100) * 0.05, -44 + Math.floor(i / 100) * 0.05, i)],
    attributes: { SPEED: 10 * (1 + (i % 7)) },
  })),
});
afterAll(async () => {
  endCommandProcesses();
  for (const place of places) await place.remove();
});

function blob(x: number, y: number, seed: number): Point[] {
  const points = 150;
  const ring = Array.from({ length: points }, (_, i): Point => {
    const angle = (-2 * Math.PI * i) / points;
    const radius = 0.03 + 0.005 * Math.sin(angle * (2 + (seed % 5)) + seed);
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
  return [...ring, ring[0] as Point];
}

/** Receives the file from a provider and sends its job. */
async function submit(place: Place, provider: string): Promise<string> {
  const database = await place.open();
  const queue = openQueue(place.config, database);
  const id = await submitFile(place, database, provider, file, {
    attributes: { bandwidth_max_mbps: 'SPEED' },
    speeds: { bandwidth_up_max_mbps: 5 },
  });
  await queue.send('load', id);
  await queue.close();
  await database.close();
  return id;
}

/** A place where the file was received, and no process at work on it. */
async function placeWithSubmission(provider = 'Test Networks'): Promise<{ place: Place; id: string }> {
  const place = await makePlace({}, { onDisk: true });
  places.push(place);
  return { place, id: await submit(place, provider) };
}

const startWorker = (place: Place) =>
  runCommandProcess('worker', [], { ...place.env, LOG_LEVEL: 'debug', WORKER_LOST_SECONDS: '7' });
const loading = /"rows_loaded":[1-9]\d*,"msg":"ingest goes on"/;
const published = /"msg":"published"/;

async function stop(worker: ReturnType<typeof startWorker>) {
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toBe(0);
}

/** All rows that lookups read, whatever their order and ids. */
async function rowsOf(place: Place): Promise<object | undefined> {
  const database = await place.open();
  const { rows } = await database.query(
    `select count(*) as rows, md5(string_agg(row, '' order by row)) as digest,
       (select count(*) from dataset) as datasets, (select count(*) from tier) as tiers
     from (
       select t.availability || t.bandwidth_max_mbps || t.bandwidth_up_max_mbps || d.state || st_ashexewkb(c.geom) as row
       from coverage c join tier t on t.id = c.tier_id join dataset d on d.id = t.dataset_id
     ) as all_rows`,
  );
  await database.close();
  return rows[0] as object;
}

/** The outcome of each submission, in the order in which they were received. */
async function submissionsOf(place: Place) {
  const database = await place.open();
  const { rows } = await database.query<{ id: string; state: string; code: string | null; datasets: number }>(
    `select id, state, error ->> 'code' as code, (select count(*) from dataset where submission_id = s.id) as datasets
     from submission s order by received_at`,
  );
  await database.close();
  return rows;
}

let undisturbed: object | undefined;

test('undisturbed, the file is loaded and published', async () => {
  const { place } = await placeWithSubmission();
  const worker = startWorker(place);
  await worker.printed(published);
  await stop(worker);
  undisturbed = await rowsOf(place);
  expect(undisturbed).toMatchObject({ datasets: 1, tiers: 7 });
});

test('killed in the middle, then stopped in the middle, it ends with the same rows', async () => {
  const { place } = await placeWithSubmission();
  const first = startWorker(place);
  await first.printed(loading);
  first.child.kill('SIGKILL');
  expect(await first.ended).toBe('SIGKILL');
  expect(first.output()).not.toMatch(published);
  const second = startWorker(place);
  await second.printed(loading);
  await stop(second);
  expect(second.output()).toContain('Stopped.');
  expect(second.output()).not.toMatch(published);
  // Had the job not been handed back, it would be given out again only when its lock has run out.
  const third = startWorker(place);
  await third.printed(published);
  expect(third.output()).not.toContain('stalled');
  await stop(third);
  expect(await rowsOf(place)).toEqual(undisturbed);
});

test('what kills its process twice has failed, and others are worked on between its tries', async () => {
  const { place, id: deadly } = await placeWithSubmission('Deadly');
  const begins = (id: string) => new RegExp(`"submission":"${id}".*"msg":"ingest begins"`);
  const first = startWorker(place);
  await first.printed(begins(deadly));
  first.child.kill('SIGKILL');
  await first.ended;
  const harmless = await submit(place, 'Harmless');
  const second = startWorker(place);
  await second.printed(begins(deadly));
  second.child.kill('SIGKILL');
  await second.ended;
  // It began after the other one, which had killed no process so far.
  const begun = [...second.output().matchAll(/"submission":"([^"]+)".*"msg":"ingest begins"/g)];
  expect(begun.map(([, id]) => id)).toEqual([harmless, deadly]);
  const [, before] = await submissionsOf(place);
  const third = startWorker(place);
  await third.printed(/attempts_exhausted/);
  // Publishing is a job of its own: the second worker may have ended before it.
  if (before?.state !== 'published') await third.printed(published);
  await stop(third);
  expect(third.output()).not.toMatch(begins(deadly));
  expect(await submissionsOf(place)).toEqual([
    { id: deadly, state: 'failed', code: 'attempts_exhausted', datasets: 0 },
    { id: harmless, state: 'published', code: null, datasets: 1 },
  ]);
});
