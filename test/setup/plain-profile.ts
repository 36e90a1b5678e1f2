import type { Path } from '../../propagation/itm/path.ts';

/*
 * The values of a path by its terrain profile, from all points of it as in Hufford's subroutines (QLRPFL, HZNS, DLTHX, ZLSQ1): the oracle
 * of `propagation/itm/profile.ts`.
 */

/** As many points as the irregularity is ever taken from: 10 × 25 - 5. */
const resampled = new Float64Array(245);
const line = { start: 0, end: 0 };

/** The ground from a transmitter, in steps of so many metres, to the point `last`. */
export interface Ground {
  heights: ArrayLike<number>;
  last: number;
  step: number;
}

/** Fills the path from its profile. Its curvature must be there. @param antennas their heights */
export function describeProfile(path: Path, ground: Ground, antennas: ArrayLike<number>): void {
  const { heights, last, step } = ground;
  const [transmitter, receiver] = [antennas[0] as number, antennas[1] as number];
  const { horizonDistances: horizons, effectiveHeights } = path;
  const distance = last * step;
  path.distance = distance;
  findHorizons(path, ground, transmitter, receiver);
  const [horizon, otherHorizon] = [horizons[0] as number, horizons[1] as number];
  // The ground close to an antenna does not count.
  const start = Math.min(15 * transmitter, 0.1 * horizon);
  const end = distance - Math.min(15 * receiver, 0.1 * otherHorizon);
  path.deltaH = irregularity(ground, start, end);
  const inSight = horizon + otherHorizon > 1.5 * distance;
  fitLine(ground, start, inSight ? end : 0.9 * horizon);
  effectiveHeights[0] = transmitter + Math.max(0, (heights[0] as number) - line.start);
  if (!inSight) fitLine(ground, distance - 0.9 * otherHorizon, end);
  effectiveHeights[1] = receiver + Math.max(0, (heights[last] as number) - line.end);
  if (inSight) smoothHorizons(path);
}

/** The mean height of the inner eight tenths of a profile. */
export function meanHeight(heights: ArrayLike<number>, last: number): number {
  const skipped = Math.floor(0.1 * last);
  let sum = 0;
  for (let i = skipped; i <= last - skipped; i++) sum += heights[i] as number;
  return sum / (last - 2 * skipped + 1);
}

/** The expected horizons over ground of that irregularity, for a path whose ends see each other. */
function smoothHorizons(path: Path): void {
  const { curvature, deltaH, distance, effectiveHeights, horizonDistances, horizonAngles } = path;
  const place = (i: number) => {
    const height = effectiveHeights[i] as number;
    horizonDistances[i] =
      Math.sqrt((2 * height) / curvature) * Math.exp(-0.07 * Math.sqrt(deltaH / Math.max(height, 5)));
  };
  place(0);
  place(1);
  const sum = (horizonDistances[0] as number) + (horizonDistances[1] as number);
  if (sum <= distance) {
    const raise = (distance / sum) ** 2;
    for (let i = 0; i < 2; i++) {
      effectiveHeights[i] = (effectiveHeights[i] as number) * raise;
      place(i);
    }
  }
  for (let i = 0; i < 2; i++) {
    const height = effectiveHeights[i] as number;
    const smooth = Math.sqrt((2 * height) / curvature);
    horizonAngles[i] = (0.65 * deltaH * (smooth / (horizonDistances[i] as number) - 1) - 2 * height) / smooth;
  }
}

/** The highest angles of sight from both ends, and the distances of the ground there. The other end is the last candidate. */
function findHorizons(
  path: Path,
  { heights, last, step }: Ground,
  transmitter: number,
  receiver: number,
): void {
  const half = path.curvature / 2;
  const distance = last * step;
  const a = (heights[0] as number) + transmitter;
  const b = (heights[last] as number) + receiver;
  let [angleA, atA] = [(b - a) / distance - half * distance, distance];
  let [angleB, atB] = [(a - b) / distance - half * distance, distance];
  // Distances are added up as the original does: another rounding, and the fits, which count whole steps, take another point.
  let fromA = 0;
  let fromB = distance;
  for (let i = 1; i < last; i++) {
    const height = heights[i] as number;
    fromA += step;
    fromB -= step;
    const seenA = (height - a) / fromA - half * fromA;
    const seenB = (height - b) / fromB - half * fromB;
    if (seenA > angleA) [angleA, atA] = [seenA, fromA];
    if (seenB > angleB) [angleB, atB] = [seenB, fromB];
  }
  path.horizonAngles.set([angleA, angleB]);
  path.horizonDistances.set([atA, atB]);
}

/** The interdecile range of heights over their trend, as it would be on a path without end. */
function irregularity({ heights, last, step }: Ground, start: number, end: number): number {
  const from = start / step;
  const to = end / step;
  if (to - from < 2) return 0;
  const tenth = Math.min(25, Math.max(4, Math.floor(0.1 * (to - from + 8))));
  const count = 10 * tenth - 5;
  const stride = (to - from) / (count - 1);
  let at = Math.floor(from);
  let beyond = from - (at + 1);
  let sum = 0;
  let moment = 0;
  for (let k = 0; k < count; k++) {
    while (beyond > 0 && at + 1 < last) {
      beyond--;
      at++;
    }
    const right = heights[at + 1] as number;
    const value = right + (right - (heights[at] as number)) * beyond;
    resampled[k] = value;
    // The end points of a least-squares line count half.
    const weighted = k === 0 || k === count - 1 ? value / 2 : value;
    sum += weighted;
    moment += weighted * (k - (count - 1) / 2);
    beyond += stride;
  }
  const length = count - 1;
  const mean = sum / length;
  const slope = (moment * 12) / ((length * length + 2) * length);
  const first = mean - (slope * length) / 2;
  for (let k = 0; k < count; k++) resampled[k] = (resampled[k] as number) - (first + k * slope);
  // The tenth part from above, and the tenth part from below.
  const sorted = resampled.slice(0, count).sort();
  const low = sorted[tenth - 1] as number;
  const high = sorted[count - tenth] as number;
  return (high - low) / (1 - 0.8 * Math.exp(-(end - start) / 50e3));
}

/**
 * The least-squares line through a part of the profile, at both ends of the whole: into `line`. Parts are of whole steps, and the
 * points at their ends count half.
 */
function fitLine({ heights, last, step }: Ground, start: number, end: number): void {
  let from = Math.floor(Math.max(0, start / step));
  let to = last - Math.floor(Math.max(0, last - end / step));
  if (to <= from) {
    from = Math.max(0, from - 1);
    to = last - Math.max(0, last - (to + 1));
  }
  const length = to - from;
  const middle = from + length / 2;
  let sum = ((heights[from] as number) + (heights[to] as number)) / 2;
  let moment = (((heights[to] as number) - (heights[from] as number)) * length) / 4;
  for (let i = from + 1; i < to; i++) {
    const height = heights[i] as number;
    sum += height;
    moment += height * (i - middle);
  }
  const mean = sum / length;
  const slope = (moment * 12) / ((length * length + 2) * length);
  line.start = mean - slope * middle;
  line.end = mean + slope * (last - middle);
}
