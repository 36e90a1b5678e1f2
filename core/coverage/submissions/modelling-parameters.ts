import { z } from 'zod';
import { maxSteps } from '../../../propagation/prediction-options.ts';
import { eachSpeed, maxSpeedMbps } from '../speeds.ts';

/* What a manifest may say of how the service models coverage from towers. docs/propagation.md says what the parameters mean. */

/** From received power to speeds, by name; `ingest/modelling/speed-profiles.ts` has them. */
export const speedProfileNames = ['fixed-wireless', 'point-to-multipoint'] as const;

export const defaultRangeKm = 30;
const maxClasses = 20;

const percent = () => z.number().min(0.01).max(99.99).optional();
const speed = z.number().min(0).max(maxSpeedMbps);

const speedsFrom = z
  .strictObject({
    dbm: z.number().min(-200).max(50).describe('Received, over the whole channel.'),
    ...eachSpeed(() => speed),
  })
  .superRefine((value, context) => {
    const issue = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (value.bandwidth_max_mbps === 0) issue('bandwidth_max_mbps', 'is 0, which is no coverage');
    for (const way of ['', 'up_'] as const) {
      const [lower, upper] = [`bandwidth_${way}min_mbps`, `bandwidth_${way}max_mbps`] as const;
      if (value[lower] > value[upper]) issue(lower, `is above ${upper}`);
    }
  });

/** From received power to speeds, in any order; weaker than the weakest is no coverage. */
export const modelledSpeeds = z
  .array(speedsFrom)
  .min(1)
  .max(maxClasses)
  .superRefine((speeds, context) => {
    if (new Set(speeds.map(({ dbm }) => dbm)).size < speeds.length)
      context.addIssue({ code: 'custom', message: 'has a power twice' });
    const falling = [...speeds].sort((a, b) => b.dbm - a.dbm);
    for (const [i, { dbm, bandwidth_max_mbps, bandwidth_up_max_mbps }] of falling.entries()) {
      const weaker = falling[i + 1];
      const isLess =
        weaker &&
        (bandwidth_max_mbps < weaker.bandwidth_max_mbps ||
          bandwidth_up_max_mbps < weaker.bandwidth_up_max_mbps);
      if (!isLess) continue;
      const message = `has slower speeds at ${dbm} dBm than at ${weaker.dbm}, which is weaker`;
      context.addIssue({ code: 'custom', message });
    }
  });

/** `prediction` of a manifest; every field is optional. */
export const modellingParameters = z
  .strictObject({
    profile: z
      .enum(speedProfileNames)
      .optional()
      .describe('The receiver, and the speeds by received power; `fixed-wireless` by default.'),
    speeds: modelledSpeeds
      .optional()
      .describe('The speeds from a received power on, in place of those of the profile.'),
    range_km: z
      .number()
      .min(0.5)
      .max(100)
      .optional()
      .describe(`How far from a tower; ${defaultRangeKm} by default.`),
    resolution_m: z
      .number()
      .min(10)
      .max(500)
      .optional()
      .describe('Of pixels and profiles; that of the finest terrain by default, at least 30.'),
    receiver_height_m: z
      .number()
      .min(0.5)
      .max(100)
      .optional()
      .describe('Above the ground; that of the profile by default.'),
    receiver_gain_dbi: z.number().min(-20).max(60).optional().describe('That of the profile by default.'),
    time_percent: percent().describe('Of the time with at least the modelled signal; 90 by default.'),
    location_percent: percent().describe('Of places with at least that signal; 50 by default.'),
    situation_percent: percent().describe('Of situations with at least that signal; 50 by default.'),
    climate: z
      .int()
      .min(1)
      .max(7)
      .optional()
      .describe(
        'By the numbers of the Irregular Terrain Model; 6, maritime temperate over land, by default.',
      ),
    refractivity: z
      .number()
      .min(250)
      .max(400)
      .optional()
      .describe('Of the air at sea level, in N-units; 320 by default.'),
  })
  .superRefine(({ range_km = defaultRangeKm, resolution_m }, context) => {
    if (resolution_m !== undefined && (range_km * 1000) / resolution_m > maxSteps) {
      const message = `is too fine: ${range_km} km have more than ${maxSteps} steps of it`;
      context.addIssue({ code: 'custom', path: ['resolution_m'], message });
    }
  });

export type ModellingParameters = z.output<typeof modellingParameters>;
