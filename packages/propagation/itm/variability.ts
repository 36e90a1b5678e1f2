import { irregularityWithin, waveNumber } from './ground.ts';
import type { Path } from './path.ts';

/* The variability of losses with time, place and situation (Hufford, section 5). */

/** Constants of a curve over the effective distance: two of loss, three of distance. */
type Curve = readonly [number, number, number, number, number];

interface Climate {
  median: Curve;
  below: Curve;
  above: Curve;
  /** The deviation in rare hours. */
  rare: number;
  /** The quantile at which rare hours begin. */
  rareFrom: number;
  belowByFrequency: readonly [number, number, number];
  aboveByFrequency: readonly [number, number, number];
}

const always: Climate['belowByFrequency'] = [1, 0, 0];

/** By the model's numbers, from 1. */
const climates: Record<string, Climate> = {
  equatorial: {
    median: [-9.67, 12.7, 144.9e3, 190.3e3, 133.8e3],
    below: [2.13, 159.5, 762.2e3, 123.6e3, 94.5e3],
    above: [2.11, 102.3, 636.9e3, 134.8e3, 95.6e3],
    ...{ rare: 1.224, rareFrom: 1.282, belowByFrequency: always, aboveByFrequency: always },
  },
  'continental subtropical': {
    median: [-0.62, 9.19, 228.9e3, 205.2e3, 143.6e3],
    below: [2.66, 7.67, 100.4e3, 172.5e3, 136.4e3],
    above: [6.87, 15.53, 138.7e3, 143.7e3, 98.6e3],
    ...{ rare: 0.801, rareFrom: 2.161, belowByFrequency: always, aboveByFrequency: [0.93, 0.31, 2] },
  },
  'maritime subtropical': {
    median: [1.26, 15.5, 262.6e3, 185.2e3, 99.8e3],
    below: [6.11, 6.65, 138.2e3, 242.2e3, 178.6e3],
    above: [10.08, 9.6, 165.3e3, 225.7e3, 129.7e3],
    ...{ rare: 1.38, rareFrom: 1.282, belowByFrequency: always, aboveByFrequency: always },
  },
  desert: {
    median: [-9.21, 9.05, 84.1e3, 101.1e3, 98.6e3],
    below: [1.98, 13.11, 139.1e3, 132.7e3, 193.5e3],
    above: [3.68, 159.3, 464.4e3, 93.1e3, 94.2e3],
    ...{ rare: 1, rareFrom: 20, belowByFrequency: always, aboveByFrequency: [0.93, 0.19, 1.79] },
  },
  'continental temperate': {
    median: [-0.62, 9.19, 228.9e3, 205.2e3, 143.6e3],
    below: [2.68, 7.16, 93.7e3, 186.8e3, 133.5e3],
    above: [4.75, 8.12, 93.2e3, 135.9e3, 113.4e3],
    ...{ rare: 1.224, rareFrom: 1.282 },
    ...{ belowByFrequency: [0.92, 0.25, 1.77], aboveByFrequency: [0.93, 0.31, 2] },
  },
  'maritime temperate over land': {
    median: [-0.39, 2.86, 141.7e3, 315.9e3, 167.4e3],
    below: [6.86, 10.38, 187.8e3, 169.6e3, 108.9e3],
    above: [8.58, 13.97, 216e3, 152e3, 122.7e3],
    ...{ rare: 1.518, rareFrom: 1.282, belowByFrequency: always, aboveByFrequency: always },
  },
  'maritime temperate over sea': {
    median: [3.15, 857.9, 2222e3, 164.8e3, 116.3e3],
    below: [8.51, 169.8, 609.8e3, 119.9e3, 106.6e3],
    above: [8.43, 8.19, 136.2e3, 188.5e3, 122.9e3],
    ...{ rare: 1.518, rareFrom: 1.282, belowByFrequency: always, aboveByFrequency: always },
  },
};

/** In the order of the model's numbers from 1. */
export const climateNames: readonly string[] = Object.keys(climates);

