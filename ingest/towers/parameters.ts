import {
  defaultStep,
  modelDefaults,
  type PredictionOptions,
} from '@covermap/propagation/prediction-options.ts';
import type { Terrain } from '@covermap/propagation/terrain.ts';
import type { Tower } from '@covermap/propagation/tower.ts';
import {
  defaultRangeKm,
  type ModellingParameters,
  speedProfileNames,
} from '../../coverage/submissions/modelling-parameters.ts';
import type { ModelledWith } from '../../coverage/submissions/modelling-report.ts';
import { type SpeedClass, speedProfiles } from './speed-profiles.ts';

/* The options of a prediction from a manifest, and for the report of modelled coverage. */

type ModelOptions = Omit<PredictionOptions, 'threads' | 'threadFile' | 'patterns' | 'clutter'>;

export const reportedOptions = (parameters: ModelledWith): ModelOptions => ({
  ...modelDefaults,
  range: 1000 * parameters.range_km,
  step: parameters.resolution_m,
  receiverHeight: parameters.receiver_height_m,
  receiverGain: parameters.receiver_gain_dbi,
  time: parameters.time_percent,
  location: parameters.location_percent,
  situation: parameters.situation_percent,
  climate: parameters.climate,
  refractivity: parameters.refractivity,
});

/** The parameters of a manifest, with defaults for missing ones. */
export function chosenBy(given: ModellingParameters, towers: readonly Tower[], terrain: Terrain) {
  const profileName = given.profile ?? speedProfileNames[0];
  const profile = speedProfiles[profileName];
  const range_km = given.range_km ?? defaultRangeKm;
  const parameters: ModelledWith = {
    range_km,
    resolution_m: given.resolution_m ?? defaultStep(towers, terrain, 1000 * range_km),
    receiver_height_m: given.receiver_height_m ?? profile.receiverHeight,
    receiver_gain_dbi: given.receiver_gain_dbi ?? profile.receiverGain,
    time_percent: given.time_percent ?? modelDefaults.time,
    location_percent: given.location_percent ?? modelDefaults.location,
    situation_percent: given.situation_percent ?? modelDefaults.situation,
    climate: given.climate ?? modelDefaults.climate,
    refractivity: given.refractivity ?? modelDefaults.refractivity,
  };
  /** The strongest first. */
  const classes: readonly SpeedClass[] =
    given.speeds?.map(({ dbm, ...speeds }) => ({ dbm, speeds })).sort((a, b) => b.dbm - a.dbm) ??
    profile.classes;
  return { profile: profileName, classes, parameters, options: reportedOptions(parameters) };
}
