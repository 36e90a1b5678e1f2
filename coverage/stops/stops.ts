import { wkbOf } from '@covermap/geometry/wkb.ts';
import type { Actor, Viewer } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import type { Config } from '../../platform/config.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import type { Day } from '../../platform/nz-time.ts';
import { meets } from '../boxes.ts';
import { coverageName, scopeKey } from '../datasets/scopes.ts';
import { type Area, areaOf } from '../drawn-area.ts';
import { holdProvider } from '../providers/providers.ts';
import { speedFields } from '../speeds.ts';
import { maxStops, type OrderStop, type StopTarget } from './stop.ts';
import { atTower, isPresentGround } from './tower-grounds.ts';

/* Stops as rows: made, changed and undone by their operator or staff. */

/** An area of more than so many times the ground of the coverage is asked about. */
const farLarger = 2;

/** SQL: a provider's published datasets `d` that a stop `s` is about. */
const datasetsOfStop = sql`dataset d where d.state = 'published' and d.provider_id = s.provider_id
  and d.technology_id = coalesce(s.technology_id, d.technology_id)
  and d.scope_key = coalesce(s.scope_key, d.scope_key)`;

/** SQL: true where a tier `t` has the speeds of a stop `s`. */
export const hasSpeeds = sql`(t.availability = 'available'
  and (t.bandwidth_min_mbps, t.bandwidth_max_mbps, t.bandwidth_up_min_mbps, t.bandwidth_up_max_mbps)
    = (s.bandwidth_min_mbps, s.bandwidth_max_mbps, s.bandwidth_up_min_mbps, s.bandwidth_up_max_mbps))`;

/** SQL: true where what a stop `s` closes is published. That an area meets coverage is asked when it is made. */
const holds = sql`(case s.kind
  when 'area' then exists (select from ${datasetsOfStop})
  when 'tier' then exists (select from ${datasetsOfStop} and exists (
    select from tier t where t.dataset_id = d.id and ${hasSpeeds}))
  else exists (select from ${datasetsOfStop} and exists (
    select from tower_ground g where g.submission_id = d.submission_id and ${isPresentGround}
      and ${atTower(sql`s.tower_lng`, sql`s.tower_lat`)}))
  end)`;

interface StopFilter extends Viewer {
  id?: number | undefined;
  /** A name, ignoring case. */
  provider?: string | undefined;
  limit: number;
}

/** Stops that have not ended first, each newest first. */
export async function listStops(db: Queryable, today: Day, filter: StopFilter): Promise<OrderStop[]> {
  const { rows } = await db.query<OrderStop>(sql`
    select s.id, json_build_object('id', p.id, 'name', p.name) as provider, s.kind, t.name as technology, s.scope,
      case when s.kind = 'tower' then json_build_object('name', s.tower_name, 'lat', s.tower_lat, 'lng', s.tower_lng) end as tower,
      case when s.kind = 'tier' then json_build_object('bandwidth_min_mbps', s.bandwidth_min_mbps,
        'bandwidth_max_mbps', s.bandwidth_max_mbps, 'bandwidth_up_min_mbps', s.bandwidth_up_min_mbps,
        'bandwidth_up_max_mbps', s.bandwidth_up_max_mbps) end as tier,
      s.area, s.from_day::text as from, s.until_day::text as until,
      case when s.until_day < ${today}::date then 'ended' when s.from_day > ${today}::date then 'coming' else 'closed' end as state,
      ${holds} as holds, s.reason, s.created_by, s.created_at
    from order_stop s join provider p on p.id = s.provider_id left join technology t on t.id = s.technology_id
    where (${filter.providerId}::integer is null or s.provider_id = ${filter.providerId})
      and (${filter.id}::integer is null or s.id = ${filter.id})
      and (${filter.provider}::text is null or lower(p.name) = lower(${filter.provider}))
    order by coalesce(s.until_day < ${today}::date, false), s.id desc
    limit ${filter.limit}`);
  return rows;
}

/** @throws CovermapError `stop_unknown`, also where the viewer may not see it */
async function requireStop(db: Queryable, today: Day, id: number, viewer: Viewer): Promise<OrderStop> {
  const [stop] = await listStops(db, today, { ...viewer, id, limit: 1 });
  if (!stop) throw new CovermapError('stop_unknown');
  return stop;
}

export interface NewStop extends StopTarget {
  from: Day;
  until: Day | null;
  reason: string;
  /** The area is meant to be as large as it is. */
  large: boolean;
}

interface Deciding {
  today: Day;
  actor: Actor;
}

/**
 * Makes a stop. The same one, made again, stays as it is.
 * @throws CovermapError `stop_past`, `stop_days_reversed`, `stop_closes_nothing`, `stop_too_large`, `tower_ground_unknown`, `stops_too_many`, `area_invalid`, `technology_unknown`
 */
