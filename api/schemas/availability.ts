import { z } from 'zod';
import { ExcludedHere } from '../../coverage/exclusions/exclusions.ts';
import { Explanation } from '../../coverage/lookup/history.ts';
import { named } from '../../platform/schemas.ts';
import type { DescribedLimits } from '../openapi/types.ts';
import { ownUsage } from './billing.ts';

/* Lookups of both versions. Speeds are in Mbps. */

/** Digits, at most one point, no exponent. */
const PlainDecimal = z.string().regex(/^-?\d+(\.\d+)?$/);

type Area = DescribedLimits['serviceArea'];

/** A latitude in a path. */
export const latitude = ({ south, north }: Area) =>
  PlainDecimal.meta({
    description: `Latitude, WGS 84, a plain decimal number from ${south} to ${north}`,
    example: '-36.9026834',
  });

/** A longitude in a path. */
export const longitude = ({ west, east }: Area) =>
  PlainDecimal.meta({
    description: `Longitude, WGS 84, a plain decimal number from ${west} to ${east}`,
    example: '174.8075834',
  });

/** The fields of a provider in both versions. */
const offerFields = {
  name: z.string().describe('The network provider.'),
  wholesale_network: z
    .enum(['Yes', 'No', 'Both'])
    .describe(
      'Whether the provider sells wholesale to retailers (`Yes`), directly to customers (`No`), or both.',
    ),
  url: z.string().describe('The website of the provider; may be empty.'),
  bandwidth_min_mbps: z.number().describe('The lowest expected download speed.'),
  bandwidth_max_mbps: z.number().describe('The highest expected download speed.'),
  bandwidth_up_min_mbps: z.number().describe('The lowest expected upload speed.'),
  bandwidth_up_max_mbps: z.number().describe('The highest expected upload speed.'),
};

/** The parameter `orderable` of lookups. */
export const orderableParameter = z
  .enum(['0', '1'])
  .optional()
  .describe(
    '`1`: add whether the offer can be ordered now, as `orderable` and `orderable_from`. Not together with `at`',
  );

const orderableFields = {
  orderable: z
    .boolean()
    .optional()
    .describe(
      'Whether the provider takes new connections to this offer here. False for coverage that is not available yet. Only with `orderable=1`.',
    ),
  orderable_from: z.iso
    .date()
    .nullable()
    .optional()
    .describe(
      'The first day in New Zealand on which it takes them again; null if that is not known, or if it takes them now. Only with `orderable=1`.',
    ),
};

export const Offer = named('Offer', {
  ...offerFields,
  planned_date: z.string().nullable().describe('An HTTP date at midnight GMT; null if unknown.'),
  ...orderableFields,
  explain: Explanation.nullable().optional().describe('The source of the entry. Only with `explain=1`.'),
  edge_m: z
    .int()
    .nullable()
    .optional()
    .describe(
      'How far from the position the area of this offer ends: what the provider offers with this technology and availability, at this maximum download speed or faster. Null if that is farther than `NEARBY_METRES`. Only with `nearby=1`.',
    ),
});

const technology = z
  .string()
  .describe('Its name, such as `fibre`. `/tiles.json` lists all; more may be added.');
const availability = z.enum(['available', 'planned', 'unavailable']);

export const NearbyOffer = named('NearbyOffer', {
  technology,
  availability: availability.exclude(['unavailable']),
  ...offerFields,
  planned_date: Offer.shape.planned_date,
  distance_m: z.int().describe('How far from the position the offer begins.'),
});

export const TechnologyAvailability = named('TechnologyAvailability', {
  technology,
  availability,
  providers: z.array(Offer).optional().describe('Absent if `availability` is `unavailable`.'),
});

export const Availability = named('Availability', {
  location: z.object({ lat: z.string(), lng: z.string() }).describe('As in the request.'),
  results: z.array(TechnologyAvailability).describe('By maximum download speed, descending.'),
  excluded: z
    .array(ExcludedHere)
    .optional()
    .describe(
      'What providers do not offer here, whatever their files say. Only with `explain=1`, where there is any.',
    ),
  nearby: z
    .array(NearbyOffer)
    .optional()
    .describe(
      'Offers that the position does not have, but that begin within `NEARBY_METRES`; nearest first, at most 50. Only with `nearby=1`.',
    ),
});

export const Offer1 = named('Offer1', {
  ...offerFields,
  timing_id: z.number().describe('The ID of the published coverage version.'),
  ...orderableFields,
});

export const TechnologyAvailability1 = named('TechnologyAvailability1', {
  technology: z.string().describe('Its label, such as `Fibre`. `/tiles.json` lists all; more may be added.'),
  availability: z.enum(['Available', 'Underway', 'Planned', 'Not Available']),
  completion: z.string().optional().describe('The earliest planned date, as an HTTP date.'),
  set_id: z.int().describe('The ID of the technology’s tile set.'),
  providers: z.array(Offer1).optional().describe('Absent if `availability` is `Not Available`.'),
});

export const Availability1 = named('Availability1', {
  location: z.tuple([z.string(), z.string()]).describe('As in the request: longitude, then latitude.'),
  results: z.array(TechnologyAvailability1).describe('By maximum download speed, descending.'),
});

export const Provider = named('Provider', {
  name: z.string(),
  description: z.string().describe('May be empty.'),
  areaServed: z.array(z.string()).describe('Regions served.'),
  technologies: z.array(z.string()).describe('Display names, such as `Fibre`.'),
  url: z.string().describe('May be empty.'),
});

export const Providers = named('Providers', { results: z.array(Provider) });

export const KeyUsage = named('KeyUsage', {
  ...ownUsage,
  plan: z.string().nullable(),
  key_queries: z.int().describe('The part of `queries` made with this key.'),
  bundle_left: z.int(),
});
