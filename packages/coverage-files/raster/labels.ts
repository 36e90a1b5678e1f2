import type { Warning } from '../format.ts';
import type { PixelSummary } from '../pixel-summary.ts';
import type { ColourClassifier } from './classes.ts';
import type { Image } from './netpbm.ts';

/** Labels of a part of a raster, row by row; see classes.ts. */
export interface LabelledPart {
  x: number;
  y: number;
  width: number;
  height: number;
  labels: Int16Array;
}

export interface LabelSource {
  width: number;
  height: number;
  /** Yields all of the raster once: from the top, or first from all over if the file allows. */
  parts(order?: 'down' | 'spread'): AsyncGenerator<LabelledPart>;
  summary(): PixelSummary;
  /** @throws FileError `classes_needed` */
  finish(): Warning[];
  close(): Promise<void>;
}

export function labelsOfImage(image: Image, classifier: ColourClassifier): LabelSource {
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
    close: async () => undefined,
  };
}
