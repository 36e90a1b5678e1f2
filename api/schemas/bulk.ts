import { z } from 'zod';
import { ErrorReport } from '../../platform/error-report.ts';
import { cents, named, time } from '../../platform/schemas.ts';
import { AnsweredAddress } from './addresses.ts';
import { TechnologyAvailability } from './availability.ts';

const coordinate = z.union([z.number(), z.string()]);
const ownId = z.union([z.string(), z.number()]).optional();

/** `[lat, lng]`, or an object with an id of the caller's own; or what names an address in place of a position. */
export const AskedCoordinate = named(
  'AskedCoordinate',
  z.union([
    z.tuple([z.number(), z.number()]),
    z.object({ lat: coordinate, lng: coordinate, id: ownId }),
    z.object({
      address_id: z.union([z.string(), z.number()]).describe('The ID of an address, or `<system>:<id>`.'),
      id: ownId,
    }),
    z.object({ address: z.string().describe('The text of an address, at most 300 characters.'), id: ownId }),
  ]),
);

export const BulkAnswer = named('BulkAnswer', {
  id: z.union([z.string(), z.number()]).optional().describe('As in the request.'),
  location: z
    .object({ lat: z.string(), lng: z.string() })
    .optional()
    .describe('Absent if the request had none. Of an address, its position.'),
  address: AnsweredAddress.extend({
    id: z.string().nullable().describe('Null for a street, a suburb or a town.'),
  })
    .optional()
    .describe('What the entry’s address was matched to. With `error`, the likeliest candidate.'),
  results: z.array(TechnologyAvailability).optional(),
  error: z
    .object({ code: z.int(), error: z.string() })
    .optional()
    .describe(
      'Replaces `results` if the position could not be looked up. Of an address: 300 if it is not sure, 404 if there is none, 410 if it is gone.',
    ),
});

const BulkCost = z.object({
  coordinates: z.int().describe('The lines that are neither empty nor a header.'),
  free: z.int(),
  included: z.int().describe('The queries covered by the plan.'),
  overage: z.int(),
  overage_cents: cents(),
});

export const BulkJob = named('BulkJob', {
  id: z.uuid(),
  state: z.enum(['quoted', 'queued', 'running', 'done', 'failed']),
  percent: z.int().min(0).max(100),
  coordinates: z.int().describe('The coordinates read so far.'),
  answered: z.int().describe('The coordinates answered so far. They count as queries once the job is done.'),
  cost: BulkCost.nullable(),
  error: ErrorReport.nullable(),
  created_at: time(),
  finished_at: time().nullable(),
  expires_at: time().nullable().describe('When the file and the result are deleted.'),
  links: z.object({
    self: z.string(),
    start: z.string().optional().describe('Present until the job is started.'),
    result: z.string().optional().describe('Present when the job is done.'),
  }),
});

/** The media types of lists of coordinates, and of answers to them. */
export const mediaTypes = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
} as const;

/** Coordinates as lines of a request. */
export const coordinateLines = {
  [mediaTypes.csv]: {
    schema: z
      .string()
      .describe(
        '`lat,lng` or `lat,lng,id` on each line; the header is optional, and may name `address_id` or `address`.',
      ),
    example: 'lat,lng,id\n-36.9026834,174.8075834,head office\n-41.2865,174.7762,branch\n',
  },
  [mediaTypes.ndjson]: {
    schema: z
      .string()
      .describe(
        '`[lat, lng]`, `{"lat", "lng", "id"?}`, `{"address_id", "id"?}` or `{"address", "id"?}` on each line.',
      ),
    example:
      '{"lat": -36.9026834, "lng": 174.8075834, "id": "head office"}\n[-41.2865, 174.7762]\n{"address": "2/14 Rata Street, Ponsonby"}\n',
  },
};

/** Answers to coordinates, in the formats of `Accept`. */
export const bulkAnswers = {
  [mediaTypes.json]: { schema: z.array(BulkAnswer) },
  [mediaTypes.ndjson]: { schema: z.string().describe('A `BulkAnswer` on each line.') },
  [mediaTypes.csv]: { schema: z.string().describe('A row for each position, technology and provider.') },
};
