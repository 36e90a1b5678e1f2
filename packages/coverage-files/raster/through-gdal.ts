import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileError, imageTooLarge } from '../errors.ts';
import { type FileEntry, type FileSet, firstBytes, readText } from '../file-set.ts';
import type { Warning } from '../format.ts';
import { type FormatName, formatNamed, type GdalDriver } from '../formats.ts';
import {
  cannotBeRead,
  type Dataset as DatasetOfFile,
  datasetOf,
  layOut,
  linkTo,
  meaningOf,
} from '../gdal/datasets.ts';
import { definitionOfRaster } from '../gdal/reference-system.ts';
import { type Dataset, type Gdal, GdalError, mountFolder, type RasterInfo } from '../gdal/webassembly.ts';
import { type Affine, affineThrough } from './placement.ts';
import { type GeoTags, onePixel } from './plain-tiff.ts';
import { esriNodata, readRawHeader } from './raw-header.ts';

/* Rasters that GDAL converts to GeoTIFF in the scratch folder. */

const tiffDriver = { drivers: ['GTiff'], options: [] };
/** For formats that GDAL reads only where our readers cannot. */
const otherwise: Partial<Record<FormatName, GdalDriver>> = {
  GeoPackage: { drivers: ['GPKG'], options: ['IMMUTABLE=YES'] },
  GeoTIFF: tiffDriver,
};
/** Red, green, blue and alpha. */
const maxColours = 4;

/** Writes a raster as GeoTIFF. @throws FileError `image_too_large`, `raster_not_supported`, or an error of {@link layOut} */
export async function convertRaster(files: FileSet, entry: FileEntry, format: FormatName, maxPixels: number) {
  const dataset = datasetOf(entry, files, format);
  const { reading } = formatNamed(format);
  const by = reading.by === 'gdal raster' ? reading : otherwise[format];
  if (!by) throw new Error(`${format} is not read as a raster by GDAL`);
  const header = dataset.parts.get('hdr');
  const raw = format === 'ESRI BIL' && header ? await readRawHeader(entry, header, files.scratch) : undefined;
  if (raw) dataset.parts.set('hdr', raw.entry);
  const nodata = raw ? raw.nodata : await nodataByDefault(entry, dataset);
  const factor = await sagaFactor(dataset);
  return withRaster(
    files.scratch,
    by,
    (folder) => layOut(dataset, folder),
    (module, open, info, folder) => {
      const [width, height] = info.size;
      const bands = info.bands.length;
      if (bands === 0) {
        const message = `${entry.path} holds no polygon layer, and not exactly one raster.`;
        throw new FileError('raster_not_supported', message);
      }
      if (width * height > maxPixels) throw imageTooLarge(entry.path, width, height, maxPixels);
      // GDAL reads missing bytes as zeros.
      if (raw && raw.skipped + height * Math.ceil((width * bands * raw.bits) / 8) > entry.size)
        throw cannotBeRead(dataset, 'it is shorter than its .hdr says');
      const how = ['COMPRESS=DEFLATE', 'ZLEVEL=1', 'TILED=YES', 'BIGTIFF=IF_SAFER'];
      // Else samples of 12 bits stay so.
      const type = info.bands[0]?.type ?? '';
      const bitsOfType = /^[A-Za-z]{1,9}(\d{1,2})$/.exec(type)?.[1] ?? '8';
      if (format === 'GeoTIFF') how.push(`NBITS=${bitsOfType}`);
      const options = ['-of', 'GTiff', ...how.flatMap((option) => ['-co', option])];
      // No array of numbers holds whole ones of 64 bits.
      if (/Int64$/.test(type)) options.push('-ot', 'Float64');
      if (nodata !== undefined) options.push('-a_nodata', String(nodata));
      if (factor !== 1) options.push('-a_scale', String(factor));
      const warnings: Warning[] = [...(raw?.warnings ?? [])];
      if (bands > maxColours) {
        options.push('-b', '1');
        const message = `${entry.path} has ${bands} bands; only the first one was read.`;
        warnings.push({ code: 'bands_passed_over', message });
      }
      module.translateRaster(open, `${folder.seen}/converted.tif`, options);
      /** WKT; undefined if unknown. */
      const definition = definitionOfRaster(info);
      return { path: path.join(folder.real, 'converted.tif'), definition, warnings };
    },
  ).catch((error) => {
    throw meaningOf(error, dataset);
  });
}

/** Of SAGA grids without a NODATA_VALUE. */
const sagaNodata = -99_999;

