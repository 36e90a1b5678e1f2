import type { Database, Queryable } from '../platform/database/database.ts';
import { type Sql, sql } from '../platform/database/sql.ts';

/* The addresses of the list, by their ids and by position. What finds them by text is in finder.ts. */

/** Stored positions are in 1e-7 degrees, about a centimetre. */
export const unitsPerDegree = 1e7;

/** A road in a suburb of a town. Suburb, town and authority are empty where there is none. */
export interface StreetName {
  road: string;
  suburb: string;
  town: string;
  authority: string;
}

export interface Address extends StreetName {
  id: string;
  /** On one line: `2/14A Rata Street, Ponsonby, Auckland`. */
  text: string;
  /** What stands before the road: `2/14A`. */
  label: string;
  postcode: string | null;
  /** Degrees of WGS 84. */
  lat: number;
  lng: number;
}

/** A row of {@link addressColumns}. */
type AddressRow = StreetName & Pick<Address, 'id' | 'label' | 'postcode' | 'lat' | 'lng'>;

/** SQL: the columns of an address `a` on a street `s`; the position in 1e-7 degrees. */
export const addressColumns: Sql = sql`a.id, a.label, a.postcode, a.lng, a.lat, s.road, s.suburb, s.town, s.authority`;

export function addressOf({ lng, lat, ...row }: AddressRow): Address {
  return { ...row, text: addressText(row.label, row), lng: lng / unitsPerDegree, lat: lat / unitsPerDegree };
}

/** An address on one line, as LINZ writes it. @param label empty for the street itself */
export function addressText(label: string, { road, suburb, town }: Omit<StreetName, 'authority'>): string {
  const first = label ? `${label} ${road}` : road;
  return [first, suburb, town === suburb ? '' : town].filter((part) => part !== '').join(', ');
}

/** The form of ids, of the list and of other systems. */
export const idForm = /^[A-Za-z0-9_.-]{1,60}$/;
/** The form of the names of other systems: `tlc`. */
export const systemForm = /^[a-z][a-z0-9_-]{0,29}$/;

/** `12345`, or `tlc:12345` by the id of another system; nothing for any other text. */
function readReference(text: string): { system?: string | undefined; id?: string } {
  const [id = '', system, ...more] = text.split(':', 3).reverse();
  const isOne = more.length === 0 && idForm.test(id) && (system === undefined || systemForm.test(system));
  return isOne ? { system, id } : {};
}

/** Where a reference names no address of the list: `gone` where an earlier list had it. */
export type Missing = 'unknown' | 'gone';

/**
 * The addresses of references, in their order: ids of the list, or `system:id` of another system.
 * @param references any texts
 */
export async function addressesByReference(
  db: Queryable,
  references: readonly string[],
): Promise<(Address | Missing)[]> {
  const asked = references.map(readReference);
  const { rows } = await db.query<{ number: number; isGone: boolean } & Partial<AddressRow>>(sql`
    select asked.number::integer - 1 as number, g.id is not null as "isGone", ${addressColumns}
    from unnest(${asked.map(({ system }) => system ?? null)}::text[], ${asked.map(({ id }) => id ?? null)}::text[])
      with ordinality as asked (system, id, number)
    left join address_alias l on l.system = asked.system and l.alias = asked.id
    left join address a on a.id = case when asked.system is null then asked.id else l.address_id end
    left join street s on s.id = a.street_id
    left join address_gone g on g.id = case when asked.system is null then asked.id else l.address_id end`);
  const found: (Address | Missing)[] = references.map(() => 'unknown');
  for (const { number, isGone, ...row } of rows) {
    if (row.id) found[number] = addressOf(row as AddressRow);
    else if (isGone) found[number] = 'gone';
  }
  return found;
}

/** The ids of other systems for an address: by system, in order. */
export async function aliasesOf(db: Queryable, id: string): Promise<Record<string, string[]>> {
  return (await aliasesOfAll(db, [id])).get(id) ?? {};
}

/** {@link aliasesOf} of several addresses, by their ids; those without any are left out. */
export async function aliasesOfAll(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, Record<string, string[]>>> {
  const { rows } = await db.query<{ id: string; aliases: Record<string, string[]> }>(sql`
    select address_id as id, json_object_agg(system, aliases order by system) as aliases
    from (
      select address_id, system, array_agg(alias order by alias) as aliases from address_alias
      where address_id = any (${ids}) group by address_id, system
    ) as known group by address_id`);
  return new Map(rows.map(({ id, aliases }) => [id, aliases]));
}

/** {@link aliasesOfAll}, as a list for each address: `system:id`. */
export async function aliasesOfMany(db: Queryable, ids: readonly string[]): Promise<Map<string, string[]>> {
  const texts = (aliases: Record<string, string[]>) =>
    Object.entries(aliases).flatMap(([system, all]) => all.map((alias) => `${system}:${alias}`));
  return new Map([...(await aliasesOfAll(db, ids))].map(([id, aliases]) => [id, texts(aliases)]));
}

/** How far away an address may be that is near, in metres: each next distance costs more. */
const distances = [150, 1_000, 5_000, 20_000];
const metresPerDegree = 111_320;

/** The distance on a plane, for places near one another. */
export function metresBetween(a: Record<'lat' | 'lng', number>, b: Record<'lat' | 'lng', number>): number {
  const east = (a.lng - b.lng) * Math.cos((a.lat * Math.PI) / 180);
  return Math.hypot(a.lat - b.lat, east) * metresPerDegree;
}
/** The height of a band of the index `address_place`, in 1e-7 degrees. */
export const bandHeight = 100_000;

/**
 * The nearest address to a position, with its distance on a sphere; undefined where there is none within 20 km.
 * @param lat latitude and @param lng longitude in degrees of WGS 84
 */
export async function nearestAddress(
  database: Database,
  lat: number,
  lng: number,
): Promise<{ address: Address; distanceMetres: number } | undefined> {
  for (const metres of distances) {
    const reach = (metres / metresPerDegree) * unitsPerDegree;
    const reachEast = reach / Math.cos((lat * Math.PI) / 180);
    const [y, x] = [Math.round(lat * unitsPerDegree), Math.round(lng * unitsPerDegree)];
    const bands = [y - reach, y + reach].map((edge) => Math.trunc(edge / bandHeight));
    const { rows } = await database.query<AddressRow & { distance: number }>(sql`
      select ${addressColumns},
        st_distancesphere(st_point(a.lng / ${unitsPerDegree}::float8, a.lat / ${unitsPerDegree}::float8), st_point(${lng}, ${lat})) as distance
      from generate_series(${bands[0]}::integer, ${bands[1]}::integer) as band (number)
      cross join lateral (
        select * from address where lat / ${bandHeight} = band.number
          and lng between ${Math.floor(x - reachEast)}::integer and ${Math.ceil(x + reachEast)}::integer
      ) as a
      join street s on s.id = a.street_id
      order by distance, a.id limit 1`);
    const [nearest] = rows;
    if (nearest && nearest.distance <= metres) {
      const { distance, ...row } = nearest;
      return { address: addressOf(row), distanceMetres: distance };
    }
  }
  return undefined;
}
