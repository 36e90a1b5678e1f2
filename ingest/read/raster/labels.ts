import { ClassesNeeded } from '../../errors.ts';
import type { PixelSummary } from '../../pixel-summary.ts';
import type { PixelInspection, Warning } from '../format.ts';
import { pulse } from '../pulse.ts';
import type { ColourClassifier } from './classes.ts';
import type { Image } from './netpbm.ts';

/** Labels of a part of a raster, row by row; see classes.ts for what they mean. */
export interface LabelledPart {
  /** The column and row of its upper left pixel. */
  x: number;
  y: number;
  width: number;
  height: number;
  labels: Int16Array;
}

/** A raster whose pixels have been looked up in the classes. */
export interface LabelSource {
  width: number;
  height: number;
  /** All of the raster, once: from the top, or where the file lets one choose, first parts from all over. */
  parts(order?: 'down' | 'spread'): AsyncGenerator<LabelledPart>;
  /** What the parts held so far, where there are no classes. */
  summary(): PixelSummary;
  /** What there is to say after the last part. @throws IngestError `classes_needed` */
  finish(): Warning[];
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
  };
}

export async function inspectLabels(
  labels: LabelSource,
  goOnReading: () => boolean,
): Promise<PixelInspection> {
  for await (const _ of labels.parts('spread')) {
    pulse();
    if (!goOnReading()) break;
  }
  return { summary: labels.summary(), needed: classesNeededBy(labels) };
}

/** What somebody has to say of the classes before the pixels can be read. */
export function classesNeededBy(labels: Pick<LabelSource, 'finish'>): ClassesNeeded | undefined {
  try {
    labels.finish();
    return undefined;
  } catch (error) {
    if (error instanceof ClassesNeeded) return error;
    throw error;
  }
}
