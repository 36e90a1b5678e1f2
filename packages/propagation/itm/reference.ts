import { Diffraction, diffractionScale } from './diffraction.ts';
import type { Link, Path } from './path.ts';
import { maxScatterLoss, Scatter } from './scatter.ts';
import { sightLoss } from './sight.ts';

/* The median loss beside free space (Hufford, section 4): lines through diffraction and scatter at two distances each, a curve within sight. */

/** The horizons of both ends over smooth ground. */
const smoothHorizon = (path: Path, end: number): number =>
  Math.sqrt((2 * (path.effectiveHeights[end] as number)) / path.curvature);

export class Reference {
  readonly #link: Link;
  readonly #diffraction: Diffraction;
  readonly #scatter = new Scatter();
  readonly #logMhz: number;
  loss = 0;

  constructor(link: Link) {
    this.#link = link;
    this.#diffraction = new Diffraction(link);
    this.#logMhz = Math.log(link.mhz);
  }

  /** Puts the attenuation of a path into `loss`, without allocating. */
  find(path: Path): void {
    const { horizonDistances, horizonAngles, curvature, distance } = path;
    const { mhz } = this.#link;
    const range = (horizonDistances[0] as number) + (horizonDistances[1] as number);
    const smoothRange = smoothHorizon(path, 0) + smoothHorizon(path, 1);
    const angle = -Math.max((horizonAngles[0] as number) + (horizonAngles[1] as number), -range * curvature);
    // The line of diffraction, through two points behind the horizon.
    const scale = diffractionScale(curvature, mhz);
    const nearer = Math.max(smoothRange, range + 5 * scale);
    const farther = nearer + 10 * scale;
    this.#diffraction.begin(path, angle, smoothRange);
    const lossNearer = this.#diffraction.loss(nearer);
    const slope = (this.#diffraction.loss(farther) - lossNearer) / (farther - nearer);
    const atZero = lossNearer - slope * nearer;
    if (distance < smoothRange) {
      this.loss = Math.max(0, withinSight(path, this.#link, slope, atZero, range, smoothRange));
      return;
    }
    this.loss = Math.max(0, slope * distance + atZero);
    // Scatter counts only from here on.
    const nearest = Math.max(smoothRange, range + 1.088 * scale * this.#logMhz);
    if (distance <= nearest) return;
    this.#scatter.begin();
    const scatterFar = this.#scatter.loss(range + 400e3, path, mhz, angle);
    const scatterNear = this.#scatter.loss(range + 200e3, path, mhz, angle);
    if (scatterNear >= maxScatterLoss) return;
    const scatterSlope = (scatterFar - scatterNear) / 200e3;
    const crossing = Math.max(
      nearest,
      (scatterNear - atZero - scatterSlope * (range + 200e3)) / (slope - scatterSlope),
    );
    if (distance <= crossing) return;
    this.loss = Math.max(0, scatterSlope * distance + (slope - scatterSlope) * crossing + atZero);
  }
}

/** A curve of a linear and a logarithmic part through the losses at three distances. */
function withinSight(
  path: Path,
  link: Link,
  slope: number,
  atZero: number,
  range: number,
  smoothRange: number,
): number {
  const { effectiveHeights, distance } = path;
  const atEnd = smoothRange * slope + atZero;
  let first = 0.04 * link.mhz * (effectiveHeights[0] as number) * (effectiveHeights[1] as number);
  let second: number;
  if (atZero >= 0) {
    first = Math.min(first, 0.5 * range);
    second = first + 0.25 * (range - first);
  } else {
    second = Math.max(-atZero / slope, 0.25 * range);
  }
  const atSecond = sightLoss(second, path, link, slope * second + atZero, smoothRange);
  let linear = 0;
  let logarithmic = 0;
  let isCurve = false;
  if (first < second) {
    const atFirst = sightLoss(first, path, link, slope * first + atZero, smoothRange);
    const q = Math.log(smoothRange / first);
    logarithmic = Math.max(
      0,
      ((smoothRange - first) * (atSecond - atFirst) - (second - first) * (atEnd - atFirst)) /
        ((smoothRange - first) * Math.log(second / first) - (second - first) * q),
    );
    isCurve = atZero >= 0 || logarithmic > 0;
    if (isCurve) {
      linear = (atEnd - atFirst - logarithmic * q) / (smoothRange - first);
      if (linear < 0) {
        linear = 0;
        logarithmic = Math.max(0, atEnd - atFirst) / q;
        if (logarithmic === 0) linear = slope;
      }
    }
  }
  if (!isCurve) {
    logarithmic = 0;
    linear = Math.max(0, atEnd - atSecond) / (smoothRange - second);
    if (linear === 0) linear = slope;
  }
  return atEnd + linear * (distance - smoothRange) + logarithmic * Math.log(distance / smoothRange);
}
