import path from 'node:path/posix';
import { ClassesNeeded, IngestError } from '../../errors.ts';
import { type Box, emptyBox, extendBox } from '../../geometry/polygon.ts';
import { listed } from '../file-errors.ts';
import { extensionOf, type FileEntry, type FileSet } from '../file-set.ts';
import type {
  PixelClass,
  PixelInspection,
  ReadOptions,
  Source,
  SourceFeature,
  SourceLayer,
  SourceReferenceSystem,
  Warning,
} from '../format.ts';
import { type FileFormat, type FormatName, formatOfExtension, isRaster } from '../formats.ts';
import { chosenLayers } from '../layers.ts';
import { pulse } from '../pulse.ts';
import { ColourClassifier } from './classes.ts';
import { boxOfWindow, DrawOrder, type PlacedImage } from './draw-order.ts';
import { FeatureMaker, windowsOf } from './features.ts';
import { type GeoTiff, maxPixels, openGeoTiff } from './geotiff.ts';
import { openImage } from './image.ts';
import type { LabelSource } from './labels.ts';
import type { Image } from './netpbm.ts';
import type { Overlay } from './overlay.ts';
import { type Affine, affinePlacement, alignedBox, overlayPlacement } from './placement.ts';
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
  name: string;
  format: string;
  entry: FileEntry;
  labels: LabelSource;
  transform: Affine;
  referenceSystem: SourceReferenceSystem | undefined;
  warnings: Warning[];
  close(): Promise<void>;
}

