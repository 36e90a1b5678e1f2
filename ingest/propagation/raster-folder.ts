import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { GdalError, gdal, type RasterInfo } from '../read/gdal/webassembly.ts';
import { pulse } from '../read/pulse.ts';

/* Folders of rasters, which GDAL reads where they are. */

/** A raster by its name in the folder, and GDAL's driver for it. */
export interface NamedRaster {
  name: string;
  driver: string;
}

/**
 * The files of a folder, and of those within, that end in a certain way, by name.
 * @param endings drivers by the ending with its dot, in lower case
 */
export async function listRasters(folder: string, endings: Record<string, string>): Promise<NamedRaster[]> {
  const rasters: NamedRaster[] = [];
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const driver = endings[path.extname(name).toLowerCase()];
    if (driver !== undefined) rasters.push({ name, driver });
  }
  return rasters;
}

/** What GDAL says of each raster; at no pixel is looked. @throws as `failed` makes it of GDAL's error */
export async function describeRasters(
  folder: string,
  rasters: readonly NamedRaster[],
  failed: (name: string, message: string) => Error,
): Promise<RasterInfo[]> {
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
        throw error instanceof GdalError ? failed(name, error.message) : error;
      }
    });
  } finally {
    module.unmount(seen);
  }
}

/**
 * Brings the first bands of rasters into one as `gdalwarp` does, later ones over former ones.
 * @param words its options, but for the format of what comes out
 * @returns rows of pixels without anything before them
 * @throws GdalError
 */
export async function warpRasters(
  folder: string,
  rasters: readonly NamedRaster[],
  scratch: string,
  words: readonly string[],
): Promise<Buffer> {
  const module = await gdal();
  const [seen, out] = [module.mount(path.resolve(folder)), module.mount(scratch)];
  const opened: number[] = [];
  try {
    for (const { name, driver } of rasters) opened.push(module.open(`${seen}/${name}`, driver, [], 'raster'));
    module.warp(opened, `${out}/warped.raw`, ['-of', 'ENVI', '-b', '1', '-overwrite', ...words]);
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
