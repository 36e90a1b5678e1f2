import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { endCommandProcesses, runCommandProcess } from '../setup/processes.ts';
import { makePlace, type Place } from '../setup/service.ts';
import { submitTowers } from '../setup/submit-towers.ts';
import { type TestTower, writeTerrain } from '../setup/terrain.ts';

/* Workers that are killed while they model coverage, and one that comes after them. */

let place: Place | undefined;
afterAll(async () => {
  endCommandProcesses();
  await place?.remove();
});

const count = 12;
const towers = Array.from(
  { length: count },
  (_, i): TestTower => ({ name: `T${i}`, at: [(i - 6) * 500, 0] }),
);

test('goes on from the sites that were done', async () => {
  place = await makePlace({}, { onDisk: true });
  const terrain = path.join(place.config.dataDir, 'terrain');
  writeTerrain(terrain);
  const database = await place.open();
  const prediction = { range_km: 3.5, resolution_m: 20 };
  await submitTowers(database, place, 'Kauri Wireless', towers, { publish: 'auto', prediction });
  await database.close();

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
  expect(Number(reused)).toBeLessThan(count);
  last.child.kill('SIGTERM');
  expect(await last.ended).toBe(0);
});
