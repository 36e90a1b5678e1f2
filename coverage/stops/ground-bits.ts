/* Grounds as bits of pixels: where closed towers serve, and no open one does. */

/** A window of a grid: its first column, a multiple of 32, and row; the words of 32 pixels in a row; rows. */
export interface GroundFrame {
  left: number;
  top: number;
  words: number;
  height: number;
}

/** The most pixels between areas that modelling joins: regions of fewer than four take what is around them. */
const joinedPixels = 3;

export const framesMeet = (a: GroundFrame, b: GroundFrame): boolean =>
  a.left < b.left + 32 * b.words &&
  b.left < a.left + 32 * a.words &&
  a.top < b.top + b.height &&
  b.top < a.top + a.height;

/** Adds the bits of another window to those of a frame, where they overlap. */
export function addBits(to: GroundFrame, bits: Uint32Array, from: GroundFrame, added: Uint32Array): void {
  const shift = (from.left - to.left) / 32;
  const first = Math.max(0, shift);
  const last = Math.min(to.words, shift + from.words);
  const end = Math.min(to.top + to.height, from.top + from.height);
  for (let row = Math.max(to.top, from.top); row < end; row++) {
    const here = (row - to.top) * to.words;
    const there = (row - from.top) * from.words - shift;
    for (let word = first; word < last; word++)
      bits[here + word] = (bits[here + word] as number) | (added[there + word] as number);
  }
}

/**
 * Leaves of a tower's ground what no open tower serves. Pixels that no tower serves, in gaps that modelling joins, are of what is nearest; of an open
 * tower in doubt.
 * @param served the tower's own bits, which are changed @param open those of open towers @param closed those of other closed ones
 */
export function leaveSole(
  frame: GroundFrame,
  served: Uint32Array,
  open: Uint32Array,
  closed: Uint32Array,
): void {
  const { words, height } = frame;
  const gaps = served.map((bits, i) => ~(bits | (open[i] as number) | (closed[i] as number)));
  for (let i = 0; i < served.length; i++) served[i] = (served[i] as number) & ~(open[i] as number);
  for (let step = 0; step < joinedPixels; step++) {
    const [ofServed, ofOpen] = [grown(served, words, height), grown(open, words, height)];
    for (let i = 0; i < served.length; i++) {
      const taken = (ofOpen[i] as number) & (gaps[i] as number);
      const sole = (ofServed[i] as number) & (gaps[i] as number) & ~taken;
      open[i] = (open[i] as number) | taken;
      served[i] = (served[i] as number) | sole;
      gaps[i] = (gaps[i] as number) & ~(taken | sole);
    }
  }
}

/** The bits, with those of the eight pixels around each. */
function grown(bits: Uint32Array, words: number, height: number): Uint32Array {
  const wide = new Uint32Array(bits.length);
  for (let i = 0; i < bits.length; i++) {
    const word = bits[i] as number;
    const before = i % words > 0 ? (bits[i - 1] as number) >>> 31 : 0;
    const after = i % words < words - 1 ? (bits[i + 1] as number) << 31 : 0;
    wide[i] = word | (word << 1) | before | (word >>> 1) | after;
  }
  const all = wide.slice();
  for (let i = 0; i < bits.length; i++) {
    if (i >= words) all[i] = (all[i] as number) | (wide[i - words] as number);
    if (i < words * (height - 1)) all[i] = (all[i] as number) | (wide[i + words] as number);
  }
  return all;
}

/** Tells if the pixel in a column and a row of the grid has its bit. */
export function hasPixel(
  { left, top, words, height }: GroundFrame,
  bits: Uint32Array,
  column: number,
  row: number,
): boolean {
  const [x, y] = [column - left, row - top];
  if (x < 0 || y < 0 || x >= 32 * words || y >= height) return false;
  return (((bits[y * words + (x >>> 5)] as number) >>> (x & 31)) & 1) === 1;
}

/** The rows and words of a frame with any bit, to keep no more in memory. */
export function cropped(frame: GroundFrame, bits: Uint32Array): GroundFrame & { bits: Uint32Array } {
  let [x1, y1, x2, y2] = [frame.words, frame.height, 0, 0];
  for (let y = 0; y < frame.height; y++)
    for (let x = 0; x < frame.words; x++) {
      if (bits[y * frame.words + x] === 0) continue;
      [x1, x2] = [Math.min(x1, x), Math.max(x2, x + 1)];
      [y1, y2] = [Math.min(y1, y), y + 1];
    }
  const [words, height] = [Math.max(0, x2 - x1), Math.max(0, y2 - y1)];
  const kept = new Uint32Array(words * height);
  for (let y = 0; y < height; y++) {
    const from = (y1 + y) * frame.words + x1;
    kept.set(bits.subarray(from, from + words), y * words);
  }
  return { left: frame.left + 32 * x1, top: frame.top + y1, words, height, bits: kept };
}
