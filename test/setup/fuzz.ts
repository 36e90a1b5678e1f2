import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { IngestError } from '../../ingest/errors.ts';
import { openArchive } from '../../ingest/read/archive.ts';
import type { ReadOptions } from '../../ingest/read/format.ts';
import { openSource } from '../../ingest/read/open.ts';
import { resetModules } from './fresh-modules.ts';
import { isAlive } from './is-alive.ts';
import { randomNumbers } from './random-numbers.ts';
import { zip } from './write-shapefile.ts';

/*
 * Bytes of every sample flipped, cut out and cut off, many times over: each reading ends with features or with an error
 * that somebody can act on. The same in every run: the random numbers begin with a number that is written here.
 */

const samples = fileURLToPath(new URL('../../samples/', import.meta.url));
/** In memory where there is such a folder: on a disk, most of the time goes into making and removing small files. */
const fast = existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();
let folder: string;

const names = readdirSync(samples).filter((name) => /\.(zip|gpkg|fgb|geojson|kml|kmz|tif)$/.test(name));
/** GDAL takes longer over a file than the others. */
const byGdal = /\.(gdb\.zip|tab\.zip|gpkg|geojson)$/;
export const namesByGdal = names.filter((name) => byGdal.test(name));
export const otherNames = names.filter((name) => !byGdal.test(name));

function damaged(bytes: Buffer, random: () => number): Buffer {
  const at = () => Math.floor(random() * bytes.length);
  switch (Math.floor(random() * 4)) {
    case 0:
      return bytes.subarray(0, at());
    case 1: {
      const from = at();
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + Math.floor(random() * 64))]);
    }
    default: {
      const copy = Buffer.from(bytes);
      // Headers are at the beginning, and are what lies worst.
      const flips = 1 + Math.floor(random() * 8);
      for (let i = 0; i < flips; i++) {
        const position = random() < 0.5 ? Math.floor(random() * Math.min(bytes.length, 512)) : at();
        copy[position] = random() < 0.3 ? 255 : Math.floor(random() * 256);
      }
      return copy;
    }
  }
}

const classes: NonNullable<ReadOptions['classes']> = [
  { uncovered: false, colour: [0, 160, 0], tolerance: 255 },
  { uncovered: false, min: -200, max: 0 },
];

/** FUZZ=10 damages ten times as much: what comes first is the same. */
const more = Number(process.env.FUZZ ?? 1);
let runs = 0;

/** @returns the number of features, or the code of the error */
async function read(name: string, bytes: Uint8Array): Promise<number | string> {
  const scratch = path.join(folder, `scratch-${++runs}`);
  const file = path.join(folder, `${runs}`);
  mkdirSync(scratch);
  writeFileSync(file, bytes);
  const options = {
    layers: undefined,
    smoothing: false,
    classes: [classes[name.endsWith('.tif') ? 1 : 0] as never],
  };
  try {
    const source = await openSource(file, name, scratch, options);
    try {
      let features = 0;
      for (const layer of source.layers) {
        for await (const feature of layer.features()) {
          features++;
          for (const polygon of feature.dropped ? [] : feature.polygons) {
            for (const ring of polygon) expect(ring.length).toBeGreaterThanOrEqual(8);
          }
        }
      }
      return features;
    } finally {
      source.close();
    }
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    expect(error.code).toMatch(/^[a-z_]+$/);
    expect(error.message.length).toBeGreaterThan(20);
    expect(error.hint?.length).toBeGreaterThan(10);
    return error.code;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    rmSync(file, { force: true });
  }
}

/** The files of an archive as they are unpacked: damage to the packed bytes is all found by the checksum. */
async function filesOf(file: string): Promise<[string, Buffer][]> {
  const archive = await openArchive(file, folder);
  const files: [string, Buffer][] = [];
  for (const entry of archive.entries) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry.read()) chunks.push(chunk);
    files.push([entry.path, Buffer.concat(chunks)]);
  }
  archive.close();
  return files;
}

/** Removes the folders of runs that were killed: they are outside the folder that goes with the tests. */
function removeFoldersOfEnded(): void {
  for (const name of readdirSync(fast)) {
    const [, owner] = /^covermap-fuzz-(\d+)-\w{6}$/.exec(name) ?? [];
    if (owner && !isAlive(Number(owner))) rmSync(path.join(fast, name), { recursive: true, force: true });
  }
}

/** Each of the samples, damaged: the tests of a file. */
export function fuzz(some: readonly string[]): void {
  removeFoldersOfEnded();
  folder = mkdtempSync(path.join(fast, `covermap-fuzz-${process.pid}-`));
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
    // Damage may have ended GDAL: the next file of this worker gets another.
    resetModules();
  });
  test.each(some)('%s, damaged in many ways', { timeout: 400_000 * more }, async (name) => {
    const random = randomNumbers(20261121 + names.indexOf(name));
    const whole = readFileSync(path.join(samples, name));
    const inside = /\.(zip|kmz)$/.test(name) ? await filesOf(path.join(samples, name)) : undefined;
    const times = (byGdal.test(name) ? 120 : 300) * more;
    const outcomes = new Map<string, number>();
    for (let i = 0; i < times; i++) {
      let bytes: Buffer;
      if (inside && i % 4 > 0) {
        const chosen = Math.floor(random() * inside.length);
        const files = inside.map(([entry, content], j): [string, Buffer] => [
          entry,
          j === chosen ? damaged(content, random) : content,
        ]);
        bytes = await zip(Object.fromEntries(files), { compress: false });
      } else {
        bytes = damaged(whole, random);
      }
      const outcome = await read(name, bytes).catch((error) => {
        throw new Error(`run ${i} of ${name}: ${(error as Error).stack}`);
      });
      const key = typeof outcome === 'string' ? outcome : 'features';
      outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    }
    // Damage shows, and is told in more than one way.
    expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(times);
    expect([...outcomes.keys()].filter((key) => key !== 'features').length).toBeGreaterThan(0);
  });
}
