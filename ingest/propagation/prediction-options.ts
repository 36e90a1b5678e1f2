import {
  defaultRangeKm,
  type ModellingParameters,
  maxSteps,
  speedProfileNames,
} from '../../core/coverage/submissions/modelling-parameters.ts';
import type { Tower } from '../../core/coverage/submissions/towers.ts';
import type { Clutter } from './clutter.ts';
import type { ModelParameters } from './itm/itm.ts';
import { type SpeedClass, type SpeedProfile, speedProfiles } from './speed-profiles.ts';
import type { Terrain } from './terrain.ts';

/* What a prediction is made with, and what is taken where nobody says. docs/propagation.md explains the parameters. */

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
  /** Of profiles and pixels, in metres. */
  step: number;
  threads: number;
  /** The folder of pattern files. */
  patterns: string;
  /** Land cover around receivers. */
  clutter?: Clutter | undefined;
}

/** For fixed wireless in New Zealand; what they mean is in docs/propagation.md. */
export const modelDefaults = {
  climate: 6,
  refractivity: 320,
  permittivity: 15,
  conductivity: 0.005,
  time: 90,
  location: 50,
  situation: 50,
  /** Broadcast, in which time, location and situation each have their effect. At 50 % of places it gives what 12 (mobile, for a known place) gives. */
  mode: 3,
} as const;

/** Areas of fewer pixels take the class of the largest beside them. */
export const defaultSmallest = 4;
/** In metres. A user may ask for finer steps. */
const finestDefaultStep = 30;

/**
 * The step where nobody gives one: that of the finest terrain around the towers, at least 30 m, and so large that the range has no more
 * steps than a manifest may ask for.
 * @param range in metres
 * @returns whole metres
 */
export function defaultStep(towers: readonly Tower[], terrain: Terrain, range: number): number {
  let finest = Number.POSITIVE_INFINITY;
  for (const { lat, lng } of towers)
    finest = Math.min(finest, terrain.resolutionAround(lat, lng, range) ?? finest);
  const ofTerrain = Number.isFinite(finest) ? Math.round(finest) : 0;
  return Math.ceil(Math.max(finestDefaultStep, ofTerrain, range / maxSteps));
}

/** What the parameters of a manifest mean, with the default of each that it leaves out. */
export function chosenBy(parameters: ModellingParameters, towers: readonly Tower[], terrain: Terrain) {
  const profileName = parameters.profile ?? speedProfileNames[0];
  const profile = speedProfiles[profileName] as SpeedProfile;
  const range = 1000 * (parameters.range_km ?? defaultRangeKm);
  const options: Omit<PredictionOptions, 'threads' | 'patterns' | 'clutter'> = {
    ...modelDefaults,
    ...{ range, step: parameters.resolution_m ?? defaultStep(towers, terrain, range) },
    receiverHeight: parameters.receiver_height_m ?? profile.receiverHeight,
    receiverGain: parameters.receiver_gain_dbi ?? profile.receiverGain,
    climate: parameters.climate ?? modelDefaults.climate,
    refractivity: parameters.refractivity ?? modelDefaults.refractivity,
    time: parameters.time_percent ?? modelDefaults.time,
    location: parameters.location_percent ?? modelDefaults.location,
    situation: parameters.situation_percent ?? modelDefaults.situation,
  };
  /** The strongest first. */
  const classes: readonly SpeedClass[] =
    parameters.speeds?.map(({ dbm, ...speeds }) => ({ dbm, speeds })).sort((a, b) => b.dbm - a.dbm) ??
    profile.classes;
  return { profile: profileName, classes, options };
}
