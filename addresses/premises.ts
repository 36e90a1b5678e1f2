import type { Queryable } from '../platform/database/database.ts';
import { raw, sql } from '../platform/database/sql.ts';
import { type Address, addressColumns, addressOf, bandHeight, unitsPerDegree } from './address.ts';

/* Premises: the distinct places of addresses, each with a number that it keeps. */

/** A place of addresses. Degrees of WGS 84. */
export interface Premises {
  number: number;
  lng: number;
  lat: number;
}

const band = raw(String(bandHeight));

/** SQL: true where an address `a` is at premises `p`. */
export const isAtPremises = sql`(a.lat / ${band} = p.lat / ${band} and a.lng = p.lng and a.lat = p.lat)`;

/** The version of the premises now; 0 where there are none, and so nothing is counted. */
export async function premisesVersion(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ version: number }>(
    'select premises_version as version from address_list',
  );
  return Number(rows[0]?.version ?? 0);
}

/**
 * Numbers the places that an import has added, and forgets those that have no address any more. Part of the import's transaction.
 * @returns the number of premises now
 */
export async function settlePremises(connection: Queryable): Promise<number> {
  const added = await connection.query(sql`
    insert into premises (lng, lat)
    select lng, lat from (select distinct lng, lat from address) as place
    where not exists (select from premises p where p.lng = place.lng and p.lat = place.lat)
    order by lat / ${band}, lng, lat`);
  const gone = await connection.query(sql`
    delete from premises p where not exists (
      select from address a where ${isAtPremises})`);
  if (added.rowCount + gone.rowCount > 0)
    await connection.query('update address_list set premises_version = premises_version + 1');
  const { rows } = await connection.query<{ count: number }>('select count(*) as count from premises');
  return Number(rows[0]?.count ?? 0);
}

/** The places of premises, by number. @param numbers those that have no address any more are left out */
export async function premisesOf(db: Queryable, numbers: readonly number[]): Promise<Premises[]> {
  const { rows } = await db.query<Premises>(sql`
    select number, lng / ${unitsPerDegree}::float8 as lng, lat / ${unitsPerDegree}::float8 as lat
    from premises where number = any (${numbers}) order by number`);
  return rows;
}

/** The addresses of premises, by number. @param numbers a few thousand at a time */
export async function addressesOfPremises(
  db: Queryable,
  numbers: readonly number[],
): Promise<(Address & { number: number })[]> {
  const { rows } = await db.query<Parameters<typeof addressOf>[0] & { number: number }>(sql`
    select p.number, ${addressColumns}
    from premises p
    join address a on ${isAtPremises}
    join street s on s.id = a.street_id
    where p.number = any (${numbers})
    order by p.number, a.id`);
  return rows.map(({ number, ...row }) => ({ ...addressOf(row), number }));
}
