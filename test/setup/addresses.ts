import type { StreetName } from '../../addresses/address.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

export interface MadeAddress extends Partial<Omit<StreetName, 'road'>> {
  road: string;
  id: string;
  /** What stands before the road. */
  label: string;
  lat: number;
  lng: number;
}

/** A street of several tests. */
export const titirangi = {
  ...{ road: 'Rata Street', suburb: 'Titirangi', town: 'Auckland' },
  ...{ lat: -36.975, lng: 174.525 },
};

/** Adds made-up addresses to the list, and ids of which it once had one: a new version, as an import makes it. */
export async function listAddresses(
  database: Database,
  addresses: readonly MadeAddress[],
  gone: readonly string[] = [],
): Promise<void> {
  await database.transaction(async (connection) => {
    const { rows } = await connection.query<{ version: number }>(
      'select version + 1 as version from address_list',
    );
    const version = rows[0]?.version;
    for (const { id, label, lat, lng, road, suburb = '', town = '', authority = '' } of addresses) {
      const { rows: streets } = await connection.query<{ id: number }>(sql`
        insert into street (road, suburb, town, authority, addresses, lng, lat, version)
        values (${road}, ${suburb}, ${town}, ${authority}, 1, ${Math.round(lng * 1e7)}, ${Math.round(lat * 1e7)}, ${version})
        on conflict (road, suburb, town, authority) do update set addresses = street.addresses + 1, version = excluded.version
        returning id`);
      const number = Number(/\d+(?=\D*$)/.exec(label)?.[0] ?? 0);
      await connection.query(sql`
        insert into address (id, street_id, number, label, lng, lat)
        values (${id}, ${streets[0]?.id}, ${number}, ${label}, ${Math.round(lng * 1e7)}, ${Math.round(lat * 1e7)})`);
    }
    await connection.query(sql`insert into address_gone (id) select * from unnest(${gone}::text[])`);
    await connection.query(
      sql`update address_list set version = ${version}, is_empty = false, changed_at = now()`,
    );
  });
}
