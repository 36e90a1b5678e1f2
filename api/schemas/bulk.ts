import { z } from 'zod';
import { TechnologyAvailability } from './availability.ts';
import { cents, time } from './values.ts';

const coordinate = z.union([z.number(), z.string()]);

/** `[lat, lng]`, or an object with an id of the caller's own. */
export const AskedCoordinate = z.union([
  z
    .tuple([z.number(), z.number()])
    // Linters want the kind of items beside the tuple's own.
    .meta({ items: { type: 'number' }, minItems: 2, maxItems: 2 }),
  z.object({ lat: coordinate, lng: coordinate, id: z.union([z.string(), z.number()]).optional() }),
]);

export const BulkAnswer = z.object({
  id: z.union([z.string(), z.number()]).optional().describe('As in the request.'),
  location: z
    .object({ lat: z.string(), lng: z.string() })
    .optional()
    .describe('Absent where the request had none.'),
  results: z.array(TechnologyAvailability).optional(),
  error: z.object({ code: z.int(), error: z.string() }).optional().describe('In place of `results`.'),
});

/** The most that a file of coordinates costs. */
export const BulkCost = z.object({
  coordinates: z.int().describe('Lines that are neither empty nor a header.'),
  free: z.int(),
  included: z.int().describe('In the plan.'),
  overage: z.int(),
  overage_cents: cents(),
});

export const BulkJob = z.object({
  id: z.uuid(),
  state: z.enum(['quoted', 'queued', 'running', 'done', 'failed']),
  percent: z.int().min(0).max(100),
  coordinates: z.int().describe('Coordinates read so far.'),
  answered: z.int().describe('Of these, answered ones: queries.'),
  cost: BulkCost.nullable(),
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).nullable(),
  created_at: time(),
  finished_at: time().nullable(),
  expires_at: time().nullable().describe('When file and result are removed.'),
  links: z.object({
    self: z.string(),
    start: z.string().optional().describe('Until it is started.'),
    result: z.string().optional().describe('Once it is done.'),
  }),
});
