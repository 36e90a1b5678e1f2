/* What the pixels of a raster hold. */

interface CountedPixels {
  /** The pixels counted; a sample if fewer than `total`. */
  counted: number;
  total: number;
  /** The share that is transparent or has no data, 0 to 1. */
  empty: number;
}

/** A value with its share of all counted pixels, 0 to 1. */
interface ValueShare {
  value: number;
  share: number;
}

export interface ValueSummary extends CountedPixels {
  kind: 'values';
  min: number | null;
  max: number | null;
  /** The likely unit of the values; null where none is likely. */
  unit: 'dBm' | null;
  /** Null if there are more than 20. */
  values: ValueShare[] | null;
  /** Bin i holds values from `from + i * step` up to the next bin. */
  histogram: { from: number; step: number; shares: number[] } | null;
  /** Outliers that may stand for no data. */
  doubtful: ValueShare[];
}

export interface ColourSummary extends CountedPixels {
  kind: 'colours';
  /** Most frequent first; similar colours are merged. `colour`: such as "#ff0000". */
  colours: { colour: string; tolerance: number; share: number }[];
  /** The share of the colours that are not listed. */
  others: number;
}

export type PixelSummary = ValueSummary | ColourSummary;