/** The value that stands for nothing by the format, where the file names none and GDAL takes another, or none. */
async function nodataByDefault(
  entry: FileEntry,
  { format, parts }: DatasetOfFile,
): Promise<number | undefined> {
  if (format === 'ESRI ASCII grid') {
    const header = (await firstBytes(await entry.unpack(), maxGridHeader)).toString('latin1');
    return /^[ \t]*nodata_?value\b/im.test(header) ? undefined : esriNodata;
  }
  const header = format === 'SAGA grid' ? parts.get('sgrd') : undefined;
  if (!header) return undefined;
  return /^[ \t]*NODATA_VALUE\b/im.test(await readText(header)) ? undefined : sagaNodata;
}

/** What the values of a SAGA grid are multiplied by, which GDAL does not do. @throws FileError `raster_damaged` */
async function sagaFactor(dataset: DatasetOfFile): Promise<number> {
  const header = dataset.format === 'SAGA grid' ? dataset.parts.get('sgrd') : undefined;
  const factorText = header && /^[ \t]*Z_FACTOR[ \t]*=[ \t]*(\S{1,100})/im.exec(await readText(header))?.[1];
  const factor = Number(factorText ?? 1);
  if (Number.isFinite(factor) && factor !== 0) return factor;
  throw cannotBeRead(dataset, `its Z_FACTOR is ${factorText}`);
}

/** In bytes: six lines, with any blanks. */
const maxGridHeader = 4096;

/** The transform in a MapInfo .tab, which GDAL finds beside a TIFF of one pixel; undefined if there is none. @throws FileError `raster_not_rectified` */
export async function transformInTab(files: FileSet, tab: FileEntry) {
  const info = await describeRaster(files.scratch, async (folder) => {
    await writeFile(path.join(folder, 'file.tif'), onePixel());
    await linkTo(tab, path.join(folder, 'file.tab'));
  });
  if (!info) return undefined;
  const { gcpList = [], coordinateSystem } = info.gcps ?? {};
  const points = gcpList.map(({ pixel, line, x, y }) => ({ column: pixel, row: line, x, y }));
  const transform = transformOf(info) ?? affineThrough(tab.path, points);
  return transform && { transform, definition: definitionOfRaster(info) ?? coordinateSystem?.wkt };
}

/**
 * The reference system of a GeoTIFF: `EPSG:<code>` or WKT, and if it is in degrees; undefined where GDAL does not know the keys. GDAL gets a TIFF
 * of one pixel with the same keys, never the file itself, however large or broken that is.
 */
export async function systemByGdal(tags: GeoTags, scratch: string) {
  const info = await describeRaster(scratch, (folder) =>
    writeFile(path.join(folder, 'file.tif'), onePixel(tags)),
  );
  const definition = info && definitionOfRaster(info);
  if (definition === undefined) return undefined;
  return { definition, degrees: /^GEO(G|D)/.test(info?.coordinateSystem?.wkt ?? '') };
}

/** Describes `file.tif` with GDAL, after `write` put it into a folder; undefined if GDAL cannot. */
export async function describeRaster(scratch: string, write: (folder: string) => Promise<void>) {
  const layOutIn = async (folder: string) => {
    await mkdir(folder);
    await write(folder);
    return 'file.tif';
  };
  return withRaster(scratch, tiffDriver, layOutIn, (_module, _open, info) => info).catch((error) => {
    if (!(error instanceof GdalError)) throw error;
    return undefined;
  });
}

/** Opens a raster with GDAL in a folder within the scratch folder. Files written there stay. */
async function withRaster<T>(
  scratch: string,
  { drivers, options }: GdalDriver,
  layOutIn: (folder: string) => Promise<string>,
  action: (module: Gdal, open: Dataset, info: RasterInfo, folder: { real: string; seen: string }) => T,
): Promise<T> {
  let file = '';
  const folder = await mountFolder(scratch, async (folder) => {
    file = await layOutIn(path.join(folder, 'in'));
  });
  const { seen, gdal: module } = folder;
  try {
    const open = module.open(`${seen}/in/${file}`, drivers, options, 'raster');
    try {
      return action(module, open, module.describeRaster(open), folder);
    } finally {
      module.close(open);
    }
  } finally {
    module.unmount(seen);
  }
}

function transformOf({ geoTransform }: RasterInfo): Affine | undefined {
  if (!geoTransform) return undefined;
  const [c, a, b, f, d, e] = geoTransform;
  return a * e - b * d === 0 ? undefined : { a, b, c, d, e, f };
}
