import { waveNumber } from './ground.ts';
import type { Path } from './path.ts';

/* Attenuation by scatter in the troposphere (Hufford, section 4, from equation 4.60 on, with section 6 from 6.8 on). */

/** In dB: higher losses by scatter do not count. */
export const maxScatterLoss = 1000;
/** The loss in dB of antennas too low for any scatter: more than {@link maxScatterLoss}. */
const noScatter = 1001;

/** Coefficients of distance times angle, by its range: constant, linear, logarithmic. */
const ranges = [
  [133.4, 0.332e-3, -10],
  [104.6, 0.212e-3, -2.5],
  [71.8, 0.157e-3, 5],
] as const;

function byAngleAndDistance(product: number): number {
  const [constant, linear, logarithmic] = ranges[product <= 10e3 ? 0 : product <= 70e3 ? 1 : 2];
  return constant + linear * product + logarithmic * Math.log10(product);
}

const squares = [25, 80, 177, 395, 705];
const singles = [24, 45, 68, 80, 105];

/** The frequency gain H01 (6.13). */
function frequencyGain(r: number, efficiency: number): number {
  const whole = Math.min(5, Math.max(1, Math.floor(efficiency)));
  const part = efficiency <= 1 || efficiency >= 5 ? 0 : efficiency - whole;
  const x = 1 / (r * r);
  const at = (i: number) => 10 * Math.log10(1 + x * ((singles[i] as number) + x * (squares[i] as number)));
  const gain = at(whole - 1);
  return part === 0 ? gain : (1 - part) * gain + part * at(whole);
}

/** The scatter loss at successive distances of a path, from the far end: a nearer one reuses terms of the one before. */
export class Scatter {
  #gain = -1;

  begin(): void {
    this.#gain = -1;
  }

  /** @param beyond the horizons' angle over the horizontal, negative, as for diffraction @returns dB beside free space; over {@link maxScatterLoss}: none */
  loss(distance: number, path: Path, mhz: number, beyond: number): number {
    const { horizonAngles, horizonDistances, effectiveHeights, curvature, refractivity } = path;
    const waves = waveNumber(mhz);
    const angle = (horizonAngles[0] as number) + (horizonAngles[1] as number) + distance * curvature;
    if (this.#gain <= 15) {
      const a = effectiveHeights[0] as number;
      const b = effectiveHeights[1] as number;
      const rA = 2 * waves * angle * a;
      const rB = 2 * waves * angle * b;
      if (rA < 0.2 && rB < 0.2) return noScatter;
      const apart = (horizonDistances[0] as number) - (horizonDistances[1] as number);
      const further = Math.abs(apart);
      const ratio = apart < 0 ? a / b : b / a;
      const asymmetry = (distance - further) / (distance + further);
      const q = Math.min(10, Math.max(0.1, ratio / asymmetry));
      const s = Math.max(0.1, asymmetry);
      // The height at which the horizons' rays cross.
      const crossing = ((distance - further) * (distance + further) * angle * 0.25) / distance;
      const efficiency =
        (crossing / 1.7556e3) *
        (1 +
          (0.031 - refractivity * 2.32e-3 + refractivity * refractivity * 5.67e-6) *
            Math.exp(-(Math.min(1.7, crossing / 8e3) ** 6)));
      const counted = Math.max(1, efficiency);
      const both = (frequencyGain(rA, counted) + frequencyGain(rB, counted)) / 2;
      const correction = Math.min(both, 6 * (0.6 - Math.log10(counted)) * Math.log10(s) * Math.log10(q));
      let gain = Math.max(0, both + correction);
      if (efficiency < 1) {
        const near =
          ((1 + Math.SQRT2 / rA) * (1 + Math.SQRT2 / rB)) ** 2 * ((rA + rB) / (rA + rB + 2 * Math.SQRT2));
        gain = efficiency * gain + (1 - efficiency) * 10 * Math.log10(near);
      }
      if (gain > 15 && this.#gain >= 0) gain = this.#gain;
      this.#gain = gain;
    }
    const bent = distance * curvature - beyond;
    return (
      byAngleAndDistance(bent * distance) +
      10 * Math.log10(47.7 * waves * bent ** 4) -
      0.1 * (refractivity - 301) * Math.exp((-bent * distance) / 40e3) +
      this.#gain
    );
  }
}
