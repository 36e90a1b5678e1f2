import { isVertical, type Pattern } from './antenna.ts';
import type { ModelParameters } from './itm/itm.ts';
import type { PredictionOptions } from './prediction-options.ts';
import type { Tower } from './tower.ts';

/* Sites: towers at one place, of one height, frequency and polarisation, which share their path loss. */

/** The positions of its towers in the list. */
export type Site = readonly number[];

export interface SiteAntenna {
  tower: Tower;
  /** From the file that the tower names. */
  pattern: Pattern | undefined;
}

/** What is received around a site, point by point of its radials; in memory that threads share. */
export interface SiteSignal {
  /** In dBm at an isotropic receiver; NaN where the model cannot say. */
  power: Float32Array;
  /** By position among the antennas of the site. */
  strongest: Uint16Array;
  /** The part of its surroundings without terrain. */
  unknown: number;
}

export interface KeptSites {
  /** @param inputs all that the signal depends on, but for the model and the terrain */
  find(tower: Tower, inputs: SiteInputs, points: number): Promise<SiteSignal | undefined>;
  /** @returns the signal as {@link find} gives it afterwards: the same towers give the same coverage either way */
  keep(tower: Tower, inputs: SiteInputs, signal: SiteSignal): Promise<SiteSignal>;
}

/** The sites of a list, in the order of places: the ground of a place is read once. */
export function sitesOf(towers: readonly Tower[]): Site[] {
  const sites = new Map<string, number[]>();
  for (const [i, tower] of towers.entries()) {
    const { lat, lng, height_m, frequency_mhz } = tower;
    const key = [lat, lng, height_m, frequency_mhz, isVertical(tower)].join(' ');
    const site = sites.get(key) ?? [];
    site.push(i);
    sites.set(key, site);
  }
  return [...sites].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, site]) => site);
}

/** A tower as messages name it. */
export const nameOfTower = ({ name, lat, lng }: Tower): string => name ?? `at ${lat}, ${lng}`;

/** What the path loss around a tower depends on, besides the terrain. */
export function modelParameters(
  tower: Tower,
  options: Omit<ModelParameters, 'mhz' | 'transmitter' | 'receiver' | 'vertical'> & {
    receiverHeight: number;
  },
): ModelParameters {
  const { climate, refractivity, permittivity, conductivity, time, location, situation, mode } = options;
  return {
    mhz: tower.frequency_mhz,
    transmitter: tower.height_m,
    receiver: options.receiverHeight,
    vertical: isVertical(tower),
    ...{ climate, refractivity, permittivity, conductivity, time, location, situation, mode },
  };
}

/** All that a signal depends on, but for the terrain and for what a receiver adds to it. */
export type SiteInputs = ReturnType<typeof siteInputs>;

export const siteInputs = (
  parameters: ModelParameters,
  antennas: readonly SiteAntenna[],
  { range, step }: Pick<PredictionOptions, 'range' | 'step'>,
) => ({
  ...{ range, step, ...parameters },
  antennas: antennas.map(({ tower: { name: _, speeds: __, ...tower }, pattern }) => ({
    ...tower,
    pattern: pattern && [[...pattern.horizontal], [...pattern.vertical]],
  })),
});
