import type { Queryable } from '../../platform/database/database.ts';
import { endOfDaySql } from '../../platform/database/nz-time.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { Day } from '../../platform/nz-time.ts';
import { dayUnknown, publishedOn } from '../lookup/history.ts';
import { isCounted } from '../premises/counted.ts';
import { shownDates } from './count.ts';
import type { StatisticsPart } from './statistics-thread.ts';

/* What is counted by region, as it is read from the database: in pieces that hold up nobody. */

/** Regions that addresses themselves have, by the columns of a street. */
export const addressRegions = {
  authority: { name: sql`authority`, within: sql`''` },
  town: { name: sql`town`, within: sql`''` },
  suburb: { name: sql`suburb`, within: sql`town` },
} satisfies Record<string, { name: Sql; within: Sql }>;

export interface RegionName {
  name: string;
  /** The town of a suburb; empty for all others. */
  within: string;
}

/** All that statistics depend on but the days: equal texts give equal regions. */
export async function placesState(db: Queryable): Promise<{ premises: number; state: string }> {
  const { rows } = await db.query<{ premises: number; state: string }>(`
    select premises_version as premises,
      concat_ws(' ', version, premises_version, changed_at, (select string_agg(id::text, ',' order by id) from region_layer)) as state
    from address_list`);
  const { premises, state } = rows[0] as (typeof rows)[number];
  return { premises: Number(premises), state };
}

/** The coverage of a day. */
export interface CoverageOfDay {
  datasets: number[];
  /** False while some of it is not counted with the premises that there are now. */
  counted: boolean;
  /** Equal for equal coverage. */
  digest: string;
}

/** What was published at the end of a day. @throws CovermapError `day_unknown` where that is not known any more, and before the first publication */
export async function coverageOfDay(db: Queryable, day: Day, today: Day): Promise<CoverageOfDay> {
  const { rows } = await db.query<CoverageOfDay & { begun: boolean; removed: boolean }>(sql`
    with version as materialized (
      select distinct d.id, d.rows_removed_at is not null as is_removed, ${isCounted} as is_counted
      from publication p join dataset d on d.id = p.dataset_id
      where ${publishedOn(day)}
    )
    select
      exists (select from publication where published_at < ${endOfDaySql(day)}) as begun,
      (select coalesce(bool_or(is_removed and not is_counted), false) from version) as removed,
      (select coalesce(bool_and(is_counted), true) from version) as counted,
      (select coalesce(array_agg(id order by id), '{}') from version) as datasets,
      (
        select coalesce(md5(string_agg(concat_ws(' ', p.tier_id, p.xmin), ',' order by p.tier_id)), '')
        from version join tier t on t.dataset_id = version.id join tier_premises p on p.tier_id = t.id
      ) as digest`);
  const { begun, removed, ...coverage } = rows[0] as (typeof rows)[number];
  // Today, nothing may be published yet: then nothing is available, which is known.
  if (!begun && day < today) throw dayUnknown(`No coverage had been published by the end of ${day}.`);
  if (removed)
    throw dayUnknown(
      'Coverage that was published on that day is no longer kept, and was not counted with these addresses.',
    );
  return coverage;
}

/** The planned dates of datasets, as they are told apart. */
export async function datesOf(db: Queryable, datasets: readonly number[]): Promise<string[]> {
  const { rows } = await db.query<{ date: string }>(sql`
    select distinct planned_date::text as date from tier
    where dataset_id = any (${datasets}) and availability <> 'available' and planned_date is not null`);
  return shownDates(rows.map(({ date }) => date));
}

/** The tables' blocks that one statement reads: some 100,000 addresses. */
const blocksAtOnce = 1_000;

/** Where addresses are, and their streets. */
export async function* addressParts(db: Queryable): AsyncGenerator<StatisticsPart> {
  const { rows } = await db.query<{ blocks: number }>(
    `select ceil(pg_relation_size('address') / current_setting('block_size')::float8)::integer as blocks`,
  );
  const place = (block: number) => `(${block},0)`;
  for (let from = 0; from < (rows[0]?.blocks ?? 0); from += blocksAtOnce) {
    const page = await db.query<{ addresses: Uint8Array | null }>(sql`
      select string_agg(int4send(lng) || int4send(lat) || int4send(street_id), '') as addresses from address
      where ctid >= ${place(from)}::tid and ctid < ${place(from + blocksAtOnce)}::tid`);
    const addresses = page.rows[0]?.addresses;
    if (addresses) yield { addresses };
  }
}

/** The regions that streets are in, and their names. */
export async function streetRegions(db: Queryable, by: keyof typeof addressRegions) {
  const { name, within } = addressRegions[by];
  const { rows } = await db.query<RegionName & { streets: Uint8Array }>(sql`
    select ${name} as name, ${within} as within, string_agg(int4send(id), '') as streets
    from street where addresses > 0 and ${name} <> '' group by 1, 2 order by 1, 2`);
  return {
    names: rows.map(({ name, within }) => ({ name, within })),
    part: { by, streets: rows.map(({ streets }) => streets) },
  };
}

/** Areas of regions that one statement reads: each has at most half a megabyte. */
const areasAtOnce = 16;

/** The exact areas of a layer, region by region. */
export async function* layerParts(db: Queryable, id: number, by: string): AsyncGenerator<StatisticsPart> {
  for (let after = { number: 0, place: '(0,0)' }; ; ) {
    const { rows } = await db.query<{ number: number; place: string; areas: Uint8Array }>(sql`
      select number, ctid::text as place, areas from region_area
      where layer_id = ${id} and (number, ctid) > (${after.number}::integer, ${after.place}::tid)
      order by number, ctid limit ${areasAtOnce}`);
    for (const { number: region, areas } of rows) yield { by, region, areas };
    const last = rows.at(-1);
    if (!last) return;
    after = last;
  }
}

/** Tiers of which one statement reads the premises: some have 300 kB. */
const tiersAtOnce = 16;

interface TierRow {
  id: number;
  technologyId: number;
  providerId: number;
  availability: 'available' | 'underway' | 'planned';
  plannedDate: string | null;
  bandwidthMax: number;
  premises: Uint8Array;
}

/** What the tiers of datasets cover, those of a provider one after the other. @param technologies in the order of their ids here */
export async function* tierParts(
  db: Queryable,
  datasets: readonly number[],
  technologies: readonly number[],
  day: number,
): AsyncGenerator<StatisticsPart> {
  for (let after = { providerId: 0, id: 0 }; ; ) {
    const { rows } = await db.query<TierRow>(sql`
      select t.id, d.technology_id as "technologyId", d.provider_id as "providerId", t.availability,
        t.planned_date::text as "plannedDate", t.bandwidth_max_mbps::float8 as "bandwidthMax", p.premises
      from dataset d join tier t on t.dataset_id = d.id join tier_premises p on p.tier_id = t.id
      where d.id = any (${datasets}) and (d.provider_id, t.id) > (${after.providerId}::integer, ${after.id}::integer)
      order by d.provider_id, t.id limit ${tiersAtOnce}`);
    const tiers = rows.map(({ id: _id, technologyId, ...tier }) => ({
      ...tier,
      technology: technologies.indexOf(technologyId),
    }));
    const last = rows.at(-1);
    if (!last) return;
    yield { day, tiers };
    after = last;
  }
}
