import { readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { FileError } from '@covermap/coverage-files/errors.ts';
import { lacksCodec } from '@covermap/coverage-files/gdal/reasons.ts';
import {
  type Dataset,
  type Gdal,
  GdalError,
  gdal,
  type RasterInfo,
} from '@covermap/coverage-files/gdal/webassembly.ts';
import { pulse } from '@covermap/coverage-files/process/pulse.ts';
import { TiffError, TiffNotSupported } from '@covermap/coverage-files/raster/tiff-file.ts';
import type { Bounds } from '@covermap/geometry/bounds.ts';
import { ringBox } from '@covermap/geometry/polygon.ts';
import { filesIn } from './files-in.ts';
import { plainCopyHead, writePlainCopy } from './plain-copy.ts';
import {
  type NamedRaster,
  type RasterDescription,
  RasterError,
  type RasterFolder,
  type ReadRaster,
} from './rasters.ts';

/* Folders of rasters, read by GDAL in place. */

/** The pixels of uncompressed copies at one time: 1.6 GB of heights. */
const maxDecompressed = 400_000_000;

/** GDAL's names for first bands without heights. */
const colours = /^(Palette|Red|Green|Blue|Alpha)$/;

export const rasterFolder = (folder: string): RasterFolder => ({
  path: folder,
  list: (drivers) => listRasters(folder, drivers),
  describe: (rasters) => describeRasters(folder, rasters).catch(asRasterError),
  warp: (rasters, scratch, args) => warpRasters(folder, rasters, scratch, args).catch(asRasterError),
});

const asRasterError = (error: unknown): never => {
  throw error instanceof GdalError ? new RasterError(error.message) : error;
};

async function listRasters(folder: string, drivers: Readonly<Record<string, string>>) {
  return (await filesIn(folder)).flatMap((name): NamedRaster[] => {
    const driver = drivers[path.extname(name).toLowerCase()];
    return driver === undefined ? [] : [{ name, driver }];
  });
}

async function describeRasters(folder: string, rasters: readonly NamedRaster[]) {
  const module = await gdal();
  const places = rasterPlaces(module, folder);
  const described: (RasterDescription | string)[] = [];
  try {
    for (const { name, driver } of rasters) {
      pulse();
      const mounted = await places.find(name);
      const info =
        mounted === undefined
          ? 'it is a link to nothing'
          : await describe(module, path.join(folder, name), mounted, driver);
      described.push(typeof info === 'string' ? info : descriptionOf(info));
    }
    return described;
  } finally {
    places.close();
  }
}

async function describe(module: Gdal, file: string, mounted: string, driver: string) {
  const reasonOf = (error: unknown) => {
    if (!(error instanceof GdalError)) throw error;
    // All later rasters would fail the same way.
    if (module.broken) throw new GdalError(`${path.basename(file)}: ${error.message}`);
    return error.message;
  };
  try {
    return module.describeRasterFile(mounted, driver);
  } catch (error) {
    if (!isWithoutCodec(error)) return reasonOf(error);
  }
  return byOurReader(plainCopyHead(file))
    .then((head) => module.describeRasterBytes(head, driver))
    .catch(reasonOf);
}

/** Mounts rasters of a folder for GDAL under their real paths, as it cannot follow links out of mounted folders. */
function rasterPlaces(module: Gdal, folder: string) {
  const mounts = new Map<string, string>();
  return {
    /** @returns undefined for a dangling link or a missing file */
    async find(name: string): Promise<string | undefined> {
      const real = await realpath(path.join(folder, name)).catch(() => undefined);
      if (real === undefined) return undefined;
      const within = path.dirname(real);
      const mount = mounts.get(within) ?? module.mount(within);
      mounts.set(within, mount);
      return `${mount}/${path.basename(real)}`;
    },
    close(): void {
      for (const mount of mounts.values()) module.unmount(mount);
    },
  };
}

const isWithoutCodec = (error: unknown) => error instanceof GdalError && lacksCodec(error.message);

/** @throws GdalError with the reason why our own reader cannot read a raster, and the remedy */
async function byOurReader<T>(read: Promise<T>): Promise<T> {
  return read.catch((error) => {
    if (error instanceof TiffNotSupported) throw new GdalError(`${error.message}. ${error.hint}`);
    if (error instanceof TiffError || error instanceof FileError) throw new GdalError(error.message);
    throw error;
  });
}

function descriptionOf(info: RasterInfo): RasterDescription {
  const { unit = '', scale = 1, offset = 0, colorInterpretation = '' } = info.bands[0] ?? {};
  const isColour = colours.test(colorInterpretation);
  return { place: placeOf(info), rows: info.size[1], unit, scale, offset, isColour };
}

function placeOf({ wgs84Extent, geoTransform, coordinateSystem }: RasterInfo): Bounds | undefined {
  let [west, south, east, north] = ringBox(Float64Array.from(wgs84Extent?.coordinates?.[0]?.flat() ?? []));
  // Its corners are on both sides of the 180th meridian: it may be anywhere.
  if (east - west > 180) [west, east] = [-180, 180];
  const hasPlace = geoTransform && west < east && south < north && south >= -90.1 && north <= 90.1;
  return hasPlace && coordinateSystem?.wkt ? { west, south, east, north } : undefined;
}

const warpRasters = (
  folder: string,
  rasters: readonly ReadRaster[],
  scratch: string,
  args: readonly string[],
): Promise<Buffer> =>
  makePixels(folder, rasters, scratch, (module, datasets, target) =>
    module.warp(datasets, target, [...asPixels, ...args]),
  );

/** The first band of a raster, thinned to a square of pixels, so that little is read. @returns `noData`: NaN if not declared @throws GdalError */
export async function sampleRaster(
  folder: string,
  raster: ReadRaster,
  scratch: string,
  side: number,
): Promise<{ pixels: Float32Array; noData: number }> {
  let noData = Number.NaN;
  const bytes = await makePixels(folder, [raster], scratch, (module, [dataset], target) => {
    const [band] = module.describeRaster(dataset as Dataset).bands;
    noData = Math.fround(Number(band?.noDataValue ?? Number.NaN));
    const size = ['-outsize', String(side), String(side)];
    module.translateRaster(dataset as Dataset, target, [...asPixels, '-ot', 'Float32', ...size]);
  });
  return { pixels: new Float32Array(bytes.buffer, bytes.byteOffset, side * side), noData };
}

const asPixels = ['-of', 'ENVI', '-b', '1'];

/** Opens rasters, makes pixels of them, and closes them. @param make writes the pixels to a file, given its path in GDAL */
async function makePixels(
  folder: string,
  rasters: readonly ReadRaster[],
  scratch: string,
  make: (module: Gdal, datasets: readonly Dataset[], target: string) => void,
): Promise<Buffer> {
  const module = await gdal();
  const places = rasterPlaces(module, folder);
  const out = module.mount(scratch);
  const opened: Dataset[] = [];
  const pixels = path.join(scratch, 'pixels.raw');
  const written = [pixels];
  let maxPixels = maxDecompressed;
  try {
    for (const [i, { name, driver, reduction = 1 }] of rasters.entries()) {
      const mounted = await places.find(name);
      if (mounted === undefined) throw new GdalError(`${name} has gone`);
      try {
        opened.push(module.open(mounted, driver, [], 'raster'));
      } catch (error) {
        if (!isWithoutCodec(error)) throw error;
        const copy = path.join(scratch, `plain-${i}.tif`);
        written.push(copy);
        maxPixels -= await byOurReader(writePlainCopy(path.join(folder, name), copy, reduction, maxPixels));
        opened.push(module.open(`${out}/plain-${i}.tif`, driver, [], 'raster'));
      }
    }
    make(module, opened, `${out}/pixels.raw`);
    return await readFile(pixels);
  } finally {
    for (const dataset of opened) module.close(dataset);
    places.close();
    module.unmount(out);
    for (const file of written) await rm(file, { force: true });
  }
}
