import { irregularityWithin, terrainDeviation, waveNumber } from './ground.ts';
import type { Link, Path } from './path.ts';

/*
 * Attenuation beyond the horizon (Hufford, section 4, from equation 4.11 on, with the approximations of section 6): between that of
 * two knife edges and that of a smooth earth, weighted by how irregular the terrain is.
 */

const earthRadius = 6370e3;
const third = 1 / 3;

/**
 * @param angle of the horizons over the horizontal, negative, as `lineOfSightAngle` has it
 * @param smoothRange the sum of both horizons of a smooth earth
 * @returns decibels beside free space
 */
export function diffractionLoss(
  distance: number,
  path: Path,
  link: Link,
  angle: number,
  smoothRange: number,
): number {
  const { deltaH, horizonDistances, effectiveHeights, curvature } = path;
  const { mhz, heights } = link;
  const range = (horizonDistances[0] as number) + (horizonDistances[1] as number);
  const bent = distance * curvature - angle;
  const past = distance - range;
  const edges =
    edgeLoss(bent, past, horizonDistances[0] as number, mhz) +
    edgeLoss(bent, past, horizonDistances[1] as number, mhz);
  const smooth = smoothLoss(bent, past, path, link);
  const product = heights[0] * heights[1];
  const deviation = terrainDeviation(irregularityWithin(deltaH, smoothRange));
  const clutter = Math.min(15, 5 * Math.log10(1 + 1e-5 * product * mhz * deviation));
  // 10: as point-to-point predictions have it.
  const raised = (effectiveHeights[0] as number) * (effectiveHeights[1] as number) - product;
  const factor = Math.sqrt(1 + raised / (product + 10)) + (range - angle / curvature) / distance;
  const rough = factor * Math.min(irregularityWithin(deltaH, distance) * waveNumber(mhz), 6283.2);
  const weight = 25.1 / (25.1 + Math.sqrt(rough));
  return weight * smooth + (1 - weight) * edges + clutter;
}

/** Of one edge (4.21 and 6.1, with the square of nu). */
function edgeLoss(bent: number, past: number, horizon: number, mhz: number): number {
  const square = (0.0795775 * waveNumber(mhz) * bent * bent * horizon * past) / (past + horizon);
  return square < 5.76 ? 6.02 + 9.11 * Math.sqrt(square) - 1.27 * square : 12.953 + 10 * Math.log10(square);
}

/** Over three earths, one between the horizons and one to each, by Vogler's method (4.20 and 6.2 to 6.7). */
function smoothLoss(bent: number, past: number, path: Path, { mhz, impedance }: Link): number {
  const { horizonDistances: horizons, effectiveHeights: heights } = path;
  const size = Math.hypot(impedance.re, impedance.im);
  let sum = scaled(past / bent, past, mhz, size);
  let gain = 0;
  for (let i = 0; i < 2; i++) {
    const horizon = horizons[i] as number;
    const radius = (0.5 * horizon * horizon) / (heights[i] as number);
    const x = scaled(radius, horizon, mhz, size);
    sum += x;
    gain += heightGain(x, conductance(radius, mhz, size));
  }
  return 0.05751 * sum - 10 * Math.log10(sum) - gain - 20;
}

const curvatureRatio = (radius: number) => ((4 / 3) * (earthRadius / radius)) ** third;

const conductance = (radius: number, mhz: number, size: number) =>
  (0.017778 * curvatureRatio(radius) * mhz ** -third) / size;

function scaled(radius: number, distance: number, mhz: number, size: number): number {
  const ratio = curvatureRatio(radius);
  return ((1.607 - conductance(radius, mhz, size)) * ratio * ratio * mhz ** third * distance) / 1000;
}

function heightGain(x: number, k: number): number {
  if (x < 200) {
    const w = -Math.log(k);
    if (k < 1e-5 || x * w ** 3 > 5495) return x > 1 ? 40 * Math.log10(x) - 117 : -117;
    return (2.5e-5 * x * x) / k + 20 * Math.log10(k) - 15;
  }
  const far = 0.05751 * x - 10 * Math.log10(x);
  if (x >= 2000) return far;
  const w = 0.0134 * x * Math.exp(-0.005 * x);
  return (1 - w) * far + w * (40 * Math.log10(x) - 117);
}

/** The frequency's part of the distances behind the horizon at which the model looks. */
export const diffractionScale = (curvature: number, mhz: number): number =>
  (1 / (curvature * curvature * mhz)) ** third;
