import { z } from 'zod';
import { changeKinds } from '../../coverage/premises/change.ts';
import { SuburbPremises } from '../../coverage/premises/suburbs.ts';
import { PremisesChange, premisesStates } from '../../coverage/submissions/views.ts';
import { named } from '../../platform/schemas.ts';
import { TechnologyAvailability } from './availability.ts';

/* Premises that publishing a submission would change. */

const ofDataset = { dataset_id: z.int(), technology: z.string(), scope: z.string() };

export const ComparedPremises = named('ComparedPremises', {
  datasets: z.array(
    z.object({
      ...ofDataset,
      state: z.enum(premisesStates),
      change: PremisesChange.nullable().describe('Null unless they are counted.'),
      suburbs: z
        .array(
          z.object({
            change: z.enum(changeKinds),
            suburb_count: z
              .int()
              .describe('How many suburbs there are, at most 1,000; 0 for more than 250,000 premises.'),
            suburbs: z.array(SuburbPremises).describe('Those with the most premises first.'),
          }),
        )
        .nullable(),
    }),
  ),
});

const mbps = () =>
  z.number().nullable().describe('Mbps down of the best available tier; null: not in service.');

export const ChangedPremises = named('ChangedPremises', {
  number: z.int(),
  lat: z.number(),
  lng: z.number(),
  address_count: z.int(),
  addresses: z
    .array(
      z.object({
        id: z.string(),
        text: z.string(),
        aliases: z.record(z.string(), z.array(z.string())).describe('IDs in other systems, by system.'),
      }),
    )
    .describe('At most 100.'),
  changes: z.array(
    z.object({ ...ofDataset, change: z.enum(changeKinds), before_mbps: mbps(), after_mbps: mbps() }),
  ),
  results: z.array(TechnologyAvailability).describe('What is there now, from anybody, as in version 2.0.'),
});
