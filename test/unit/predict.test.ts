import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fromArrayBuffer } from 'geotiff';
import proj4 from 'proj4';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tower } from '../../core/coverage/submissions/towers.ts';
import { threadFile } from '../../core/programs.ts';
import { listTerrain } from '../../ingest/modelling/list-terrain.ts';
import { rasterFolder } from '../../ingest/modelling/raster-folder.ts';
import { writeSignal } from '../../ingest/modelling/results.ts';
import { gdal } from '../../ingest/read/gdal/webassembly.ts';
import { readPatterns } from '../../propagation/patterns.ts';
import { predict, signalFile } from '../../propagation/prediction.ts';
import { modelDefaults } from '../../propagation/prediction-options.ts';
import { Terrain } from '../../propagation/terrain.ts';
import { floatTiff } from '../../samples/formats.ts';
import { endCommandProcesses, runCommandProcess } from '../setup/processes.ts';
import { srtmTile, tileName } from '../setup/srtm.ts';
import { writeLandCover } from '../setup/terrain.ts';

/* npm run predict, whole: towers and terrain in, signal and areas out. */

const nztm = '+proj=tmerc +lat_0=0 +lon_0=173 +k=0.9996 +x_0=1600000 +y_0=10000000 +ellps=GRS80 +units=m';
const toDegrees = (x: number, y: number) => proj4(nztm, 'WGS84', [x, y]) as [number, number];
/** The middle of the terrain, where the tower stands. */
const [x0, y0] = [1_750_000, 5_430_000];
const pixel = 50;
const side = 401;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-predict-test-'));
  await mkdir(path.join(folder, 'terrain'));
  writeFileSync(path.join(folder, 'terrain/fine.tif'), terrain());
});
afterAll(() => {
  endCommandProcesses();
  rmSync(folder, { recursive: true });
});

/** Flat at 20 m, with a ridge of 400 m from north to south 3 km east of the tower. */
function terrain(
  change: (height: number, x: number, y: number) => number = (height) => height,
  keys: Record<string, number> = {},
): Buffer {
  const heights = new Float32Array(side * side);
  const west = x0 - (side / 2) * pixel;
  const north = y0 + (side / 2) * pixel;
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const x = west + (column + 0.5) * pixel - x0;
      const y = north - (row + 0.5) * pixel - y0;
      heights[row * side + column] = change(Math.abs(x - 3000) < 200 ? 400 : 20, x, y);
    }
  }
  return floatTiff(heights, side, side, { x: west, y: north, pixel }, keys);
}

/** Writes the terrain into a new folder, changed as `gdal_translate` does. */
async function makeOther(place: string, name: string, options: string[]): Promise<void> {
  await mkdir(place);
  writeFileSync(path.join(folder, `${name}-before.tif`), terrain());
  const module = await gdal();
  const seen = module.mount(folder);
  const before = module.open(`${seen}/${name}-before.tif`, 'GTiff', [], 'raster');
  module.translateRaster(before, `${seen}/${name}/${name}.tif`, ['-of', 'GTiff', ...options]);
  module.close(before);
  module.unmount(seen);
}

const [lng, lat] = toDegrees(x0, y0);
const head = 'name,lat,lng,height,azimuth,beam_width,power,gain,frequency';

async function predicted(name: string, rows: string[], ...options: string[]) {
  const towers = path.join(folder, `${name}.csv`);
  writeFileSync(towers, [head, ...rows].join('\n'));
  const words = [towers, '--terrain', path.join(folder, 'terrain'), '--range', '8', '--resolution', '100'];
  const command = runCommandProcess('predict', [...words, ...options], {});
  const status = await command.ended;
  return {
    status,
    output: command.output(),
    file: (ending: string) => path.join(folder, `${name}.${ending}`),
  };
}

const towerAt = (name: string, east = 0, own: Partial<Tower> = {}): Tower => {
  const [lng, lat] = toDegrees(x0 + east, y0);
  return {
    ...{ name, lat, lng, height_m: 30, azimuth_deg: undefined, beam_width_deg: 65 },
    ...{ power_dbm: 55, frequency_mhz: 3500, speeds: {} },
    ...own,
  };
};

