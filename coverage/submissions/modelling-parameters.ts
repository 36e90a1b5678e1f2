import { maxSteps } from '@covermap/propagation/prediction-options.ts';
import { z } from 'zod';
import { issuesOf } from '../../platform/zod-problems.ts';
import { eachSpeed, maxSpeedMbps, speedRanges } from '../speeds.ts';

/* The parameters of modelling in a manifest, explained in docs/propagation.md. */

/** Profiles of speeds by received power; `ingest/towers/speed-profiles.ts` has them. */
export const speedProfileNames = ['fixed-wireless', 'point-to-multipoint'] as const;

export const defaultRangeKm = 30;
const maxClasses = 20;

const optional = (min: number, max: number, description: string) =>
  z.number().min(min).max(max).optional().describe(description);
const percent = (description: string) => optional(0.01, 99.99, description);

const speedsFrom = z
  .strictObject({
    dbm: z.number().min(-200).max(50).describe('Received, over the whole channel.'),
    ...eachSpeed(() => z.number().min(0).max(maxSpeedMbps)),
  })
  .superRefine((value, context) => {
    const issue = issuesOf(context);
    if (value.bandwidth_max_mbps === 0) issue(['bandwidth_max_mbps'], 'is 0, which is no coverage');
    for (const [lower, upper] of speedRanges) {
      if (value[lower] > value[upper]) issue([lower], `is above ${upper}`);
    }
  });

/** Speeds by received power, in any order; a signal below the weakest is no coverage. */
export const modelledSpeeds = z
  .array(speedsFrom)
  .min(1)
  .max(maxClasses)
  .superRefine((speeds, context) => {
    const issue = issuesOf(context);
    if (new Set(speeds.map(({ dbm }) => dbm)).size < speeds.length) issue([], 'has a power twice');
    const falling = [...speeds].sort((a, b) => b.dbm - a.dbm);
    for (const [i, stronger] of falling.entries()) {
      const weaker = falling[i + 1];
      if (!weaker || speedRanges.every(([, upper]) => stronger[upper] >= weaker[upper])) continue;
      issue([], `has slower speeds at ${stronger.dbm} dBm than at ${weaker.dbm}, which is weaker`);
    }
  });

const maxTowerChanges = 100;

/** Changes to towers of the list; what is absent stays as the list has it. */
export const towerChanges = z
  .array(
    z
      .strictObject({
        number: z.int().min(1).describe('Its number in the list, from 1.'),
        azimuth_deg: optional(0, 360, 'Clockwise from north; of an antenna that has a direction.'),
        height_m: optional(0, 2000, 'Of the antenna, above the ground.'),
        power_dbm: optional(-50, 150, 'As the list gives it: radiated, or with a gain the transmitter’s.'),
      })
      .refine((change) => Object.keys(change).length > 1, { message: 'changes nothing' }),
  )
  .max(maxTowerChanges)
  .refine((changes) => new Set(changes.map(({ number }) => number)).size === changes.length, {
    message: 'has a tower twice',
  });
export type TowerChanges = z.output<typeof towerChanges>;

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
    towers: towerChanges.optional().describe('What differs from the list of towers.'),
    range_km: optional(0.5, 100, `How far from a tower; ${defaultRangeKm} by default.`),
    resolution_m: optional(
      10,
      500,
      'Of pixels and profiles; that of the finest terrain by default, at least 30.',
    ),
    receiver_height_m: optional(0.5, 100, 'Above the ground; that of the profile by default.'),
    receiver_gain_dbi: optional(-20, 60, 'That of the profile by default.'),
    time_percent: percent('Of the time with at least the modelled signal; 90 by default.'),
    location_percent: percent('Of places with at least that signal; 50 by default.'),
    situation_percent: percent('Of situations with at least that signal; 50 by default.'),
    climate: z
      .int()
      .min(1)
      .max(7)
      .optional()
      .describe(
        'By the numbers of the Irregular Terrain Model; 6, maritime temperate over land, by default.',
      ),
    refractivity: optional(250, 400, 'Of the air at sea level, in N-units; 320 by default.'),
  })
  .superRefine(({ range_km = defaultRangeKm, resolution_m }, context) => {
    if (resolution_m !== undefined && (range_km * 1000) / resolution_m > maxSteps) {
      issuesOf(context)(
        ['resolution_m'],
        `is too fine: ${range_km} km have more than ${maxSteps} steps of it`,
      );
    }
  });

export type ModellingParameters = z.output<typeof modellingParameters>;
