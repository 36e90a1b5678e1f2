import { irregularityWithin, terrainDeviation, waveNumber } from './ground.ts';
import type { Link, Path } from './path.ts';

/* Attenuation within sight (Hufford, section 4, from 4.38 on): the direct and the reflected ray, weighted with diffraction. */

/** @param diffracted the loss by the line of diffraction @param smoothRange the sum of both horizons of a smooth earth @returns dB beside free space */
export function sightLoss(
  distance: number,
  path: Path,
  { mhz, impedance }: Link,
  diffracted: number,
  smoothRange: number,
): number {
  const a = path.effectiveHeights[0] as number;
  const b = path.effectiveHeights[1] as number;
  const waves = waveNumber(mhz);
  const deviation = terrainDeviation(irregularityWithin(path.deltaH, distance));
  const sine = (a + b) / Math.sqrt(distance * distance + (a + b) * (a + b));
  // The reflection coefficient: (sine - Z) (sine + Z), less the scatter of rough ground.
  const { re: zRe, im: zIm } = impedance;
  const below = (sine + zRe) * (sine + zRe) + zIm * zIm;
  let re = ((sine - zRe) * (sine + zRe) - zIm * zIm) / below;
  let im = (-zIm * (sine + zRe) - (sine - zRe) * zIm) / below;
  const scattered = Math.exp(-Math.min(10, waves * deviation * sine));
  re *= scattered;
  im *= scattered;
  const square = re * re + im * im;
  if (square < 0.25 || square < sine) {
    const raised = Math.sqrt(sine / square);
    re *= raised;
    im *= raised;
  }
  let phase = (2 * waves * a * b) / distance;
  if (phase > Math.PI / 2) phase = Math.PI - (Math.PI * Math.PI) / 4 / phase;
  re += Math.cos(phase);
  im -= Math.sin(phase);
  const twoRays = -10 * Math.log10(re * re + im * im);
  const weight = 1 / (1 + (mhz * path.deltaH) / Math.max(10e3, smoothRange));
  return weight * twoRays + (1 - weight) * diffracted;
}
