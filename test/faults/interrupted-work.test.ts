import path from 'node:path';
import { pairsOf, regularRing, zippedShapefile } from '@covermap/testing/shapes.ts';
import { expect, onTestFinished, test } from 'vitest';
import { openWorkQueue } from '../../coverage/jobs/queue.ts';
import { endCommandProcesses, runCommandProcess } from '../setup/processes.ts';
import { submitFile, useDatabase } from '../setup/service.ts';
import { submitTowers } from '../setup/submit-towers.ts';
import { type TestTower, writeTerrain } from '../setup/terrain.ts';

/* Workers that are killed or stopped in the middle of long work, and one that comes after them. */

test('coverage that is modelled goes on from the sites that were done', async () => {
  const { place, database } = await useDatabase();
  onTestFinished(endCommandProcesses);
  const terrain = path.join(place.config.dataDir, 'terrain');
  writeTerrain(terrain);
  const prediction = { range_km: 3.5, resolution_m: 20 };
  const towers = Array.from({ length: 12 }, (_, i): TestTower => ({ name: `T${i}`, at: [(i - 6) * 500, 0] }));
  await submitTowers(database, place, 'Kauri Wireless', towers, { publish: 'auto', prediction });

  const env = { ...place.env, TERRAIN_DIR: terrain, LOG_LEVEL: 'debug', WORKER_LOST_SECONDS: '5' };
  // More kills than attempts: each worker gets further, and so none counts as work that kills its worker.
  for (const done of [3, 5, 7]) {
    const killed = runCommandProcess('worker', [], env);
    await killed.printed(new RegExp(`"done":${done},"total":12,"msg":"a site is modelled"`));
    killed.child.kill('SIGKILL');
    expect(await killed.ended).toBe('SIGKILL');
    expect(killed.output()).not.toContain('"msg":"modelled"');
  }

  const last = runCommandProcess('worker', [], env);
  await last.printed(/"msg":"published"/);
  const [, reused] = /"sites":12,"reused":(\d+),"msg":"modelled"/.exec(last.output()) ?? [];
  expect(Number(reused)).toBeGreaterThanOrEqual(7);
  expect(Number(reused)).toBeLessThan(towers.length);
  last.child.kill('SIGTERM');
  expect(await last.ended).toBe(0);
});

test('a load that dies with its worker begins again, is handed back by one that is stopped, and then is whole', async () => {
  const { place, database } = await useDatabase();
  onTestFinished(endCommandProcesses);
  const queue = openWorkQueue(place.config, database);
  onTestFinished(() => queue.close());
  // Loading them takes seconds.
  const count = 10_000;
  const features = Array.from({ length: count }, (_, i) => {
    const ring = regularRing(170 + (i % 100) * 0.05, -44 + Math.floor(i / 100) * 0.05, 0.02, 100);
    return { rings: [pairsOf(ring).reverse()] };
  });
  await submitFile(place, database, 'Test Networks', await zippedShapefile({ features }));
  await queue.send('load');

  const env = { ...place.env, LOG_LEVEL: 'debug', WORKER_LOST_SECONDS: '5' };
  const startWorker = () => runCommandProcess('worker', [], env);
  const loading = /"rows_loaded":[1-9]\d*,"msg":"ingest goes on"/;
  const killed = startWorker();
  await killed.printed(loading);
  killed.child.kill('SIGKILL');
  expect(await killed.ended).toBe('SIGKILL');
  const first = startWorker();
  await first.printed(loading);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect(first.output()).toContain('Stopped.');
  expect(await queue.figures()).toContainEqual(
    expect.objectContaining({ queue: 'load', waiting: 1, active: 0, delayed: 0 }),
  );
  const second = startWorker();
  await second.printed(/"msg":"published"/);
  const { rows } = await database.query(
    'select count(*) as rows, count(distinct geom) as shapes, (select count(*) from dataset) as datasets from coverage',
  );
  expect(rows).toEqual([{ rows: count, shapes: count, datasets: 1 }]);
});
