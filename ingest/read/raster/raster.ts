import path from 'node:path/posix';
import { IngestError } from '../../errors.ts';
import { requireLayers } from '../bounds.ts';
import { listed } from '../file-errors.ts';
import { beside, extensionOf, type FileEntry, type FileSet } from '../file-set.ts';
import type { PixelClass, ReadOptions, Source, Warning } from '../format.ts';
import { type FileFormat, type FormatName, formatOfExtension, isRaster } from '../formats.ts';
import { isSameName, layerNotFound, tellApart } from '../layers.ts';
import { ColourClassifier } from './classes.ts';
import { boxOfWindow } from './draw-order.ts';
import { maxPixels, openGeoTiff } from './geotiff.ts';
import { openImage } from './image.ts';
import { type LabelSource, labelsOfImage } from './labels.ts';
import { pixelLayer } from './pixel-layer.ts';
import { type Affine, affinePlacement } from './placement.ts';
import { systemOfPicture, systemOfTiff, transformInAux } from './raster-system.ts';
import { readWorldFile, worldFileOf } from './world-file.ts';

/** Georeferenced rasters, a layer each: GeoTIFF and formats that GDAL converts to it, or an image with a world file or a .tab. */
export async function openRasters(files: FileSet, options: ReadOptions): Promise<Source> {
  const rasters = selectRasters(files, options.layers);
  const opened: OpenedRaster[] = [];
  const close = () => Promise.all(opened.map(({ labels }) => labels.close()));
  try {
    for (const { name, entry } of rasters) {
      const raster = await openRaster(files, entry, options);
      if (raster) opened.push({ ...raster, name });
    }
    if (opened.length === 0) {
      const names = listed(rasters.map(({ entry }) => entry.path));
      throw new IngestError('raster_not_placed', `${names} is not georeferenced.`);
    }
    // Only those that lie somewhere: a preview beside a raster often has its name.
    tellApart(opened, ({ entry }) => entry.path);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    layers: opened.map((raster) => toLayer(raster, options)),
    bytesTotal: opened.reduce((sum, { entry }) => sum + entry.size, 0),
    close() {
      void close();
      files.close();
    },
  };
}

interface OpenedRaster {
  name: string;
  entry: FileEntry;
  labels: LabelSource;
  transform: Affine;
  definition: string | undefined;
  warnings: Warning[];
}

/** @returns undefined without a position */
async function openRaster(
  files: FileSet,
  entry: FileEntry,
  { classes }: ReadOptions,
): Promise<Omit<OpenedRaster, 'name'> | undefined> {
  const format = formatOfRaster(entry);
  if (format?.reading.by === 'picture') return openPicture(files, entry, classes);
  const converted = async (name: FormatName) =>
    (await import('./through-gdal.ts')).convertRaster(files, entry, name, maxPixels);
  if (format?.reading.by !== 'tiff')
    return openTiff(files, entry, classes, await converted(format?.name as FormatName));
  try {
    return await openTiff(files, entry, classes, { path: await entry.unpack() });
  } catch (error) {
    // Scanned pages and samples of 12 bits, which GDAL decodes.
    if (!(error instanceof IngestError && /CCITT|bits in a form/.test(error.message))) throw error;
    return openTiff(files, entry, classes, await converted('GeoTIFF'));
  }
}

/** A GeoPackage comes here only if it holds a raster. */
function formatOfRaster(entry: FileEntry): (FileFormat & { name: FormatName }) | undefined {
  const format = formatOfExtension(extensionOf(entry.path));
  return format && (format.name === 'GeoPackage' || isRaster(format)) ? format : undefined;
}

/** "PNG" for an image in a shared format. */
function formatName(entry: FileEntry): string {
  const ending = extensionOf(entry.path);
  const format = formatOfRaster(entry);
  if (format?.reading.by !== 'picture') return format?.name ?? ending;
  return { jpg: 'JPEG', webp: 'WebP', pgm: 'PPM' }[ending] ?? ending.toUpperCase();
}

const nameOf = (entry: FileEntry) => path.parse(entry.path).name;

/** Rasters by their names, or by the paths that tell those of one name apart. @throws IngestError `layer_not_found` */
function selectRasters(files: FileSet, names: string[] | undefined): { name: string; entry: FileEntry }[] {
  const rasters = files.entries
    .filter((entry) => formatOfRaster(entry) !== undefined)
    .map((entry) => ({ name: nameOf(entry), entry }));
  const chosen = names?.flatMap((wanted) => {
    const found = rasters.filter(({ name }) => isSameName(name, wanted));
    const ofPath = rasters.find(({ entry }) => isSameName(entry.path, wanted));
    if (!ofPath && found.length === 0) {
      const all = rasters.map(({ name }) => name);
      throw layerNotFound('layer', wanted, all);
    }
    if (ofPath) ofPath.name = ofPath.entry.path;
    return ofPath ? [ofPath, ...found] : found;
  });
  const selected = [...new Set(chosen ?? rasters)];
  requireLayers(selected.length);
  return selected;
}

async function openTiff(
  files: FileSet,
  entry: FileEntry,
  classes: PixelClass[] | undefined,
  file: { path: string; definition?: string | undefined; warnings?: Warning[] },
): Promise<Omit<OpenedRaster, 'name'> | undefined> {
  const tiff = await openGeoTiff(file.path, nameOf(entry), classes);
  try {
    const { transform } = tiff;
    const placed: PlacedBeside | undefined = transform ? { transform } : await placedBeside(files, entry);
    if (placed) {
      const definition = file.definition ?? (await systemOfTiff(files, entry, tiff, placed.definition));
      const warnings = [...tiff.warnings, ...(file.warnings ?? [])];
      return { entry, labels: tiff, transform: placed.transform, definition, warnings };
    }
  } catch (error) {
    await tiff.close();
    throw error;
  }
  await tiff.close();
  return undefined;
}

async function openPicture(files: FileSet, entry: FileEntry, classes: PixelClass[] | undefined) {
  const placed = await placedBeside(files, entry);
  if (!placed) return undefined;
  return {
    entry,
    labels: labelsOfImage(await openImage(entry), new ColourClassifier(nameOf(entry), classes)),
    transform: placed.transform,
    definition: await systemOfPicture(files, entry, placed.definition),
    warnings: [],
  };
}

interface PlacedBeside {
  transform: Affine;
  definition?: string | undefined;
}

/** The position in a file beside an image: a world file, else an .aux.xml, else a MapInfo .tab. */
async function placedBeside(files: FileSet, entry: FileEntry): Promise<PlacedBeside | undefined> {
  const worldFile = worldFileOf(files, entry);
  if (worldFile) return { transform: await readWorldFile(worldFile) };
  const inAux = await transformInAux(files, entry);
  if (inAux) return { transform: inAux };
  const tab = beside(files, entry, ['tab']);
  if (!tab) return undefined;
  const { transformInTab } = await import('./through-gdal.ts');
  return transformInTab(files, tab);
}

function toLayer(raster: OpenedRaster, options: ReadOptions) {
  const { name, entry, labels, transform, warnings, definition } = raster;
  const { width, height } = labels;
  const placement = affinePlacement(transform);
  const box = boxOfWindow(placement, { x: 0, y: 0, width, height });
  const image = { width, height, bytes: entry.size, placement, box, aligned: undefined };
  return pixelLayer(
    {
      name,
      format: formatName(entry),
      referenceSystem: definition ? { definition, from: 'file' } : undefined,
      warnings,
    },
    [{ ...image, labels: async () => labels, opacity: labels.parts }],
    options,
  );
}
