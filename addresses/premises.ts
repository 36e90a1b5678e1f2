import type { Queryable } from '../platform/database/database.ts';
import { raw, type Sql, sql } from '../platform/database/sql.ts';
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

/** A temporary table of an import: the places that addresses have come to (`is_new`), or have left. */
export const touchedPlaces = 'touched_place';
export const createTouchedPlaces =
  'create temporary table touched_place (band integer not null, lng integer not null, lat integer not null, is_new boolean not null)';
export const indexTouchedPlaces = 'create index on touched_place (band)';

/** SQL: notes places of a query with columns `lng` and `lat`. */
export const notePlaces = (places: Sql, isNew: boolean): Sql => sql`
  insert into touched_place (band, lng, lat, is_new) select lat / ${band}, lng, lat, ${raw(String(isNew))} from (${places}) as place`;

/**
 * Numbers the touched places that have their first address, and forgets those that have lost their last one.
 * @param isOfPage SQL about a column of bands @param next the next number @returns how many were numbered, and forgotten
 */
export async function settlePlaces(
  connection: Queryable,
  isOfPage: (band: string) => Sql,
  next: number,
): Promise<{ numbered: number; forgotten: number }> {
  const { rowCount: numbered } = await connection.query(sql`
    insert into premises (number, lng, lat)
    select ${next}::integer - 1 + row_number() over (order by band, lng, lat), lng, lat
    from (
      select distinct band, lng, lat from touched_place t where is_new and ${isOfPage('t.band')}
      except all
      select lat / ${band}, lng, lat from premises p where ${isOfPage(`p.lat / ${bandHeight}`)}
    ) as place
    order by 1`);
  const { rowCount: forgotten } = await connection.query(sql`
    delete from premises p using (
      select distinct band, lng, lat from touched_place t where not is_new and ${isOfPage('t.band')}
    ) as place
    where p.lat / ${band} = place.band and p.lng = place.lng and p.lat = place.lat
      and not exists (
        select from address a where a.lat / ${band} = place.band and a.lng = place.lng and a.lat = place.lat)`);
  return { numbered, forgotten };
}

/** The number that the next premises get. The caller holds the list. */
export async function nextPremises(connection: Queryable): Promise<number> {
  const { rows } = await connection.query<{ next: number }>('select next_premises as next from address_list');
  return rows[0]?.next ?? 0;
}

/** How many premises there are. */
export async function premisesCount(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*) as count from premises');
  return rows[0]?.count ?? 0;
}

/** Makes changed premises a version, whose number none before had. Without premises all is as before the first import: nothing is counted. */
export async function changePremises(
  connection: Queryable,
  { version, next, count }: { version: number; next: number; count: number },
): Promise<void> {
  await connection.query(sql`
    update address_list set next_premises = ${next}, premises_version = ${count > 0 ? version : 0}`);
  if (count > 0) return;
  await connection.query(`
    delete from tier_premises;
    delete from premises_change;
    update dataset set premises_version = null, premises_covered = null, premises_change = null, premises_compared = null
    where premises_version is not null or premises_compared is not null`);
}

/** The places of premises, by number. @param numbers those that have no address any more are left out */
export async function premisesOf(db: Queryable, numbers: readonly number[]): Promise<Premises[]> {
  const { rows } = await db.query<Premises>(sql`
    select number, lng / ${unitsPerDegree}::float8 as lng, lat / ${unitsPerDegree}::float8 as lat
    from premises where number = any (${numbers}) order by number`);
  return rows;
}

/** The premises in a box, its edges included: those of a band of latitude at a time, so that reading many holds up nobody. @param box in degrees */
export async function* premisesInBox(
  db: Queryable,
  [west, south, east, north]: readonly [west: number, south: number, east: number, north: number],
): AsyncGenerator<Premises[]> {
  const units = (degrees: number) => Math.round(degrees * unitsPerDegree);
  const bandOf = (lat: number) => Math.trunc(units(lat) / bandHeight);
  for (let number = bandOf(south); number <= bandOf(north); number++) {
    const { rows } = await db.query<Premises>(sql`
      select number, lng / ${unitsPerDegree}::float8 as lng, lat / ${unitsPerDegree}::float8 as lat from premises
      where lat / ${band} = ${number}::integer and lng between ${units(west)}::integer and ${units(east)}::integer
        and lat between ${units(south)}::integer and ${units(north)}::integer`);
    yield rows;
  }
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
