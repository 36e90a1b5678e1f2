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
import { freeLeft, type PlanPeriod, planMonths, projectedQueries, usageOf } from './charges.ts';
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

/** The usage of all customers in a month. */
export interface UsageOverview {
  month: Month;
  closed: boolean;
  as_of: Date;
  days: DayQueries[];
  totals: Omit<MonthFigures, 'bundle'>;
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

/** The month of an hour, as SQL. */
const monthSql = `to_char(u.hour at time zone '${billingTimeZone}', 'YYYY-MM')`;

/**
 * Billable queries by customer and month.
 * @param before those before an instant
 * @param customerId undefined: of all customers
 */
export async function queriesByMonth(
  db: Queryable,
  before: Date,
  customerId?: number,
): Promise<Map<number, Map<Month, number>>> {
  const { rows } = await db.query<{ customer_id: number; month: Month; queries: number }>(
    `select k.customer_id, ${monthSql} as month, sum(u.queries)::bigint as queries
     from usage_hour u join api_key k on k.id = u.key_id
     where u.hour < $1 and ($2::integer is null or k.customer_id = $2)
     group by 1, 2
     order by 1, 2`,
    [before, customerId ?? null],
  );
  const queries = new Map<number, Map<Month, number>>();
  for (const { customer_id, month, queries: count } of rows) {
    const months = queries.get(customer_id) ?? new Map();
    queries.set(customer_id, months.set(month, count));
  }
  return queries;
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
  const queries = await queriesByMonth(db, startOfMonth(addMonths(month, 1)));
  const { overageCents } = await termsOf(db, month);
  const shown = customers.flatMap(({ id, name, free_queries }) => {
    const own = periods.get(id) ?? [];
    const counts = queries.get(id) ?? new Map<Month, number>();
    const plan = planMonths(own, month).at(-1)?.period.plan;
    if (!plan && !counts.has(month)) return [];
    return [
      {
        customer: { id, name },
        plan: plan ? { name: plan.name, label: plan.label } : null,
        ...figures(counts, own, free_queries, month, overageCents),
        projection: project(counts, own, free_queries, month, overageCents, at),
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
    customers: shown,
  };
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
  // All of them, as the free ones that are left are those of now.
  const all = (await queriesByMonth(db, new Date(at.getTime() + 1), customerId)).get(customerId) ?? new Map();
  const queries = new Map([...all].filter(([other]) => other <= month));
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
    ...figures(queries, periods, customer.free_queries, month, overageCents),
    free_left: freeLeft(all, customer.free_queries),
    projection: project(queries, periods, customer.free_queries, month, overageCents, at),
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
  const { rows } = await db.query<{ hour: Date | null; begins: Day | null; month: Day | null }>(
    `select (select min(u.hour) from usage_hour u join api_key k on k.id = u.key_id
         where $1::integer is null or k.customer_id = $1) as hour,
       (select min(begins) from customer_plan where $1::integer is null or customer_id = $1) as begins,
       (select min(month) from invoice where $1::integer is null or customer_id = $1) as month`,
    [customerId ?? null],
  );
  const { hour, begins, month } = rows[0] ?? { hour: null, begins: null, month: null };
  const months = [
    monthOf(at),
    hour && monthOf(hour),
    begins && monthOfDay(begins),
    month && monthOfDay(month),
  ];
  return months.filter((known) => known !== null).sort()[0] as Month;
}

export function isClosed(closed: Month | undefined, month: Month): boolean {
  return closed !== undefined && month <= closed;
}

function figures(
  queries: ReadonlyMap<Month, number>,
  periods: readonly PlanPeriod[],
  freeQueries: number,
  month: Month,
  overageCents: number,
): MonthFigures {
  const [usage] = usageOf(queries, periods, freeQueries, [month]);
  const { month: _, ...counts } = usage as NonNullable<typeof usage>;
  return {
    ...counts,
    overage_cents: counts.overage * overageCents,
    plan_fee_cents: planMonths(periods, month).reduce((sum, { feeCents }) => sum + feeCents, 0),
  };
}

/** The queries so far, drawn out to the end of the month; null where it is over, or has not begun. */
function project(
  queries: ReadonlyMap<Month, number>,
  periods: readonly PlanPeriod[],
  freeQueries: number,
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
  const expected = projectedQueries(queries.get(month) ?? 0, Math.max(elapsed, dayShare));
  const {
    queries: count,
    free,
    overage,
    overage_cents,
    plan_fee_cents,
  } = figures(new Map([...queries, [month, expected]]), periods, freeQueries, month, overageCents);
  return {
    queries: count,
    free,
    overage,
    overage_cents,
    plan_fee_cents,
    total_cents: overage_cents + plan_fee_cents,
  };
}
