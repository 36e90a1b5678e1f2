import { FileError } from '../errors.ts';
import { extensionOf, type FileEntry } from '../file-set.ts';
import type { PixelClass, ReadOptions } from '../format.ts';
import { ColourClassifier } from './classes.ts';
import { boxOfWindow, type PlacedImage } from './draw-order.ts';
import { openGeoTiff } from './geotiff.ts';
import { openImage } from './image.ts';
import { labelsOfImage } from './labels.ts';
import type { Overlay } from './overlay.ts';
import { pixelLayer } from './pixel-layer.ts';
import { alignedBox, overlayPlacement } from './placement.ts';

/** One layer of all ground overlays of a KML. An opaque pixel hides those beneath, even if its class is no coverage. */
export async function openOverlays(name: string, overlays: Overlay[], options: ReadOptions) {
  const images: PlacedImage[] = [];
  // One for all images of colours, as they are one picture.
  let classifier: ColourClassifier | undefined;
  const colours = () => {
    classifier ??= new ColourClassifier(name, options.classes);
    return classifier;
  };
  // The sort is stable: of equal numbers, the later one in the file is drawn later.
  for (const overlay of [...overlays].sort((a, b) => a.drawOrder - b.drawOrder))
    images.push(await placeImage(overlay, options, colours));
  const referenceSystem = { definition: 'EPSG:4326', from: 'format' } as const;
  return pixelLayer({ name, format: 'KML', referenceSystem, warnings: [] }, images, options, classifier);
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

async function openColours(entry: FileEntry, name: string, colours: () => ColourClassifier) {
  const image = await openImage(entry);
  // Early, so that classes of values are refused before reading.
  const classifier = colours();
  return {
    width: image.width,
    height: image.height,
    // Warnings are given once for all images.
    labels: async () => ({ ...labelsOfImage(image, classifier), finish: () => [] }),
    opacity: () => labelsOfImage(image, new ColourClassifier(name, undefined)).parts(),
  };
}

/** A TIFF of values, which the picture decoder would turn into colours; undefined for other images. */
async function openValues(entry: FileEntry, name: string, classes: PixelClass[] | undefined) {
  if (!/^tiff?$/.test(extensionOf(entry.path)) || classes?.some((pixelClass) => 'colour' in pixelClass))
    return undefined;
  const path = await entry.unpack();
  const labels = () => openGeoTiff(path, name, classes);
  const tiff = await labels().catch((error) => {
    // The other decoder supports more kinds of TIFF.
    if (error instanceof FileError && error.code === 'raster_not_supported') return undefined;
    throw error;
  });
  await tiff?.close();
  if (!tiff?.ofValues) return undefined;
  const { width, height } = tiff;
  async function* opacity() {
    const again = await openGeoTiff(path, name, undefined);
    try {
      yield* again.parts();
    } finally {
      await again.close();
    }
  }
  return { width, height, labels, opacity };
}
