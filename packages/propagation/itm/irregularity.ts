/* Terrain irregularity (Hufford's DLTHX): the interdecile range of heights over their trend. It takes most of a prediction's time. */

/** The model's limit: 10 × 25 - 5. */
const maxSamples = 245;
/** The share of their distance in which the deciles are first looked for, around those of the previous path. */
const searched = 0.03;

/** The irregularity of successive paths; it remembers the last deciles. */
export class Irregularity {
  readonly #samples = new Float64Array(maxSamples);
  /** Samples near the expected deciles. */
  readonly #nearLow = new Float64Array(maxSamples);
  readonly #nearHigh = new Float64Array(maxSamples);
  #low = 0;
  #high = 0;

  /** The irregularity without bound of distance. @param start and `end`: the part of the profile that counts, in metres */
  of(heights: ArrayLike<number>, last: number, step: number, start: number, end: number): number {
    const from = start / step;
    const to = end / step;
    if (to - from < 2) return 0;
    const tenth = Math.min(25, Math.max(4, Math.floor(0.1 * (to - from + 8))));
    const count = 10 * tenth - 5;
    const length = count - 1;
    const stride = (to - from) / length;
    const samples = this.#samples;
    let x = from;
    let sum = 0;
    // The sum of all partial sums, which weights samples by their number from the end.
    let moment = 0;
    for (let k = 0; k < length; k++) {
      const at = x | 0;
      const left = heights[at] as number;
      const value = left + ((heights[at + 1] as number) - left) * (x - at);
      samples[k] = value;
      sum += value;
      moment += sum;
      x += stride;
    }
    // This may be the last point itself.
    const beforeTail = Math.min(last - 1, to | 0);
    const left = heights[beforeTail] as number;
    const tail = left + ((heights[beforeTail + 1] as number) - left) * (to - beforeTail);
    samples[length] = tail;
    sum += tail;
    moment += sum;
    moment = count * sum - moment;
    // In a least-squares line, its ends count half.
    sum -= ((samples[0] as number) + tail) / 2;
    moment -= (tail * length) / 2;
    const mean = sum / length;
    const slope = ((moment - (sum * length) / 2) * 12) / ((length * length + 2) * length);
    this.#findDeciles(count, tenth, mean - (slope * length) / 2, slope);
    return (this.#high - this.#low) / (1 - 0.8 * Math.exp(-(end - start) / 50e3));
  }

  /** Finds the deciles of samples over a line. */
  #findDeciles(count: number, tenth: number, first: number, slope: number): void {
    const samples = this.#samples;
    const nearLow = this.#nearLow;
    const nearHigh = this.#nearHigh;
    const middle = (this.#low + this.#high) / 2;
    const half = (this.#high - this.#low) / 2;
    const inner = (1 - searched) * half;
    const outer = (1 + searched) * half;
    let line = first + middle;
    let lower = 0;
    let lows = 0;
    let higher = 0;
    let highs = 0;
    for (let k = 0; k < count; k++) {
      const over = (samples[k] as number) - line;
      line += slope;
      if (Math.abs(over) < inner) continue;
      if (over < 0) {
        if (over < -outer) lower++;
        else nearLow[lows++] = over;
      } else if (over > outer) higher++;
      else nearHigh[highs++] = over;
    }
    const lowRank = tenth - 1 - lower;
    const highRank = highs - tenth + higher;
    if (lowRank >= 0 && lowRank < lows && highRank >= 0 && highRank < highs) {
      this.#low = middle + smallest(nearLow, lows - 1, lowRank);
      this.#high = middle + smallest(nearHigh, highs - 1, highRank);
      return;
    }
    for (let k = 0; k < count; k++) samples[k] = (samples[k] as number) - (first + k * slope);
    this.#low = smallest(samples, count - 1, tenth - 1);
    this.#high = smallest(samples, count - 1, count - tenth);
  }
}

/** The value at `rank` if those until `last` were sorted (Hoare's selection). Changes their order. */
function smallest(values: Float64Array, last: number, rank: number): number {
  let low = 0;
  let high = last;
  while (low < high) {
    const pivot = values[(low + high) >> 1] as number;
    let i = low;
    let j = high;
    while (i <= j) {
      while ((values[i] as number) < pivot) i++;
      while ((values[j] as number) > pivot) j--;
      if (i <= j) {
        const value = values[i] as number;
        values[i] = values[j] as number;
        values[j] = value;
        i++;
        j--;
      }
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else return values[rank] as number;
  }
  return values[rank] as number;
}
