import type { Queryable } from '../platform/database/database.ts';
import { raw, sql } from '../platform/database/sql.ts';
import {
  addDays,
  addMonths,
  dayOf,
  firstDay,
  type Month,
  monthOf,
  startOfMonth,
} from '../platform/nz-time.ts';
import { capUsesOf } from './cap-use.ts';
import { freeLeft, planMonths } from './charges.ts';
import { damagedFiles, queriesByDay, queriesByKey, queriesOfDays, queriesSinceStart } from './counts.ts';
import { type BilledCustomer, billedCustomer, billedCustomers } from './customers.ts';
import { historyDays } from './daily-forecast.ts';
import { figuresOf, forecastOf, type MonthFigures, mayOwe, startWithin } from './forecast.ts';
import { closedThrough, isClosed } from './months.ts';
import { termsOf } from './terms.ts';

export type UsageOverview = Awaited<ReturnType<typeof usageOverview>>;

/** The usage of the customers with a plan or queries in a month. */
export async function usageOverview(db: Queryable, month: Month, at: Date) {
  const all = await billedCustomers(db, month);
  const usageOfCustomer = await monthUsage(db, all, month, at);
  const customers = all.flatMap((customer) => {
    const { id, name, periods, counts } = customer;
    const plan = planMonths(periods, month).at(-1)?.period.plan;
    if (!plan && !counts.months.has(month)) return [];
    const shownPlan = plan ? { name: plan.name, label: plan.label } : null;
    return [{ customer: { id, name }, plan: shownPlan, ...usageOfCustomer(customer) }];
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
  const customer = await billedCustomer(db, customerId, month);
  const usageOfCustomer = await monthUsage(db, [customer], month, at);
  const { rows: invoices } = await db.query<{ number: number }>(sql`
    select number from invoice
    where customer_id = ${customerId} and month = ${firstDay(month)}::date and occasion = 'month'`);
  const held = planMonths(customer.periods, month).at(-1);
  return {
    customer: { id: customerId, name: customer.name },
    month,
    begins_at: startOfMonth(month),
    ends_at: startOfMonth(addMonths(month, 1)),
    closed: isClosed(await closedThrough(db), month),
    as_of: at,
    plan: held ? { ...held.period.plan, days: held.days, days_in_month: held.daysInMonth } : null,
    ...usageOfCustomer(customer),
    // Both as of now, not of the month.
    free_left: freeLeft(customer.counts, customer.free_queries - customer.free_lost),
    overage_allowed: mayOwe(customer, at),
    days: await queriesByDay(db, month, at, customerId),
    keys: (await queriesByKey(db, month, customerId)).map(({ customer_id: _, ...key }) => key),
    invoice: invoices[0]?.number ?? null,
  };
}

/** The figures and the forecast of a month for each customer. */
export async function monthUsage(
  db: Queryable,
  customers: readonly BilledCustomer[],
  month: Month,
  at: Date,
) {
  const { overage_cents } = await termsOf(db, month);
  const starts = customers.flatMap(({ id, periods }) => {
    const start = startWithin(month, periods);
    return start ? [{ id, start }] : [];
  });
  const sinceStart = await queriesSinceStart(db, starts, month);
  const ids = customers.map(({ id }) => id);
  const days =
    month === monthOf(at)
      ? await queriesOfDays(db, addDays(dayOf(at), 0 - historyDays), at, ids)
      : new Map<number, never>();
  return (customer: BilledCustomer) => ({
    ...figuresOf(customer, month, overage_cents),
    // Those of now, which are of no month that is over.
    caps: month === monthOf(at) ? capUsesOf(customer, month, overage_cents) : [],
    projection: forecastOf(customer, month, overage_cents, at, {
      sinceStart: sinceStart.get(customer.id),
      days: days.get(customer.id),
    }),
  });
}

export type Cost = Awaited<ReturnType<typeof costOf>>;

/** The price of more queries for a customer now, in cents without GST. @throws CovermapError `customer_unknown` */
export async function costOf(db: Queryable, customerId: number, queries: number, at: Date) {
  const month = monthOf(at);
  const customer = await billedCustomer(db, customerId, month);
  const { overage_cents } = await termsOf(db, month);
  const before = figuresOf(customer, month, overage_cents);
  const after = figuresOf(customer, month, overage_cents, before.queries + queries);
  // Without a plan, queries past the free allowance cost nothing, as they are refused.
  const overage = mayOwe(customer, at) ? after.overage - before.overage : 0;
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
  const ofCustomer = customerId === undefined ? raw('true') : sql`customer_id = ${customerId}`;
  const { rows } = await db.query<{ month: Month }>(sql`
    select to_char(least((select min(month) from usage_month where ${ofCustomer}),
      (select min(begins) from customer_plan where ${ofCustomer}), (select min(month) from invoice where ${ofCustomer}),
      ${firstDay(monthOf(at))}::date), 'YYYY-MM') as month`);
  return (rows[0] as { month: Month }).month;
}
