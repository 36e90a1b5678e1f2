import { ReceiverHorizon, TransmitterHorizon } from './horizons.ts';
import { Irregularity } from './irregularity.ts';
import type { Path } from './path.ts';

/* Horizons, terrain irregularity and effective heights of antennas on a profile (Hufford, section 3: QLRPFL, HZNS, DLTHX and ZLSQ1). */

/** Heights in metres at equal steps. Paths share sums over the beginning, and start from the horizons of the previous path. */
export class Profile {
  readonly capacity: number;
  #heights: ArrayLike<number> = [];
  #step = 0;
  /** Sums over all points before one: heights, and heights times their number. */
  readonly #sums: Float64Array;
  readonly #moments: Float64Array;
  readonly #transmitterHorizon: TransmitterHorizon;
  readonly #receiverHorizon: ReceiverHorizon;
  readonly #irregularity = new Irregularity();
  /** The last line that was fitted, at both ends of its path. */
  #lineStart = 0;
  #lineEnd = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#sums = new Float64Array(capacity + 2);
    this.#moments = new Float64Array(capacity + 2);
    this.#transmitterHorizon = new TransmitterHorizon(capacity);
    this.#receiverHorizon = new ReceiverHorizon(capacity);
  }

  begin(heights: ArrayLike<number>, last: number, step: number): void {
    this.#heights = heights;
    this.#step = step;
    for (let i = 0; i <= last; i++) {
      const height = heights[i] as number;
      this.#sums[i + 1] = (this.#sums[i] as number) + height;
      this.#moments[i + 1] = (this.#moments[i] as number) + i * height;
    }
    this.#transmitterHorizon.begin();
    this.#receiverHorizon.begin(heights, last);
  }

  /** The mean height of the inner eight tenths of a path. */
  meanHeight(last: number): number {
    const skipped = Math.floor(0.1 * last);
    return this.#sum(skipped, last - skipped) / (last - 2 * skipped + 1);
  }

  /** Fills a path to a point farther than the previous one. The path's curvature must be set. */
  describe(path: Path, last: number, transmitter: number, receiver: number): void {
    const heights = this.#heights;
    const step = this.#step;
    const { curvature, horizonDistances: horizons, effectiveHeights } = path;
    const distance = last * step;
    path.distance = distance;
    this.#transmitterHorizon.find(path, heights, last, step, transmitter, receiver);
    this.#receiverHorizon.find(path, heights, last, step, transmitter, receiver);
    // The ground close to an antenna does not count.
    const start = Math.min(15 * transmitter, 0.1 * (horizons[0] as number));
    const end = distance - Math.min(15 * receiver, 0.1 * (horizons[1] as number));
    path.deltaH = this.#irregularity.of(heights, last, step, start, end);
    const inSight = (horizons[0] as number) + (horizons[1] as number) > 1.5 * distance;
    this.#fitLine(last, start, inSight ? end : 0.9 * (horizons[0] as number));
    effectiveHeights[0] = transmitter + Math.max(0, (heights[0] as number) - this.#lineStart);
    if (!inSight) this.#fitLine(last, distance - 0.9 * (horizons[1] as number), end);
    effectiveHeights[1] = receiver + Math.max(0, (heights[last] as number) - this.#lineEnd);
    if (inSight) smoothHorizons(path, curvature);
  }

  /** The least-squares line through whole steps of a path, at both ends of the profile. The points at its ends count half. */
  #fitLine(last: number, start: number, end: number): void {
    const step = this.#step;
    let from = Math.floor(Math.max(0, start / step));
    let to = last - Math.floor(Math.max(0, last - end / step));
    if (to <= from) {
      from = Math.max(0, from - 1);
      to = last - Math.max(0, last - (to + 1));
    }
    const [first, final] = [this.#heights[from] as number, this.#heights[to] as number];
    const length = to - from;
    const middle = from + length / 2;
    const sum = this.#sum(from, to) - (first + final) / 2;
    const numbered = (this.#moments[to + 1] as number) - (this.#moments[from] as number);
    const moment = numbered - (from * first + to * final) / 2 - middle * sum;
    const mean = sum / length;
    const slope = (moment * 12) / ((length * length + 2) * length);
    this.#lineStart = mean - slope * middle;
    this.#lineEnd = mean + slope * (last - middle);
  }

  #sum(from: number, to: number): number {
    return (this.#sums[to + 1] as number) - (this.#sums[from] as number);
  }
}

/** The expected horizons over ground of that irregularity; the ends are in sight of each other. */
function smoothHorizons(path: Path, curvature: number): void {
  const { deltaH, distance, effectiveHeights, horizonDistances, horizonAngles } = path;
  placeHorizon(path, 0);
  placeHorizon(path, 1);
  const sum = (horizonDistances[0] as number) + (horizonDistances[1] as number);
  if (sum <= distance) {
    const raise = (distance / sum) ** 2;
    for (let i = 0; i < 2; i++) {
      effectiveHeights[i] = (effectiveHeights[i] as number) * raise;
      placeHorizon(path, i);
    }
  }
  for (let i = 0; i < 2; i++) {
    const height = effectiveHeights[i] as number;
    const smooth = Math.sqrt((2 * height) / curvature);
    horizonAngles[i] = (0.65 * deltaH * (smooth / (horizonDistances[i] as number) - 1) - 2 * height) / smooth;
  }
}

function placeHorizon({ curvature, deltaH, effectiveHeights, horizonDistances }: Path, end: number): void {
  const height = effectiveHeights[end] as number;
  horizonDistances[end] =
    Math.sqrt((2 * height) / curvature) * Math.exp(-0.07 * Math.sqrt(deltaH / Math.max(height, 5)));
}
