import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { rectangle, wgs84Prj } from '@covermap/testing/shapes.ts';
import { named, writeShapefile, zip } from '@covermap/testing/write-shapefile.ts';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { ReaderMessage } from '../../ingest/messages.ts';
import type { ReaderLimits } from '../../ingest/reader.ts';
import { processMark } from '../../platform/process-identity.ts';
import { hugeImage } from '../setup/huge-image.ts';
import { runScript } from '../setup/processes.ts';
import { processes, readFile as readHere } from '../setup/reader-here.ts';
import { coverageWork, limits } from '../setup/reader-work.ts';

/* A file is read in a process of its own: its limits, its end, and the files that it leaves. */

const { readFile, readResult } = processes;
const folder = scratchFolder();
/** A file that never gives a byte: whoever opens it waits for ever. */
const silent = path.join(folder, 'silent.geojson');
const sample = fileURLToPath(new URL('../../samples/fibre-north.zip', import.meta.url));

beforeAll(() => {
  execFileSync('mkfifo', [silent]);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

async function read(file: string, given: Partial<ReaderLimits> = {}, signal?: AbortSignal) {
  const messages: ReaderMessage[] = [];
  for await (const message of readFile(coverageWork(file), { ...limits, ...given }, signal))
    messages.push(message);
  return messages;
}

const readTowers = (file: string) =>
  readResult({ kind: 'towers', file, speeds: {}, serviceArea: coverageWork(file).serviceArea }, limits);

/** The reading processes that a process has started and that live. */
function readers(of = process.pid): number[] {
  const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  // A thread or a process may end meanwhile.
  const lists = readdirSync(`/proc/${of}/task`).map((task) => textOf(`/proc/${of}/task/${task}/children`));
  const children = lists.join(' ').split(' ').filter(Boolean).map(Number);
  return children.filter((pid) => textOf(`/proc/${pid}/cmdline`).includes('reader-process'));
}

/** True if a process has ended, also as a zombie (Z), whose parent has not asked for its status. */
function isGone(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || /\) Z /.test(readFileSync(stat, 'utf8'));
}

const scratchIn = (where: string) =>
  readdirSync(where).filter((name) => name.startsWith('covermap-reading-'));

async function until(what: () => boolean): Promise<void> {
  while (!what()) await sleep(20);
}

test('a file is read batch by batch, though signals are for the whole service, and nothing is left on the disk', async () => {
  vi.stubEnv('TMPDIR', mkdtempSync(path.join(folder, 'tmp-')));
  const types: string[] = [];
  for await (const { type } of readFile(coverageWork(sample), limits)) {
    if (types.push(type) > 1) continue;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(Number(readers()[0]), signal);
  }
  expect([types[0], types.at(-1)]).toEqual(['rows', 'coverage']);
  expect(scratchIn(os.tmpdir())).toEqual([]);
});

test('memory of decoders counts: a file that needs more than the limit is refused, whatever needs it', async () => {
  const file = path.join(folder, 'image.kmz');
  writeFileSync(file, await hugeImage());
  const error = { code: 'reader_out_of_memory', message: expect.stringContaining('256 MB') };
  await expect(read(file, { memoryMb: 256 })).rejects.toMatchObject(error);
});

test('what overflows the stack is about the file, and no fault of ours', async () => {
  const file = path.join(folder, 'nested.geojson');
  const nested = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
  const place = '"geometry":{"type":"Point","coordinates":[174.7,-36.9]}';
  const properties = `"properties":{"name":${nested},"height":30,"eirp":50,"frequency":3500}`;
  writeFileSync(file, `{"type":"FeatureCollection","features":[{"type":"Feature",${place},${properties}}]}`);
  await expect(readTowers(file)).rejects.toMatchObject({
    name: 'IngestError',
    code: 'reader_broke_off',
    message: expect.stringContaining('nested too deep'),
  });
});

// Those that wait for a clock wait together.
test.concurrent('a reading that gets nothing done is ended', async () => {
  const error = { code: 'reader_stalled', message: expect.stringContaining('2 s') };
  await expect(read(silent, { stalledMs: 2000 })).rejects.toMatchObject(error);
});

test.concurrent('a reading that waits for what takes its messages has not stalled', async () => {
  const types: string[] = [];
  const file = path.join(folder, 'waits.zip');
  // In degrees: on a busy machine, PROJ may take longer to start than a reading may stall here.
  const files = squares(10, () => 100);
  writeFileSync(file, await zip(named('cover', files)));
  const rules = { attributes: { bandwidth_max_mbps: { field: 'SPEED' } } };
  for await (const { type } of readFile(coverageWork(file, rules), { ...limits, stalledMs: 5000 })) {
    if (types.push(type) === 1) await sleep(6000);
  }
  expect(types.at(-1)).toBe('coverage');
});

test.concurrent('a reading that takes too long is ended', async () => {
  await expect(read(silent, { deadlineMs: 300 })).rejects.toMatchObject({ code: 'reader_too_slow' });
});

test('a withdrawal ends the reading at once, also where nobody waits for it at that moment', async () => {
  const withdrawn = new AbortController();
  const reading = readFile(coverageWork(sample), limits, withdrawn.signal);
  await reading.next();
  const [child] = readers();
  expect(child).toBeDefined();
  withdrawn.abort(new Error('withdrawn'));
  await until(() => readers().length === 0);
  await expect(reading.next()).rejects.toThrow('withdrawn');
});

test('the process that reads knows no address or password of this service', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://covermap:secret@db/covermap');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  const stop = new AbortController();
  const reading = read(silent, {}, stop.signal).catch((error: Error) => error.message);
  await until(() => readers().length > 0);
  const [child] = readers();
  expect(readFileSync(`/proc/${child}/environ`, 'utf8')).not.toMatch(/secret|DATABASE|AWS/);
  stop.abort(new Error('enough'));
  expect(await reading).toBe('enough');
});

