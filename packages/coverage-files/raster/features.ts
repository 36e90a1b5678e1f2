import type { Polygon } from '@covermap/geometry/polygon.ts';
import { Polygonizer } from '@covermap/geometry/polygonize.ts';
import { sieve } from '@covermap/geometry/sieve.ts';
import { FileError } from '../errors.ts';
import { noAttributes, type ReadOptions, type SourceFeature, type Warning } from '../format.ts';
import { nothing } from './classes.ts';
import type { LabelledPart } from './labels.ts';
import type { Placement } from './placement.ts';

/** The side of the windows of polygons, in pixels. */
export const windowSize = 256;

/** In noise nearly every pixel is an area: more areas than this, of fewer pixels each on average, are refused. */
const maxAreasOfNoise = 50_000;
const minPixelsOfArea = 20;

export function featureMaker(layer: string, { sieve: fewest, smoothing, classes }: ReadOptions) {
  const polygonizer = new Polygonizer();
  let count = 0;
  let pixels = 0;
  let sieved = 0;
  return {
    /** The features of a window. Labels below 0 are none. @throws FileError `raster_too_fine` */
    make(labels: Int16Array, width: number, height: number, place: Placement['place']): SourceFeature[] {
      for (let i = 0; i < labels.length; i++) if ((labels[i] as number) < 0) labels[i] = nothing;
      if (fewest !== undefined) sieved += sieve(labels, width, height, fewest);
      pixels += labels.length;
      const features: SourceFeature[] = [];
      const emit = (label: number, polygon: Polygon) => {
        const feature = { id: ++count, polygons: [polygon], repaired: false, attributes: noAttributes };
        features.push(classes ? { ...feature, pixelClass: label } : feature);
      };
      polygonizer.polygonize({ labels, width, height, none: nothing }, { place, smoothing, emit });
      if (count <= maxAreasOfNoise || pixels >= count * minPixelsOfArea) return features;
      throw new FileError(
        'raster_too_fine',
        `The classes of ${layer} change from pixel to pixel: its first ${pixels} pixels make ${count} separate areas. That is noise rather than coverage.`,
        fewest ? 'Merge larger areas (a higher "sieve"), or use fewer and wider classes.' : undefined,
      );
    },

    warnings(): Warning[] {
      if (sieved === 0) return [];
      const share = (100 * sieved) / pixels;
      const message = `${sieved} pixels of ${layer} (${share.toFixed(share < 1 ? 2 : 0)}%) were in areas of fewer than ${fewest} pixels and took the class around them, as asked for.`;
      return [{ code: 'pixels_sieved', message }];
    },
  };
}

/** Cuts a part into windows with copied labels. */
export function* windowsOf(part: LabelledPart): Generator<LabelledPart> {
  for (let top = 0; top < part.height; top += windowSize) {
    const height = Math.min(windowSize, part.height - top);
    for (let left = 0; left < part.width; left += windowSize) {
      const width = Math.min(windowSize, part.width - left);
      const labels = new Int16Array(width * height);
      for (let y = 0; y < height; y++) {
        const from = (top + y) * part.width + left;
        labels.set(part.labels.subarray(from, from + width), y * width);
      }
      yield { x: part.x + left, y: part.y + top, width, height, labels };
    }
  }
}
