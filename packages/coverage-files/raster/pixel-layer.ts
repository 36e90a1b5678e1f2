import { emptyBox, extendBox } from '@covermap/geometry/polygon.ts';
import { ClassesNeeded } from '../errors.ts';
import type { PixelInspection, ReadOptions, SourceLayer, Warning } from '../format.ts';
import { pulse } from '../process/pulse.ts';
import type { ColourClassifier } from './classes.ts';
import { DrawOrder, type PlacedImage } from './draw-order.ts';
import { featureMaker, windowsOf } from './features.ts';

/** A layer of pixels of one or several images. @param images in drawing order @param ofAll the common classifier of images that are one picture */
export function pixelLayer(
  described: Pick<SourceLayer, 'name' | 'format' | 'referenceSystem' | 'systemsElsewhere' | 'warnings'>,
  images: PlacedImage[],
  options: ReadOptions,
  ofAll?: ColourClassifier,
): SourceLayer {
  const { name, warnings } = described;
  const extent = emptyBox();
  for (const { box } of images) extendBox(extent, box);
  let bytesRead = 0;
  return {
    ...described,
    raster: true,
    fields: [],
    extent,
    bytesRead: () => Math.round(bytesRead),
    async inspectPixels(goOnReading) {
      let first: PixelInspection | undefined;
      for (const image of images) {
        const source = await image.labels();
        try {
          for await (const _ of source.parts('spread')) {
            pulse();
            if (!goOnReading()) break;
          }
          if (!ofAll) first ??= { summary: source.summary(), needed: classesNeededBy(source) };
        } finally {
          await source.close();
        }
        if (!goOnReading()) break;
      }
      const total = images.reduce((sum, { width, height }) => sum + width * height, 0);
      if (ofAll) return { summary: ofAll.summary(total), needed: classesNeededBy(ofAll) };
      return first as PixelInspection;
    },
    async *features() {
      const maker = featureMaker(name, options);
      const order = new DrawOrder(images);
      for (const [i, placed] of images.entries()) {
        const covers = order.coversOf(i);
        const source = await placed.labels();
        try {
          for await (const part of source.parts()) {
            pulse();
            for (const window of windowsOf(part)) {
              for await (const { labels, width, height, place } of order.visible(placed, covers, window))
                yield* maker.make(labels, width, height, place);
            }
            bytesRead += (placed.bytes * part.width * part.height) / (placed.width * placed.height);
          }
          warnings.push(...source.finish());
        } finally {
          await source.close();
        }
      }
      warnings.push(...(ofAll?.finish() ?? []), ...maker.warnings(), ...order.warnings());
    },
  };
}

function classesNeededBy(labels: { finish(): Warning[] }): ClassesNeeded | undefined {
  try {
    labels.finish();
    return undefined;
  } catch (error) {
    if (error instanceof ClassesNeeded) return error;
    throw error;
  }
}
