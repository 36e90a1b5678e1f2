import { emptyBox, extendBox } from '../../../geometry/polygon.ts';
import { IngestError } from '../../errors.ts';
import { extensionOf, type FileEntry } from '../file-set.ts';
import type { PixelClass, PixelInspection, ReadOptions, SourceLayer, Warning } from '../format.ts';
import { pulse } from '../pulse.ts';
import { ColourClassifier } from './classes.ts';
import { boxOfWindow, DrawOrder, type PlacedImage } from './draw-order.ts';
import { FeatureMaker, windowsOf } from './features.ts';
import { type GeoTiff, openGeoTiff } from './geotiff.ts';
import { openImage } from './image.ts';
import { classesNeededBy, inspectLabels, type LabelSource, labelsOfImage } from './labels.ts';
import type { Overlay } from './overlay.ts';
import { alignedBox, overlayPlacement } from './placement.ts';

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
  const extent = emptyBox();
  for (const { box } of images) extendBox(extent, box);
  return {
    name,
    format: 'KML',
    referenceSystem: { definition: 'EPSG:4326', from: 'format' },
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
        const seen = await inspectLabels(source, goOnReading);
        if (seen.summary.kind === 'values') ofValues ??= seen;
        if (!goOnReading()) break;
      }
      if (classifier) return { summary: classifier.summary(total), needed: classesNeededBy(classifier) };
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
          for (const window of windowsOf(part)) {
            for await (const { labels, width, height, place } of order.visible(placed, covers, window))
              yield* maker.make(labels, width, height, place);
          }
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
  if (!/^tiff?$/.test(extensionOf(entry.path)) || classes?.some((pixelClass) => 'colour' in pixelClass))
    return undefined;
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