/** Predicts without the command. @returns the GeoTIFF of the signal */
async function predictedHere(name: string, towers: readonly Tower[], threads = 2): Promise<string> {
  const scratch = path.join(folder, name);
  await mkdir(scratch);
  const options = {
    ...{ ...modelDefaults, receiverHeight: 5, receiverGain: 10 },
    ...{ range: 8000, step: 100, threads, threadFile: threadFile('site'), patterns: scratch },
  };
  const terrain = await Terrain.open(rasterFolder(path.join(folder, 'terrain')));
  const { file } = await predict(towers, terrain, options, scratch, () => undefined);
  const target = path.join(scratch, 'strongest.tif');
  await writeSignal(file.grid, path.join(scratch, signalFile), target);
  file.close();
  return target;
}

/** Reads dBm at metres east and north of the tower. */
async function signalIn(file: string) {
  const { buffer } = new Uint8Array(readFileSync(file));
  const image = await (await fromArrayBuffer(buffer as ArrayBuffer)).getImage();
  const [values] = (await image.readRasters()) as unknown as [Float32Array];
  const [west, , , north] = image.getBoundingBox() as [number, number, number, number];
  const [dx, dy] = image.getResolution() as [number, number];
  return (east: number, up: number) => {
    const [x, y] = toDegrees(x0 + east, y0 + up);
    return values[Math.floor((y - north) / dy) * image.getWidth() + Math.floor((x - west) / dx)] as number;
  };
}

describe('npm run predict', () => {
  test('writes the strongest signal, with a shadow behind a ridge, and areas of speeds', async () => {
    const { status, output, file } = await predicted('one', [`Hill,${lat},${lng},30,,,40,15,3500`]);
    expect(output).toContain('Hill: strongest on');
    expect(status).toBe(0);
    const at = await signalIn(file('tif'));
    // In the open less and less; the same at the same distance; behind the ridge far less than on the other side.
    expect(at(-1000, 0)).toBeGreaterThan(at(-2000, 0));
    expect(at(-2000, 0)).toBeGreaterThan(at(-6000, 0));
    expect(Math.abs(at(-4000, 0) - at(0, 4000))).toBeLessThan(3);
    expect(at(5000, 0)).toBeLessThan(at(-5000, 0) - 20);
    expect(at(-6500, 6500)).toBe(-9999);

    const module = await gdal();
    const seen = module.mount(folder);
    const dataset = module.open(`${seen}/one.gpkg`, 'GPKG', []);
    const [layer] = module.describe(dataset).layers;
    module.close(dataset);
    module.unmount(seen);
    expect(layer?.featureCount).toBeGreaterThan(1);
    expect(layer?.fields.map(({ name }) => name)).toContain('bandwidth_max_mbps');
  });

  test('of two sectors the one counts that looks there', async () => {
    const rows = [`West,${lat},${lng},30,270,65,40,15,3500`, `South,${lat},${lng},30,180,65,40,15,3500`];
    const { output, file } = await predicted('sectors', rows);
    expect(output).toMatch(/West: strongest on[^\n]+\nSouth: strongest on/);
    const at = await signalIn(file('tif'));
    expect(at(-4000, 0)).toBeGreaterThan(at(0, 4000) + 15);
    expect(at(0, -4000)).toBeGreaterThan(at(0, 4000) + 15);
  });

  test('every option of the help can be given', async () => {
    const { output, status } = await predicted('options', [`A,${lat},${lng},30,,,40,15,3500`], '--help');
    expect(status).toBe(0);
    const named = [...output.matchAll(/--[a-z-]+/g)]
      .map(([option]) => option)
      .filter((one) => one !== '--help');
    const values: Record<string, string> = {
      '--profile': 'point-to-multipoint',
      '--out': path.join(folder, 'options'),
    };
    values['--patterns'] = values['--terrain'] = path.join(folder, 'terrain');
    values['--clutter'] = path.join(folder, 'cover');
    writeLandCover(values['--clutter'], () => 10, ['class,height_m,loss_db', '10,20,18']);
    values['--range'] = '1';
    values['--refractivity'] = '300';
    const given = [...new Set(named)].flatMap((option) => [option, values[option] ?? '5']);
    const all = await predicted('options', [`A,${lat},${lng},30,,,40,15,3500`], ...given);
    expect(all.output).toContain('Written: ');
    expect(all.status).toBe(0);
    const half = await predicted('options', [`A,${lat},${lng},30,,,40,15,3500`], '--climate', '1.5');
    expect(half.output).toContain('--climate takes a whole number from 1 to 7.');
    expect(half.status).toBe(2);
  });

  test.each([
    ['a frequency outside of the model', `A,${lat},${lng},30,,,40,15,26000`, 'takes 20 to 20000 MHz'],
    ['an azimuth of 400', `A,${lat},${lng},30,400,65,40,15,3500`, 'line 2: azimuth_deg is 400'],
    ['a tower away from all terrain', 'A,-45,170,30,,,40,15,3500', 'No elevation model covers the tower A'],
    ['no height', `A,${lat},${lng},,,,40,15,3500`, 'line 2: height_m is missing'],
  ])('%s is named', async (name, row, message) => {
    const { status, output, file } = await predicted(name.replaceAll(' ', '-'), [row]);
    expect(output).toContain(message);
    expect(status).toBe(4);
    expect(() => readFileSync(file('tif'))).toThrow();
  });
});

