import { isVertical, type Pattern } from './antenna.ts';
import type { ModelParameters } from './itm/itm.ts';
import type { PredictionOptions } from './prediction-options.ts';
import type { Tower } from './tower.ts';

/* Sites: towers at one place with one height, frequency and polarisation, which share their path loss. */

/** Indexes of its towers in the list. */
export type Site = readonly number[];

export interface SiteAntenna {
  tower: Tower;
  pattern: Pattern | undefined;
}

/** The signal around a site, point by point of its radials; in memory that threads share. */
export interface SiteSignal {
  /** In dBm at an isotropic receiver; NaN without a result of the model. */
  power: Float32Array;
  /** The index of the strongest antenna of the site. */
  strongest: Uint16Array;
  /** The share of its surroundings without terrain. */
  unknown: number;
}

export interface KeptSites {
  /** @param inputs all that the signal depends on, except the model and the terrain */
  find(tower: Tower, inputs: SiteInputs, points: number): Promise<SiteSignal | undefined>;
  /** @returns the signal as {@link find} will return it, so that the same towers always give the same coverage */
  keep(tower: Tower, inputs: SiteInputs, signal: SiteSignal): Promise<SiteSignal>;
}

/** The sites of a list, ordered by place, so that the ground of a place is read once. */
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

/** The inputs of the path loss around a tower, besides the terrain. */
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

/** The inputs of a signal, without terrain and receiver. */
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
