import type { Queryable } from '../database/database.ts';
import { CovermapError } from '../errors.ts';
import {
  addMonths,
  type Day,
  dayOf,
  daysOfMonth,
  firstDay,
  type Month,
  monthOf,
  monthOfDay,
  nzTimeSql,
  startOfDay,
  startOfMonth,
} from '../nz-time.ts';
import {
  type AskedQueries,
  freeLeft,
  nothingAsked,
  type PlanPeriod,
  planMonths,
  projectedQueries,
  startsAnew,
  usageOf,
} from './charges.ts';
import { closedThrough, planOn, planPeriods, termsOf } from './terms.ts';

const dayMs = 86_400_000;

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
  /** Whether queries after the free ones are answered now: with a plan, or where staff allow it. */
  overage_allowed: boolean;
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
    uncharged: number | null;
  }>(
    `select t.customer_id, t.queries - t.uncharged as total, m.month, m.queries, m.uncharged
     from usage_total t left join usage_month m on m.customer_id = t.customer_id and m.month >= $1
     where $2::integer is null or t.customer_id = $2
     order by 1, 3`,
    [firstDay(month), customerId ?? null],
  );
  return askedQueries(rows);
}

/** @param rows a customer's total of those that count for the free ones, with each of its months from one on */
export function askedQueries(
  rows: readonly {
    customer_id: number;
    total: number;
    month: Day | null;
    queries: number | null;
    uncharged: number | null;
  }[],
): Map<number, AskedQueries> {
  const asked = new Map<number, AskedQueries>();
  for (const { customer_id, total, month, queries, uncharged } of rows) {
    const own = asked.get(customer_id) ?? { before: total, months: new Map(), uncharged: new Map() };
    asked.set(customer_id, own);
    if (month === null || queries === null) continue;
    own.before -= queries - (uncharged ?? 0);
    own.months.set(monthOfDay(month), queries);
    if (uncharged) own.uncharged.set(monthOfDay(month), uncharged);
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
    `select ${nzTimeSql('u.hour')}::date as date, sum(u.queries)::bigint as queries
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
    `select ${nzTimeSql('u.hour')}::date as date, k.id as key_id, k.label, k.hint,
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
  const { rows: customers } = await db.query<AskingCustomer & { id: number; name: string }>(
    `select c.id, c.name, ${askingColumns} from customer c order by lower(c.name)`,
  );
  const periods = await planPeriods(db);
  const queries = await queriesSince(db, month);
  const { overageCents } = await termsOf(db, month);
  const sinceStart = await queriesSinceStart(db, periods, month);
  const shown = customers.flatMap(({ id, name, ...customer }) => {
    const periodsOfOne = periods.get(id) ?? [];
    const asked = queries.get(id) ?? nothingAsked;
    const plan = planMonths(periodsOfOne, month).at(-1)?.period.plan;
    if (!plan && !asked.months.has(month)) return [];
    const own = { customer, asked, periods: periodsOfOne, sinceStart: sinceStart.get(id) };
    return [
      {
        customer: { id, name },
        plan: plan ? { name: plan.name, label: plan.label } : null,
        ...figures(own, month, overageCents),
        projection: project(own, month, overageCents, at),
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
  const { rows } = await db.query<AskingCustomer & { name: string; invoice: number | null }>(
    `select c.name, ${askingColumns}, i.number as invoice
     from customer c left join invoice i on i.customer_id = c.id and i.month = $2::date and i.occasion = 'month'
     where c.id = $1`,
    [customerId, firstDay(month)],
  );
  const customer = rows[0];
  if (!customer) throw new CovermapError('customer_unknown', 'There is no such customer.');
  const all = await planPeriods(db, customerId);
  const periods = all.get(customerId) ?? [];
  const asked = (await queriesSince(db, month, customerId)).get(customerId) ?? nothingAsked;
  const { overageCents } = await termsOf(db, month);
  const sinceStart = (await queriesSinceStart(db, all, month)).get(customerId);
  const own = { customer, asked, periods, sinceStart };
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
    ...figures(own, month, overageCents),
    // Those that are left now, not those of the month.
    free_left: freeLeft(asked, customer.free_queries),
    overage_allowed: mayOwe(own, at),
    projection: project(own, month, overageCents, at),
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

/** What of a customer's row its figures go by. */
interface AskingCustomer {
  free_queries: number;
  overage_allowed: boolean;
  created_at: Date;
}
const askingColumns = 'c.free_queries, c.overage_allowed, c.created_at';

/** What a customer's figures are worked out from. */
interface Asking {
  customer: AskingCustomer;
  asked: AskedQueries;
  periods: readonly PlanPeriod[];
  /** Where its plan has started anew in the month: what was asked since. */
  sinceStart: number | undefined;
}

function mayOwe({ customer, periods }: Asking, at: Date): boolean {
  return customer.overage_allowed || planOn(periods, dayOf(at)) !== undefined;
}

function figures(
  { customer, asked, periods }: Asking,
  month: Month,
  overageCents: number,
  queries = asked.months.get(month) ?? 0,
): MonthFigures {
  const free = Math.max(0, customer.free_queries - asked.before);
  const [usage] = usageOf(new Map([[month, queries]]), periods, free, [month], asked.uncharged);
  const { month: _, ...counts } = usage as NonNullable<typeof usage>;
  return {
    ...counts,
    overage_cents: counts.overage * overageCents,
    plan_fee_cents: planMonths(periods, month).reduce((sum, { feeCents }) => sum + feeCents, 0),
  };
}

/** The plan that starts anew within a month. */
function startIn(month: Month, periods: readonly PlanPeriod[]): PlanPeriod | undefined {
  return periods.find(
    (period) =>
      monthOfDay(period.begins) === month && period.begins > firstDay(month) && startsAnew(period, periods),
  );
}

/** Of customers whose plan starts within a month, the queries of the month from that day on. */
async function queriesSinceStart(
  db: Queryable,
  periods: ReadonlyMap<number, PlanPeriod[]>,
  month: Month,
): Promise<Map<number, number>> {
  const starts = [...periods].flatMap(([id, own]) => {
    const start = startIn(month, own);
    return start ? [{ id, since: startOfDay(start.begins) }] : [];
  });
  if (starts.length === 0) return new Map();
  const { rows } = await db.query<{ id: number; queries: number }>(
    `select s.id, coalesce(sum(u.queries), 0)::bigint as queries
     from unnest($1::integer[], $2::timestamptz[]) as s (id, since)
     left join api_key k on k.customer_id = s.id
     left join usage_hour u on u.key_id = k.id and u.hour >= s.since and u.hour < $3
     group by s.id`,
    [starts.map(({ id }) => id), starts.map(({ since }) => since), startOfMonth(addMonths(month, 1))],
  );
  return new Map(rows.map(({ id, queries }) => [id, queries]));
}

/**
 * The queries so far, drawn out to the end of the month; null where it is over, or has not begun. What tells how much is asked is
 * the time since the plan has started, or since there is such a customer, where that was within the month.
 */
function project(own: Asking, month: Month, overageCents: number, at: Date): Projection | null {
  const begins = startOfMonth(month).getTime();
  const ends = startOfMonth(addMonths(month, 1)).getTime();
  if (at.getTime() <= begins || at.getTime() >= ends) return null;
  const { customer, asked, periods } = own;
  const soFar = asked.months.get(month) ?? 0;
  const start = startIn(month, periods);
  const isStarted = start !== undefined && start.begins <= dayOf(at);
  const counted = isStarted ? (own.sinceStart ?? 0) : soFar;
  const made = planMonths(periods, month).length === 0 ? customer.created_at.getTime() : begins;
  const since = isStarted
    ? startOfDay(start.begins).getTime()
    : made > begins && made < at.getTime()
      ? made
      : begins;
  // Of the first day there is too little to tell a month by.
  const elapsed = Math.min(1, Math.max(at.getTime() - since, dayMs) / (ends - since));
  let expected = soFar - counted + projectedQueries(counted, elapsed);
  // Who is refused after the free queries asks no more than these.
  if (!mayOwe(own, at)) {
    expected = Math.min(expected, soFar + freeLeft(asked, customer.free_queries));
  }
  const {
    queries: count,
    free,
    overage,
    overage_cents,
    plan_fee_cents,
  } = figures(own, month, overageCents, expected);
  return {
    queries: count,
    free,
    overage,
    overage_cents,
    plan_fee_cents,
    total_cents: overage_cents + plan_fee_cents,
  };
}

/** What so many queries more come to in a month. */
export interface Cost {
  coordinates: number;
  free: number;
  included: number;
  overage: number;
  /** Without GST. */
  overage_cents: number;
}

/** What a customer would pay for queries if they came now, on top of those that there are. */
export async function costOf(db: Queryable, customerId: number, queries: number, at: Date): Promise<Cost> {
  const month = monthOf(at);
  const { rows } = await db.query<AskingCustomer>(`select ${askingColumns} from customer c where c.id = $1`, [
    customerId,
  ]);
  const customer = rows[0];
  if (!customer) throw new CovermapError('customer_unknown', 'There is no such customer.');
  const own = {
    customer,
    asked: (await queriesSince(db, month, customerId)).get(customerId) ?? nothingAsked,
    periods: (await planPeriods(db, customerId)).get(customerId) ?? [],
    sinceStart: undefined,
  };
  const { overageCents } = await termsOf(db, month);
  const before = figures(own, month, overageCents);
  const after = figures(own, month, overageCents, before.queries + queries);
  // What is answered without a plan after the free ones costs nothing: it is refused as soon as that is known.
  const overage = mayOwe(own, at) ? after.overage - before.overage : 0;
  return {
    coordinates: queries,
    free: after.free - before.free,
    included: after.bundled - before.bundled,
    overage,
    overage_cents: overage * overageCents,
  };
}
