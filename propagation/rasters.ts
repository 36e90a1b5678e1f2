import type { Bounds } from '../geometry/bounds.ts';

/* Folders of rasters, as terrain and land cover need them. Whoever has a library of formats reads them. */

/** A raster by its name in the folder, and the format that it is read as. */
export interface NamedRaster {
  name: string;
  driver: string;
}

/** A raster to read. `reduction`: by how much larger pixels than its own are fine enough; 1 where it is missing. */
export type ReadRaster = NamedRaster & { reduction?: number };

export interface RasterDescription {
  /** Where it lies; undefined where it has no reference system or no place in it. */
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

  /** Files of the folder and of those within, by name. @param drivers GDAL's, by the extensions that count, with their dot, in lower case */
  list(drivers: Readonly<Record<string, string>>): Promise<NamedRaster[]>;

  /** Looks at each raster; at no pixel. A text says why one cannot be used. @throws RasterError where none can be opened any more after one */
  describe(rasters: readonly NamedRaster[]): Promise<(RasterDescription | string)[]>;

  /** Brings the first bands of rasters into one by options of `gdalwarp`, later ones over former ones. @returns rows of pixels alone @throws RasterError */
  warp(rasters: readonly ReadRaster[], scratch: string, args: readonly string[]): Promise<Buffer>;
}

export const geoTiffDrivers = { '.tif': 'GTiff', '.tiff': 'GTiff' } as const;
