import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { Queryable } from '../../platform/database/database.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { GroundFrame } from './ground-bits.ts';

/* Where the towers at each place serve, as it was worked out with coverage that the service modelled. */

const inflated = promisify(inflateRaw);

/** Degrees, about a decimetre: the same tower in another list. */
const samePlace = 1e-6;

/** The ground of the towers at one place, as it is stored. */
export interface TowerGround extends GroundFrame {
  /** Their numbers in the list. */
  towers: number[];
  name: string | null;
  lng: number;
  lat: number;
  west: number;
  north: number;
  dLng: number;
  dLat: number;
}

/** SQL: true where a `tower_ground g` belongs to the modelling that its submission's coverage is of. */
export const isPresentGround = sql`exists (
  select from modelling m where m.submission_id = g.submission_id and m.run = g.run and m.state = 'done')`;

/** SQL: true where a `tower_ground g` is that of the towers at a place. */
export const atTower = (lng: Sql, lat: Sql): Sql =>
  sql`abs(g.lng - ${lng}) <= ${samePlace}::float8 and abs(g.lat - ${lat}) <= ${samePlace}::float8`;

/** Keeps a ground of a run of modelling, in place of one from before a worker was killed, and forgets those of earlier runs. */
export async function keepGround(
  db: Queryable,
  { id, run }: { id: string; run: number },
  { towers, name, lng, lat, west, north, dLng, dLat, left, top, words, height }: TowerGround,
  served: Uint8Array,
): Promise<void> {
  await db.query(sql`
    with earlier as (delete from tower_ground where submission_id = ${id} and run < ${run})
    insert into tower_ground (submission_id, run, towers, name, lng, lat, west, north, d_lng, d_lat, left_pixel, top_pixel,
      words, height, served)
    values (${id}, ${run}, ${towers}::integer[], ${name}, ${lng}, ${lat}, ${west}, ${north}, ${dLng}, ${dLat}, ${left}, ${top},
      ${words}, ${height}, ${served})
    on conflict (submission_id, run, towers) do update set served = excluded.served`);
}

/** Deletes the grounds of coverage that cannot be published any more. */
export async function forgetGrounds(db: Queryable): Promise<void> {
  await db.query(sql`
    delete from tower_ground g using submission s
    where s.id = g.submission_id and s.state in ('superseded', 'withdrawn', 'failed')
      and not exists (select from dataset d where d.submission_id = s.id and d.rows_removed_at is null)`);
}

/** A ground, and whether stops that have not ended are about it: their ids. */
export interface NamedGround extends TowerGround {
  stops: number[];
}

/** The grounds of a dataset's towers, without their bits. */
export async function groundsOf(db: Queryable, datasetId: number): Promise<NamedGround[]> {
  const { rows } = await db.query<NamedGround>(sql`
    select g.towers, g.name, g.lng, g.lat, g.west, g.north, g.d_lng as "dLng", g.d_lat as "dLat", g.left_pixel as left,
      g.top_pixel as top, g.words, g.height, array(
        select s.id from order_stop s
        where s.kind = 'tower' and s.provider_id = d.provider_id and s.technology_id = d.technology_id and s.scope_key = d.scope_key
          and ${atTower(sql`s.tower_lng`, sql`s.tower_lat`)} order by s.id) as stops
    from dataset d join tower_ground g on g.submission_id = d.submission_id
    where d.id = ${datasetId} and ${isPresentGround}
    order by g.towers`);
  return rows;
}

/** The bits of a ground. */
export async function servedBits(
  db: Queryable,
  datasetId: number,
  { towers, words, height }: TowerGround,
): Promise<Uint32Array> {
  const { rows } = await db.query<{ served: Uint8Array }>(sql`
    select g.served from dataset d join tower_ground g on g.submission_id = d.submission_id
    where d.id = ${datasetId} and g.towers = ${towers}::integer[] and ${isPresentGround}`);
  const bits = new Uint32Array(words * height);
  if (rows[0]) {
    const bytes = await inflated(rows[0].served, { maxOutputLength: bits.byteLength });
    new Uint8Array(bits.buffer).set(bytes);
  }
  return bits;
}
