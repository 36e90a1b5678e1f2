import type { Bounds } from '../geometry/bounds.ts';

/* Folders of rasters, as terrain and land cover need them. Whoever has a library of formats reads them. */

/** A raster by its name in the folder, and the format that it is read as. */
export interface NamedRaster {
  name: string;
  driver: string;
}

/** A raster to read. `reduction`: by how much larger pixels than its own are fine enough; 1 where it is missing. */
export type ReadRaster = NamedRaster & { reduction?: number };

/** What a raster says of itself. */
export interface RasterDescription {
  /** Where it lies; undefined where it has no reference system or no place in it. */
  place: Bounds | undefined;
  rows: number;
  /** Of its first band. */
  unit: string;
  scale: number;
  offset: number;
  isColour: boolean;
}

/** Why a raster cannot be read. */
export class RasterError extends Error {}

export interface RasterFolder {
  readonly path: string;

  /**
   * The files of the folder, and of those within, that have certain extensions, by name.
   * @param drivers GDAL's, by the extension with its dot, in lower case
   */
  list(drivers: Readonly<Record<string, string>>): Promise<NamedRaster[]>;

  /**
   * Looks at each raster; at no pixel. A text says why one cannot be used.
   * @throws RasterError which names the raster after which none can be opened any more
   */
  describe(rasters: readonly NamedRaster[]): Promise<(RasterDescription | string)[]>;

  /**
   * Brings the first bands of rasters into one as `gdalwarp` does, later ones over former ones.
   * @param args options of `gdalwarp`, but for the output format
   * @returns rows of pixels without anything before them
   * @throws RasterError
   */
  warp(rasters: readonly ReadRaster[], scratch: string, args: readonly string[]): Promise<Buffer>;
}

/** GDAL's drivers by the extension of a file. */
export const geoTiffDrivers = { '.tif': 'GTiff', '.tiff': 'GTiff' } as const;
