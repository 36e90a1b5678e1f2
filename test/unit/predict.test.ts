import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { madeByGdal } from '@covermap/coverage-files/test/gdal-files.ts';
import { layersOf } from '@covermap/coverage-files/test/source.ts';
import { closeGridFile } from '@covermap/propagation/grid-file.ts';
import { listTerrain } from '@covermap/propagation/list-terrain.ts';
import { readPatterns } from '@covermap/propagation/patterns.ts';
import { predict, signalFile } from '@covermap/propagation/prediction.ts';
import { modelDefaults } from '@covermap/propagation/prediction-options.ts';
import { rasterFolder } from '@covermap/propagation/raster-folder.ts';
import { RasterError } from '@covermap/propagation/rasters.ts';
import { writeSignal } from '@covermap/propagation/results.ts';
import { openTerrain, requireAll, type Terrain, terrainOf } from '@covermap/propagation/terrain.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { afterAll, describe, expect, test } from 'vitest';
import type { Tower } from '../../coverage/submissions/towers.ts';
import { terrainModels } from '../../ingest/towers/terrain-index.ts';
import { threadFile } from '../../platform/programs.ts';
import { runCommandHere } from '../setup/command-here.ts';
import { endCommandProcesses, runCommandToEnd } from '../setup/processes.ts';
import { limits } from '../setup/reader-work.ts';
import { signalOf } from '../setup/signal.ts';
import { srtmTile, tileName } from '../setup/srtm.ts';
import { placeAt, rasterOf, writeLandCover } from '../setup/terrain.ts';

/* npm run predict, whole: towers and terrain in, signal and areas out. */

const folder = scratchFolder();
afterAll(endCommandProcesses);

type Change = (height: number, east: number, north: number) => number;
/** Flat at 20 m, with a ridge of 400 m from north to south 3 km east of the tower. */
function terrain(change: Change = (height) => height, keys: Record<string, number> = {}): Buffer {
  const heightAt = (east: number, north: number) =>
    change(Math.abs(east - 3000) < 200 ? 400 : 20, east, north);
  return rasterOf(heightAt, { pixel: 60, side: 335 }, keys);
}

const plain = terrain();
const terrainFolder = folderOf('terrain', { 'fine.tif': plain });

/** A folder of these files. */
function folderOf(name: string, files: Record<string, Buffer | string>): string {
  const place = path.join(folder, name);
  mkdirSync(place);
  for (const [file, content] of Object.entries(files)) writeFileSync(path.join(place, file), content);
  return place;
}

/** The terrain in a new folder, changed as `gdal_translate` does. */
async function folderOfOther(name: string, options: string[]): Promise<string> {
  const input = { name: 'in.tif', content: plain, driver: 'GTiff', kind: 'raster' } as const;
  const files = await madeByGdal(folder, input, (module, before, at) =>
    module.translateRaster(before, `${at}/${name}.tif`, ['-of', 'GTiff', ...options]),
  );
  return folderOf(name, files);
}

const opened = (place: string) => openTerrain(rasterFolder(place));
/** Heights in steps of 100 m around the tower, by metres east and north of it. */
async function groundAround(terrain: Terrain, scratch: string, half = 2000, at = { lat, lng }) {
  const { heights, side } = await terrain.ground(at.lat, at.lng, half, 100, scratch);
  const middle = (side - 1) / 2;
  return (east: number, north: number) =>
    heights[middle + east / 100 + (middle - north / 100) * side] as number;
}

/** The middle of the terrain, where the tower stands. */
const { lat, lng } = placeAt(0, 0);
const head = 'name,lat,lng,height,azimuth,beam_width,power,gain,frequency';
const rowOf = (name: string) => `${name},${lat},${lng},30,,,40,15,3500`;

async function predicted(run: typeof runCommandToEnd, name: string, rows: string[], ...options: string[]) {
  const towers = path.join(folder, `${name}.csv`);
  writeFileSync(towers, [head, ...rows].join('\n'));
  const words = [towers, '--terrain', terrainFolder, '--range', '8', '--resolution', '100'];
  const file = (ending: string) => path.join(folder, `${name}.${ending}`);
  return { ...(await run('predict', [...words, ...options], {})), file };
}

const towerAt = (name: string, east = 0, own: Partial<Tower> = {}): Tower => ({
  ...{ name, ...placeAt(east, 0), height_m: 30, azimuth_deg: undefined, beam_width_deg: 65 },
  ...{ power_dbm: 55, frequency_mhz: 3500, speeds: {} },
  ...own,
});

