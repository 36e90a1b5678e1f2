import type { Queryable } from '../database/database.ts';
import { CovermapError } from '../errors.ts';
import {
  addMonths,
  billingTimeZone,
  type Day,
  dayOf,
  daysOfMonth,
  firstDay,
  type Month,
  monthOf,
  monthOfDay,
  startOfMonth,
} from './calendar.ts';
import {
  type AskedQueries,
  freeLeft,
  nothingAsked,
  type PlanPeriod,
  planMonths,
  projectedQueries,
  usageOf,
} from './charges.ts';
import { closedThrough, planPeriods, termsOf } from './plans.ts';

/** A month's queries and what they cost, cents without GST. */
interface MonthFigures {
  queries: number;
  free: number;
  bundle: number;
  bundled: number;
  overage: number;
  overage_cents: number;
  plan_fee_cents: number;
}

/** What a month will come to if it goes on like this. */
export interface Projection {
  queries: number;
  free: number;
  overage: number;
  overage_cents: number;
  plan_fee_cents: number;
  total_cents: number;
}

export interface DayQueries {
  date: Day;
  queries: number;
}

/** Counts on the disk of a machine that could not be brought in. */
export interface DamagedFile {
  host: string;
  file: string;
  reason: string;
  found_at: Date;
}

/** The usage of all customers in a month. */
export interface UsageOverview {
  month: Month;
  closed: boolean;
  as_of: Date;
  days: DayQueries[];
  totals: Omit<MonthFigures, 'bundle'>;
  /** Counts of API processes that were found in this month and could not be read: queries that are billed to nobody. */
  damaged_files: DamagedFile[];
  customers: ({
    customer: { id: number; name: string };
    plan: { name: string; label: string } | null;
    projection: Projection | null;
  } & MonthFigures)[];
}

/** The usage of a customer in a month. */
export interface CustomerUsage extends MonthFigures {
  customer: { id: number; name: string };
  month: Month;
  begins_at: Date;
  ends_at: Date;
  closed: boolean;
  as_of: Date;
  plan: {
    name: string;
    label: string;
    bundled_queries: number;
    price_cents: number;
    days: number;
    days_in_month: number;
  } | null;
  free_left: number;
  projection: Projection | null;
  days: DayQueries[];
  keys: { id: number; label: string; hint: string; queries: number }[];
  /** The number of the month's invoice, once there is one. */
  invoice: number | null;
}

/**
 * Billable queries by customer, from a month on. It reads a row for each of these months and one for all before.
 * @param customerId undefined: of all customers
 */
export async function queriesSince(
  db: Queryable,
  month: Month,
  customerId?: number,
): Promise<Map<number, AskedQueries>> {
  const { rows } = await db.query<{
    customer_id: number;
    total: number;
    month: Day | null;
    queries: number | null;
  }>(
    `select t.customer_id, t.queries as total, m.month, m.queries
     from usage_total t left join usage_month m on m.customer_id = t.customer_id and m.month >= $1
     where $2::integer is null or t.customer_id = $2
     order by 1, 3`,
    [firstDay(month), customerId ?? null],
  );
  return askedQueries(rows);
}

/** @param rows a customer's total, with each of its months from one on */
export function askedQueries(
  rows: readonly { customer_id: number; total: number; month: Day | null; queries: number | null }[],
): Map<number, AskedQueries> {
  const asked = new Map<number, AskedQueries>();
  for (const { customer_id, total, month, queries } of rows) {
    const own = asked.get(customer_id) ?? { before: total, months: new Map() };
    asked.set(customer_id, own);
    if (month === null || queries === null) continue;
    own.before -= queries;
    own.months.set(monthOfDay(month), queries);
  }
  return asked;
}

/** Billable queries of a month by key, of one customer or of all. */
export async function queriesByKey(
  db: Queryable,
  month: Month,
  customerId?: number,
): Promise<{ customer_id: number; id: number; label: string; hint: string; queries: number }[]> {
  const { rows } = await db.query<{
    customer_id: number;
    id: number;
    label: string;
    hint: string;
    queries: number;
  }>(
    `select k.customer_id, k.id, k.label, k.hint, sum(u.queries)::bigint as queries
     from usage_hour u join api_key k on k.id = u.key_id
     where u.hour >= $1 and u.hour < $2 and ($3::integer is null or k.customer_id = $3)
     group by k.id
     order by k.id`,
    [startOfMonth(month), startOfMonth(addMonths(month, 1)), customerId ?? null],
  );
  return rows;
}

