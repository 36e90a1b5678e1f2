import type { Bounds } from '@covermap/geometry/bounds.ts';

/* Access to folders of rasters for terrain and land cover. The caller implements it with a library of formats. */

/** A raster by its name in the folder, and its format. */
export interface NamedRaster {
  name: string;
  driver: string;
}

/** A raster to read. `reduction`: how many times larger pixels may be than its own; 1 if missing. */
export type ReadRaster = NamedRaster & { reduction?: number };

export interface RasterDescription {
  /** Undefined without a reference system or a position in it. */
  place: Bounds | undefined;
  rows: number;
  unit: string;
  scale: number;
  offset: number;
  isColour: boolean;
}

export class RasterError extends Error {}

export interface RasterFolder {
  readonly path: string;

  /** Files of the folder and its subfolders, by name. @param drivers GDAL's drivers by extension, with its dot, in lower case */
  list(drivers: Readonly<Record<string, string>>): Promise<NamedRaster[]>;

  /** Reads the headers of rasters. A string is the reason why one cannot be used. @throws RasterError where one makes all after it unreadable */
  describe(rasters: readonly NamedRaster[]): Promise<(RasterDescription | string)[]>;

  /** Warps the first bands of rasters into one by options of `gdalwarp`; later ones cover former ones. @returns rows of pixels alone @throws RasterError */
  warp(rasters: readonly ReadRaster[], scratch: string, args: readonly string[]): Promise<Buffer>;
}

export const geoTiffDrivers = { '.tif': 'GTiff', '.tiff': 'GTiff' } as const;

/** The most rasters of a folder. */
export const maxRasters = 10_000;

/** The rasters of a folder, each described or with the reason against it. @param what the formats, for people @throws the error that `fault` makes, if the folder cannot be used */
export async function describeAll(
  folder: RasterFolder,
  drivers: Readonly<Record<string, string>>,
  what: string,
  fault: (reason: string) => Error,
) {
  const named = await folder.list(drivers).catch((error) => {
    throw fault(`the folder ${folder.path} cannot be read: ${(error as Error).message}`);
  });
  if (named.length === 0) throw fault(`${folder.path} holds no ${what}`);
  if (named.length > maxRasters)
    throw fault(`${folder.path} holds ${named.length} files; the limit is ${maxRasters}`);
  const infos = await folder.describe(named).catch((error) => {
    throw error instanceof RasterError ? fault(error.message) : error;
  });
  return named.map((raster, i) => ({ raster, info: infos[i] as RasterDescription | string }));
}
