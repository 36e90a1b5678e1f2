import { z } from 'zod';
import { unitsPerDegree } from '../../addresses/address.ts';
import { isAtPremises } from '../../addresses/premises.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { named } from '../../platform/schemas.ts';
import { count, inPieces, type PremisesSet } from './premises-set.ts';

/* Where premises are, by the suburbs and towns of their addresses. */

/** Premises in a suburb, and the box around them. Degrees of WGS 84. */
export const SuburbPremises = named('SuburbPremises', {
  suburb: z.string(),
  town: z.string().describe('Empty where there is none, and where it is that of the suburb.'),
  premises: z.int(),
  ...{ west: z.number(), south: z.number(), east: z.number(), north: z.number() },
});
export type SuburbPremises = z.output<typeof SuburbPremises>;

/** Numbers of one statement. */
const numbersAtOnce = 5_000;

const maxSuburbs = 1_000;
/** More would hold up a comparison for longer than a few seconds. */
const maxPremises = 250_000;

/**
 * The suburbs in which premises are, those with the most first, at most {@link maxSuburbs}; none of more than {@link maxPremises}. Premises with addresses in
 * several suburbs count in one of them.
 */
export async function suburbsOf(
  db: Queryable,
  set: PremisesSet,
  signal?: AbortSignal,
): Promise<SuburbPremises[]> {
  if (count(set) > maxPremises) return [];
  const found = new Map<string, SuburbPremises>();
  for (const numbers of inPieces(set, numbersAtOnce)) {
    signal?.throwIfAborted();
    const { rows } = await db.query<SuburbPremises>(sql`
      select s.suburb, s.town, count(*)::integer as premises, min(placed.lng) as west, min(placed.lat) as south,
        max(placed.lng) as east, max(placed.lat) as north
      from (
        select p.lng, p.lat, min(a.street_id) as street_id
        from premises p join address a on ${isAtPremises}
        where p.number = any (${numbers})
        group by p.number
      ) as placed
      join street s on s.id = placed.street_id
      group by s.suburb, s.town`);
    for (const row of rows) add(found, row);
  }
  return [...found.values()]
    .map(({ west, south, east, north, ...of }) => ({
      ...of,
      ...{ west: west / unitsPerDegree, south: south / unitsPerDegree },
      ...{ east: east / unitsPerDegree, north: north / unitsPerDegree },
    }))
    .sort((a, b) => b.premises - a.premises || (a.suburb < b.suburb ? -1 : 1))
    .slice(0, maxSuburbs);
}

function add(found: Map<string, SuburbPremises>, row: SuburbPremises): void {
  const key = JSON.stringify([row.suburb, row.town]);
  const known = found.get(key);
  found.set(
    key,
    known
      ? {
          ...{ suburb: row.suburb, town: row.town, premises: known.premises + row.premises },
          ...{ west: Math.min(known.west, row.west), south: Math.min(known.south, row.south) },
          ...{ east: Math.max(known.east, row.east), north: Math.max(known.north, row.north) },
        }
      : row,
  );
}
