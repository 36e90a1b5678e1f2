import { z } from 'zod';
import type { TowerChanges } from './modelling-parameters.ts';
import type { ModelledWith } from './modelling-report.ts';

/* The ground between a tower and a place, and the signal that arrives. */

export const pathProfileFields = {
  tower: z.int().describe('Its number in the list, from 1.'),
  name: z.string().nullable(),
  distance_m: z.number(),
  ground_m: z
    .array(z.number())
    .describe('Heights of the ground at equal distances, from the tower to the place.'),
  antenna_m: z.number().describe('The height of the antenna above the ground.'),
  receiver_m: z.number(),
  curvature_per_m: z.number().describe('Of the effective earth, by which paths are drawn straight.'),
  wavelength_m: z.number().describe('With it, the Fresnel zone has a width.'),
  in_sight: z.boolean().describe('Whether no ground stands in the straight line, over the effective earth.'),
  loss_db: z.number().nullable().describe('Null where the model cannot say.'),
  free_space_db: z.number(),
  clutter: z
    .object({ name: z.string().nullable(), loss_db: z.number() })
    .nullable()
    .describe('The land cover at the place, and what the receiver loses in it; null where none is known.'),
  received_dbm: z.number().nullable(),
};
export type PathProfile = z.output<z.ZodObject<typeof pathProfileFields>>;

interface PathQuestion {
  storage_key: string;
  parameters: ModelledWith;
  /** What differed from the list. */
  changes: TowerChanges;
  /** True where land cover weakened the modelled signal. */
  has_clutter: boolean;
  tower: number;
  lat: number;
  lng: number;
}

/** @throws CovermapError `profile_unavailable` where that place has none, `profiles_too_many` */
export type FindPathProfile = (question: PathQuestion, signal: AbortSignal) => Promise<PathProfile>;