export function makeStop(
  database: Database,
  providerId: number,
  asked: NewStop,
  serviceArea: Config['serviceArea'],
  { today, actor }: Deciding,
): Promise<OrderStop> {
  checkDays(asked, today);
  const area = asked.area && areaOf(asked.area, serviceArea);
  return database.transaction(async (connection) => {
    // One stop at a time, so that they can be counted.
    await holdProvider(connection, providerId);
    const columns = await columnsOf(connection, providerId, asked, area);
    const { from, until, reason } = asked;
    const values = sql`(${providerId}::integer, ${columns.values}, ${from}::date, ${until}::date)`;
    const { rows: same } = await connection.query<{ id: number }>(sql`
      select id from order_stop s
      where s.provider_id = ${providerId}
        and (s.provider_id, ${columns.names}, s.from_day, s.until_day) is not distinct from ${values}`);
    if (same[0]) return requireStop(connection, today, same[0].id, { providerId });
    await requireRoom(connection, providerId, today);
    const { rows } = await connection.query<{ id: number }>(sql`
      insert into order_stop (provider_id, ${columns.names}, from_day, until_day, reason, created_by)
      select made.*, ${reason}, ${actor.name} from (values ${values}) as made
      returning id`);
    const stop = await requireStop(connection, today, rows[0]?.id as number, { providerId });
    await record(connection, actor, { action: 'stop_made', providerId, details: detailsOf(stop) });
    return stop;
  });
}

/** Changes the last day of a stop that has not ended. @throws CovermapError `stop_unknown`, `stop_ended`, `stop_past`, `stop_days_reversed` */
export function changeStop(
  database: Database,
  id: number,
  until: Day | null,
  { today, actor }: Deciding,
): Promise<OrderStop> {
  return database.transaction(async (connection) => {
    await connection.query(sql`select from order_stop where id = ${id} for update`);
    const stop = await requireStop(connection, today, id, { providerId: null });
    if (stop.until === until) return stop;
    if (stop.state === 'ended') throw new CovermapError('stop_ended');
    // It may have begun long ago.
    checkDays({ from: stop.from > today ? stop.from : today, until }, today);
    await connection.query(sql`update order_stop set until_day = ${until}::date where id = ${id}`);
    const details = { ...detailsOf(stop), until, until_before: stop.until };
    await record(connection, actor, { action: 'stop_changed', providerId: stop.provider.id, details });
    return { ...stop, until };
  });
}

/** Undoes a stop: only the audit still tells of it. @throws CovermapError `stop_unknown` */
export function undoStop(database: Database, id: number, { today, actor }: Deciding): Promise<void> {
  return database.transaction(async (connection) => {
    await connection.query(sql`select from order_stop where id = ${id} for update`);
    const stop = await requireStop(connection, today, id, { providerId: null });
    await connection.query(sql`delete from order_stop where id = ${id}`);
    await record(connection, actor, {
      action: 'stop_undone',
      providerId: stop.provider.id,
      details: detailsOf(stop),
    });
  });
}

/** Without what is empty. */
function detailsOf({ provider: _, holds: __, state: ___, ...stop }: OrderStop): object {
  return Object.fromEntries(Object.entries(stop).filter(([, value]) => value !== null && value !== ''));
}

/** @throws CovermapError `stop_past`, `stop_days_reversed` */
function checkDays({ from, until }: Pick<NewStop, 'from' | 'until'>, today: Day): void {
  if (until !== null && until < today)
    throw new CovermapError('stop_past', `The stop would have ended on ${until}, and today is ${today}.`);
  if (from < today)
    throw new CovermapError('stop_past', `The stop would have begun on ${from}, and today is ${today}.`);
  if (until !== null && until < from)
    throw new CovermapError(
      'stop_days_reversed',
      `The stop would end on ${until}, before it begins on ${from}.`,
    );
}

async function requireRoom(connection: Queryable, providerId: number, today: Day): Promise<void> {
  const { rows } = await connection.query<{ count: number }>(sql`
    select count(*)::integer as count from order_stop
    where provider_id = ${providerId} and coalesce(until_day >= ${today}::date, true)`);
  if ((rows[0]?.count ?? 0) < maxStops) return;
  throw new CovermapError(
    'stops_too_many',
    `The provider has ${maxStops} stops that have not ended, as many as it may have.`,
  );
}

/** The columns of a stop's kind and target. */
interface Columns {
  names: Sql;
  values: Sql;
}

async function columnsOf(
  connection: Queryable,
  providerId: number,
  { tower, tier, area: drawn, technology, large }: NewStop,
  area: Area | undefined,
): Promise<Columns> {
  if (tower) return towerColumns(connection, providerId, tower);
  if (tier) return tierColumns(connection, providerId, tier);
  const technologyId = technology === undefined ? null : await technologyOf(connection, technology);
  await requireCoverage(connection, providerId, technologyId, area as Area, large);
  return {
    names: sql`kind, technology_id, area`,
    values: sql`'area'::text, ${technologyId}::smallint, ${JSON.stringify(drawn)}::jsonb`,
  };
}

