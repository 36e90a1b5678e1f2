import { irregularityWithin, terrainDeviation, waveNumber } from './ground.ts';
import type { Link, Path } from './path.ts';

/* Attenuation beyond the horizon (Hufford, section 4, from 4.11 on, and 6): between two knife edges and a smooth earth, by how irregular the terrain is. */

const earthRadius = 6370e3;

/** The diffraction loss at successive distances of a path. */
export class Diffraction {
  readonly #waves: number;
  readonly #product: number;
  readonly #clutterScale: number;
  readonly #rootMhz: number;
  readonly #conductance: number;
  #path!: Path;
  #angle = 0;
  #range = 0;
  #smooth = 0;
  #gain = 0;
  #clutter = 0;
  #raised = 0;

  constructor({ mhz, heights, impedance }: Link) {
    this.#waves = waveNumber(mhz);
    this.#product = heights[0] * heights[1];
    this.#clutterScale = 1e-5 * this.#product * mhz;
    this.#rootMhz = Math.cbrt(mhz);
    this.#conductance = 0.017778 / this.#rootMhz / Math.hypot(impedance.re, impedance.im);
  }

  /** Prepares a path. @param angle of the horizons over the horizontal, negative @param smoothRange the sum of both horizons of a smooth earth */
  begin(path: Path, angle: number, smoothRange: number): void {
    const { deltaH, horizonDistances: horizons, effectiveHeights: heights } = path;
    this.#path = path;
    this.#angle = angle;
    this.#range = (horizons[0] as number) + (horizons[1] as number);
    // Over three earths, one between the horizons and one to each, by Vogler's method (4.20 and 6.2 to 6.7): these are the outer two.
    this.#smooth = 0;
    this.#gain = 0;
    for (let i = 0; i < 2; i++) {
      const horizon = horizons[i] as number;
      const ratio = curvatureRatio((0.5 * horizon * horizon) / (heights[i] as number));
      const x = this.#scaled(ratio, horizon);
      this.#smooth += x;
      this.#gain += heightGain(x, this.#conductance * ratio);
    }
    const deviation = terrainDeviation(irregularityWithin(deltaH, smoothRange));
    this.#clutter = Math.min(15, 5 * Math.log10(1 + this.#clutterScale * deviation));
    // 10 is the value of point-to-point predictions.
    const raised = (heights[0] as number) * (heights[1] as number) - this.#product;
    this.#raised = Math.sqrt(1 + raised / (this.#product + 10));
  }

  /** @returns decibels beside free space */
  loss(distance: number): number {
    const { deltaH, horizonDistances: horizons, curvature } = this.#path;
    const bent = distance * curvature - this.#angle;
    const past = distance - this.#range;
    const edges =
      this.#edgeLoss(bent, past, horizons[0] as number) + this.#edgeLoss(bent, past, horizons[1] as number);
    const sum = this.#smooth + this.#scaled(curvatureRatio(past / bent), past);
    const smooth = 0.05751 * sum - 10 * Math.log10(sum) - this.#gain - 20;
    const factor = this.#raised + (this.#range - this.#angle / curvature) / distance;
    const rough = factor * Math.min(irregularityWithin(deltaH, distance) * this.#waves, 6283.2);
    const weight = 25.1 / (25.1 + Math.sqrt(rough));
    return weight * smooth + (1 - weight) * edges + this.#clutter;
  }

  /** The loss over one edge (4.21 and 6.1, with the square of nu). */
  #edgeLoss(bent: number, past: number, horizon: number): number {
    const square = (0.0795775 * this.#waves * bent * bent * horizon * past) / (past + horizon);
    return square < 5.76 ? 6.02 + 9.11 * Math.sqrt(square) - 1.27 * square : 12.953 + 10 * Math.log10(square);
  }

  #scaled(ratio: number, distance: number): number {
    return ((1.607 - this.#conductance * ratio) * ratio * ratio * this.#rootMhz * distance) / 1000;
  }
}

const curvatureRatio = (radius: number) => Math.cbrt((4 / 3) * (earthRadius / radius));

function heightGain(x: number, k: number): number {
  if (x < 200) {
    const w = -Math.log(k);
    if (k < 1e-5 || x * w * w * w > 5495) return x > 1 ? 40 * Math.log10(x) - 117 : -117;
    return (2.5e-5 * x * x) / k + 20 * Math.log10(k) - 15;
  }
  const far = 0.05751 * x - 10 * Math.log10(x);
  if (x >= 2000) return far;
  const w = 0.0134 * x * Math.exp(-0.005 * x);
  return (1 - w) * far + w * (40 * Math.log10(x) - 117);
}

/** The distance behind the horizon at which the model samples diffraction depends on frequency by this factor. */
export const diffractionScale = (curvature: number, mhz: number): number =>
  Math.cbrt(1 / (curvature * curvature * mhz));
