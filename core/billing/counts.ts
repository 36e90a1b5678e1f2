import type { Queryable } from '../database/database.ts';
import { raw, sql } from '../database/sql.ts';
import {
  addMonths,
  type Day,
  dayOf,
  daysOfMonth,
  firstDay,
  type Month,
  nzTimeSql,
  startOfDay,
  startOfMonth,
} from '../nz-time.ts';
import type { PlanPeriod, QueryCounts } from './charges.ts';

/* What the meter has counted: billable queries. */

/** A customer's total of the queries that use up the free allowance, with one of its months. */
export interface CountRow {
  customer_id: number;
  total: number;
  month: Month | null;
  queries: number | null;
  uncharged: number | null;
}

/**
 * Queries by customer, from a month on. Reads a row for each of these months and one for all before.
 * @param customerId undefined: of all customers
 */
export async function queriesSince(db: Queryable, month: Month, customerId?: number) {
  const { rows } = await db.query<CountRow>(sql`
    select t.customer_id, t.queries - t.uncharged as total, to_char(m.month, 'YYYY-MM') as month, m.queries, m.uncharged
    from usage_total t left join usage_month m on m.customer_id = t.customer_id and m.month >= ${firstDay(month)}
    where ${customerId}::integer is null or t.customer_id = ${customerId}
    order by 1, 3`);
  return queryCounts(rows);
}

/** Rows as counts by customer. */
export function queryCounts(rows: readonly CountRow[]): Map<number, QueryCounts> {
  const counts = new Map<number, QueryCounts>();
  for (const { customer_id, total, month, queries, uncharged } of rows) {
    const own = counts.get(customer_id) ?? { before: total, months: new Map(), uncharged: new Map() };
    counts.set(customer_id, own);
    if (month === null || queries === null) continue;
    own.before -= queries - (uncharged ?? 0);
    own.months.set(month, queries);
    if (uncharged) own.uncharged.set(month, uncharged);
  }
  return counts;
}

/** SQL: the hours that were counted in a month, with their keys: of one customer, or of all. */
const hoursOf = (
  month: Month,
  customerId: number | undefined,
) => sql`usage_hour u join api_key k on k.id = u.key_id
  where u.hour >= ${startOfMonth(month)} and u.hour < ${startOfMonth(addMonths(month, 1))}
    and (${customerId}::integer is null or k.customer_id = ${customerId})`;
const dayOfHour = raw(`${nzTimeSql('u.hour')}::date`);

/** Queries of a month by key. @param customerId undefined: of all customers */
export async function queriesByKey(db: Queryable, month: Month, customerId?: number) {
  const { rows } = await db.query<Record<'customer_id' | 'id' | 'queries', number> & KeyNames>(sql`
    select k.customer_id, k.id, k.label, k.hint, sum(u.queries)::bigint as queries
    from ${hoursOf(month, customerId)} group by k.id order by k.id`);
  return rows;
}

interface KeyNames {
  label: string;
  hint: string;
}

interface DayQueries {
  date: Day;
  queries: number;
}

/** Queries of every day of a month until today. @param customerId undefined: of all customers */
export async function queriesByDay(db: Queryable, month: Month, at: Date, customerId?: number) {
  const { rows } = await db.query<DayQueries>(sql`
    select ${dayOfHour} as date, sum(u.queries)::bigint as queries from ${hoursOf(month, customerId)} group by 1`);
  const known = new Map(rows.map(({ date, queries }) => [date, queries]));
  const today = dayOf(at);
  return daysOfMonth(month)
    .filter((date) => date <= today || known.has(date))
    .map((date) => ({ date, queries: known.get(date) ?? 0 }));
}

export type DayKeyQueries = DayQueries & KeyNames & { key_id: number };

/** Queries of a customer by day and key. */
export async function queriesByDayAndKey(db: Queryable, month: Month, customerId: number) {
  const { rows } = await db.query<DayKeyQueries>(sql`
    select ${dayOfHour} as date, k.id as key_id, k.label, k.hint, sum(u.queries)::bigint as queries
    from ${hoursOf(month, customerId)} group by 1, k.id order by 1, k.id`);
  return rows;
}

/** Of customers whose plan starts within a month, the queries of the month from that day on. @param starts by customer */
export async function queriesSinceStart(
  db: Queryable,
  starts: ReadonlyMap<number, PlanPeriod>,
  month: Month,
): Promise<Map<number, number>> {
  if (starts.size === 0) return new Map();
  const { rows } = await db.query<{ id: number; queries: number }>(sql`
    select s.id, coalesce(sum(u.queries), 0)::bigint as queries
    from unnest(${[...starts.keys()]}::integer[],
      ${[...starts.values()].map(({ begins }) => startOfDay(begins))}::timestamptz[]) as s (id, since)
    left join api_key k on k.customer_id = s.id
    left join usage_hour u on u.key_id = k.id and u.hour >= s.since and u.hour < ${startOfMonth(addMonths(month, 1))}
    group by s.id`);
  return new Map(rows.map(({ id, queries }) => [id, queries]));
}

/** The files of counts that could not be read and were found in a month: their queries are billed to nobody. */
export async function damagedFiles(db: Queryable, month: Month) {
  const { rows } = await db.query<{ host: string; file: string; reason: string; found_at: Date }>(sql`
    select host, file, reason, found_at from usage_damage
    where found_at >= ${startOfMonth(month)} and found_at < ${startOfMonth(addMonths(month, 1))} order by found_at`);
  return rows;
}
