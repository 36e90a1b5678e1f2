import type { Warning } from '../format.ts';

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
  /** All of the raster, from the top, once. */
  parts(): AsyncGenerator<LabelledPart>;
  /** What there is to say after the last part. @throws IngestError `classes_needed` */
  finish(): Warning[];
}
