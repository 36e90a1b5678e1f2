import {
  defaultRangeKm,
  type ModellingParameters,
  speedProfileNames,
} from '../../core/coverage/submissions/modelling-parameters.ts';
import type { ModelledWith } from '../../core/coverage/submissions/modelling-report.ts';
import { defaultStep, modelDefaults, type PredictionOptions } from '../../propagation/prediction-options.ts';
import type { Terrain } from '../../propagation/terrain.ts';
import type { Tower } from '../../propagation/tower.ts';
import { type SpeedClass, type SpeedProfile, speedProfiles } from './speed-profiles.ts';

/* The options of a prediction: out of a manifest, and as the report of modelled coverage has them. */

type ReportedOptions = Omit<
  PredictionOptions,
  'threads' | 'threadFile' | 'patterns' | 'clutter' | 'permittivity' | 'conductivity' | 'mode'
>;

export const reportedParameters = (options: ReportedOptions): ModelledWith => ({
  range_km: options.range / 1000,
  resolution_m: options.step,
  receiver_height_m: options.receiverHeight,
  receiver_gain_dbi: options.receiverGain,
  time_percent: options.time,
  location_percent: options.location,
  situation_percent: options.situation,
  climate: options.climate,
  refractivity: options.refractivity,
});

export const reportedOptions = (parameters: ModelledWith): ReportedOptions => ({
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

/** What the parameters of a manifest mean, with the default of each that it leaves out. */
export function chosenBy(parameters: ModellingParameters, towers: readonly Tower[], terrain: Terrain) {
  const profileName = parameters.profile ?? speedProfileNames[0];
  const profile = speedProfiles[profileName] as SpeedProfile;
  const range = 1000 * (parameters.range_km ?? defaultRangeKm);
  const options: Omit<PredictionOptions, 'threads' | 'threadFile' | 'patterns' | 'clutter'> = {
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
