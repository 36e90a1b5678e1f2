import type { Clutter } from './clutter.ts';
import type { ModelParameters } from './itm/itm.ts';
import type { Terrain } from './terrain.ts';
import type { Tower } from './tower.ts';

/* Options of a prediction and their defaults. docs/propagation.md explains the parameters. */

export interface PredictionOptions
  extends Pick<
    ModelParameters,
    'climate' | 'refractivity' | 'permittivity' | 'conductivity' | 'time' | 'location' | 'situation' | 'mode'
  > {
  /** Above the ground, in metres. */
  receiverHeight: number;
  /** In dBi. */
  receiverGain: number;
  /** In metres. */
  range: number;
  /** The distance of points of profiles, and the side of pixels, in metres. */
  step: number;
  threads: number;
  threadFile: string;
  patterns: string;
  clutter?: Clutter | undefined;
}

/** For fixed wireless in New Zealand, see docs/propagation.md. */
export const modelDefaults = {
  climate: 6,
  refractivity: 320,
  permittivity: 15,
  conductivity: 0.005,
  time: 90,
  location: 50,
  situation: 50,
  /** Broadcast: time, location and situation vary separately. At 50 % of places it gives the same as 12 (mobile, for a known place). */
  mode: 3,
} as const;

/** Areas of fewer pixels take the class of the largest beside them. */
export const defaultSmallest = 4;
/** The range has at most this many steps: the work of a site grows with their square. */
export const maxSteps = 2000;
/** In metres. Users may ask for finer steps. */
const finestDefaultStep = 30;

/** The default step in whole metres: that of the finest terrain, but at least 30 m, and at most {@link maxSteps} to the range. */
export function defaultStep(towers: readonly Tower[], terrain: Terrain, range: number): number {
  let finest = Number.POSITIVE_INFINITY;
  for (const { lat, lng } of towers)
    finest = Math.min(finest, terrain.resolutionAround(lat, lng, range) ?? finest);
  const ofTerrain = Number.isFinite(finest) ? Math.round(finest) : 0;
  return Math.ceil(Math.max(finestDefaultStep, ofTerrain, range / maxSteps));
}
