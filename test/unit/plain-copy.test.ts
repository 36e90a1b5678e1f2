import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rasterFolder } from '@covermap/propagation/raster-folder.ts';
import { openTerrain } from '@covermap/propagation/terrain.ts';
import { bandTiff } from '@covermap/testing/formats.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { expect, test } from 'vitest';
import { findOrInstallGdal } from '../setup/gdal.ts';

/* Terrain in compressions that GDAL has no codec for here, beside the same terrain in one that it has. Debian's GDAL writes both. */

const missing = findOrInstallGdal();
const folder = scratchFolder();

const run = (program: string, ...words: string[]) =>
  execFileSync(program, ['-q', ...words], { stdio: 'pipe' });

/** In the middle of the terrain, New Zealand Transverse Mercator. */
const [lat, lng] = [-41.1077, 173.0356];
const side = 250;
const hills = Float32Array.from({ length: side * side }, (_, i) => {
  const [x, y] = [i % side, Math.floor(i / side)];
  const isVoid = x > 160 && x < 190 && y > 100 && y < 170;
  return isVoid ? -9999 : 300 + 200 * Math.sin(x / 31) * Math.cos(y / 47) + ((x * y) % 7);
});

/** The terrain in a folder of its own, as `gdal_translate` writes it. */
function terrain(name: string, ...options: string[]): string {
  const place = path.join(folder, name);
  mkdirSync(place);
  const drawn = path.join(folder, 'drawn.tif');
  writeFileSync(drawn, bandTiff(hills, side, side, { x: 1_601_000, y: 5_451_000, pixel: 16 }));
  run('gdal_translate', '-a_nodata', '-9999', ...options, drawn, path.join(place, 'dem.tif'));
  return place;
}

async function ground(place: string, step: number) {
  const scratch = mkdtempSync(path.join(folder, 'scratch-'));
  const opened = await openTerrain(rasterFolder(place));
  const { heights, unknown } = await opened.ground(lat, lng, 2000, step, scratch);
  expect(readdirSync(scratch).filter((name) => name.startsWith('plain'))).toEqual([]);
  return { heights: Buffer.from(heights.buffer), unknown };
}

const ofAPart = ['-co', 'BLOCKXSIZE=128', '-co', 'BLOCKYSIZE=128', '-co', 'TILED=YES'];
const withOverviews = '-of COG -co RESAMPLING=AVERAGE -co BLOCKSIZE=128 -co OVERVIEW_COUNT=2'.split(' ');
const inDegrees = '-a_srs EPSG:4326 -a_ullr 173.0 -41.07 173.07 -41.14 -ot Int16'.split(' ');
const ofPoints = ['-mo', 'AREA_OR_POINT=Point', ...inDegrees];

test.skipIf(missing).each([
  ['in LERC, as LINZ publishes it', 'LERC', withOverviews],
  ['in LERC within ZSTD', 'LERC_ZSTD', ofAPart],
  ['in ZSTD, with a predictor', 'ZSTD', ['-co', 'PREDICTOR=3']],
  ['whose pixels are points, in degrees and whole metres', 'LERC', ofPoints],
  ['of big-endian numbers', 'ZSTD', ['-co', 'ENDIANNESS=BIG', ...ofAPart]],
])('the ground is that of the same file in Deflate: %s', async (name, compression, options) => {
  const plain = terrain(`${name}, Deflate`, '-co', 'COMPRESS=DEFLATE', ...options);
  const own = terrain(name, '-co', `COMPRESS=${compression}`, ...options);
  // With overviews, also in steps as fine as these.
  for (const step of options === withOverviews ? [10, 40, 70] : [16]) {
    const [wanted, given] = [await ground(plain, step), await ground(own, step)];
    expect(given.unknown).toBe(wanted.unknown);
    expect(given.heights.equals(wanted.heights), `steps of ${step} m`).toBe(true);
  }
});

test.skipIf(missing).each([
  ['a picture', '-ot Byte -b 1 -b 1 -b 1 -co PHOTOMETRIC=RGB', /it is an image, and has no heights/],
  ['a mask', '-b 1 -mask 1 --config GDAL_TIFF_INTERNAL_MASK YES', /it has a mask\. Convert it: gdal_tran/],
])('%s is refused, with a sentence', async (name, options, reason) => {
  const place = terrain(name, '-co', 'COMPRESS=ZSTD', ...options.split(' '));
  await expect(openTerrain(rasterFolder(place))).rejects.toThrow(reason);
});
test.skipIf(missing)(
  'more pixels than are decompressed for a tower are refused, with a sentence',
  async () => {
    const place = path.join(folder, 'large');
    mkdirSync(place);
    const empty = '-ot Float32 -outsize 25000 25000 -a_srs EPSG:2193 -co COMPRESS=LERC -co SPARSE_OK=YES';
    const around = ['-a_ullr', '1600000', '5460000', '1625000', '5435000'];
    run('gdal_create', ...empty.split(' '), ...around, path.join(place, 'dem.tif'));
    await expect(ground(place, 8)).rejects.toThrow(/too many pixels to decompress at once\. .*gdaladdo/);
  },
);