test('a process that is killed while it reads leaves neither the reading nor its folder', async () => {
  const tmp = mkdtempSync(path.join(folder, 'tmp-'));
  const script = path.join(folder, 'reads.mts');
  const reader = fileURLToPath(new URL('../../ingest/reader.ts', import.meta.url));
  writeFileSync(
    script,
    `import { readFile } from ${JSON.stringify(reader)};
     for await (const _ of readFile(${JSON.stringify(coverageWork(silent))}, ${JSON.stringify(limits)}));`,
  );
  const { child, ended } = runScript([script], { TMPDIR: tmp });
  await until(() => readers(child.pid).length > 0);
  const [reading] = readers(child.pid) as [number];
  child.kill('SIGKILL');
  await ended;
  await until(() => isGone(reading));
  await until(() => scratchIn(tmp).length === 0);
});

test('the folder of a process that lives is left alone, that of one that was killed goes with the next reading', async () => {
  vi.stubEnv('TMPDIR', mkdtempSync(path.join(folder, 'tmp-')));
  const [here, pid] = processMark.split('_');
  const names = {
    alive: `covermap-reading-${processMark}_abc`,
    sameNumberEarlier: `covermap-reading-${here}_${pid}_1_abc`,
    dead: `covermap-reading-${here}_${2 ** 22 + 1}_5_abc`,
    elsewhere: `covermap-reading-${'0'.repeat(12)}_${2 ** 22 + 1}_5_abc`,
  };
  for (const name of Object.values(names))
    mkdirSync(path.join(os.tmpdir(), name, 'within'), { recursive: true });
  await read(sample);
  expect(scratchIn(os.tmpdir()).sort()).toEqual([names.alive, names.elsewhere].sort());
});

const squares = (count: number, speed: (i: number) => number) =>
  writeShapefile({
    fields: [{ name: 'SPEED', type: 'N', length: 12, decimals: 3 }],
    features: Array.from({ length: count }, (_, i) => ({
      rings: [rectangle(174 + i * 0.001, -37, 174 + i * 0.001 + 0.0005, -36.9995)],
      attributes: { SPEED: speed(i) },
    })),
    prj: wgs84Prj,
  });

async function readSpeeds(name: string, count: number, speed: (i: number) => number) {
  const file = path.join(folder, `${name}.zip`);
  writeFileSync(file, await zip(named('cover', squares(count, speed))));
  const rules = { attributes: { bandwidth_max_mbps: { field: 'SPEED' } } };
  let features = 0;
  for await (const message of readHere(coverageWork(file, rules), limits)) {
    if (message.type === 'coverage') features = message.read.features.read;
  }
  return features;
}

test('an attribute with a speed of its own for each area is refused, and named', async () => {
  expect(await readSpeeds('classes', 600, (i) => 10 + (i % 500))).toBe(600);
  await expect(readSpeeds('continuous', 600, (i) => 10 + i / 8)).rejects.toMatchObject({
    code: 'tiers_too_many',
    message: expect.stringContaining('the attribute SPEED alone has 501 different speeds'),
    hint: expect.stringContaining('"tiers"'),
  });
});

test('towers are read without the process that wants them reading a byte', async () => {
  const file = path.join(folder, 'towers.csv');
  const head = 'name,lat,lng,height_m,power_dbm,frequency_mhz\n';
  writeFileSync(file, head + 'North,-36.9,174.8,20,40,1800\n'.repeat(1201));
  expect(await readTowers(file)).toHaveLength(1201);
});