async function tierColumns(
  connection: Queryable,
  providerId: number,
  { technology, scope = '', ...speeds }: NonNullable<StopTarget['tier']>,
): Promise<Columns> {
  const key = scopeKey(scope);
  const values = speedFields.map((field) => speeds[field]) as [number, number, number, number];
  const { rows } = await connection.query<{ technology_id: number; scope: string }>(sql`
    select d.technology_id, d.scope
    from dataset d join technology t on t.id = d.technology_id cross join (
      select ${values[0]}::numeric as bandwidth_min_mbps, ${values[1]}::numeric as bandwidth_max_mbps,
        ${values[2]}::numeric as bandwidth_up_min_mbps, ${values[3]}::numeric as bandwidth_up_max_mbps) as s
    where d.state = 'published' and d.provider_id = ${providerId} and t.name = ${technology} and d.scope_key = ${key}
      and exists (select from tier t where t.dataset_id = d.id and ${hasSpeeds})`);
  const [found] = rows;
  if (!found) {
    const name = coverageName({ technology, scope });
    throw new CovermapError(
      'stop_closes_nothing',
      `The published coverage of ${name} has no available tier with these speeds.`,
    );
  }
  return {
    names: sql`kind, technology_id, scope, scope_key, bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps, bandwidth_up_max_mbps`,
    values: sql`'tier'::text, ${found.technology_id}::smallint, ${found.scope}::text, ${key}::text, ${values[0]}::numeric, ${values[1]}::numeric,
      ${values[2]}::numeric, ${values[3]}::numeric`,
  };
}

async function towerColumns(
  connection: Queryable,
  providerId: number,
  { technology, scope = '', lat, lng }: NonNullable<StopTarget['tower']>,
): Promise<Columns> {
  const key = scopeKey(scope);
  const { rows } = await connection.query<{
    technology_id: number;
    scope: string;
    name: string | null;
    lng: number;
    lat: number;
  }>(sql`
    select d.technology_id, d.scope, g.name, g.lng, g.lat
    from dataset d join technology t on t.id = d.technology_id
      left join tower_ground g on g.submission_id = d.submission_id and ${isPresentGround} and ${atTower(sql`${lng}::float8`, sql`${lat}::float8`)}
    where d.state = 'published' and d.provider_id = ${providerId} and t.name = ${technology} and d.scope_key = ${key}`);
  const [found] = rows;
  if (!found) {
    const name = coverageName({ technology, scope });
    throw new CovermapError('stop_closes_nothing', `No coverage of ${name} is published.`);
  }
  if (found.lng === null) throw new CovermapError('tower_ground_unknown');
  return {
    names: sql`kind, technology_id, scope, scope_key, tower_name, tower_lng, tower_lat`,
    values: sql`'tower'::text, ${found.technology_id}::smallint, ${found.scope}::text, ${key}::text, ${found.name}::text, ${found.lng}::float8, ${found.lat}::float8`,
  };
}

/** @throws CovermapError `technology_unknown` */
async function technologyOf(connection: Queryable, name: string): Promise<number> {
  const { rows } = await connection.query<{ id: number }>(
    sql`select id from technology where name = ${name}`,
  );
  if (!rows[0]) throw new CovermapError('technology_unknown', `There is no technology "${name}".`);
  return rows[0].id;
}

/** @throws CovermapError `stop_closes_nothing` where an area has no coverage, `stop_too_large` where it is mostly something else */
async function requireCoverage(
  connection: Queryable,
  providerId: number,
  technologyId: number | null,
  { polygon, km2 }: Area,
  large: boolean,
): Promise<void> {
  const area = sql`st_setsrid(st_geomfromwkb(${wkbOf([polygon])}), 4326)`;
  const { rows } = await connection.query<{ km2: number; touched: boolean }>(sql`
    with live as (
      select id, coalesce(covered_m2 / 1e6, area_km2) as km2 from dataset
      where state = 'published' and provider_id = ${providerId} and technology_id = coalesce(${technologyId}::smallint, technology_id)
    )
    select (select coalesce(sum(km2), 0) from live)::float8 as km2, exists (
      select from coverage c join tier on tier.id = c.tier_id
      where ${meets(sql`c.geom`, area)} and tier.dataset_id in (select id from live)) as touched`);
  const { km2: coverage, touched } = rows[0] as (typeof rows)[number];
  if (!touched)
    throw new CovermapError('stop_closes_nothing', 'None of the published coverage lies in this area.');
  if (large || km2 <= farLarger * coverage) return;
  const [size, ofCoverage] = [km2, coverage].map((one) =>
    one.toLocaleString('en-NZ', { maximumFractionDigits: 1 }),
  );
  const sentence = `The area has ${size} km², and the published coverage that it may close ${ofCoverage} km².`;
  throw new CovermapError('stop_too_large', sentence);
}