/** Predicts without the command. @returns the GeoTIFF of the signal */
async function predictedHere(name: string, towers: readonly Tower[], own: object = {}): Promise<string> {
  const scratch = path.join(folder, name);
  await mkdir(scratch);
  const options = {
    ...{ ...modelDefaults, receiverHeight: 5, receiverGain: 10 },
    ...{ range: 8000, step: 100, threads: 1, threadFile: threadFile('site'), patterns: scratch, ...own },
  };
  const terrain = await opened(terrainFolder);
  const shares: number[] = [];
  const { file } = await predict(towers, terrain, options, scratch, (share) => shares.push(share));
  expect([shares.toSorted((a, b) => a - b), shares.at(-1)]).toEqual([shares, 1]);
  const target = path.join(scratch, 'strongest.tif');
  await writeSignal(file.grid, path.join(scratch, signalFile), target);
  closeGridFile(file);
  return target;
}

/** Reads dBm at metres east and north of the tower. */
async function signalIn(file: string) {
  const { at } = await signalOf(readFileSync(file));
  return (east: number, up: number) => at(placeAt(east, up));
}

describe('npm run predict', () => {
  test('writes the strongest signal, with a shadow behind a ridge, and areas of speeds', async () => {
    const { status, output, file } = await predicted(runCommandToEnd, 'one', [rowOf('Hill')]);
    expect(output).toContain('Hill: strongest on');
    expect(status).toBe(0);
    const at = await signalIn(file('tif'));
    // In the open less and less; the same at the same distance; behind the ridge far less than on the other side.
    expect(at(-1000, 0)).toBeGreaterThan(at(-2000, 0));
    expect(at(-2000, 0)).toBeGreaterThan(at(-6000, 0));
    expect(Math.abs(at(-4000, 0) - at(0, 4000))).toBeLessThan(3);
    expect(at(5000, 0)).toBeLessThan(at(-5000, 0) - 20);
    expect(at(-6500, 6500)).toBe(-9999);

    const [layer] = await layersOf(folder, 'one.gpkg', readFileSync(file('gpkg')));
    expect(layer?.features.length).toBeGreaterThan(1);
    expect(layer?.fields).toContain('bandwidth_max_mbps');
  });

  test('every option of the help can be given', async () => {
    const run = (...options: string[]) => predicted(runCommandHere, 'options', [rowOf('A')], ...options);
    const { output, status } = await run('--help');
    expect(status).toBe(0);
    const named = new Set([...output.matchAll(/--[a-z-]+/g)].map(([option]) => option));
    named.delete('--help');
    const clutter = path.join(folder, 'cover');
    writeLandCover(clutter, () => 10, ['class,height_m,loss_db', '10,20,18']);
    const values: Record<string, string> = {
      ...{ '--profile': 'point-to-multipoint', '--out': path.join(folder, 'options'), '--clutter': clutter },
      ...{ '--patterns': terrainFolder, '--terrain': terrainFolder, '--refractivity': '300' },
      ...{ '--range': '1', '--resolution': '50' },
    };
    const all = await run(...[...named].flatMap((option) => [option, values[option] ?? '5']));
    expect(all.output).toContain('Written: ');
    expect(all.status).toBe(0);
    const half = await run('--climate', '1.5');
    expect(half.output).toContain('--climate takes a whole number from 1 to 7.');
    expect(half.status).toBe(2);
  });

  test('where no signal is strong enough, no areas of an earlier run are left', async () => {
    const row = rowOf('A').replace(',40,15,', ',-50,15,');
    writeFileSync(path.join(folder, 'one.gpkg'), '');
    const { status, output, file } = await predicted(runCommandHere, 'one', [row]);
    expect(output).toContain('no areas');
    expect([status, existsSync(file('gpkg'))]).toEqual([0, false]);
  });

  test('a folder that nothing can be written into is named before anything is computed', async () => {
    const out = path.join(folder, 'missing', 'x');
    const { status, output } = await predicted(runCommandHere, 'unwritable', [rowOf('A')], '--out', out);
    expect(output).toContain(`Nothing can be written into ${path.dirname(out)} (ENOENT).`);
    expect(output).not.toContain('1 towers');
    expect(status).toBe(2);
  });

  test.each([
    ['a tower away from all terrain', 'A,-45,170,30,,,40,15,3500', 'No elevation model covers the tower A'],
    ['no height', `A,${lat},${lng},,,,40,15,3500`, 'line 2: height_m is missing'],
  ])('%s is named', async (name, row, message) => {
    const { status, output, file } = await predicted(runCommandHere, name.replaceAll(' ', '-'), [row]);
    expect(output).toContain(message);
    expect(status).toBe(4);
    expect(existsSync(file('tif'))).toBe(false);
  });
});

