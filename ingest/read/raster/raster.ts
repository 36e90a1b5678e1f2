import path from 'node:path/posix';
import { IngestError } from '../../errors.ts';
import { requireLayers } from '../bounds.ts';
import { listed } from '../file-errors.ts';
import { extensionOf, type FileEntry, type FileSet } from '../file-set.ts';
import type { PixelClass, ReadOptions, Source, SourceLayer, Warning } from '../format.ts';
import { type FileFormat, type FormatName, formatOfExtension, isRaster } from '../formats.ts';
import { chosenLayers } from '../layers.ts';
import { pulse } from '../pulse.ts';
import { ColourClassifier } from './classes.ts';
import { boxOfWindow } from './draw-order.ts';
import { FeatureMaker, windowsOf } from './features.ts';
import { maxPixels, openGeoTiff } from './geotiff.ts';
import { openImage } from './image.ts';
import { inspectLabels, type LabelSource, labelsOfImage } from './labels.ts';
import { type Affine, affinePlacement } from './placement.ts';
import { systemOfPicture, systemOfTiff } from './raster-system.ts';
import { beside, readWorldFile, worldFileOf } from './world-file.ts';

/**
 * Rasters with a position of their own: GeoTIFF and what GDAL makes one of, or an image with a world file or a .tab. A layer each.
 * @throws IngestError `raster_not_placed`, `layer_not_found`, `raster_damaged`, `raster_not_supported`,
 *   `image_too_large`, `image_damaged`, `classes_do_not_fit`, `world_file_damaged`; reading the features also
 *   `classes_needed`
 */
export async function openRasters(files: FileSet, options: ReadOptions): Promise<Source> {
  const rasters = selectRasters(files, options.layers);
  const opened: OpenedRaster[] = [];
  try {
    for (const entry of rasters) {
      const raster = await openRaster(files, entry, options);
      if (raster) opened.push(raster);
    }
    if (opened.length === 0) throw notPlaced(rasters.map((entry) => entry.path));
  } catch (error) {
    for (const raster of opened) await raster.close();
    throw error;
  }
  return {
    layers: opened.map((raster) => toLayer(raster, options)),
    bytesTotal: opened.reduce((sum, { entry }) => sum + entry.size, 0),
    close() {
      for (const raster of opened) void raster.close();
      files.close();
    },
  };
}

interface OpenedRaster {
  entry: FileEntry;
  labels: LabelSource;
  transform: Affine;
  definition: string | undefined;
  warnings: Warning[];
  close(): Promise<void>;
}

/** @returns undefined where nothing says where it lies */
async function openRaster(
  files: FileSet,
  entry: FileEntry,
  { classes }: ReadOptions,
): Promise<OpenedRaster | undefined> {
  const format = formatOfRaster(entry);
  if (format?.reading.by === 'picture') return openPicture(files, entry, classes);
  // GDAL is loaded where it is needed.
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

/** A GeoPackage is only passed here where it holds a raster. */
function formatOfRaster(entry: FileEntry): (FileFormat & { name: FormatName }) | undefined {
  const format = formatOfExtension(extensionOf(entry.path));
  return format && (format.name === 'GeoPackage' || isRaster(format)) ? format : undefined;
}

/** "PNG" of those that are read in the same way. */
function formatName(entry: FileEntry): string {
  const ending = extensionOf(entry.path);
  const format = formatOfRaster(entry);
  if (format?.reading.by !== 'picture') return format?.name ?? ending;
  return { jpg: 'JPEG', webp: 'WebP', pgm: 'PPM' }[ending] ?? ending.toUpperCase();
}

const nameOf = (entry: FileEntry) => path.parse(entry.path).name;

function selectRasters(files: FileSet, names: string[] | undefined): FileEntry[] {
  const rasters = files.entries
    .filter((entry) => formatOfRaster(entry) !== undefined && !path.basename(entry.path).startsWith('._'))
    .map((entry) => ({ name: nameOf(entry), entry }));
  const chosen = chosenLayers(rasters, names).map(({ entry }) => entry);
  requireLayers(chosen.length);
  return chosen;
}

async function openTiff(
  files: FileSet,
  entry: FileEntry,
  classes: PixelClass[] | undefined,
  file: { path: string; definition?: string | undefined; warnings?: Warning[] },
): Promise<OpenedRaster | undefined> {
  const tiff = await openGeoTiff(file.path, nameOf(entry), classes);
  try {
    const { transform } = tiff;
    const placed: PlacedBeside | undefined = transform ? { transform } : await placedBeside(files, entry);
    if (placed) {
      const definition = file.definition ?? (await systemOfTiff(files, entry, tiff, placed.definition));
      const warnings = [...tiff.warnings, ...(file.warnings ?? [])];
      return { entry, labels: tiff, transform: placed.transform, definition, warnings, close: tiff.close };
    }
  } catch (error) {
    await tiff.close();
    throw error;
  }
  await tiff.close();
  return undefined;
}

async function openPicture(
  files: FileSet,
  entry: FileEntry,
  classes: PixelClass[] | undefined,
): Promise<OpenedRaster | undefined> {
  const placed = await placedBeside(files, entry);
  if (!placed) return undefined;
  return {
    entry,
    labels: labelsOfImage(await openImage(entry), new ColourClassifier(nameOf(entry), classes)),
    transform: placed.transform,
    definition: await systemOfPicture(files, entry, placed.definition),
    warnings: [],
    close: async () => undefined,
  };
}

interface PlacedBeside {
  transform: Affine;
  definition?: string | undefined;
}

/** The position by a file beside an image: a world file, else a .tab of MapInfo. */
async function placedBeside(files: FileSet, entry: FileEntry): Promise<PlacedBeside | undefined> {
  const worldFile = worldFileOf(files, entry);
  if (worldFile) return { transform: await readWorldFile(worldFile) };
  const tab = beside(files, entry, ['tab']);
  if (!tab) return undefined;
  const { transformInTab } = await import('./through-gdal.ts');
  return transformInTab(files, tab);
}

function toLayer(raster: OpenedRaster, options: ReadOptions): SourceLayer {
  const { entry, labels, warnings, definition } = raster;
  const name = nameOf(entry);
  const placement = affinePlacement(raster.transform);
  const { width, height } = labels;
  let pixelsDone = 0;
  return {
    name,
    format: formatName(entry),
    referenceSystem: definition ? { definition, from: 'file' } : undefined,
    raster: true,
    fields: [],
    warnings,
    extent: boxOfWindow(placement, { x: 0, y: 0, width, height }),
    bytesRead: () => Math.round((entry.size * pixelsDone) / (width * height)),
    async inspectPixels(goOnReading) {
      try {
        return await inspectLabels(labels, goOnReading);
      } finally {
        await raster.close();
      }
    },
    async *features() {
      const maker = new FeatureMaker(name, options);
      try {
        for await (const part of labels.parts()) {
          pulse();
          for (const { x, y, width, height, labels: of } of windowsOf(part)) {
            yield* maker.make(of, width, height, (column, row, out, at) =>
              placement.place(x + column, y + row, out, at),
            );
          }
          pixelsDone += part.width * part.height;
        }
        warnings.push(...labels.finish(), ...maker.warnings());
      } finally {
        await raster.close();
      }
    },
  };
}

function notPlaced(names: string[]): IngestError {
  return new IngestError('raster_not_placed', `${listed(names)} is not georeferenced.`);
}