/** Every day of a month until today, with its billable queries. */
async function queriesByDay(
  db: Queryable,
  month: Month,
  at: Date,
  customerId?: number,
): Promise<DayQueries[]> {
  const { rows } = await db.query<DayQueries>(
    `select (u.hour at time zone '${billingTimeZone}')::date as date, sum(u.queries)::bigint as queries
     from usage_hour u join api_key k on k.id = u.key_id
     where u.hour >= $1 and u.hour < $2 and ($3::integer is null or k.customer_id = $3)
     group by 1`,
    [startOfMonth(month), startOfMonth(addMonths(month, 1)), customerId ?? null],
  );
  const known = new Map(rows.map(({ date, queries }) => [date, queries]));
  const today = dayOf(at);
  return daysOfMonth(month)
    .filter((date) => date <= today || known.has(date))
    .map((date) => ({ date, queries: known.get(date) ?? 0 }));
}

/** Billable queries of a customer by day and key. */
export async function queriesByDayAndKey(
  db: Queryable,
  month: Month,
  customerId: number,
): Promise<{ date: Day; key_id: number; label: string; hint: string; queries: number }[]> {
  const { rows } = await db.query<{
    date: Day;
    key_id: number;
    label: string;
    hint: string;
    queries: number;
  }>(
    `select (u.hour at time zone '${billingTimeZone}')::date as date, k.id as key_id, k.label, k.hint,
       sum(u.queries)::bigint as queries
     from usage_hour u join api_key k on k.id = u.key_id
     where u.hour >= $1 and u.hour < $2 and k.customer_id = $3
     group by 1, k.id
     order by 1, k.id`,
    [startOfMonth(month), startOfMonth(addMonths(month, 1)), customerId],
  );
  return rows;
}

/** What staff see of a month. */
export async function usageOverview(db: Queryable, month: Month, at: Date): Promise<UsageOverview> {
  const { rows: customers } = await db.query<{ id: number; name: string; free_queries: number }>(
    'select id, name, free_queries from customer order by lower(name)',
  );
  const periods = await planPeriods(db);
  const queries = await queriesSince(db, month);
  const { overageCents } = await termsOf(db, month);
  const shown = customers.flatMap(({ id, name, free_queries }) => {
    const own = periods.get(id) ?? [];
    const asked = queries.get(id) ?? nothingAsked;
    const plan = planMonths(own, month).at(-1)?.period.plan;
    if (!plan && !asked.months.has(month)) return [];
    const count = asked.months.get(month) ?? 0;
    const free = Math.max(0, free_queries - asked.before);
    return [
      {
        customer: { id, name },
        plan: plan ? { name: plan.name, label: plan.label } : null,
        ...figures(count, own, free, month, overageCents),
        projection: project(count, own, free, month, overageCents, at),
      },
    ];
  });
  const total = (field: keyof MonthFigures) => shown.reduce((sum, customer) => sum + customer[field], 0);
  return {
    month,
    closed: isClosed(await closedThrough(db), month),
    as_of: at,
    days: await queriesByDay(db, month, at),
    totals: {
      queries: total('queries'),
      free: total('free'),
      bundled: total('bundled'),
      overage: total('overage'),
      overage_cents: total('overage_cents'),
      plan_fee_cents: total('plan_fee_cents'),
    },
    damaged_files: await damagedFiles(db, month),
    customers: shown,
  };
}

async function damagedFiles(db: Queryable, month: Month): Promise<DamagedFile[]> {
  const { rows } = await db.query<DamagedFile>(
    `select host, file, reason, found_at from usage_damage
     where found_at >= $1 and found_at < $2 order by found_at`,
    [startOfMonth(month), startOfMonth(addMonths(month, 1))],
  );
  return rows;
}

/**
 * What a customer sees of a month, and staff of a customer's.
 * @throws CovermapError `customer_unknown`
 */
