import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { IngestError } from '../../errors.ts';
import { imageTooLarge } from '../file-errors.ts';
import { extensionOf, type FileEntry, type FileSet, readText } from '../file-set.ts';
import type { Warning } from '../format.ts';
import { type FormatName, formatNamed, type GdalDriver } from '../formats.ts';
import { placementOf } from '../raster/control-points.ts';
import type { Affine } from '../raster/placement.ts';
import { cannotBeRead, datasetOf, layOut, place } from './datasets.ts';
import { definitionOfRaster } from './reference-system.ts';
import { type Dataset, type Gdal, GdalError, gdal, type RasterInfo } from './webassembly.ts';

/* Rasters that GDAL reads: it writes them as GeoTIFF into the scratch folder. */

/** What GDAL made of a raster. */
export interface Converted {
  /** Of the GeoTIFF, on this machine. */
  path: string;
  /** WKT; undefined where the raster does not say. */
  definition: string | undefined;
  warnings: Warning[];
}

/** For formats of which GDAL reads only what our readers do not. */
const otherwise: Partial<Record<FormatName, GdalDriver>> = {
  GeoPackage: { drivers: ['GPKG'], options: ['IMMUTABLE=YES'] },
  GeoTIFF: { drivers: ['GTiff'], options: [] },
};
/** Red, green, blue and alpha. */
const maxColours = 4;

/**
 * Writes a raster as GeoTIFF.
 * @param maxPixels more are not read
 * @throws IngestError `image_too_large`, `raster_not_supported`, and as {@link layOut} does
 */
export async function convertRaster(
  files: FileSet,
  entry: FileEntry,
  format: FormatName,
  maxPixels: number,
): Promise<Converted> {
  const dataset = datasetOf(entry, files, format);
  const { reading } = formatNamed(format);
  const by = reading.by === 'gdal raster' ? reading : otherwise[format];
  if (!by) throw new Error(`${format} is not read as a raster by GDAL`);
  const { drivers, options } = by;
  const opened = await openIn(files.scratch, (folder) => layOut(dataset, folder));
  const bits = format === 'ESRI BIL' ? await bitsOf(entry, dataset.parts.get('hdr')) : undefined;
  try {
    return opened.use(drivers, options, (module, open, info) => {
      const [width, height] = info.size;
      if (info.bands.length === 0) throw severalRasters(entry.path);
      if (width * height > maxPixels) throw imageTooLarge(entry.path, width, height, maxPixels);
      // GDAL reads missing bytes as zeros.
      if (bits !== undefined && height * Math.ceil((width * info.bands.length * bits) / 8) > entry.size)
        throw new GdalError('it is shorter than its .hdr says');
      const colours = info.bands.length <= maxColours;
      const choice = colours ? [] : ['-b', '1'];
      const how = ['COMPRESS=DEFLATE', 'ZLEVEL=1', 'TILED=YES', 'BIGTIFF=IF_SAFER'].flatMap((co) => [
        '-co',
        co,
      ]);
      module.translateRaster(open, `${opened.seen}/converted.tif`, ['-of', 'GTiff', ...how, ...choice]);
      return {
        path: path.join(opened.real, 'converted.tif'),
        definition: definitionOfRaster(info),
        warnings: colours
          ? []
          : [
              {
                code: 'bands_passed_over',
                message: `${entry.path} has ${info.bands.length} bands; only the first one was read.`,
              },
            ],
      };
    });
  } catch (error) {
    if (!(error instanceof GdalError)) throw error;
    throw cannotBeRead({ path: entry.path, format }, error.message);
  } finally {
    opened.close();
  }
}

/** Bits of a sample, as the header of a BIL says; of a .flt there is nothing to say. */
async function bitsOf(entry: FileEntry, header: FileEntry | undefined): Promise<number> {
  if (extensionOf(entry.path) === 'flt') return 32;
  const text = header ? await readText(header) : '';
  const said = /^[ \t]*nbits[ \t]+(\d{1,2})\b/im.exec(text)?.[1];
  return said === undefined ? 8 : Number(said);
}

/** A TIFF of one pixel: GDAL looks into a .tab beside a TIFF, and not beside every image. */
const onePixel = Buffer.from(
  '49492a000a0000000000' +
    '0700' +
    // Width, height, bits, photometric, where the pixel is, rows in a strip, bytes of it.
    '000103000100000001000000010103000100000001000000020103000100000008000000' +
    '060103000100000001000000110104000100000008000000160103000100000001000000' +
    '170104000100000001000000' +
    '00000000',
  'hex',
);

/**
 * What a MapInfo .tab says of where an image lies. The image that it names is not looked for.
 * @returns undefined where it says nothing that is understood
 * @throws IngestError `raster_not_rectified`
 */
export async function placementInTab(
  files: FileSet,
  tab: FileEntry,
): Promise<{ transform: Affine; definition: string | undefined } | undefined> {
  const opened = await openIn(files.scratch, async (folder) => {
    await mkdir(folder);
    await writeFile(path.join(folder, 'file.tif'), onePixel);
    await place(tab, path.join(folder, 'file.tab'));
    return 'file.tif';
  });
  try {
    const info = opened.use(['GTiff'], [], (_module, _open, told) => told);
    const points = (info.gcps?.gcpList ?? []).map(({ pixel, line, x, y }) => ({
      column: pixel,
      row: line,
      x,
      y,
    }));
    const transform = transformOf(info) ?? placementOf(tab.path, points);
    const { wkt } = info.gcps?.coordinateSystem ?? {};
    return transform && { transform, definition: definitionOfRaster(info) ?? wkt };
  } catch (error) {
    if (error instanceof GdalError) return undefined;
    throw error;
  } finally {
    opened.close();
  }
}

/** A folder of its own within the scratch folder, with the files of a raster, as GDAL sees it. */
async function openIn(scratch: string, layOutIn: (folder: string) => Promise<string>) {
  const real = path.join(scratch, `raster-${++folders}`);
  await mkdir(real);
  const file = await layOutIn(path.join(real, 'in'));
  const module = await gdal();
  const seen = module.mount(real);
  return {
    real,
    seen,
    use<T>(
      drivers: readonly string[],
      options: readonly string[],
      action: (module: Gdal, open: Dataset, info: RasterInfo) => T,
    ): T {
      const open = module.openRaster(`${seen}/in/${file}`, drivers, options);
      try {
        return action(module, open, module.describeRaster(open));
      } finally {
        module.close(open);
      }
    },
    close: () => module.unmount(seen),
  };
}

let folders = 0;

function transformOf({ geoTransform }: RasterInfo): Affine | undefined {
  if (!geoTransform) return undefined;
  const [c, a, b, f, d, e] = geoTransform;
  return a * e - b * d === 0 ? undefined : { a, b, c, d, e, f };
}

function severalRasters(name: string): IngestError {
  return new IngestError(
    'raster_not_supported',
    `${name} holds no polygon layer, and not exactly one raster.`,
    'Export the raster that is the coverage as GeoTIFF, or the areas as a layer.',
  );
}
