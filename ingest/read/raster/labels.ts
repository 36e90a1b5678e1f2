import type { Warning } from '../format.ts';
import type { PixelSummary } from './pixel-count.ts';

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
  /**
   * All of the raster, once.
   * @param order from the top; or, where the file lets one choose, so that the first parts are from all over
   */
  parts(order?: 'down' | 'spread'): AsyncGenerator<LabelledPart>;
  /** What the parts held so far, where there are no classes. */
  summary(): PixelSummary;
  /** What there is to say after the last part. @throws IngestError `classes_needed` */
  finish(): Warning[];
}
