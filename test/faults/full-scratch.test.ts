import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { anySeed, randomNumbers } from '@covermap/testing/random.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { parseManifest } from '../../coverage/submissions/manifest.ts';
import { findSubmission } from '../../coverage/submissions/submissions.ts';
import { submitLocalFile } from '../../coverage/submissions/submit.ts';
import { readerLimits, readFile } from '../../ingest/reader.ts';
import { terrainModels } from '../../ingest/towers/terrain-index.ts';
import { readConfig } from '../../platform/config.ts';
import { openStorage } from '../../platform/storage/open.ts';
import { endCommandProcesses, runCommandProcess } from '../setup/processes.ts';
import { rounds } from '../setup/rounds.ts';
import { useDatabase } from '../setup/service.ts';
import { mountSmallDisk, noSmallDisk, type SmallDisk } from '../setup/small-disk.ts';
import { technologies } from '../setup/technologies.ts';
import { towerList, writeTerrain } from '../setup/terrain.ts';

/* The temporary folder of a worker, in which files are unpacked and converted, has no space left. */

const scratch = scratchFolder();
const seed = anySeed();
const random = randomNumbers(seed);
const config = readConfig({});
const limits = readerLimits(config);
let disk: SmallDisk;

beforeAll(async () => {
  if (!noSmallDisk) disk = await mountSmallDisk(4);
});
afterAll(async () => {
  endCommandProcesses();
  await disk?.remove();
});

const unpacked = ['cable.gpkg', 'copper.tab.zip', 'vdsl.gdb.zip', 'wireless-prediction.kmz', 'adsl.geojson'];
const manifestOf = (name: string) =>
  parseManifest({
    provider: { name: 'Small Networks', url: 'https://small.example/' },
    ...JSON.parse(readFileSync(`samples/${name.split('.')[0]}.manifest.json`, 'utf8')),
    publish: 'auto',
  });

/** Does something with so many bytes free: the outcome is as usual, or it waits for space. @returns true if it waits */
async function isRefused(what: string, room: number, undisturbed: string, work: () => Promise<string>) {
  disk.fill();
  const ballast = path.join(disk.folder, 'ballast');
  truncateSync(ballast, statSync(ballast).size - room);
  vi.stubEnv('TMPDIR', disk.folder);
  const outcome = await work().catch((error) => `${error.code}`);
  vi.unstubAllEnvs();
  expect([undisturbed, 'storage_full'], what).toContain(outcome);
  expect(readdirSync(disk.folder), what).toEqual(['ballast']);
  disk.free();
  return outcome === 'storage_full';
}

test.skipIf(noSmallDisk)(
  'whatever the space, a file gives what it has, or waits for space: it is never said to be damaged',
  async () => {
    const undisturbed = new Map<string, string>();
    for (const name of unpacked) undisturbed.set(name, await digestOf(name));
    let refused = 0;
    for (let round = 0; round < rounds(2, 40); round++) {
      for (const [name, digest] of undisturbed) {
        const room = Math.floor(random() * 3 * statSync(`samples/${name}`).size);
        const what = `${name} with ${room} bytes free, seed ${seed}`;
        if (await isRefused(what, room, digest, () => digestOf(name))) refused++;
      }
    }
    expect(refused).toBeGreaterThan(0);
  },
);

test.skipIf(noSmallDisk)(
  'whatever the space, towers give the coverage that they have, or wait for space: they are never left to staff',
  async () => {
    const model = await modelOfTowers(scratch);
    const [undisturbed, most] = [await model(), 1.5 * modelledBytes];
    let refused = 0;
    const count = rounds(4, 200);
    for (let round = 0; round < count; round++) {
      // Each round has its part of the range of free space; at least one has too little.
      const room = Math.floor(((round + random()) / count) * most);
      if (await isRefused(`${room} bytes free, seed ${seed}`, room, undisturbed, model)) refused++;
    }
    expect(refused).toBeGreaterThan(0);
  },
);

test.skipIf(noSmallDisk)(
  'files that need none are loaded meanwhile, the others once there is some, without a restart',
  async () => {
    const { place, database } = await useDatabase();
    onTestFinished(endCommandProcesses);
    const storage = await openStorage(place.config);
    const submit = async (name: string) => {
      const file = { path: path.resolve('samples', name), name };
      return (await submitLocalFile(database, storage, file, manifestOf(name))).id;
    };
    disk.fill();
    const waiting = await submit('cable.gpkg');
    const other = await submit('fibre-north.zip');
    const worker = runCommandProcess('worker', [], { ...place.env, TMPDIR: disk.folder });
    const published = (id: string) => new RegExp(`"submission":"${id}","msg":"published"`);
    await worker.printed(published(other));
    await worker.printed(new RegExp(`storage_full.*"id":"${waiting}"|"id":"${waiting}".*storage_full`));
    expect(await findSubmission(database, waiting)).toMatchObject({ state: 'reading', error: null });
    disk.free();
    await worker.printed(published(waiting));
    // Attempts grow rarer, and each is told in a line.
    expect(worker.output().match(/"msg":"work waits for the storage"/g)?.length).toBeLessThan(10);
    expect(worker.output()).not.toMatch(/"level":[56]0/);
    expect(readdirSync(disk.folder)).toEqual([]);
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    const { rows } = await database.query('select * from work');
    expect(rows).toEqual([]);
  },
);

/** About what the scratch folder of these towers holds at once. */
const modelledBytes = 400_000;

/** @returns what models towers, and gives a digest of the outcome */
async function modelOfTowers(folder: string): Promise<() => Promise<string>> {
  const terrain = path.join(folder, 'terrain');
  writeTerrain(terrain);
  const list = towerList([
    { name: 'Hill', at: [0, 0] },
    { name: 'Other', at: [-3000, 2000], mhz: 900 },
  ]);
  const file = path.join(folder, list.name);
  writeFileSync(file, list.bytes);
  const { serviceArea } = config;
  const work = {
    ...{ kind: 'prediction' as const, file, name: list.name, serviceArea, maxTowers: 10, threads: 1 },
    terrain: { folder: terrain, models: await terrainModels(terrain, limits) },
    parameters: { range_km: 4, resolution_m: 100 },
  };
  return async () => {
    const hash = createHash('sha256');
    for await (const message of readFile(work, limits)) {
      if (message.type !== 'predicted') continue;
      hash.update(readFileSync(message.signal)).update(readFileSync(message.picture));
      hash.update(JSON.stringify(message.report));
      // The file has the time of writing in it.
      hash.update(String(statSync(message.areas).size));
    }
    return hash.digest('hex');
  };
}

/** A digest of all messages of the reader about a sample. */
async function digestOf(name: string): Promise<string> {
  const { layers, sieve, classes: _, smoothing: __, ...rules } = manifestOf(name);
  const work = {
    kind: 'coverage' as const,
    file: path.resolve('samples', name),
    name,
    options: { layers, classes: undefined, smoothing: false, sieve },
    rules: { ...rules, technologies, today: '2026-01-01' },
    serviceArea: config.serviceArea,
    crs: rules.crs,
    exclusions: [],
  };
  const hash = createHash('sha256');
  const asText = (_field: string, value: unknown) =>
    ArrayBuffer.isView(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')
      : value;
  // Without the progress, which depends on the time.
  for await (const message of readFile(work, limits))
    hash.update(JSON.stringify({ ...message, progress: undefined }, asText));
  return hash.digest('hex');
}