test('a tower without azimuth cannot have a pattern with a direction, and can have one that is all round', async () => {
  const place = path.join(folder, 'patterns');
  await mkdir(place);
  const pattern = (behind: number) =>
    ['HORIZONTAL', 'VERTICAL']
      .flatMap((plane) => [plane, ...Array.from({ length: 360 }, (_, i) => `${i} ${i === 180 ? behind : 0}`)])
      .join('\n');
  writeFileSync(path.join(place, 'sector.msi'), pattern(25));
  writeFileSync(path.join(place, 'round.pln'), pattern(2));
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

describe('a prediction', () => {
  const hill = towerAt('Hill');
  test('the same towers give the same signal, with any number of threads', async () => {
    const sectors = [90, 210].map((azimuth_deg) => towerAt('A', 0, { azimuth_deg }));
    const one = await predictedHere('threads-1', sectors, 1);
    const three = await predictedHere('threads-3', sectors, 3);
    expect(readFileSync(three).equals(readFileSync(one))).toBe(true);
  });

  test('sites one after another have each their own ground: the strongest of them counts', async () => {
    const towers = [-3000, 0, 1500].map((east, i) => towerAt(`T${i}`, east));
    const together = await signalIn(await predictedHere('three', towers));
    const alone = [];
    for (const tower of towers)
      alone.push(await signalIn(await predictedHere(`alone-${tower.name}`, [tower])));
    for (const east of [-5000, -4000, -1500, 700, 2300, 4000, 4500])
      for (const up of [-1200, 0, 1200]) {
        const strongest = Math.max(...alone.map((at) => at(east, up)));
        // Pixels of the one lie up to half of one beside those of the other.
        expect(Math.abs(together(east, up) - strongest), `${east}, ${up}`).toBeLessThan(2);
      }
  });

  test.each<[string, number, (i: number) => Tower, string]>([
    [
      '100,000 towers',
      100_000,
      (i) => ({ ...hill, lat: lat + i / 1e6 }),
      '100000 towers are too many for one prediction',
    ],
    ['1,001 antennas of one place', 1001, () => hill, '1001 towers are at one place'],
  ])('%s are refused before anything is computed', async (name, count, tower, message) => {
    const towers = Array.from({ length: count }, (_, i) => tower(i));
    await expect(predictedHere(name, towers)).rejects.toThrow(message);
    expect(readdirSync(path.join(folder, name))).toEqual([]);
  });
});

describe('terrain', () => {
  test.each([
    ['declared', -9999],
    ['NaN beside a declared value', Number.NaN],
    ['not declared', 3.4e38],
  ])('the finest model counts, and where it has a void the next: %s', async (name, none) => {
    const place = path.join(folder, `voids-${name}`);
    await mkdir(place);
    const isVoid = (x: number, y: number) => Math.hypot(x + 2000, y) < 600;
    writeFileSync(
      path.join(place, 'fine.tif'),
      terrain((height, x, y) => (isVoid(x, y) ? none : height)),
    );
    writeFileSync(
      path.join(place, tileName(lat, lng)),
      srtmTile(Math.floor(lat), Math.floor(lng), () => 77),
    );
    const opened = await Terrain.open(rasterFolder(place));
    expect(opened.models.map(({ name }) => path.extname(name))).toEqual(['.hgt', '.tif']);
    const { heights, side: across } = await opened.ground(lat, lng, 4000, 100, place);
    const at = (east: number, north: number) =>
      heights[(across - 1) / 2 + east / 100 + ((across - 1) / 2 - north / 100) * across] as number;
    expect(at(-2000, 0)).toBeCloseTo(77, 3);
    expect(at(0, 0)).toBeCloseTo(20, 3);
    expect(at(3000, 1000)).toBeCloseTo(400, 3);
  });

  test('of two of one resolution the last by name counts where they overlap', async () => {
    const place = path.join(folder, 'overlap');
    await mkdir(place);
    writeFileSync(
      path.join(place, 'a.tif'),
      terrain(() => 10),
    );
    writeFileSync(
      path.join(place, 'b.tif'),
      terrain((_, x) => (x > 0 ? 30 : -9999)),
    );
    const { heights, side: across } = await (await Terrain.open(rasterFolder(place))).ground(
      lat,
      lng,
      2000,
      100,
      place,
    );
    const middle = (across - 1) / 2;
    expect(heights[middle + 10 + middle * across]).toBe(30);
    expect(heights[middle - 10 + middle * across]).toBe(10);
  });

  test('a tower in the sea, where the model has a void, is named', async () => {
    const place = path.join(folder, 'sea');
    await mkdir(place);
    writeFileSync(
      path.join(place, 'coast.tif'),
      terrain((height, x) => (x < 1000 ? -9999 : height)),
    );
    await expect(
      (await Terrain.open(rasterFolder(place))).ground(lat, lng, 2000, 100, place),
    ).rejects.toThrow(
      `There is no terrain at ${lat}, ${lng}: it lies outside the elevation models, or in the sea.`,
    );
  });

  const withoutKeys = () => {
    const bytes = terrain();
    // The tag of the GeoTIFF keys gets a number that means nothing.
    bytes.writeUInt16BE(65_000, bytes.indexOf(Buffer.from([0x87, 0xaf])));
    return bytes;
  };
  /** In a compression that nothing here reads. */
  const inWebP = () => {
    const bytes = terrain();
    const compression = bytes.indexOf(Buffer.from([0x01, 0x03, 0x00, 0x03, 0, 0, 0, 1]));
    bytes.writeUInt16BE(50_001, compression + 8);
    return bytes;
  };
  test.each([
    ['webp.tif', inWebP, 'its compression, WebP, is not read here. Export it with deflate compression'],
    ['half.tif', () => terrain().subarray(0, 100), 'The terrain half.tif cannot be used'],
    ['placeless.tif', withoutKeys, 'it has no reference system'],
    [
      'feet.tif',
      () => terrain(undefined, { VerticalCSTypeGeoKey: 6360 }),
      'its heights are in US survey foot and not in metres',
    ],
    [
      'feet-by-unit.tif',
      () => terrain(undefined, { VerticalUnitsGeoKey: 9002 }),
      'its heights are in foot and not in metres',
    ],
  ])('%s is named as it is opened', async (name, bytes, message) => {
    const place = path.join(folder, name.replace('.tif', ''));
    await mkdir(place);
    writeFileSync(path.join(place, name), bytes());
    await expect(Terrain.open(rasterFolder(place))).rejects.toThrow(message);
  });

  test.each([
    ['scaled', ['-a_scale', '0.1'], 'its heights have a scale of 0.1 and an offset of 0'],
    ['raised', ['-a_offset', '1000'], 'its heights have a scale of 1 and an offset of 1000'],
    ['picture', ['-ot', 'Byte', '-colorinterp_1', 'red'], 'it is an image, and has no heights'],
    ['global', ['-a_srs', 'EPSG:4978'], 'it has no reference system or no place in it'],
  ])('%s.tif, which has no heights in metres or no place, is named', async (name, options, reason) => {
    const place = path.join(folder, name);
    await makeOther(place, name, options);
    await expect(Terrain.open(rasterFolder(place))).rejects.toThrow(
      `The terrain ${name}.tif cannot be used: ${reason}`,
    );
  });

  test('what cannot be used is left out, unless all are required', async () => {
    const place = path.join(folder, 'some');
    await mkdir(place);
    writeFileSync(path.join(place, 'good.tif'), terrain());
    writeFileSync(path.join(place, 'bad.tif'), 'no terrain');
    writeFileSync(path.join(place, 'worse.hgt'), '');
    const opened = await Terrain.open(rasterFolder(place));
    expect(opened.models.map(({ name }) => name)).toEqual(['good.tif']);
    expect(opened.unusable.map(({ name }) => name)).toEqual(['bad.tif', 'worse.hgt']);
    const both = /bad\.tif cannot be used: .*[^.]\. The terrain worse\.hgt cannot be used: .*[^.]\.$/;
    expect(() => opened.requireAll()).toThrow(both);
  });

  test('links to files and folders are followed, and end in a circle', async () => {
    const [place, away] = [path.join(folder, 'links'), path.join(folder, 'away')];
    await mkdir(place);
    await mkdir(away);
    writeFileSync(path.join(away, 'a.tif'), terrain());
    await symlink(away, path.join(place, 'folder'));
    await symlink(path.join(away, 'a.tif'), path.join(place, 'file.tif'));
    await symlink(path.join(away, 'none.tif'), path.join(place, 'gone.tif'));
    // Of two such, each way through them is a path of its own: there are 2 to the power of 40.
    for (const name of ['again', 'and-again']) await symlink('.', path.join(place, name));
    const opened = await Terrain.open(rasterFolder(place));
    expect(opened.models.map(({ name }) => name)).toEqual(['file.tif', 'folder/a.tif']);
    expect(opened.unusable).toEqual([{ name: 'gone.tif', reason: 'it is a link to nothing' }]);
    const { heights, side: across } = await opened.ground(lat, lng, 2000, 100, place);
    expect(heights[(across * across - 1) / 2]).toBeCloseTo(20, 3);
  });

  test('how much of each model is void is measured by a sample, the finest first', async () => {
    const place = path.join(folder, 'declared');
    // The ridge is 2% of it.
    await makeOther(place, 'declared', ['-a_nodata', '20']);
    writeFileSync(
      path.join(place, 'half.tif'),
      terrain((height, x) => (x < 0 ? Number.NaN : height)),
    );
    const work = { kind: 'terrain' as const, name: 'terrain', file: place, scratch: place, measured: 2 };
    const { models, unusable } = await listTerrain(work);
    expect(unusable).toEqual([]);
    const shares = Object.fromEntries(models.map((model) => [model.name, model.void]));
    expect(shares['declared.tif']).toBeCloseTo(0.98, 1);
    expect(shares['half.tif']).toBeCloseTo(0.5, 1);
  });

  test('a model across the meridian of 180 degrees is around towers on both sides', async () => {
    const place = path.join(folder, 'meridian');
    await makeOther(place, 'meridian', [
      '-a_srs',
      'EPSG:4326',
      '-a_ullr',
      '179.9',
      '-16.9',
      '180.1',
      '-17.1',
    ]);
    const opened = await Terrain.open(rasterFolder(place));
    for (const beside of [179.95, -179.95]) {
      const { heights, side: across } = await opened.ground(-17, beside, 2000, 100, place);
      expect(heights[(across * across - 1) / 2], String(beside)).toBeCloseTo(20, 3);
    }
  });

  test('more files around a tower than can be open at once are refused', async () => {
    const model = {
      driver: 'GTiff',
      west: lng - 1,
      east: lng + 1,
      south: lat - 1,
      north: lat + 1,
      resolution: 1,
    };
    const models = Array.from({ length: 2001 }, (_, i) => ({ ...model, name: `${i}.tif` }));
    await expect(
      Terrain.of(rasterFolder(folder), models).ground(lat, lng, 2000, 100, folder),
    ).rejects.toThrow(`There are 2001 elevation models around ${lat}, ${lng}; the limit is 2000.`);
  });

  test('of several models that cannot be read together the administrator is told where to look', async () => {
    const place = path.join(folder, 'cut-beside');
    await mkdir(place);
    const bytes = terrain();
    writeFileSync(path.join(place, 'a.tif'), bytes);
    writeFileSync(path.join(place, 'cut.tif'), bytes.subarray(0, bytes.length / 2));
    const opened = await Terrain.open(rasterFolder(place));
    await expect(opened.ground(lat, lng, 4000, 100, place)).rejects.toThrow(
      /^The terrain a\.tif, cut\.tif cannot be used: .* \(npm run admin -- terrain shows which of them\)\.$/,
    );
  });

  test('metres of a vertical reference system are taken', async () => {
    const place = path.join(folder, 'metres');
    await mkdir(place);
    writeFileSync(path.join(place, 'nzvd.tif'), terrain(undefined, { VerticalCSTypeGeoKey: 7839 }));
    expect((await Terrain.open(rasterFolder(place))).models).toHaveLength(1);
  });

  test('a file whose heights are cut off is named when they are read', async () => {
    const place = path.join(folder, 'cut');
    await mkdir(place);
    const bytes = terrain();
    writeFileSync(path.join(place, 'cut.tif'), bytes.subarray(0, bytes.length / 2));
    const opened = await Terrain.open(rasterFolder(place));
    await expect(opened.ground(lat, lng, 4000, 100, place)).rejects.toThrow(
      'The terrain cut.tif cannot be used',
    );
  });
});
