import type { Tower as Antenna } from '@covermap/propagation/tower.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { SpeedField } from '../speeds.ts';
import { beginModelling } from './modelling.ts';
import type { ModellingParameters } from './modelling-parameters.ts';

/** A transmitter, or one sector of it, and its offer. */
export interface Tower extends Antenna {
  speeds: Partial<Record<SpeedField, number>>;
}

const towersAtOnce = 2000;

/** Stores the towers of a submission, which then waits for a prediction. @param model the service's first attempt; undefined: staff model them */
export async function storeTowers(
  database: Database,
  submissionId: string,
  towers: readonly Tower[],
  model?: ModellingParameters,
) {
  await database.transaction(async (connection) => {
    await connection.query(sql`delete from tower where submission_id = ${submissionId}`);
    for (let from = 0; from < towers.length; from += towersAtOnce) {
      await insertTowers(connection, submissionId, towers.slice(from, from + towersAtOnce), from);
    }
    await connection.query(sql`
      update submission set towers_read_at = clock_timestamp() where id = ${submissionId}`);
    if (model) await beginModelling(connection, submissionId, model);
  });
}

/** @param before the number of towers before these in the list */
async function insertTowers(
  connection: Queryable,
  submissionId: string,
  towers: readonly Tower[],
  before: number,
): Promise<void> {
  const rows = towers.map(({ speeds, antenna: _, ...tower }, i) => ({
    ...{ number: before + i + 1, ...tower, ...speeds },
  }));
  await connection.query(sql`
      insert into tower (submission_id, number, name, geom, height_m, azimuth_deg, beam_width_deg, power_dbm,
        frequency_mhz, bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps, bandwidth_up_max_mbps)
      select ${submissionId}, number, name, st_setsrid(st_makepoint(lng, lat), 4326), height_m, azimuth_deg,
        beam_width_deg, power_dbm, frequency_mhz, bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps,
        bandwidth_up_max_mbps
      from json_to_recordset(${JSON.stringify(rows)}::json) as t (number integer, name text, lat float8, lng float8, height_m float8,
        azimuth_deg float8, beam_width_deg float8, power_dbm float8, frequency_mhz float8, bandwidth_min_mbps float8,
        bandwidth_max_mbps float8, bandwidth_up_min_mbps float8, bandwidth_up_max_mbps float8)`);
}

/** A submission's towers, with what was changed of them and what is `listed` of these, as a GeoJSON FeatureCollection, in pieces of text: all at once would hold up others. The first are read at once. */
export async function towersGeoJson(db: Queryable, submissionId: string): Promise<AsyncIterable<string>> {
  // Pages by number, which has no gaps. Properties are named: `to_jsonb(tower)` would waste time on GeoJSON of the place.
  const read = async (after: number) => {
    const { rows } = await db.query<{ features: string | null }>(sql`
      select string_agg(json_build_object(
          'type', 'Feature',
          'id', t.number,
          'geometry', st_asgeojson(geom, 7)::json,
          'properties', (
            select case when c.number is null then to_json(p) else (to_jsonb(p) || jsonb_build_object('listed',
              jsonb_build_object('height_m', t.height_m, 'azimuth_deg', t.azimuth_deg, 'power_dbm', t.power_dbm)))::json end
            from (select t.number, t.name, coalesce(c.height_m, t.height_m) as height_m,
              coalesce(c.azimuth_deg, t.azimuth_deg) as azimuth_deg, t.beam_width_deg, coalesce(c.power_dbm, t.power_dbm) as power_dbm,
              t.frequency_mhz, t.bandwidth_min_mbps, t.bandwidth_max_mbps, t.bandwidth_up_min_mbps, t.bandwidth_up_max_mbps) p
          ))::text, ',' order by t.number) as features
      from tower t left join modelling m using (submission_id) left join lateral (
        select * from jsonb_to_recordset(coalesce(m.parameters -> 'towers', '[]'))
          as change (number integer, height_m float8, azimuth_deg float8, power_dbm float8)
        where change.number = t.number) as c on true
      where submission_id = ${submissionId} and t.number > ${after} and t.number <= ${after + towersAtOnce}`);
    return rows[0]?.features;
  };
  const first = await read(0);
  return (async function* () {
    yield '{"type":"FeatureCollection","features":[';
    let after = 0;
    for (let features = first; features; features = await read(after)) {
      yield after === 0 ? features : `,${features}`;
      after += towersAtOnce;
    }
    yield ']}';
  })();
}
