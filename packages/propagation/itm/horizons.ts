import type { Path } from './path.ts';

/*
 * Horizons (Hufford's subroutine HZNS): the highest angles of sight from both ends, and the distances of the ground that has them.
 * From an end, ground of a height h at a distance d is seen at (h - the antenna's) / d - d × curvature / 2. The curvature of the effective
 * earth changes a little along a radial, with the mean height of the ground. Both classes find what a look at every point finds.
 */

/** The transmitter's horizon, which all paths of a radial share. Paths only grow. */
export class TransmitterHorizon {
  /** By point: its distance, and the part of its angle that does not depend on curvature. */
  readonly #distances: Float64Array;
  readonly #slopes: Float64Array;
  /** Corners of the upper hull of the slopes over the distances, while it rises: the horizon is where the hull is as steep as half the curvature. */
  readonly #hull: Int32Array;
  #size = 0;
  #added = 0;
  /** The horizon of the previous path, a corner. */
  #at = 0;

  constructor(points: number) {
    this.#distances = new Float64Array(points + 1);
    this.#slopes = new Float64Array(points + 1);
    this.#hull = new Int32Array(points + 1);
  }

  begin(): void {
    this.#size = 0;
    this.#added = 0;
    this.#at = 0;
  }

  /** Puts angle and distance for the path to `last` into `path`, whose curvature must be set. */
  find(
    path: Path,
    heights: ArrayLike<number>,
    last: number,
    step: number,
    transmitter: number,
    receiver: number,
  ) {
    const half = path.curvature / 2;
    const a = (heights[0] as number) + transmitter;
    while (this.#added < last - 1) this.#add(heights, step, a);
    const { distance } = path;
    let angle = ((heights[last] as number) + receiver - a) / distance - half * distance;
    let horizon = distance;
    if (this.#size > 0) {
      let at = Math.min(this.#at, this.#size - 1);
      let angleOfSight = this.#angle(at, half);
      // Along the hull, angles rise to the horizon and fall behind it. Of two alike, the nearer counts.
      for (; at + 1 < this.#size && this.#angle(at + 1, half) > angleOfSight; at++)
        angleOfSight = this.#angle(at + 1, half);
      for (; at > 0 && this.#angle(at - 1, half) >= angleOfSight; at--)
        angleOfSight = this.#angle(at - 1, half);
      this.#at = at;
      if (angleOfSight > angle) {
        angle = angleOfSight;
        horizon = this.#distances[this.#hull[at] as number] as number;
      }
    }
    path.horizonAngles[0] = angle;
    path.horizonDistances[0] = horizon;
  }

  #angle(at: number, half: number): number {
    const point = this.#hull[at] as number;
    return (this.#slopes[point] as number) - half * (this.#distances[point] as number);
  }

  #add(heights: ArrayLike<number>, step: number, antenna: number): void {
    const point = ++this.#added;
    // Added step by step: the fits count whole steps of horizons, so rounding otherwise would take another point.
    const distance = (this.#distances[point - 1] as number) + step;
    const slope = ((heights[point] as number) - antenna) / distance;
    this.#distances[point] = distance;
    this.#slopes[point] = slope;
    if (this.#size > 0 && slope <= (this.#slopes[this.#hull[this.#size - 1] as number] as number)) return;
    while (this.#size > 1) {
      const [before, top] = [this.#hull[this.#size - 2] as number, this.#hull[this.#size - 1] as number];
      if (this.#steepness(top, point) < this.#steepness(before, top)) break;
      this.#size--;
    }
    this.#hull[this.#size++] = point;
  }

  #steepness(from: number, to: number): number {
    const rise = (this.#slopes[to] as number) - (this.#slopes[from] as number);
    return rise / ((this.#distances[to] as number) - (this.#distances[from] as number));
  }
}

/** Points of a block, whose highest is known. */
const blockBits = 4;

/** The receiver's horizon, different for each path. Skips blocks of ground that cannot be higher than the best so far. */
export class ReceiverHorizon {
  /** The highest ground by block, and by point from the transmitter to it. */
  readonly #highest: Float64Array;
  readonly #highestUntil: Float64Array;
  /** The horizon of the previous path, most often also that of the next. */
  #former = 0;

  constructor(points: number) {
    this.#highest = new Float64Array((points >> blockBits) + 1);
    this.#highestUntil = new Float64Array(points + 1);
  }

  begin(heights: ArrayLike<number>, last: number): void {
    this.#former = 0;
    this.#highest.fill(Number.NEGATIVE_INFINITY);
    this.#highestUntil[0] = Number.NEGATIVE_INFINITY;
    for (let i = 1; i <= last; i++) {
      const height = heights[i] as number;
      const block = i >> blockBits;
      if (height > (this.#highest[block] as number)) this.#highest[block] = height;
      this.#highestUntil[i] = Math.max(this.#highestUntil[i - 1] as number, height);
    }
  }

  /** Puts angle and distance for the path to `last` into `path`, whose curvature must be set. */
  find(
    path: Path,
    heights: ArrayLike<number>,
    last: number,
    step: number,
    transmitter: number,
    receiver: number,
  ) {
    const half = path.curvature / 2;
    const { distance } = path;
    const b = (heights[last] as number) + receiver;
    const direct = ((heights[0] as number) + transmitter - b) / distance - half * distance;
    let best = direct;
    let at = 0;
    if (this.#former > 0) {
      const away = (last - this.#former) * step;
      const angleOfSight = ((heights[this.#former] as number) - b) / away - half * away;
      if (angleOfSight > best) {
        best = angleOfSight;
        at = this.#former;
      }
    }
    for (let i = last - 1; i > 0; ) {
      const nearest = (last - i) * step;
      if (seenAtMost((this.#highestUntil[i] as number) - b, nearest, distance, half) < best) break;
      const block = i >> blockBits;
      const first = Math.max(1, block << blockBits);
      const farthest = (last - first) * step;
      if (seenAtMost((this.#highest[block] as number) - b, nearest, farthest, half) < best) {
        i = first - 1;
        continue;
      }
      for (; i >= first; i--) {
        const away = (last - i) * step;
        const angleOfSight = ((heights[i] as number) - b) / away - half * away;
        // Of equal angles, the point farther from the receiver counts.
        if (angleOfSight > best || (angleOfSight === best && i < at)) {
          best = angleOfSight;
          at = i;
        }
      }
    }
    this.#former = at;
    path.horizonAngles[1] = best;
    path.horizonDistances[1] = at === 0 ? distance : stepsBack(distance, at, step);
  }
}

/** An upper bound of the angle of ground that rises so much over an antenna, anywhere between two distances. */
const seenAtMost = (rise: number, nearest: number, farthest: number, half: number) =>
  rise / (rise > 0 ? nearest : farthest) - half * nearest;

/** Subtracts whole steps one by one, for the same reason as above. */
function stepsBack(distance: number, steps: number, step: number): number {
  if (Number.isInteger(step)) return distance - steps * step;
  let left = distance;
  for (let i = 0; i < steps; i++) left -= step;
  return left;
}