test('a tower without azimuth cannot have a pattern with a direction, and can have one that is all round', async () => {
  const pattern = (behind: number) =>
    ['HORIZONTAL', 'VERTICAL']
      .flatMap((plane) => [plane, ...Array.from({ length: 360 }, (_, i) => `${i} ${i === 180 ? behind : 0}`)])
      .join('\n');
  const place = folderOf('patterns', { 'sector.msi': pattern(25), 'round.pln': pattern(2) });
  const named = (pattern: string, azimuth_deg?: number) =>
    towerAt('A', 0, { azimuth_deg, antenna: { pattern } });
  expect((await readPatterns([named('sector', 90), named('Round.PLN')], place)).size).toBe(2);
  await expect(readPatterns([named('sector', 90), named('sector')], place)).rejects.toThrow(
    'The tower A has no azimuth_deg, and its antenna pattern sector.msi is not the same all round.',
  );
  await expect(readPatterns([named('panel.msi', 90)], place)).rejects.toMatchObject({
    message: 'The antenna pattern panel.msi is not beside the list of towers.',
    hint: expect.stringContaining('zip archive'),
  });
});

test('a prediction of two sectors the one counts that looks there, with any number of threads', async () => {
  const sectors = [270, 180].map((azimuth_deg) => towerAt('A', 0, { azimuth_deg }));
  const one = await predictedHere('threads-1', sectors);
  const three = await predictedHere('threads-3', sectors, { threads: 3 });
  expect(readFileSync(three).equals(readFileSync(one))).toBe(true);
  const at = await signalIn(one);
  expect(at(-4000, 0)).toBeGreaterThan(at(0, 4000) + 15);
  expect(at(0, -4000)).toBeGreaterThan(at(0, 4000) + 15);
  const atMostPlaces = await signalIn(await predictedHere('most', sectors, { location: 90 }));
  expect(atMostPlaces(5000, 500)).toBeLessThan(at(5000, 500) - 1);
});

test('a prediction each of several sites has its own ground, and the strongest signal counts', async () => {
  const towers = [-3000, 1500, 3500].map((east, i) => towerAt(`T${i}`, east));
  const together = await signalIn(await predictedHere('both', towers));
  const alone = [];
  for (const tower of towers) alone.push(await signalIn(await predictedHere(`alone-${tower.name}`, [tower])));
  for (const east of [-5000, -4000, -1500, 700, 2300, 4000, 4500])
    for (const up of [-1200, 0, 1200]) {
      const strongest = Math.max(...alone.map((at) => at(east, up)));
      // Pixels of the one lie up to half of one beside those of the other.
      expect(Math.abs(together(east, up) - strongest), `${east}, ${up}`).toBeLessThan(2);
    }
});

test('a prediction of too many antennas of one place is refused before anything is computed', async () => {
  const towers = Array.from({ length: 1001 }, () => towerAt('Hill'));
  await expect(predictedHere('many', towers)).rejects.toThrow('1001 towers are at one place');
  expect(readdirSync(path.join(folder, 'many'))).toEqual([]);
});

