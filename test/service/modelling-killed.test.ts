import { createReadStream, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commandActor } from '../../core/access/actor.ts';
import { parseManifest } from '../../core/coverage/submissions/manifest.ts';
import { recordSubmission } from '../../core/coverage/submissions/submit.ts';
import { openStorage } from '../../core/storage/open.ts';
import { endCommandProcesses, runCommandProcess } from '../setup/processes.ts';
import { makePlace, type Place, providerNamed } from '../setup/service.ts';
import { type TestTower, towerList, writeTerrain } from '../setup/terrain.ts';

/* A worker that is killed while it models coverage, and one that comes after it. */

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
  const { name, bytes } = towerList(towers);
  const source = path.join(place.config.dataDir, name);
  writeFileSync(source, bytes);
  const database = await place.open();
  const storage = await openStorage(place.config);
  await recordSubmission(database, {
    file: { ...(await storage.store(name, createReadStream(source))), name },
    manifest: parseManifest({
      ...{ provider: providerNamed('Kauri Wireless'), technology: 'wireless', processed_by: 'service' },
      ...{ publish: 'auto', prediction: { range_km: 3.5, resolution_m: 20 } },
    }),
    ...{ kind: 'towers', actor: commandActor, again: true },
  });
  await database.close();

  const env = { ...place.env, TERRAIN_DIR: terrain, LOG_LEVEL: 'debug', WORKER_LOST_SECONDS: '7' };
  const first = runCommandProcess('worker', [], env);
  await first.printed(/"done":3,"total":12,"msg":"a site is modelled"/);
  first.child.kill('SIGKILL');
  expect(await first.ended).toBe('SIGKILL');
  expect(first.output()).not.toContain('"msg":"modelled"');

  const second = runCommandProcess('worker', [], env);
  await second.printed(/"msg":"published"/);
  const [, reused] = /"sites":12,"reused":(\d+),"msg":"modelled"/.exec(second.output()) ?? [];
  expect(Number(reused)).toBeGreaterThanOrEqual(3);
  expect(Number(reused)).toBeLessThan(count);
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);
});
