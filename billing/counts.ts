import type { Queryable } from '../platform/database/database.ts';
import { nzTimeSql } from '../platform/database/nz-time.ts';
import { raw, sql } from '../platform/database/sql.ts';
import {
  addDays,
  addMonths,
  type Day,
  dayOf,
  daysBetween,
  daysOfMonth,
  firstDay,
  type Month,
  startOfDay,
  startOfMonth,
} from '../platform/nz-time.ts';
import type { PlanPeriod, QueryCounts } from './charges.ts';

/* Counts of billable queries from the meter. An undefined `customerId` stands for all customers. */

/** Queries by customer, from a month on. @param unclosed from the first month with counts newer than its close, if that is earlier */
export async function queriesSince(
  db: Queryable,
  month: Month,
  {
    customerId,
    customerIds,
    unclosed = false,
  }: {
    customerId?: number | undefined;
    customerIds?: readonly number[] | undefined;
    unclosed?: boolean;
  } = {},
): Promise<Map<number, QueryCounts>> {
  // "+ 0" keeps the planner from the index of all months: that of the months that have changed has a row or two.
  const first = unclosed
    ? sql`select least(${firstDay(month)}::date, min(c.month + 0)) as month from usage_month c
        where c.customer_id = t.customer_id and c.closed_queries <> c.queries`
    : sql`select ${firstDay(month)}::date as month`;
  type Counts = Record<Month, number>;
  const { rows } = await db.query<{ id: number; before: number; months: Counts; uncharged: Counts }>(sql`
    select t.customer_id as id, t.queries - t.uncharged - coalesce(sum(m.queries - m.uncharged), 0)::bigint as before,
      coalesce(json_object_agg(to_char(m.month, 'YYYY-MM'), m.queries) filter (where m.month is not null), '{}') as months,
      coalesce(json_object_agg(to_char(m.month, 'YYYY-MM'), m.uncharged) filter (where m.month is not null), '{}') as uncharged
    from usage_total t
    cross join lateral (${first}) as first
    left join usage_month m on m.customer_id = t.customer_id and m.month >= first.month
    where (${customerId}::integer is null or t.customer_id = ${customerId})
      and (${customerIds === undefined} or t.customer_id = any(${customerIds ?? []}::integer[]))
    group by t.customer_id`);
  const byMonth = (counts: Counts) => new Map(Object.entries(counts));
  return new Map(
    rows.map(({ id, before, months, uncharged }) => [
      id,
      { before, months: byMonth(months), uncharged: byMonth(uncharged) },
    ]),
  );
}

/** SQL: the hours that were counted in a month, with their keys. */
const hoursOf = (month: Month, customerId?: number) => sql`usage_hour u join api_key k on k.id = u.key_id
  where u.hour >= ${startOfMonth(month)} and u.hour < ${startOfMonth(addMonths(month, 1))}
    and (${customerId}::integer is null or k.customer_id = ${customerId})`;
const dayOfHour = raw(`${nzTimeSql('u.hour')}::date`);
const keyNames = sql`k.label, k.hint, sum(u.queries)::bigint as queries`;

type KeyQueries = { label: string; hint: string; queries: number };

export async function queriesByKey(db: Queryable, month: Month, customerId?: number) {
  const { rows } = await db.query<Record<'customer_id' | 'id', number> & KeyQueries>(sql`
    select k.customer_id, k.id, ${keyNames} from ${hoursOf(month, customerId)} group by k.id order by k.id`);
  return rows;
}

/** Queries of every day of a month until today. */
export async function queriesByDay(db: Queryable, month: Month, at: Date, customerId?: number) {
  const { rows } = await db.query<{ date: Day; queries: number }>(sql`
    select ${dayOfHour} as date, sum(u.queries)::bigint as queries from ${hoursOf(month, customerId)} group by 1`);
  const known = new Map(rows.map(({ date, queries }) => [date, queries]));
  const today = dayOf(at);
  return daysOfMonth(month)
    .filter((date) => date <= today || known.has(date))
    .map((date) => ({ date, queries: known.get(date) ?? 0 }));
}

/** Queries of customers by day from a day until today, by customer who asked any; days without are there. */
export async function queriesOfDays(db: Queryable, from: Day, at: Date, customerIds: readonly number[]) {
  const { rows } = await db.query<{ id: number; date: Day; queries: number }>(sql`
    select k.customer_id as id, ${dayOfHour} as date, sum(u.queries)::bigint as queries
    from usage_hour u join api_key k on k.id = u.key_id
    where u.hour >= ${startOfDay(from)} and u.hour <= ${at} and k.customer_id = any(${customerIds}::integer[])
    group by 1, 2`);
  const days = Array.from({ length: daysBetween(from, dayOf(at)) + 1 }, (_, i) => addDays(from, i));
  const byCustomer = new Map<number, Map<Day, number>>();
  for (const { id, date, queries } of rows)
    byCustomer.set(id, (byCustomer.get(id) ?? new Map()).set(date, queries));
  return new Map(
    [...byCustomer].map(([id, known]) => [id, days.map((date) => ({ date, queries: known.get(date) ?? 0 }))]),
  );
}

export type DayKeyQueries = KeyQueries & { date: Day; key_id: number };

export async function queriesByDayAndKey(db: Queryable, month: Month, customerId: number) {
  const { rows } = await db.query<DayKeyQueries>(sql`
    select ${dayOfHour} as date, k.id as key_id, ${keyNames}
    from ${hoursOf(month, customerId)} group by 1, k.id order by 1, k.id`);
  return rows;
}

/** Queries of a month from the start of a plan on, by customer whose plan starts in it. */
export async function queriesSinceStart(
  db: Queryable,
  starts: readonly { id: number; start: PlanPeriod }[],
  month: Month,
): Promise<Map<number, number>> {
  if (starts.length === 0) return new Map();
  const { rows } = await db.query<{ id: number; queries: number }>(sql`
    select s.id, coalesce(sum(u.queries), 0)::bigint as queries
    from unnest(${starts.map(({ id }) => id)}::integer[],
      ${starts.map(({ start }) => startOfDay(start.begins))}::timestamptz[]) as s (id, since)
    left join api_key k on k.customer_id = s.id
    left join usage_hour u on u.key_id = k.id and u.hour >= s.since and u.hour < ${startOfMonth(addMonths(month, 1))}
    group by s.id`);
  return new Map(rows.map(({ id, queries }) => [id, queries]));
}

/** The unreadable files of counts that were found in a month: their queries are billed to nobody. */
export async function damagedFiles(db: Queryable, month: Month) {
  const { rows } = await db.query<{ host: string; file: string; reason: string; found_at: Date }>(sql`
    select host, file, reason, found_at from usage_damage
    where found_at >= ${startOfMonth(month)} and found_at < ${startOfMonth(addMonths(month, 1))} order by found_at`);
  return rows;
}
