import type { Queryable } from '../database/database.ts';
import { raw, sql } from '../database/sql.ts';
import { CovermapError } from '../errors.ts';
import { addMonths, firstDay, type Month, monthOf, startOfMonth } from '../nz-time.ts';
import { freeLeft, noQueries, type PlanPeriod, planMonths } from './charges.ts';
import { damagedFiles, queriesByDay, queriesByKey, queriesSince, queriesSinceStart } from './counts.ts';
import {
  type CustomerUsageInputs,
  figuresOf,
  forecastOf,
  type MonthFigures,
  mayOwe,
  startWithin,
} from './forecast.ts';
import { freeLost } from './free-queries.ts';
import { closedThrough, isClosed } from './months.ts';
import { planPeriods, termsOf } from './terms.ts';

/** The usage of all customers in a month. */
export type UsageOverview = Awaited<ReturnType<typeof usageOverview>>;

type CustomerRow = CustomerUsageInputs['customer'];
const customerColumns = sql`c.free_queries, c.overage_allowed, c.created_at`;

/** The usage of the customers with a plan or queries in a month. */
export async function usageOverview(db: Queryable, month: Month, at: Date) {
  const { rows } = await db.query<CustomerRow & { id: number; name: string }>(
    sql`select c.id, c.name, ${customerColumns} from customer c order by lower(c.name)`,
  );
  const periods = await planPeriods(db);
  const counts = await queriesSince(db, month);
  const { overage_cents } = await termsOf(db, month);
  const sinceStart = await queriesSinceStart(db, startsWithin(month, periods), month);
  const customers = rows.flatMap(({ id, name, ...customer }) => {
    const inputs = {
      customer,
      counts: counts.get(id) ?? noQueries,
      periods: periods.get(id) ?? [],
      sinceStart: sinceStart.get(id),
    };
    const plan = planMonths(inputs.periods, month).at(-1)?.period.plan;
    if (!plan && !inputs.counts.months.has(month)) return [];
    return [
      {
        customer: { id, name },
        plan: plan ? { name: plan.name, label: plan.label } : null,
        ...figuresOf(inputs, month, overage_cents),
        projection: forecastOf(inputs, month, overage_cents, at),
      },
    ];
  });
  const total = (field: keyof MonthFigures) => customers.reduce((sum, customer) => sum + customer[field], 0);
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
    customers,
  };
}

/** The usage of a customer in a month. @throws CovermapError `customer_unknown` */
export async function customerUsage(db: Queryable, customerId: number, month: Month, at: Date) {
  const { rows } = await db.query<
    CustomerRow & { name: string; free_lost: number; invoice: number | null }
  >(sql`
    select c.name, ${freeLost} as free_lost, ${customerColumns}, i.number as invoice
    from customer c left join invoice i on i.customer_id = c.id and i.month = ${firstDay(month)}::date and i.occasion = 'month'
    where c.id = ${customerId}`);
  const customer = rows[0];
  if (!customer) throw new CovermapError('customer_unknown');
  const periods = await planPeriods(db, customerId);
  const inputs = {
    ...(await inputsOf(db, customerId, customer, month, periods)),
    sinceStart: (await queriesSinceStart(db, startsWithin(month, periods), month)).get(customerId),
  };
  const { overage_cents } = await termsOf(db, month);
  const held = planMonths(inputs.periods, month).at(-1);
  return {
    customer: { id: customerId, name: customer.name },
    month,
    begins_at: startOfMonth(month),
    ends_at: startOfMonth(addMonths(month, 1)),
    closed: isClosed(await closedThrough(db), month),
    as_of: at,
    plan: held ? { ...held.period.plan, days: held.days, days_in_month: held.daysInMonth } : null,
    ...figuresOf(inputs, month, overage_cents),
    // Both as of now, not of the month.
    free_left: freeLeft(inputs.counts, customer.free_queries - customer.free_lost),
    overage_allowed: mayOwe(inputs, at),
    projection: forecastOf(inputs, month, overage_cents, at),
    days: await queriesByDay(db, month, at, customerId),
    keys: (await queriesByKey(db, month, customerId)).map(({ customer_id: _, ...key }) => key),
    invoice: customer.invoice,
  };
}

export type Cost = Awaited<ReturnType<typeof costOf>>;

/** What a customer would pay for more queries now, in cents without GST. @throws CovermapError `customer_unknown` */
export async function costOf(db: Queryable, customerId: number, queries: number, at: Date) {
  const month = monthOf(at);
  const { rows } = await db.query<CustomerRow>(sql`
    select ${customerColumns} from customer c where c.id = ${customerId}`);
  if (!rows[0]) throw new CovermapError('customer_unknown');
  const inputs = await inputsOf(db, customerId, rows[0], month, await planPeriods(db, customerId));
  const { overage_cents } = await termsOf(db, month);
  const before = figuresOf(inputs, month, overage_cents);
  const after = figuresOf(inputs, month, overage_cents, before.queries + queries);
  // Without a plan, queries past the free allowance cost nothing: they are refused as soon as that is known.
  const overage = mayOwe(inputs, at) ? after.overage - before.overage : 0;
  return {
    coordinates: queries,
    free: after.free - before.free,
    included: after.bundled - before.bundled,
    overage,
    overage_cents: overage * overage_cents,
  };
}

/** The first month with a plan, a query or an invoice. @param customerId undefined: of any customer */
export async function firstMonthOf(db: Queryable, customerId: number | undefined, at: Date): Promise<Month> {
  const own = customerId === undefined ? raw('true') : sql`customer_id = ${customerId}`;
  const { rows } = await db.query<{ month: Month }>(sql`
    select to_char(least((select min(month) from usage_month where ${own}),
      (select min(begins) from customer_plan where ${own}), (select min(month) from invoice where ${own}),
      ${firstDay(monthOf(at))}::date), 'YYYY-MM') as month`);
  return (rows[0] as { month: Month }).month;
}

async function inputsOf(
  db: Queryable,
  customerId: number,
  customer: CustomerRow,
  month: Month,
  periods: ReadonlyMap<number, PlanPeriod[]>,
): Promise<CustomerUsageInputs> {
  const counts = (await queriesSince(db, month, customerId)).get(customerId) ?? noQueries;
  return { customer, counts, periods: periods.get(customerId) ?? [], sinceStart: undefined };
}

/** By customer, the plan that starts anew within a month. */
function startsWithin(month: Month, periods: ReadonlyMap<number, PlanPeriod[]>): Map<number, PlanPeriod> {
  return new Map(
    [...periods].flatMap(([id, own]) => {
      const start = startWithin(month, own);
      return start ? [[id, start] as const] : [];
    }),
  );
}