export async function customerUsage(
  db: Queryable,
  customerId: number,
  month: Month,
  at: Date,
): Promise<CustomerUsage> {
  const { rows } = await db.query<{ name: string; free_queries: number; invoice: number | null }>(
    `select c.name, c.free_queries, i.number as invoice
     from customer c left join invoice i on i.customer_id = c.id and i.month = $2::date
     where c.id = $1`,
    [customerId, firstDay(month)],
  );
  const customer = rows[0];
  if (!customer) throw new CovermapError('customer_unknown', 'There is no such customer.');
  const periods = (await planPeriods(db, customerId)).get(customerId) ?? [];
  const asked = (await queriesSince(db, month, customerId)).get(customerId) ?? nothingAsked;
  const count = asked.months.get(month) ?? 0;
  const free = Math.max(0, customer.free_queries - asked.before);
  const { overageCents } = await termsOf(db, month);
  const part = planMonths(periods, month).at(-1);
  return {
    customer: { id: customerId, name: customer.name },
    month,
    begins_at: startOfMonth(month),
    ends_at: startOfMonth(addMonths(month, 1)),
    closed: isClosed(await closedThrough(db), month),
    as_of: at,
    plan: part
      ? {
          name: part.period.plan.name,
          label: part.period.plan.label,
          bundled_queries: part.period.plan.bundledQueries,
          price_cents: part.period.plan.priceCents,
          days: part.days,
          days_in_month: part.daysInMonth,
        }
      : null,
    ...figures(count, periods, free, month, overageCents),
    // Those that are left now, not those of the month.
    free_left: freeLeft(asked, customer.free_queries),
    projection: project(count, periods, free, month, overageCents, at),
    days: await queriesByDay(db, month, at, customerId),
    keys: (await queriesByKey(db, month, customerId)).map(({ id, label, hint, queries: count }) => ({
      id,
      label,
      hint,
      queries: count,
    })),
    invoice: customer.invoice,
  };
}

/**
 * The first month of which there is something: a plan, a query or an invoice.
 * @param customerId undefined: of anybody
 */
export async function firstMonthOf(db: Queryable, customerId: number | undefined, at: Date): Promise<Month> {
  const { rows } = await db.query<{ asked: Day | null; begins: Day | null; month: Day | null }>(
    `select (select min(month) from usage_month where $1::integer is null or customer_id = $1) as asked,
       (select min(begins) from customer_plan where $1::integer is null or customer_id = $1) as begins,
       (select min(month) from invoice where $1::integer is null or customer_id = $1) as month`,
    [customerId ?? null],
  );
  const { asked, begins, month } = rows[0] ?? { asked: null, begins: null, month: null };
  const months = [monthOf(at), ...[asked, begins, month].map((day) => day && monthOfDay(day))];
  return months.filter((known) => known !== null).sort()[0] as Month;
}

export function isClosed(closed: Month | undefined, month: Month): boolean {
  return closed !== undefined && month <= closed;
}

/** @param free how many free queries were left when the month began */
function figures(
  queries: number,
  periods: readonly PlanPeriod[],
  free: number,
  month: Month,
  overageCents: number,
): MonthFigures {
  const [usage] = usageOf(new Map([[month, queries]]), periods, free, [month]);
  const { month: _, ...counts } = usage as NonNullable<typeof usage>;
  return {
    ...counts,
    overage_cents: counts.overage * overageCents,
    plan_fee_cents: planMonths(periods, month).reduce((sum, { feeCents }) => sum + feeCents, 0),
  };
}

/** The queries so far, drawn out to the end of the month; null where it is over, or has not begun. */
function project(
  queries: number,
  periods: readonly PlanPeriod[],
  freeAtFirst: number,
  month: Month,
  overageCents: number,
  at: Date,
): Projection | null {
  const begins = startOfMonth(month).getTime();
  const ends = startOfMonth(addMonths(month, 1)).getTime();
  const elapsed = (at.getTime() - begins) / (ends - begins);
  if (elapsed <= 0 || elapsed >= 1) return null;
  // Of the first day there is too little to tell a month by.
  const dayShare = 86_400_000 / (ends - begins);
  const expected = projectedQueries(queries, Math.max(elapsed, dayShare));
  const {
    queries: count,
    free,
    overage,
    overage_cents,
    plan_fee_cents,
  } = figures(expected, periods, freeAtFirst, month, overageCents);
  return {
    queries: count,
    free,
    overage,
    overage_cents,
    plan_fee_cents,
    total_cents: overage_cents + plan_fee_cents,
  };
}
