import type { Bounds } from '@covermap/geometry/bounds.ts';
import { z } from 'zod';
import { named } from '../../platform/schemas.ts';

/* The places where a dataset loses published coverage, for the person who decides on it. */

/** The max areas stored for a comparison, one a cell. */
export const maxLostAreas = 500;

/** Ground that lookups would lose in one of the compared cells, with the box around it. */
export const LostArea = named('LostArea', {
  km2: z.number(),
  ...{ west: z.number(), south: z.number(), east: z.number(), north: z.number() },
});
export type LostArea = z.output<typeof LostArea>;
export type FoundLost = Bounds & { m2: number };

/** Smaller areas arise where two programs drew the same edge. Square metres */
const minM2 = 100;

/** The largest of the found areas, largest first. */
export function largestLost(found: readonly FoundLost[]): LostArea[] {
  return found
    .filter(({ m2 }) => m2 >= minM2)
    .sort((a, b) => b.m2 - a.m2)
    .slice(0, maxLostAreas)
    .map(({ m2, west, south, east, north }) => ({
      km2: rounded(m2 / 1e6),
      ...{ west: rounded(west), south: rounded(south), east: rounded(east), north: rounded(north) },
    }));
}

const rounded = (value: number) => Number(value.toFixed(4));
