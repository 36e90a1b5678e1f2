import { sieve } from '@covermap/geometry/sieve.ts';
import type { SignalRows } from './grid-file.ts';

/** What is offered from a received power on. */
export interface SignalClass {
  /** The least power, in dBm. */
  dbm: number;
  /** Properties of its areas, such as speeds. */
  speeds: Record<string, number>;
}

/** Classes count from 1, the strongest; 0 is none. */
export function classOf(dbm: number, classes: readonly Pick<SignalClass, 'dbm'>[]): number {
  for (let i = 0; i < classes.length; i++) if (dbm >= (classes[i] as { dbm: number }).dbm) return i + 1;
  return 0;
}

/** The approximate number of pixels of the rows in memory. */
const stripPixels = 4 * 1024 * 1024;

/** Consecutive rows of the grid, with the class of each pixel. */
export interface ClassRows {
  top: number;
  height: number;
  /** Row by row, over the whole width. */
  labels: Int16Array;
}

/** Yields the classes of a grid from the top, up to `maxRows` at a time. Sieved in strips that overlap by more than the height of a region of `minPixels`. */
export function* classRows(
  { grid, read }: SignalRows,
  classes: readonly Pick<SignalClass, 'dbm'>[],
  minPixels: number,
  maxRows: number,
): Generator<ClassRows> {
  const { width, height } = grid;
  const advance = Math.max(1, minPixels, Math.min(maxRows, Math.floor(stripPixels / width)));
  const overlap = minPixels + 1;
  const labels = new Int16Array(width * Math.min(height, advance + overlap));
  const power = new Float32Array(width);
  let known = 0;
  for (let top = 0; top < height; top += advance) {
    const rows = Math.min(height - top, advance + overlap);
    for (; known < rows; known++) {
      read(top + known, power);
      for (let x = 0; x < width; x++) labels[known * width + x] = classOf(power[x] as number, classes);
    }
    const isOpen = { top: top > 0, bottom: top + rows < height, sides: false };
    if (minPixels > 1) sieve(labels.subarray(0, rows * width), width, rows, minPixels, isOpen);
    const done = Math.min(rows, advance);
    yield { top, height: done, labels };
    labels.copyWithin(0, done * width, rows * width);
    known = rows - done;
  }
}
