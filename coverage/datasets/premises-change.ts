import { z } from 'zod';
import { named, timeText } from '../../platform/schemas.ts';

/* The premises that publishing a dataset changes. What is in service is available; the best tier of all scopes of the technology counts. */

const Moved = named('PremisesMove', {
  from_mbps: z.number().nullable().describe('Null: not in service.'),
  to_mbps: z.number().nullable(),
  premises: z.int(),
});

/** The premises of the lost that other providers and technologies serve. */
const Others = named('ServedByOthers', {
  served: z.int(),
  unserved: z.int().describe('Left with nothing.'),
  as_of: timeText(),
});

export const premisesFields = {
  before: z.int().describe('In service by the live version of the scope.'),
  covered: z.int().describe('In service by this version.'),
  gained: z.int(),
  lost: z.int().describe('In service now, and in no scope of the technology afterwards.'),
  postponed: z.int().describe('The part of `lost` that would be planned or underway.'),
  faster: z.int(),
  slower: z.int(),
  planned_before: z
    .int()
    .describe('Reached by the live version of the scope, but only as planned or underway.'),
  planned_lost: z.int().describe('Planned or underway now, and not reached by anything afterwards.'),
  moves: z
    .array(Moved)
    .describe('How many premises go from which best speed to which: at most 100, the most frequent first.'),
  others: Others.nullable().describe(
    'What other live coverage there is where this is lost. Null while that of others is counted.',
  ),
};

/** The difference between coverage and the published coverage of its scope, in premises. */
export type PremisesChange = z.output<z.ZodObject<typeof premisesFields>>;
