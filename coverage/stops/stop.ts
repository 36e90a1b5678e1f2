import { z } from 'zod';
import { day, NamedProvider, named, time } from '../../platform/schemas.ts';
import { drawnArea } from '../drawn-area.ts';
import { eachSpeed, maxSpeedMbps, type speedFields } from '../speeds.ts';

/* A stop: a tower, a tier or an area that takes no new connections from a day until a day, though its coverage stays as it is. */

const stopKinds = ['tower', 'tier', 'area'] as const;
const stopStates = ['coming', 'closed', 'ended'] as const;
/** Of a provider, that have not ended. The database has the same number. */
export const maxStops = 200;
export const maxReason = 200;

const scope = () =>
  z.string().max(60).describe('Of the coverage; empty or absent for coverage without a scope.');
const speed = () => z.number().min(0).max(maxSpeedMbps);

/** The speeds of a tier of available coverage, in Mbps. */
export const tierSpeeds = eachSpeed(speed);
export type TierSpeeds = Record<(typeof speedFields)[number], number>;
export const towerPlace = { lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) };

/** What a stop closes: exactly one of the three. */
export const stopTarget = {
  tower: z
    .object({ technology: z.string(), scope: scope().optional(), ...towerPlace })
    .optional()
    .describe('A tower of coverage that the service modelled, by its place: all its antennas there.'),
  tier: z
    .object({ technology: z.string(), scope: scope().optional(), ...tierSpeeds })
    .optional()
    .describe(
      'A tier of published, available coverage, by its speeds in Mbps. Later versions with them are closed, too.',
    ),
  area: drawnArea.optional().describe('A circle or a polygon.'),
  technology: z.string().optional().describe('Of an `area`: closes this technology alone.'),
};
export type StopTarget = z.output<z.ZodObject<typeof stopTarget>>;

export const OrderStop = named('OrderStop', {
  id: z.int(),
  provider: NamedProvider,
  kind: z.enum(stopKinds),
  technology: z.string().nullable().describe('Null for an area with all technologies.'),
  scope: scope().nullable().describe('Of a tower or a tier.'),
  tower: z.object({ name: z.string().nullable(), ...towerPlace }).nullable(),
  tier: z.object(tierSpeeds).nullable(),
  area: drawnArea.nullable(),
  from: day().describe('The first day without new connections, in New Zealand.'),
  until: day().nullable().describe('The last one; null: not known yet.'),
  state: z.enum(stopStates).describe('`closed` from the first to the last day.'),
  holds: z
    .boolean()
    .describe('False where the published coverage has nothing of it at present: then it closes nothing.'),
  reason: z.string(),
  created_by: z.string(),
  created_at: time(),
});
export type OrderStop = z.output<typeof OrderStop>;
