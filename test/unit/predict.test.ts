import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fromArrayBuffer } from 'geotiff';
import proj4 from 'proj4';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Terrain } from '../../ingest/propagation/terrain.ts';
import { gdal } from '../../ingest/read/gdal/webassembly.ts';
import { floatTiff } from '../../samples/formats.ts';
import { endCommandProcesses, runCommandProcess } from '../setup/processes.ts';

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
function terrain(change: (height: number, x: number, y: number) => number = (height) => height): Buffer {
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
  return floatTiff(heights, side, side, { x: west, y: north, pixel });
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

  test('the same towers give the same signal, with any number of threads', async () => {
    const rows = [`A,${lat},${lng},30,90,65,40,15,3500`, `B,${lat},${lng},30,210,65,40,15,3500`];
    const one = await predicted('threads-1', rows, '--threads', '1');
    const three = await predicted('threads-3', rows, '--threads', '3');
    expect([one.status, three.status]).toEqual([0, 0]);
    expect(readFileSync(three.file('tif')).equals(readFileSync(one.file('tif')))).toBe(true);
  });

  test('of two sectors the one counts that looks there', async () => {
    const rows = [`West,${lat},${lng},30,270,65,40,15,3500`, `South,${lat},${lng},30,180,65,40,15,3500`];
    const { output, file } = await predicted('sectors', rows);
    expect(output).toMatch(/West: strongest on[^\n]+\nSouth: strongest on/);
    const at = await signalIn(file('tif'));
    expect(at(-4000, 0)).toBeGreaterThan(at(0, 4000) + 15);
    expect(at(0, -4000)).toBeGreaterThan(at(0, 4000) + 15);
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

describe('terrain', () => {
  test('the finest model counts, and where it has a void the next', async () => {
    const place = path.join(folder, 'voids');
    await mkdir(place);
    const isVoid = (x: number, y: number) => Math.hypot(x + 2000, y) < 600;
    writeFileSync(
      path.join(place, 'fine.tif'),
      terrain((height, x, y) => (isVoid(x, y) ? -9999 : height)),
    );
    writeFileSync(path.join(place, `${tileName(lat, lng)}.hgt`), srtm(77));
    const opened = await Terrain.open(place);
    expect(opened.models.map(({ name }) => path.extname(name))).toEqual(['.hgt', '.tif']);
    const { heights, side: across } = await opened.ground(lat, lng, 4000, 100, place);
    const at = (east: number, north: number) =>
      heights[(across - 1) / 2 + east / 100 + ((across - 1) / 2 - north / 100) * across] as number;
    expect(at(-2000, 0)).toBeCloseTo(77, 3);
    expect(at(0, 0)).toBeCloseTo(20, 3);
    expect(at(3000, 1000)).toBeCloseTo(400, 3);
  });

  test('a broken file is named', async () => {
    const place = path.join(folder, 'broken');
    await mkdir(place);
    writeFileSync(path.join(place, 'half.tif'), terrain().subarray(0, 100));
    await expect(Terrain.open(place)).rejects.toThrow('The terrain half.tif cannot be used');
  });
});

function tileName(lat: number, lng: number): string {
  return `S${Math.ceil(-lat)}E${Math.floor(lng)}`;
}

/** A tile of SRTM, three seconds a pixel, all of one height. */
function srtm(height: number): Buffer {
  const bytes = Buffer.alloc(1201 * 1201 * 2);
  for (let at = 0; at < bytes.length; at += 2) bytes.writeInt16BE(height, at);
  return bytes;
}
