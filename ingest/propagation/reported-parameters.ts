import type { PredictionOptions } from './prediction.ts';

/* The options of a prediction as the report of modelled coverage has them, and back. */

type Options = Omit<PredictionOptions, 'threads' | 'patterns' | 'permittivity' | 'conductivity' | 'mode'>;
type Reported = ReturnType<typeof reportedParameters>;

export function reportedParameters(options: Options) {
  return {
    range_km: options.range / 1000,
    resolution_m: options.step,
    receiver_height_m: options.receiverHeight,
    receiver_gain_dbi: options.receiverGain,
    time_percent: options.time,
    location_percent: options.location,
    situation_percent: options.situation,
    climate: options.climate,
    refractivity: options.refractivity,
  };
}

/** @param parameters of a report that a worker has written */
export function optionsReported(parameters: Readonly<Record<string, number>>): Options {
  const reported = parameters as Reported;
  return {
    range: 1000 * reported.range_km,
    step: reported.resolution_m,
    receiverHeight: reported.receiver_height_m,
    receiverGain: reported.receiver_gain_dbi,
    time: reported.time_percent,
    location: reported.location_percent,
    situation: reported.situation_percent,
    climate: reported.climate,
    refractivity: reported.refractivity,
  };
}