describe('terrain', () => {
  const coarse = srtmTile(Math.floor(lat), Math.floor(lng), () => 77);
  test.each([
    ['declared', -9999],
    ['NaN beside a declared value', Number.NaN],
    ['not declared', 3.4e38],
    ['not declared, and near a height', 32_767],
  ])('the finest model counts, and where it has a void the next: %s', async (name, none) => {
    const fine = terrain((height, x, y) => (Math.hypot(x + 2000, y) < 600 ? none : height));
    const place = folderOf(`voids-${name}`, { 'fine.tif': fine, [tileName(lat, lng)]: coarse });
    const both = await opened(place);
    expect(both.models.map(({ name }) => path.extname(name))).toEqual(['.hgt', '.tif']);
    const at = await groundAround(both, place, 4000);
    expect(at(-2000, 0)).toBeCloseTo(77, 3);
    for (let i = 0; i < 900; i++)
      expect(Math.abs(at(-3000 + 100 * (i % 30), 100 * Math.floor(i / 30) - 1500) - 50)).toBeLessThan(31);
    expect(at(0, 0)).toBeCloseTo(20, 3);
    expect(at(3000, 1000)).toBeCloseTo(400, 3);
  });

  test('of two of one resolution the last by name counts where they overlap', async () => {
    const east = terrain((_, x) => (x > 0 ? 30 : -9999));
    const place = folderOf('overlap', { 'a.tif': terrain(() => 10), 'b.tif': east });
    const at = await groundAround(await opened(place), place);
    expect([at(1000, 0), at(-1000, 0)]).toEqual([30, 10]);
  });

  test('a tower in the sea, where the model has a void, is named', async () => {
    const place = folderOf('sea', { 'coast.tif': terrain((height, x) => (x < 1000 ? -9999 : height)) });
    await expect(groundAround(await opened(place), place)).rejects.toThrow(
      `There is no terrain at ${lat}, ${lng}: it lies outside the elevation models, or in the sea.`,
    );
  });

  const withoutKeys = () => {
    const bytes = Buffer.from(plain);
    // The tag of the GeoTIFF keys gets a number that means nothing.
    bytes.writeUInt16BE(65_000, bytes.indexOf(Buffer.from([0x87, 0xaf])));
    return bytes;
  };
  /** In a compression that nothing here reads. */
  const inWebP = () => {
    const bytes = Buffer.from(plain);
    const compression = bytes.indexOf(Buffer.from([0x01, 0x03, 0x00, 0x03, 0, 0, 0, 1]));
    bytes.writeUInt16BE(50_001, compression + 8);
    return bytes;
  };
  const withKeys = (keys: Record<string, number>) => terrain(undefined, keys);
  test.each<[string, () => Buffer, string]>([
    ['webp', inWebP, 'its compression, WebP, is not read here. Export it with deflate compression'],
    ['half', () => plain.subarray(0, 100), ''],
    ['placeless', withoutKeys, 'it has no reference system'],
    ['feet', () => withKeys({ VerticalCSTypeGeoKey: 6360 }), 'its heights are in US survey foot and not in'],
    ['feet-by-unit', () => withKeys({ VerticalUnitsGeoKey: 9002 }), 'its heights are in foot and not in'],
  ])('%s.tif is named as it is opened', async (name, bytes, reason) => {
    const place = folderOf(name, { [`${name}.tif`]: bytes() });
    await expect(opened(place)).rejects.toThrow(`The terrain ${name}.tif cannot be used: ${reason}`);
  });

  test.each([
    ['scaled', ['-a_scale', '0.1'], 'its heights have a scale of 0.1 and an offset of 0'],
    ['raised', ['-a_offset', '1000'], 'its heights have a scale of 1 and an offset of 1000'],
    ['picture', ['-ot', 'Byte', '-colorinterp_1', 'red'], 'it is an image, and has no heights'],
    ['global', ['-a_srs', 'EPSG:4978'], 'it has no reference system or no place in it'],
  ])('%s.tif, which has no heights in metres or no place, is named', async (name, options, reason) => {
    await expect(opened(await folderOfOther(name, options))).rejects.toThrow(
      `The terrain ${name}.tif cannot be used: ${reason}`,
    );
  });

  test('what makes all files after it unreadable is named', async () => {
    const describe = () => Promise.reject(new RasterError('it ended'));
    await expect(openTerrain({ ...rasterFolder(terrainFolder), describe })).rejects.toThrow(
      'The terrain cannot be used: it ended.',
    );
  });

  test('a model may have alpha, as gdalwarp writes it, and metres of a vertical reference system', async () => {
    const place = await folderOfOther('alpha', ['-b', '1', '-b', 'mask', '-colorinterp_2', 'alpha']);
    expect((await groundAround(await opened(place), place))(0, 0)).toBeCloseTo(20, 3);
    const metres = folderOf('metres', { 'nzvd.tif': withKeys({ VerticalCSTypeGeoKey: 7839 }) });
    expect((await opened(metres)).models).toHaveLength(1);
  });

  test('what cannot be used is left out, unless all are required', async () => {
    const files = { 'good.tif': plain, 'bad.tif': 'no terrain', 'worse.hgt': '' };
    const some = await opened(folderOf('some', files));
    expect(some.models.map(({ name }) => name)).toEqual(['good.tif']);
    expect(some.unusable.map(({ name }) => name)).toEqual(['bad.tif', 'worse.hgt']);
    const both = /bad\.tif cannot be used: .*[^.]\. The terrain worse\.hgt cannot be used: .*[^.]\.$/;
    expect(() => requireAll(some)).toThrow(both);
  });

  test('of a folder are read again once a file is added, and what cannot be used is reported', async () => {
    const place = folderOf('grows', { 'a.tif': plain });
    const reported: string[] = [];
    const report = (all: readonly { name: string }[]) => reported.push(...all.map(({ name }) => name));
    const names = async () => (await terrainModels(place, limits, report)).map(({ name }) => name);
    expect(await names()).toEqual(['a.tif']);
    writeFileSync(path.join(place, 'b.tif'), plain);
    writeFileSync(path.join(place, 'c.tif'), 'no terrain');
    expect([await names(), reported]).toEqual([['b.tif', 'a.tif'], ['c.tif']]);
    // The terrain's reference system comes later, in a file beside it.
    writeFileSync(path.join(place, 'c.tif'), withoutKeys());
    expect(await names()).toHaveLength(2);
    writeFileSync(path.join(place, 'c.tif.aux.xml'), '<PAMDataset><SRS>EPSG:2193</SRS></PAMDataset>');
    expect(await names()).toHaveLength(3);
  });

  test('links to files and folders are followed, and end in a circle', async () => {
    const [place, away] = [folderOf('links', {}), folderOf('away', { 'a.tif': plain })];
    await symlink(away, path.join(place, 'folder'));
    await symlink(path.join(away, 'a.tif'), path.join(place, 'file.tif'));
    await symlink(path.join(away, 'none.tif'), path.join(place, 'gone.tif'));
    // Links to their own folder: followed without end, two of them would give 2 to the power of 40 paths.
    for (const name of ['again', 'and-again']) await symlink('.', path.join(place, name));
    const linked = await opened(place);
    expect(linked.models.map(({ name }) => name)).toEqual(['file.tif', 'folder/a.tif']);
    expect(linked.unusable).toEqual([{ name: 'gone.tif', reason: 'it is a link to nothing' }]);
    expect((await groundAround(linked, place))(0, 0)).toBeCloseTo(20, 3);
  });

  test('how much of each model is void is measured by a sample, the finest first', async () => {
    // The ridge is 2% of it.
    const place = await folderOfOther('declared', ['-a_nodata', '20']);
    const half = terrain((height, x) => (x < 0 ? Number.NaN : height));
    writeFileSync(path.join(place, 'half.tif'), half);
    const { models } = await listTerrain(place, { scratch: place, measured: 2 });
    expect(Object.fromEntries(models.map((model) => [model.name, model.void]))).toEqual({
      'declared.tif': expect.closeTo(0.98, 1),
      'half.tif': expect.closeTo(0.5, 1),
    });
  });

  test('a model across the meridian of 180 degrees is around towers on both sides', async () => {
    const corners = ['-a_ullr', '179.9', '-16.9', '180.1', '-17.1'];
    const place = await folderOfOther('meridian', ['-a_srs', 'EPSG:4326', ...corners]);
    const across = await opened(place);
    for (const beside of [179.95, -179.95]) {
      const at = await groundAround(across, place, 2000, { lat: -17, lng: beside });
      expect(at(0, 0), String(beside)).toBeCloseTo(20, 3);
    }
  });

  test('more files around a tower than can be open at once are refused', async () => {
    const box = { west: lng - 1, east: lng + 1, south: lat - 1, north: lat + 1 };
    const model = { driver: 'GTiff', resolution: 1, ...box };
    const models = Array.from({ length: 2001 }, (_, i) => ({ ...model, name: `${i}.tif` }));
    await expect(groundAround(terrainOf(rasterFolder(folder), models), folder)).rejects.toThrow(
      `There are 2001 elevation models around ${lat}, ${lng}; the limit is 2000.`,
    );
  });

  test.each([
    ['cut', [], /^The terrain cut\.tif cannot be used/],
    // The administrator is told where to look.
    [
      'cut-beside',
      ['a.tif'],
      /^The terrain a\.tif, cut\.tif cannot be used: .* \(npm run admin -- terrain shows which/,
    ],
  ])('heights that are cut off are named when they are read: %s', async (name, others, message) => {
    const whole = Object.fromEntries(others.map((one) => [one, plain]));
    const place = folderOf(name, { ...whole, 'cut.tif': plain.subarray(0, plain.length / 2) });
    await expect(groundAround(await opened(place), place, 4000)).rejects.toThrow(message);
  });
});
