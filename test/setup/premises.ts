import { unitsPerDegree } from '../../addresses/address.ts';
import { covers } from '../../coverage/boxes.ts';
import { keepPremises } from '../../coverage/premises/counted.ts';
import { setOf } from '../../coverage/premises/premises-set.ts';
import type { Database } from '../../platform/database/database.ts';
import { raw, sql } from '../../platform/database/sql.ts';

/* Premises without addresses, and what SQL says of them. */

/** Adds premises at places, in order, as a new version. @returns their numbers */
export async function addPremises(
  database: Database,
  places: readonly { lat: number; lng: number }[],
): Promise<number[]> {
  return database.transaction(async (connection) => {
    const { rows } = await connection.query<{ number: number }>(sql`
      insert into premises (number, lng, lat)
      select next_premises + number - 1, round(lng * 1e7), round(lat * 1e7)
      from address_list, unnest(${places.map(({ lng }) => lng)}::float8[], ${places.map(({ lat }) => lat)}::float8[]) with ordinality as place (lng, lat, number)
      returning premises.number`);
    await connection.query(
      `update address_list set premises_version = premises_version + 1, changed_at = clock_timestamp(),
        next_premises = (select coalesce(max(number) + 1, 0) from premises)`,
    );
    return rows.map(({ number }) => number);
  });
}

/** By tier of a dataset: the numbers of the premises that its areas cover, boundaries included. */
export async function coveredBySql(database: Database, datasetId: number): Promise<Map<number, number[]>> {
  const place = (of: string) => raw(`${of} / ${unitsPerDegree}::float8`);
  const { rows } = await database.query<{ tier: number; numbers: number[] }>(sql`
    select t.id as tier, array(
      select p.number from premises p
      where exists (select from coverage c where c.tier_id = t.id and ${covers(sql`c.geom`, place('p.lng'), place('p.lat'))})
        or exists (select from coverage_archive c where c.tier_id = t.id and ${covers(sql`c.geom`, place('p.lng'), place('p.lat'))})
      order by 1) as numbers
    from tier t where t.dataset_id = ${datasetId}`);
  return new Map(rows.map(({ tier, numbers }) => [tier, numbers]));
}

/** Counts a dataset's premises by SQL, as they are now. */
export async function countBySql(database: Database, datasetId: number): Promise<void> {
  const covered = await coveredBySql(database, datasetId);
  const { rows } = await database.query<{ version: number }>(
    'select premises_version as version from address_list',
  );
  const sets = new Map([...covered].map(([tier, numbers]) => [tier, setOf(numbers)]));
  await database.transaction((connection) =>
    keepPremises(connection, datasetId, Number(rows[0]?.version), sets),
  );
}