/** Shares of the time, places and situations in which the loss is not exceeded, in percent, with climate and mode. */
export interface Reliability {
  /** The model's number of a climate, 1 to 7. */
  climate: number;
  time: number;
  location: number;
  situation: number;
  /** The mode of variability: 0 single message, 1 accidental, 2 mobile, 3 broadcast; plus 10: places do not vary; plus 20: nor do situations. */
  mode: number;
}

/** Returns a function from the reference attenuation of a path to the loss beside free space that is not exceeded. */
export function variability(
  { climate: number, time, location, situation, mode }: Reliability,
  mhz: number,
): { loss(path: Path, reference: number): number } {
  const climate = climates[climateNames[number - 1] as string] as Climate;
  const waves = waveNumber(mhz);
  const placesVary = Math.floor(mode / 10) % 2 === 0;
  const situationsVary = mode < 20;
  const kind = mode % 10;
  const s = exceeded(situation / 100);
  let t = exceeded(time / 100);
  let l = exceeded(location / 100);
  if (kind === 0) t = s;
  if (kind <= 1) l = s;
  else if (kind === 2) l = t;
  const byFrequency = ([constant, part, factor]: readonly [number, number, number]) =>
    constant + part / ((factor * Math.log(0.133 * waves)) ** 2 + 1);
  const factorBelow = byFrequency(climate.belowByFrequency);
  const factorAbove = byFrequency(climate.aboveByFrequency);
  const frequencyReach = (575.7e12 / waves) ** (1 / 3);

  return {
    loss(path, reference) {
      const { distance, deltaH, effectiveHeights } = path;
      const reach =
        Math.sqrt(18e6 * (effectiveHeights[0] as number)) +
        Math.sqrt(18e6 * (effectiveHeights[1] as number)) +
        frequencyReach;
      const effective = distance < reach ? (130e3 * distance) / reach : 130e3 + distance - reach;
      const median = at(climate.median, effective);
      let inTime: number;
      if (t < 0) inTime = at(climate.below, effective) * factorBelow;
      else {
        const above = at(climate.above, effective) * factorAbove;
        const rare = above * climate.rare;
        inTime = t <= climate.rareFrom ? above : rare + ((above - rare) * climate.rareFrom) / t;
      }
      const rough = irregularityWithin(deltaH, distance) * waves;
      const inPlace = placesVary ? (10 * rough) / (rough + 13) : 0;
      const inSituation = situationsVary ? 5 + 3 * Math.exp(-effective / 100e3) : 0;
      const spread =
        inSituation * inSituation +
        (inTime * inTime * t * t) / (7.8 + s * s) +
        (inPlace * inPlace * l * l) / (24 + s * s);
      let deviation: number;
      let known: number;
      if (kind === 0) {
        deviation = Math.sqrt(inTime * inTime + inPlace * inPlace + spread);
        known = 0;
      } else if (kind === 1) {
        deviation = Math.sqrt(inPlace * inPlace + spread);
        known = inTime * t;
      } else if (kind === 2) {
        deviation = Math.sqrt(spread);
        known = Math.sqrt(inTime * inTime + inPlace * inPlace) * t;
      } else {
        deviation = Math.sqrt(spread);
        known = inTime * t + inPlace * l;
      }
      const loss = reference - median - known - deviation * s;
      return loss < 0 ? (loss * (29 - loss)) / (29 - 10 * loss) : loss;
    },
  };
}

function at(curve: Curve, distance: number): number {
  const near = (distance / curve[2]) ** 2;
  return ((curve[0] + curve[1] / (1 + ((distance - curve[3]) / curve[4]) ** 2)) * near) / (1 + near);
}

/** The standard normal deviate that is exceeded with a probability (Abramowitz and Stegun, 26.2.23). */
function exceeded(probability: number): number {
  const tail = Math.min(probability, 1 - probability);
  const t = Math.sqrt(-2 * Math.log(tail));
  const deviate =
    t - (2.515516698 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  return probability > 0.5 ? -deviate : deviate;
}
