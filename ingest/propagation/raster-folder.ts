import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Bounds } from '../../core/config.ts';
import { GdalError, gdal, type RasterInfo } from '../read/gdal/webassembly.ts';
import { pulse } from '../read/pulse.ts';

/* Folders of rasters, which GDAL reads where they are. */

/** A raster by its name in the folder, and GDAL's driver for it. */
export interface NamedRaster {
  name: string;
  driver: string;
}

/** GDAL's drivers by the extension of a file. */
export const geoTiffDrivers = { '.tif': 'GTiff', '.tiff': 'GTiff' } as const;

/**
 * The files of a folder, and of those within, that have certain extensions, by name.
 * @param drivers by the extension with its dot, in lower case
 */
export async function listRasters(
  folder: string,
  drivers: Readonly<Record<string, string>>,
): Promise<NamedRaster[]> {
  const rasters: NamedRaster[] = [];
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const driver = drivers[path.extname(name).toLowerCase()];
    if (driver !== undefined) rasters.push({ name, driver });
  }
  return rasters;
}

/**
 * What GDAL says of each raster; at no pixel is looked. A text says why one cannot be opened.
 * @throws GdalError which names the raster after which none can be opened any more
 */
export async function describeRasters(
  folder: string,
  rasters: readonly NamedRaster[],
): Promise<(RasterInfo | string)[]> {
  const module = await gdal();
  const seen = module.mount(path.resolve(folder));
  try {
    return rasters.map(({ name, driver }) => {
      pulse();
      try {
        const dataset = module.open(`${seen}/${name}`, driver, [], 'raster');
        try {
          return module.describeRaster(dataset);
        } finally {
          module.close(dataset);
        }
      } catch (error) {
        if (!(error instanceof GdalError)) throw error;
        // It would say the same of all that follow.
        if (module.broken) throw new GdalError(`${name}: ${error.message}`);
        return reasonOf(error);
      }
    });
  } finally {
    module.unmount(seen);
  }
}

/** As GDAL says it, or better where it is known what to do. */
function reasonOf({ message }: GdalError): string {
  const [, codec] = /missing codec (\w{1,20})/.exec(message) ?? [];
  return codec
    ? `it is compressed with ${codec}, which cannot be read here; gdal_translate -co COMPRESS=DEFLATE makes a file that can`
    : message;
}

/** Where a raster lies, in degrees; undefined where it has no reference system or no place in it. */
export function placeOf({ wgs84Extent, geoTransform, coordinateSystem }: RasterInfo): Bounds | undefined {
  const corners = wgs84Extent?.coordinates?.[0] ?? [];
  const [lngs, lats] = [corners.map(([lng]) => lng), corners.map(([, lat]) => lat)];
  let [west, east] = [Math.min(...lngs), Math.max(...lngs)];
  // Its corners lie on both sides of the meridian of 180 degrees: it may be anywhere.
  if (east - west > 180) [west, east] = [-180, 180];
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  const hasPlace = geoTransform && west < east && south < north && south >= -90.1 && north <= 90.1;
  return hasPlace && coordinateSystem?.wkt ? { west, south, east, north } : undefined;
}

/** Whether two boxes overlap. One across the meridian of 180 degrees goes on beyond it, and some count from 0 to 360. */
export function overlap(a: Bounds, b: Bounds): boolean {
  const isBeside = [-360, 0, 360].some((turn) => a.west < b.east + turn && a.east > b.west + turn);
  return isBeside && a.south < b.north && a.north > b.south;
}

/**
 * Brings the first bands of rasters into one as `gdalwarp` does, later ones over former ones.
 * @param args options of `gdalwarp`, but for the output format
 * @returns rows of pixels without anything before them
 * @throws GdalError
 */
export async function warpRasters(
  folder: string,
  rasters: readonly NamedRaster[],
  scratch: string,
  args: readonly string[],
): Promise<Buffer> {
  const module = await gdal();
  const [seen, out] = [module.mount(path.resolve(folder)), module.mount(scratch)];
  const opened: number[] = [];
  try {
    for (const { name, driver } of rasters) opened.push(module.open(`${seen}/${name}`, driver, [], 'raster'));
    module.warp(opened, `${out}/warped.raw`, ['-of', 'ENVI', '-b', '1', '-overwrite', ...args]);
  } finally {
    for (const dataset of opened) module.close(dataset);
    module.unmount(seen);
    module.unmount(out);
  }
  const file = path.join(scratch, 'warped.raw');
  const bytes = await readFile(file);
  await rm(file);
  return bytes;
}
