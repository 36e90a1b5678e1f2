import { z } from 'zod';
import type { DescribedLimits } from '../openapi/types.ts';
import { ShownLimit } from './billing.ts';
import { named } from './named.ts';
import { cents, month, time } from './values.ts';

/* What the lookups of both versions answer. Speeds are in Mbps. */

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

/** What both versions say of a provider. */
const offerFields = {
  name: z.string().describe('Network provider.'),
  wholesale_network: z
    .enum(['Yes', 'No', 'Both'])
    .describe('Whether it sells to retailers: only, not, or both.'),
  url: z.string().describe('Website of the provider; may be empty.'),
  bandwidth_min_mbps: z.number().describe('Lowest expected download speed.'),
  bandwidth_max_mbps: z.number().describe('Highest expected download speed.'),
  bandwidth_up_min_mbps: z.number().describe('Lowest expected upload speed.'),
  bandwidth_up_max_mbps: z.number().describe('Highest expected upload speed.'),
};

/** Where an entry comes from. */
export const Explanation = z.object({
  dataset: z.int().describe('The version of the provider’s coverage.'),
  published_at: time().describe('When that version was published.'),
  file_name: z.string().describe('The name of the uploaded file.'),
  submission: z.uuid(),
});

export const Offer = named('Offer', {
  ...offerFields,
  planned_date: z.string().nullable().describe('As an HTTP date at midnight GMT; null where not known.'),
  explain: Explanation.nullable().optional().describe('Where the entry comes from; with `explain=1` only.'),
});

export const TechnologyAvailability = named('TechnologyAvailability', {
  technology: z.string().describe('fibre, cable, vdsl, wireless, adsl; more may be added.'),
  availability: z.enum(['available', 'planned', 'unavailable']),
  providers: z.array(Offer).optional().describe('Absent where `availability` is `unavailable`.'),
});

export const Availability = named('Availability', {
  location: z.object({ lat: z.string(), lng: z.string() }).describe('As in the request.'),
  results: z.array(TechnologyAvailability).describe('By fastest download, descending.'),
});

export const Offer1 = named('Offer1', {
  ...offerFields,
  timing_id: z.number().describe('The published dataset that the entry is from.'),
});

export const TechnologyAvailability1 = named('TechnologyAvailability1', {
  technology: z.string().describe('Fibre, Cable, VDSL, Wireless, ADSL; more may be added.'),
  availability: z.enum(['Available', 'Underway', 'Planned', 'Not Available']),
  completion: z.string().optional().describe('The earliest known date of it, as an HTTP date.'),
  set_id: z.int().describe('The set of map tiles of this technology.'),
  providers: z.array(Offer1).optional().describe('Absent where `availability` is `Not Available`.'),
});

export const Availability1 = named('Availability1', {
  location: z.tuple([z.string(), z.string()]).describe('As in the request: longitude, then latitude.'),
  results: z.array(TechnologyAvailability1).describe('By fastest download, descending.'),
});

export const Provider = named('Provider', {
  name: z.string(),
  description: z.string().describe('May be empty.'),
  areaServed: z.array(z.string()).describe('Regions.'),
  technologies: z.array(z.string()).describe('Names for people: Fibre, Wireless.'),
  url: z.string().describe('May be empty.'),
});

export const Providers = named('Providers', { results: z.array(Provider) });

export const KeyUsage = named('KeyUsage', {
  month: month(),
  begins_at: time(),
  ends_at: time(),
  as_of: time(),
  plan: z.string().nullable(),
  queries: z.int(),
  key_queries: z.int().describe('Of these, with the requesting key.'),
  bundle: z.int().describe('Queries included in the plan.'),
  bundle_left: z.int(),
  free: z.int(),
  free_left: z.int(),
  overage_allowed: z.boolean().describe('Whether queries beyond the free ones are answered now.'),
  overage: z.int(),
  overage_cents: cents(),
  limit: ShownLimit.nullable(),
});
