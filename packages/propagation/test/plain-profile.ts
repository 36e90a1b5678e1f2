import type { Path } from '../itm/path.ts';

/*
 * The values of a path by its terrain profile, from all points of it as in Hufford's subroutines (QLRPFL, HZNS, DLTHX, ZLSQ1): the oracle
 * of `packages/propagation/itm/profile.ts`.
 */

/** The ground from a transmitter, in steps of so many metres, to the point `last`. */
interface Ground {
  heights: Float64Array;
  last: number;
  step: number;
}

/** Fills the path from its profile. Its curvature must be there. @param antennas their heights */
export function describeProfile(path: Path, ground: Ground, antennas: readonly [number, number]): void {
  const { heights, last, step } = ground;
  const [transmitter, receiver] = antennas;
  const distance = last * step;
  path.distance = distance;
  findHorizons(path, ground, transmitter, receiver);
  const [horizon = 0, otherHorizon = 0] = path.horizonDistances;
  // The ground close to an antenna does not count.
  const start = Math.min(15 * transmitter, 0.1 * horizon);
  const end = distance - Math.min(15 * receiver, 0.1 * otherHorizon);
  path.deltaH = irregularity(ground, start, end);
  const inSight = horizon + otherHorizon > 1.5 * distance;
  const [ahead] = lineOver(ground, start, inSight ? end : 0.9 * horizon);
  const [, behind] = lineOver(ground, inSight ? start : distance - 0.9 * otherHorizon, end);
  path.effectiveHeights.set([
    transmitter + Math.max(0, (heights[0] as number) - ahead),
    receiver + Math.max(0, (heights[last] as number) - behind),
  ]);
  if (inSight) smoothHorizons(path);
}

/** The mean height of the inner eight tenths of a profile. */
export function meanHeight(heights: Float64Array, last: number): number {
  const skipped = Math.floor(0.1 * last);
  const inner = heights.subarray(skipped, last - skipped + 1);
  return inner.reduce((sum, height) => sum + height, 0) / inner.length;
}

/** The expected horizons over ground of that irregularity, for a path whose ends see each other. */
function smoothHorizons(path: Path): void {
  const { curvature, deltaH, distance, effectiveHeights, horizonDistances, horizonAngles } = path;
  const smooth = (height: number) => Math.sqrt((2 * height) / curvature);
  const place = () => {
    for (const [i, height] of effectiveHeights.entries())
      horizonDistances[i] = smooth(height) * Math.exp(-0.07 * Math.sqrt(deltaH / Math.max(height, 5)));
    const [one = 0, other = 0] = horizonDistances;
    return one + other;
  };
  const sum = place();
  if (sum <= distance) {
    effectiveHeights.set(effectiveHeights.map((height) => height * (distance / sum) ** 2));
    place();
  }
  for (const [i, height] of effectiveHeights.entries()) {
    const share = smooth(height) / (horizonDistances[i] as number);
    horizonAngles[i] = (0.65 * deltaH * (share - 1) - 2 * height) / smooth(height);
  }
}

/** The highest angles of sight from both ends, and the distances of the ground there. The other end is the last candidate. */
function findHorizons(path: Path, { heights, last, step }: Ground, transmitter: number, receiver: number) {
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
  const values = Float64Array.from({ length: count }, (_, k) => {
    const place = from + (k * (to - from)) / (count - 1);
    const at = Math.min(Math.floor(place), last - 1);
    const [left = 0, right = 0] = heights.subarray(at, at + 2);
    return left + (right - left) * (place - at);
  });
  const line = leastSquares(values);
  const sorted = values.map((value, k) => value - line(k)).sort();
  // From the tenth part from below to the tenth part from above.
  const range = (sorted[count - tenth] as number) - (sorted[tenth - 1] as number);
  return range / (1 - 0.8 * Math.exp(-(end - start) / 50e3));
}

/** The least-squares line through a part of the profile, at both ends of the whole. Parts are of whole steps. */
function lineOver({ heights, last, step }: Ground, start: number, end: number): [start: number, end: number] {
  let from = Math.floor(Math.max(0, start / step));
  let to = last - Math.floor(Math.max(0, last - end / step));
  if (to <= from) {
    from = Math.max(0, from - 1);
    to = last - Math.max(0, last - (to + 1));
  }
  const line = leastSquares(heights.subarray(from, to + 1));
  return [line(-from), line(last - from)];
}

/** The line through points, of which the first and the last count half. */
function leastSquares(values: Float64Array): (at: number) => number {
  const length = values.length - 1;
  let sum = 0;
  let moment = 0;
  for (const [i, value] of values.entries()) {
    const weighted = i === 0 || i === length ? value / 2 : value;
    sum += weighted;
    moment += weighted * (i - length / 2);
  }
  const slope = (moment * 12) / ((length * length + 2) * length);
  return (at) => sum / length + slope * (at - length / 2);
}
