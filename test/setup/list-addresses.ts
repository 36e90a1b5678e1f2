import { fullRoadName, type ListedAddress, labelOf } from '@covermap/testing/linz.ts';
import { unitsPerDegree } from '../../addresses/address.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** Whether an import takes an address: it exists, on land and within the service area. */
export const isPremises = ({ lifecycle, isLand, lng }: ListedAddress): boolean =>
  lifecycle !== 'Proposed' && isLand !== false && lng > 0;

/** Lists addresses in a database that has none, without reading a file. */
export async function listAddresses(database: Database, addresses: readonly ListedAddress[]): Promise<void> {
  const units = (degrees: number) => Math.round(degrees * unitsPerDegree);
  const columns = {
    road: addresses.map(({ road }) => fullRoadName(road)),
    suburb: addresses.map(({ suburb }) => suburb),
    town: addresses.map(({ town }) => town),
    authority: addresses.map(({ authority }) => authority),
    lng: addresses.map(({ lng }) => units(lng)),
    lat: addresses.map(({ lat }) => units(lat)),
  };
  await database.query(sql`
    insert into street (road, suburb, town, authority, addresses, lng, lat, version)
    select road, suburb, town, authority, count(*), avg(lng), avg(lat), 1
    from unnest(${columns.road}::text[], ${columns.suburb}::text[], ${columns.town}::text[], ${columns.authority}::text[],
      ${columns.lng}::integer[], ${columns.lat}::integer[]) as a (road, suburb, town, authority, lng, lat)
    group by road, suburb, town, authority`);
  await database.query(sql`
    insert into address (id, street_id, number, label, lng, lat)
    select a.id, s.id, a.number, a.label, a.lng, a.lat
    from unnest(${addresses.map(({ id }) => String(id))}::text[], ${addresses.map(({ number }) => number)}::integer[],
      ${addresses.map(labelOf)}::text[], ${columns.road}::text[], ${columns.suburb}::text[], ${columns.town}::text[],
      ${columns.authority}::text[], ${columns.lng}::integer[], ${columns.lat}::integer[])
      as a (id, number, label, road, suburb, town, authority, lng, lat)
    join street s using (road, suburb, town, authority)`);
  await database.query('update address_list set version = version + 1, is_empty = false, changed_at = now()');
}
