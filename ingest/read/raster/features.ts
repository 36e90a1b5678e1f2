import type { Polygon } from '../../geometry/polygon.ts';
import { Polygonizer } from '../../geometry/polygonize.ts';
import { noAttributes, type SourceFeature } from '../format.ts';
import { nothing } from './classes.ts';
import type { LabelledPart } from './labels.ts';

/** Side of the windows that polygons are made in, in pixels. */
export const windowSize = 256;

/** Makes features of labelled pixels, numbered from 1. */
export class FeatureMaker {
  readonly #polygonizer = new Polygonizer();
  readonly #hasClasses: boolean;
  readonly #smoothing: boolean;
  #count = 0;

  constructor(hasClasses: boolean, smoothing: boolean) {
    this.#hasClasses = hasClasses;
    this.#smoothing = smoothing;
  }

  /** The features of one window. Labels below 0 become none. */
  make(
    labels: Int16Array,
    width: number,
    height: number,
    place: (column: number, row: number, out: Float64Array, at: number) => void,
  ): SourceFeature[] {
    for (let i = 0; i < labels.length; i++) if ((labels[i] as number) < 0) labels[i] = nothing;
    const features: SourceFeature[] = [];
    this.#polygonizer.polygonize(
      { labels, width, height, none: nothing },
      {
        place,
        smoothing: this.#smoothing,
        emit: (label, polygon) => {
          features.push(this.#feature(label, polygon));
        },
      },
    );
    return features;
  }

  #feature(label: number, polygon: Polygon): SourceFeature {
    const id = ++this.#count;
    const feature: SourceFeature = { id, polygons: [polygon], repaired: false, attributes: noAttributes };
    if (this.#hasClasses) feature.pixelClass = label;
    return feature;
  }
}

/** Cuts a part into windows. Their labels are copies. */
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
