import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { openArchive } from '@covermap/coverage-files/archive.ts';
import { FileError } from '@covermap/coverage-files/errors.ts';
import type { ReadOptions } from '@covermap/coverage-files/format.ts';
import { gdal } from '@covermap/coverage-files/gdal/webassembly.ts';
import { openSource } from '@covermap/coverage-files/open.ts';
import { Random, seed } from '@covermap/testing/random.ts';
import { afterAll, expect, test, vi } from 'vitest';
import { asIngestError, type IngestError } from '../../ingest/errors.ts';
import { knownError } from '../../platform/error-catalogue.ts';
import { damagedFile } from './damage.ts';
import { isAlive } from './is-alive.ts';
import { madeFiles, namesOfMade } from './made-files.ts';

/*
 * Every sample, and a file of each other format, damaged many times over: each reading ends with features or with an error
 * that somebody can act on.
 */

const samples = fileURLToPath(new URL('../../samples/', import.meta.url));
/** A folder in memory where there is one: on a disk, making and removing small files takes most of the time. */
const fast = existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();
let folder: string;

const names = readdirSync(samples).filter((name) => /\.(zip|gpkg|fgb|geojson|kml|kmz|tif)$/.test(name));
/** GDAL takes longer over a file than the others. */
const byGdal = /\.(gdb\.zip|tab\.zip|gpkg|geojson)$/;
export const namesByGdal = names.filter((name) => byGdal.test(name));
export const otherNames = names.filter((name) => !byGdal.test(name));

const classes: NonNullable<ReadOptions['classes']> = [
  { uncovered: false, colour: [0, 160, 0], tolerance: 255 },
  { uncovered: false, min: -200, max: 300 },
];

/** Names and terms of libraries: an error that has them was written for programmers. */
const wordsOfLibraries =
  /gdal|ogr|vips|libpng|central directory|signature|\bEOF\b|DataView|out of bounds|\.cpp\b|errno|0x[0-9a-f]{2}|undefined|\bVSI/i;

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
    classes: [classes[/\.(tif|asc|bil\.zip|img|grd)$/.test(name) ? 1 : 0] as never],
  };
  try {
    const source = await openSource(file, name, scratch, options);
    try {
      let features = 0;
      for (const layer of source.layers) {
        for await (const feature of layer.features()) {
          features++;
          const rings = feature.dropped ? [] : feature.polygons.flat();
          if (rings.some(({ length }) => length < 8)) throw new Error('a ring has less than four points');
        }
      }
      return features;
    } finally {
      source.close();
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    expect(knownError(error.code), error.code).toBeDefined();
    expect(error.message).not.toMatch(wordsOfLibraries);
    expect(error.message.length).toBeGreaterThan(20);
    expect((asIngestError(error) as IngestError).hint?.length).toBeGreaterThan(10);
    return error.code;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    rmSync(file, { force: true });
  }
}

const bytesOf = async (name: string): Promise<Buffer> =>
  namesOfMade.includes(name) ? ((await madeFiles())[name] as Buffer) : readFileSync(path.join(samples, name));
/** One of the files, damaged. Needs {@link fuzzFolder}. */
export async function damagedOne(number: number): Promise<{ name: string; bytes: Buffer }> {
  const all = [...names, ...namesOfMade];
  const name = all[number % all.length] as string;
  const whole = await bytesOf(name);
  return { name, bytes: await damagedFile(whole, await filesIn(name, whole), randomFor(name, number)) };
}

const randomFor = (name: string, number: number) => new Random(seed + number + crc32(name));

/** The files of an archive as they are unpacked: damage to the packed bytes is all found by the checksum. */
async function filesIn(name: string, whole: Buffer): Promise<[string, Buffer][] | undefined> {
  if (!/\.(zip|kmz)$/.test(name)) return undefined;
  const file = path.join(folder, 'whole');
  writeFileSync(file, whole);
  const archive = await openArchive(file, folder);
  const files: [string, Buffer][] = [];
  for (const entry of archive.entries) files.push([entry.path, await buffer(entry.read())]);
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

/**
 * Gives the next file of this worker new modules, and a new GDAL. Vitest does not reset its package: it would go on reporting errors to the
 * module that started it first.
 */
function resetModules(): void {
  vi.resetModules();
  const { cache } = createRequire(import.meta.url);
  for (const file of Object.keys(cache)) if (file.includes('/gdal3.js/')) delete cache[file];
}

/** Makes a folder for the damaged files of a test file. */
export function fuzzFolder(): void {
  removeFoldersOfEnded();
  folder = mkdtempSync(path.join(fast, `covermap-fuzz-${process.pid}-`));
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    if ((await gdal()).broken) resetModules();
  });
}

/** The tests of a file: each of these files is damaged so many times. */
export function fuzz(some: readonly string[], times: number): void {
  fuzzFolder();
  test.each(some)('%s, damaged in many ways', { timeout: 4_000_000 }, async (name) => {
    const whole = await bytesOf(name);
    const inside = await filesIn(name, whole);
    const outcomes: (number | string)[] = [];
    for (let i = 0; i < times; i++) {
      const bytes = await damagedFile(whole, inside, randomFor(name, i));
      const outcome = await read(name, bytes).catch((error) => {
        throw new Error(`seed ${seed}, run ${i} of ${name}: ${(error as Error).stack}`);
      });
      outcomes.push(outcome);
    }
    // Some damage must lead to an error.
    if (times >= 40) expect(outcomes).toContainEqual(expect.any(String));
  });
}
