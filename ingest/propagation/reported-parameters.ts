import type { ModelledWith } from '../../core/coverage/submissions/modelling-report.ts';
import type { PredictionOptions } from './prediction-options.ts';

/* The options of a prediction as the report of modelled coverage has them, and back. */

type ReportedOptions = Omit<
  PredictionOptions,
  'threads' | 'patterns' | 'clutter' | 'permittivity' | 'conductivity' | 'mode'
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