async function openRaster(
  files: FileSet,
  entry: FileEntry,
  options: ReadOptions,
): Promise<OpenedRaster | undefined> {
  const format = formatOfRaster(entry);
  switch (format?.reading.by) {
    case 'tiff':
      try {
        return await openTiff(files, entry, options, { path: await entry.unpack() });
      } catch (error) {
        // Scanned pages, which GDAL decodes.
        if (!(error instanceof IngestError && /CCITT/.test(error.message))) throw error;
        const { convertRaster } = await import('../gdal/raster.ts');
        return openTiff(files, entry, options, await convertRaster(files, entry, 'GeoTIFF', maxPixels));
      }
    case 'picture':
      return openPicture(files, entry, options);
    default: {
      // GDAL is loaded where it is needed.
      const { convertRaster } = await import('../gdal/raster.ts');
      const converted = await convertRaster(files, entry, format?.name as FormatName, maxPixels);
      return openTiff(files, entry, options, converted);
    }
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

const isTiff = (entry: FileEntry) => /^tiff?$/.test(extensionOf(entry.path));
const nameOf = (entry: FileEntry) => path.parse(entry.path).name;

function selectRasters(files: FileSet, names: string[] | undefined): FileEntry[] {
  const rasters = files.entries
    .filter((entry) => formatOfRaster(entry) !== undefined && !path.basename(entry.path).startsWith('._'))
    .map((entry) => ({ name: nameOf(entry), entry }));
  return chosenLayers(rasters, names).map(({ entry }) => entry);
}

interface TiffFile {
  /** On this machine. */
  path: string;
  definition?: string | undefined;
  warnings?: Warning[];
}

async function openTiff(
  files: FileSet,
  entry: FileEntry,
  options: ReadOptions,
  file: TiffFile,
): Promise<OpenedRaster | undefined> {
  const name = nameOf(entry);
  const tiff: GeoTiff = await openGeoTiff(file.path, name, options.classes);
  try {
    const placed: PlacedBeside | undefined = tiff.transform
      ? { transform: tiff.transform }
      : await placedBeside(files, entry);
    if (!placed) {
      await tiff.close();
      return undefined;
    }
    const definition = file.definition ?? (await systemOfTiff(files, entry, tiff, placed.definition));
    return {
      name,
      format: formatName(entry),
      entry,
      labels: tiff,
      transform: placed.transform,
      referenceSystem: definition ? { definition, from: 'file' } : undefined,
      warnings: [...tiff.warnings, ...(file.warnings ?? [])],
      close: () => tiff.close(),
    };
  } catch (error) {
    await tiff.close();
    throw error;
  }
}

async function openPicture(
  files: FileSet,
  entry: FileEntry,
  options: ReadOptions,
): Promise<OpenedRaster | undefined> {
  const placed = await placedBeside(files, entry);
  if (!placed) return undefined;
  const name = nameOf(entry);
  const definition = await systemOfPicture(files, entry, placed.definition);
  return {
    name,
    format: formatName(entry),
    entry,
    labels: labelsOfImage(await openImage(entry), new ColourClassifier(name, options.classes)),
    transform: placed.transform,
    referenceSystem: definition ? { definition, from: 'file' } : undefined,
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
  const { placementInTab } = await import('../gdal/raster.ts');
  return placementInTab(files, tab);
}

function labelsOfImage(image: Image, classifier: ColourClassifier): LabelSource {
  const { width, height } = image;
  return {
    width,
    height,
    summary: () => classifier.summary(width * height),
    async *parts() {
      for await (const strip of image.strips()) {
        const labels = new Int16Array(strip.pixels.length);
        classifier.classify(strip.pixels, labels, labels.length);
        yield { x: 0, y: strip.y, width, height: strip.height, labels };
      }
    },
    finish: () => classifier.finish(),
  };
}

function toLayer(raster: OpenedRaster, options: ReadOptions): SourceLayer {
  const { name, entry, labels, warnings, referenceSystem } = raster;
  const { place } = affinePlacement(raster.transform);
  const { width, height } = labels;
  let pixelsDone = 0;
  return {
    name,
    format: raster.format,
    referenceSystem,
    encoding: undefined,
    raster: true,
    fields: [],
    warnings,
    extent: boxOfWindow(affinePlacement(raster.transform), { x: 0, y: 0, width, height }),
    bytesRead: () => Math.round((entry.size * pixelsDone) / (width * height)),
    async inspectPixels(goOnReading) {
      try {
        return await look(labels, goOnReading);
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
              place(x + column, y + row, out, at),
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

/** Counts the pixels of one raster. */
async function look(labels: LabelSource, goOnReading: () => boolean): Promise<PixelInspection> {
  for await (const _ of labels.parts('spread')) {
    pulse();
    if (!goOnReading()) break;
  }
  return { summary: labels.summary(), needed: neededBy(labels) };
}

function neededBy(labels: Pick<LabelSource, 'finish'>): ClassesNeeded | undefined {
  try {
    labels.finish();
    return undefined;
  } catch (error) {
    if (error instanceof ClassesNeeded) return error;
    throw error;
  }
}

function notPlaced(names: string[]): IngestError {
  return new IngestError(
    'raster_not_placed',
    `${listed(names)} is not georeferenced.`,
    'Submit a GeoTIFF, or zip the image with its world file (.tfw, .pgw, .jgw or .wld) and its .prj, or make it a ground overlay of a KML.',
  );
}

/**
 * One layer of all ground overlays of a KML. Where images overlap, the one drawn last is seen; an opaque pixel hides what is
 * beneath, also where its class is no coverage.
 * @throws IngestError `image_too_large`, `image_damaged`, `quad_not_convex`, `overlay_not_placed`,
 *   `classes_do_not_fit`; reading the features also `classes_needed`
 */
export async function openOverlays(
  name: string,
  overlays: Overlay[],
  options: ReadOptions,
): Promise<SourceLayer> {
  const images: PlacedImage[] = [];
  // One for all images of colours: they are one picture.
  let classifier: ColourClassifier | undefined;
  const colours = () => {
    classifier ??= new ColourClassifier(name, options.classes);
    return classifier;
  };
  // Stable: of two with the same number, the later one in the file is drawn later.
  for (const overlay of [...overlays].sort((a, b) => a.drawOrder - b.drawOrder))
    images.push(await placeImage(overlay, options, colours));
  const warnings: Warning[] = [];
  let bytesRead = 0;
  const extent: Box = emptyBox();
  for (const { box } of images) extendBox(extent, box);
  return {
    name,
    format: 'KML',
    referenceSystem: { definition: 'EPSG:4326', from: 'format' },
    encoding: undefined,
    raster: true,
    fields: [],
    warnings,
    extent,
    bytesRead: () => Math.round(bytesRead),
    async inspectPixels(goOnReading) {
      const total = images.reduce((sum, { width, height }) => sum + width * height, 0);
      let ofValues: PixelInspection | undefined;
      for (const placed of images) {
        const source = placed.labels();
        const seen = await look(source, goOnReading);
        if (seen.summary.kind === 'values') ofValues ??= seen;
        if (!goOnReading()) break;
      }
      if (classifier) return { summary: classifier.summary(total), needed: neededBy(classifier) };
      if (!ofValues) throw new Error('a layer of images has none');
      return ofValues;
    },
    async *features() {
      const maker = new FeatureMaker(name, options);
      const order = new DrawOrder(images);
      for (const [i, placed] of images.entries()) {
        const covers = order.coversOf(i);
        const source = placed.labels();
        for await (const part of source.parts()) {
          pulse();
          for (const window of windowsOf(part)) yield* visibleFeatures(order, maker, placed, covers, window);
          bytesRead += (placed.bytes * part.width * part.height) / (placed.width * placed.height);
        }
        warnings.push(...source.finish());
      }
      warnings.push(...(classifier?.finish() ?? []), ...maker.warnings());
      if (order.hiddenByMiddle > 0) {
        warnings.push({
          code: 'overlap_by_pixel_middles',
          message: `Rotated images overlap: ${order.hiddenByMiddle} pixels whose centre is hidden were dropped.`,
        });
      }
    },
  };
}

async function* visibleFeatures(
  order: DrawOrder,
  maker: FeatureMaker,
  placed: PlacedImage,
  covers: ReturnType<DrawOrder['coversOf']>,
  window: Parameters<DrawOrder['visible']>[2],
): AsyncGenerator<SourceFeature> {
  for await (const { labels, width, height, place } of order.visible(placed, covers, window))
    yield* maker.make(labels, width, height, place);
}

async function placeImage(
  { name, image: entry, placement, tile }: Overlay,
  options: ReadOptions,
  colours: () => ColourClassifier,
): Promise<PlacedImage> {
  const read = (await openValues(entry, name, options.classes)) ?? (await openColours(entry, name, colours));
  const { width, height } = read;
  const placed = overlayPlacement(name, placement, width, height);
  const box = boxOfWindow(placed, { x: 0, y: 0, width, height });
  return { ...read, bytes: entry.size, placement: placed, aligned: alignedBox(placement), box, tile };
}

type ReadImage = Pick<PlacedImage, 'width' | 'height' | 'labels' | 'opacity'>;

async function openColours(
  entry: FileEntry,
  name: string,
  colours: () => ColourClassifier,
): Promise<ReadImage> {
  const image = await openImage(entry);
  // Here, so that classes that are not of colours are refused before anything is read.
  const classifier = colours();
  const { width, height } = image;
  return {
    width,
    height,
    // What there is to say is said once, of all images.
    labels: () => ({ ...labelsOfImage(image, classifier), finish: () => [] }),
    opacity: () => labelsOfImage(image, new ColourClassifier(name, undefined)).parts(),
  };
}

/** A TIFF of values, which a decoder of pictures would make colours of; undefined for any other image. */
async function openValues(
  entry: FileEntry,
  name: string,
  classes: PixelClass[] | undefined,
): Promise<ReadImage | undefined> {
  if (!isTiff(entry) || classes?.some((pixelClass) => 'colour' in pixelClass)) return undefined;
  const path = await entry.unpack();
  let tiff: GeoTiff;
  try {
    tiff = await openGeoTiff(path, name, classes);
  } catch (error) {
    // The other decoder knows more kinds of TIFF.
    if (error instanceof IngestError && error.code === 'raster_not_supported') return undefined;
    throw error;
  }
  await tiff.close();
  if (!tiff.ofValues) return undefined;
  const { width, height } = tiff;
  const again = (wanted: PixelClass[] | undefined): LabelSource => {
    let opened: GeoTiff | undefined;
    return {
      width,
      height,
      async *parts(order) {
        opened = await openGeoTiff(path, name, wanted);
        try {
          yield* opened.parts(order);
        } finally {
          await opened.close();
        }
      },
      finish: () => opened?.finish() ?? [],
      summary() {
        if (!opened) throw new Error('nothing has been read so far');
        return opened.summary();
      },
    };
  };
  return { width, height, labels: () => again(classes), opacity: () => again(undefined).parts() };
}
