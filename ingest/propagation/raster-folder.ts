import { readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Bounds } from '../../core/config.ts';
import { filesIn } from '../files-in.ts';
import { type Gdal, GdalError, gdal, type RasterInfo } from '../read/gdal/webassembly.ts';
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
  for (const name of await filesIn(folder)) {
    const driver = endings[path.extname(name).toLowerCase()];
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
  const places = new RasterPlaces(module, folder);
  const described: (RasterInfo | string)[] = [];
  try {
    for (const { name, driver } of rasters) {
      pulse();
      const seen = await places.find(name);
      described.push(seen === undefined ? 'it is a link to nothing' : describe(module, name, seen, driver));
    }
    return described;
  } finally {
    places.close();
  }
}

function describe(module: Gdal, name: string, seen: string, driver: string): RasterInfo | string {
  try {
    const dataset = module.open(seen, driver, [], 'raster');
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
}

/** Rasters of a folder as GDAL sees them: where they lie in truth, as it cannot follow links out of what is mounted. */
class RasterPlaces {
  readonly #module: Gdal;
  readonly #folder: string;
  readonly #mounts = new Map<string, string>();

  constructor(module: Gdal, folder: string) {
    this.#module = module;
    this.#folder = folder;
  }

  /** @returns undefined where a link leads nowhere, or the file has gone */
  async find(name: string): Promise<string | undefined> {
    const real = await realpath(path.join(this.#folder, name)).catch(() => undefined);
    if (real === undefined) return undefined;
    const folder = path.dirname(real);
    const mount = this.#mounts.get(folder) ?? this.#module.mount(folder);
    this.#mounts.set(folder, mount);
    return `${mount}/${path.basename(real)}`;
  }

  close(): void {
    for (const mount of this.#mounts.values()) this.#module.unmount(mount);
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
  const places = new RasterPlaces(module, folder);
  const out = module.mount(scratch);
  const opened: number[] = [];
  try {
    for (const { name, driver } of rasters) {
      const seen = await places.find(name);
      if (seen === undefined) throw new GdalError(`${name} has gone`);
      opened.push(module.open(seen, driver, [], 'raster'));
    }
    module.warp(opened, `${out}/warped.raw`, ['-of', 'ENVI', '-b', '1', '-overwrite', ...words]);
  } finally {
    for (const dataset of opened) module.close(dataset);
    places.close();
    module.unmount(out);
  }
  const file = path.join(scratch, 'warped.raw');
  const bytes = await readFile(file);
  await rm(file);
  return bytes;
}

/** A raster's first band as few pixels, of which each is one of its own: only the blocks around these are read. @throws GdalError */
export async function sampleRaster(
  folder: string,
  { name, driver }: NamedRaster,
  scratch: string,
  side: number,
): Promise<{ pixels: Float32Array; noData: number }> {
  const module = await gdal();
  const places = new RasterPlaces(module, folder);
  const out = module.mount(scratch);
  try {
    const seen = await places.find(name);
    if (seen === undefined) throw new GdalError(`${name} has gone`);
    const dataset = module.open(seen, driver, [], 'raster');
    let noData: number;
    try {
      noData = Number(module.describeRaster(dataset).bands[0]?.noDataValue ?? Number.NaN);
      const words = ['-of', 'ENVI', '-ot', 'Float32', '-b', '1', '-outsize', String(side), String(side)];
      module.translateRaster(dataset, `${out}/sampled.raw`, words);
    } finally {
      module.close(dataset);
    }
    const bytes = await readFile(path.join(scratch, 'sampled.raw'));
    return {
      pixels: new Float32Array(bytes.buffer, bytes.byteOffset, side * side),
      noData: Math.fround(noData),
    };
  } finally {
    places.close();
    module.unmount(out);
  }
}
