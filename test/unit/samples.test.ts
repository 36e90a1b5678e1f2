import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openArchive } from '@covermap/coverage-files/archive.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { expect, test } from 'vitest';
import { parseManifest } from '../../coverage/submissions/manifest.ts';
import { makeReviewSamples, makeSamples, makeTowerSamples } from '../../samples/make.ts';
import { makeAddresses } from '../../samples/make-addresses.ts';
import { makeRegions } from '../../samples/make-regions.ts';

const folder = fileURLToPath(new URL('../../samples/', import.meta.url));
const scratch = scratchFolder();

const made = await makeSamples();
/** Files by GDAL carry its version and the time of writing. */
const byGdal = (name: string) => /\.(gdb\.zip|tab\.zip|gpkg|fgb)$/.test(name);
const files = Object.keys(made);
const archives = files.filter((name) => name.endsWith('.zip') && !byGdal(name));
/** How an image is packed depends on the version of the library that does it. */
const plain = files.filter((name) => /\.(geojson|kml|tif)$/.test(name));
const manifests = readdirSync(folder).filter((name) => name.endsWith('.manifest.json'));

/** The contents of an archive: its compressed bytes depend on the version of zlib. */
async function contents(file: string): Promise<Record<string, string>> {
  const archive = await openArchive(file, path.dirname(file));
  const files: Record<string, string> = {};
  for (const entry of archive.entries) files[entry.path] = (await buffer(entry.read())).toString('base64');
  archive.close();
  return files;
}

test('are all made by the script, and each has its manifest', () => {
  const others = ['addresses.zip', 'bank', 'regions.zip', 'register.csv', 'review', 'towers', ...manifests];
  const kept = readdirSync(folder).filter((name) => !name.endsWith('.ts') && !others.includes(name));
  expect(kept.sort()).toEqual([...files].sort());
  const named = files.map((name) => name.replace(/(\.(gdb|tab))?\.[a-z]+$/, '.manifest.json'));
  expect([...manifests].sort()).toEqual(named.sort());
});

test.each(Object.entries(makeTowerSamples()))('towers/%s is what the script makes', (name, bytes) => {
  expect(readFileSync(path.join(folder, 'towers', name)).equals(bytes)).toBe(true);
  expect(bytes.length).toBeLessThan(130_000);
});

test.each(Object.entries(makeReviewSamples()))('review/%s is what the script makes', (name, bytes) => {
  expect(readFileSync(path.join(folder, 'review', name)).equals(bytes)).toBe(true);
});

test('there is one of each format', () => {
  expect(new Set(files.map((name) => name.slice(name.indexOf('.'))))).toEqual(
    new Set(['.zip', '.gdb.zip', '.tab.zip', '.gpkg', '.fgb', '.geojson', '.kml', '.kmz', '.tif']),
  );
});

test.each(plain)('%s is what the script makes', (name) => {
  expect(readFileSync(path.join(folder, name)).equals(made[name] as Buffer)).toBe(true);
});

test.each(archives)('%s is what the script makes, and below a megabyte', async (name) => {
  const again = path.join(scratch, name);
  writeFileSync(again, made[name] as Buffer);
  expect(await contents(path.join(folder, name))).toEqual(await contents(again));
  expect(statSync(path.join(folder, name)).size).toBeLessThan(1_000_000);
});

test('regions.zip is what the script makes', async () => {
  const again = path.join(scratch, 'regions.zip');
  writeFileSync(again, await makeRegions());
  expect(await contents(path.join(folder, 'regions.zip'))).toEqual(await contents(again));
});

test('addresses.zip is what the script makes: some thousands of addresses, in less than 300 kB', async () => {
  const again = path.join(scratch, 'addresses.zip');
  writeFileSync(again, await makeAddresses());
  const kept = path.join(folder, 'addresses.zip');
  const { 'addresses.csv': csv = '' } = await contents(kept);
  expect(csv).toBe((await contents(again))['addresses.csv']);
  const rows = Buffer.from(csv, 'base64').toString().trim().split('\n').length - 1;
  expect(rows).toBeGreaterThan(3_000);
  expect(rows).toBeLessThan(5_000);
  expect(statSync(kept).size).toBeLessThan(300_000);
});

test.each(manifests)('%s describes a file of the folder', (name) => {
  const { file, ...manifest } = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  expect(files).toContain(file);
  expect(parseManifest(manifest).publish).toBe('auto');
});

test('show providers of every wholesale kind, fibre and wireless, and a planned area with a date', () => {
  const described = manifests.map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')));
  const networks = described.map((manifest) => manifest.provider.wholesale_network);
  expect(new Set(networks)).toEqual(new Set(['Yes', 'No', 'Both']));
  const technologies = described.map((manifest) => manifest.technology);
  expect(technologies).toEqual(expect.arrayContaining(['fibre', 'cable', 'vdsl', 'wireless', 'adsl']));
  expect(described).toContainEqual(
    expect.objectContaining({ availability: 'planned', planned_date: expect.any(String) }),
  );
});
