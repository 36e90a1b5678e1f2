import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openClutter } from '@covermap/propagation/clutter.ts';
import { clutterLoss, readClutterClasses } from '@covermap/propagation/clutter-classes.ts';
import { rasterFolder } from '@covermap/propagation/raster-folder.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { expect, test } from 'vitest';
import { runCommandHere } from '../setup/command-here.ts';
import { signalOf } from '../setup/signal.ts';
import { placeAt, towerList, writeLandCover, writeTerrain } from '../setup/terrain.ts';

/* The loss of signal in land cover: docs/propagation.md, Clutter. */

const folder = scratchFolder();

const forest = { height: 20, loss: 18 };
test.each([
  ['at the ground nearly all of it', 0, 17.99],
  ['at 0.625 of its height half of it', 12.5, 9],
  ['at its height hardly any', 20, 0.2],
  ['above it none', 40, 0],
])('the loss of a class %s', (_, receiver, loss) => {
  expect(clutterLoss(forest, receiver)).toBeCloseTo(loss, 2);
});
test('the loss of a class is none of what does not stand', () => {
  expect(clutterLoss({ height: 0, loss: 30 }, 5)).toBe(0);
});

const table = ['class,name,height_m,loss_db', '10,trees,20,18', '50,houses,8,20', '80,water,0,0'];

const classAt = (east: number, north: number) => {
  if (north > 3000) return undefined;
  if (north > 2000) return 33;
  return east < -1000 ? 10 : east < 1500 ? 50 : 80;
};
async function signalWith(name: string, ...options: string[]) {
  const list = path.join(folder, 'towers.csv');
  writeFileSync(list, towerList([{ name: 'Hill', at: [0, 0], height: 60 }]).bytes);
  const out = path.join(folder, name);
  const words = [list, '--terrain', path.join(folder, 'terrain'), '--out', out];
  const given = [...words, '--range', '4', '--resolution', '100', ...options];
  const { status, output } = await runCommandHere('predict', given, {});
  expect(status, output).toBe(0);
  return { ...(await signalOf(readFileSync(`${out}.tif`))), output };
}

test('npm run predict -- --clutter takes from each pixel what a receiver of 5 m loses in its class, and nothing where none is known', async () => {
  writeTerrain(path.join(folder, 'terrain'));
  const cover = path.join(folder, 'cover');
  writeLandCover(cover, classAt, table);
  const open = await signalWith('open');
  const covered = await signalWith('cover', '--clutter', cover);
  const losses = new Map<number | undefined, number>([
    [10, (18 / 2) * (1 - Math.tanh(6 * (5 / 20 - 0.625)))],
    [50, (20 / 2) * (1 - Math.tanh(6 * (5 / 8 - 0.625)))],
  ]);
  const seen = new Map<number | undefined, number>();
  let worst = 0;
  for (let i = 0; i < 78 ** 2; i++) {
    const [east, north] = [100 * (i % 78) - 3850, 100 * Math.floor(i / 78) - 3850];
    const [before, after] = [open, covered].map(({ at }) => at(placeAt(east, north))) as [number, number];
    // The middle of its pixel may have the class of a place beside it.
    const around = [-130, 0, 130].flatMap((x) => [-130, 0, 130].map((y) => classAt(east + x, north + y)));
    const own = classAt(east, north);
    const loss = before === -9999 ? 0 : (losses.get(own) ?? 0);
    if (around.some((one) => one !== own)) continue;
    if (before !== -9999) seen.set(own, (seen.get(own) ?? 0) + 1);
    worst = Math.max(worst, Math.abs(before - after - loss));
  }
  expect(worst).toBeLessThan(0.0005);
  for (const one of [10, 50, 80, 33, undefined]) expect(seen.get(one)).toBeGreaterThan(100);
  expect(covered.output).toMatch(/class 10 \(trees\): 17\.8 dB on \d+\.\d%\nclass 50 \(houses\): 10\.0 dB/);
  expect(covered.output).toMatch(/\d+\.\d% has no class of the table and counts as open ground/);
});

function readTable(lines: string[]) {
  const file = path.join(folder, 'table.csv');
  writeFileSync(file, lines.join('\n'));
  return readClutterClasses(file);
}
const columns = 'class,height_m,loss_db';
test.each<[string, string[], string]>([
  ['without a column', ['class,height_m', '10,20'], 'classes.csv has no column loss_db'],
  ['without classes', [columns], 'classes.csv has 0 classes'],
  ['with a class twice', [columns, '10,20,18', '10,5,5'], 'row 2: class 10 comes again'],
  ['with a gain', [columns, '10,20,-3'], 'row 1: loss_db is "-3", and can be 0 to 60'],
  ['with what is no number', [columns, '10,high,3'], 'row 1: height_m is "high"'],
  ['with half a class', [columns, '1.5,20,3'], 'row 1: a class is a whole number'],
  ['with a row cut off', [columns, '10,20'], 'classes.csv cannot be read'],
])('a table of land cover %s is refused', async (_, lines, message) => {
  await expect(readTable(lines)).rejects.toThrow(message);
});

test('a table of land cover holds 1000 classes, of 0 to 32767, to 500 m high and to 60 dB', async () => {
  const read = (rows: string[]) => readTable([' Class,NAME,height_m,loss_db', ...rows]);
  const rows = (count: number) => Array.from({ length: count }, (_, code) => `${code},,0,0`);
  expect(await read(rows(1000))).toHaveLength(1000);
  await expect(read(rows(1001))).rejects.toThrow('has 1001 classes, and can have 1 to 1000');
  const name = 'n'.repeat(101);
  expect(await read([`32767,${name},500,60`, '0,,0,0'])).toEqual([
    { code: 32_767, name: name.slice(1), height: 500, loss: 60 },
    { code: 0, name: null, height: 0, loss: 0 },
  ]);
  for (const row of ['32768,,0,0', '1,,500.1,0', '1,,0,60.1', '1,,-0.1,0', '1,,,0'])
    await expect(read(['0,,0,0', row])).rejects.toThrow(/, row 2: .* and can be 0 to /);
  await expect(read([`1,${'n'.repeat(2 ** 20)},0,0`])).rejects.toThrow('larger than a table can be');
});

test('land cover without a table, a raster or a reference system is named', async () => {
  const place = path.join(folder, 'incomplete');
  writeLandCover(place, () => 10, table);
  const raster = path.join(place, 'cover.tif');
  const bytes = readFileSync(raster);
  // The tag of the GeoTIFF keys gets a number that means nothing.
  bytes.writeUInt16BE(65_000, bytes.indexOf(Buffer.from([0x87, 0xaf])));
  writeFileSync(raster, bytes);
  await expect(openClutter(rasterFolder(place))).rejects.toThrow('cover.tif has no reference system');
  rmSync(raster);
  await expect(openClutter(rasterFolder(place))).rejects.toThrow('holds no GeoTIFF');
  rmSync(path.join(place, 'classes.csv'));
  await expect(openClutter(rasterFolder(place))).rejects.toThrow('classes.csv cannot be read');
});
