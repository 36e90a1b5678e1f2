import { z } from 'zod';
import { foundKinds, matches } from '../../addresses/found.ts';
import { named } from '../../platform/schemas.ts';
import { Availability } from './availability.ts';

/* Addresses, as they are found and as answers name them. */

const match = z
  .enum(matches)
  .describe(
    '`exact`: every part of the text says this address, and no other one. `street`: the street is sure, the number is missing in the text or in the list. `uncertain`: something was corrected, left over, or fits several addresses.',
  );
const score = z.number().min(0).max(1).describe('The share of the text that agrees.');
const location = z
  .object({ lat: z.string(), lng: z.string() })
  .describe('WGS 84. Of a street, a suburb or a town, the middle of its addresses.');

export const FoundPlace = named('FoundPlace', {
  kind: z.enum(foundKinds),
  id: z.string().nullable().describe('The address’s ID; null for a street, a suburb or a town.'),
  text: z.string().describe('On one line.'),
  location,
  match,
  score,
});

export const FoundPlaces = named('FoundPlaces', {
  results: z.array(FoundPlace).describe('Best first.'),
});

export const AddressView = named('Address', {
  id: z.string(),
  text: z.string().describe('On one line.'),
  location,
  label: z.string().describe('What stands before the road, such as `2/14A`.'),
  road: z.string(),
  suburb: z.string().describe('May be empty.'),
  town: z.string().describe('May be empty.'),
  authority: z.string().describe('The territorial authority; may be empty.'),
  postcode: z.string().nullable().describe('Null where the list has none.'),
  aliases: z
    .record(z.string(), z.array(z.string()))
    .describe('Its IDs in other systems, by system.')
    .meta({ example: { tlc: ['123456789'] } }),
});

export const NearestAddress = named('NearestAddress', {
  ...AddressView.shape,
  distance_m: z.int().describe('From the position.'),
});

/** The address that an answer is for. */
export const AnsweredAddress = named('AnsweredAddress', { id: z.string(), text: z.string(), match, score });

export const AddressAvailability = named('AddressAvailability', {
  location: Availability.shape.location.describe('The position of the address.'),
  address: AnsweredAddress,
  results: Availability.shape.results,
  nearby: Availability.shape.nearby,
});

/** The answer to a text that is not sure. */
export const UnsureAddress = named('UnsureAddress', {
  code: z.literal(300),
  error: z.string(),
  candidates: z.array(FoundPlace).describe('At most five, best first.'),
});
