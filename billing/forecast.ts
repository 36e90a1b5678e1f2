import {
  addMonths,
  dayOf,
  firstDay,
  type Month,
  monthOfDay,
  startOfDay,
  startOfMonth,
} from '../platform/nz-time.ts';
import { smallestCap } from './caps.ts';
import { freeLeft, type MonthUsage, type PlanPeriod, planMonths, startsAnew, usageOf } from './charges.ts';
import type { BilledCustomer } from './customers.ts';
import { planOn } from './terms.ts';

const dayMs = 86_400_000;

/** A month's queries and their cost, in cents without GST. */
export interface MonthFigures extends Omit<MonthUsage, 'month'> {
  overage_cents: number;
  plan_fee_cents: number;
}

/** True where queries are answered past the free allowance: with a plan, or where staff allow overage. */
export const mayOwe = ({ overage_allowed, periods }: BilledCustomer, at: Date): boolean =>
  overage_allowed || planOn(periods, dayOf(at)) !== undefined;

/** @param overageCents the price of a query past the bundle */
export function figuresOf(
  { free_queries, counts, periods }: BilledCustomer,
  month: Month,
  overageCents: number,
  queries = counts.months.get(month) ?? 0,
): MonthFigures {
  const free = Math.max(0, free_queries - counts.before);
  const [usage] = usageOf(new Map([[month, queries]]), periods, free, [month], counts.uncharged);
  const { month: _, ...figures } = usage as NonNullable<typeof usage>;
  return {
    ...figures,
    overage_cents: figures.overage * overageCents,
    plan_fee_cents: planMonths(periods, month).reduce((sum, { feeCents }) => sum + feeCents, 0),
  };
}

/** The plan that starts anew within a month. */
export function startWithin(month: Month, periods: readonly PlanPeriod[]): PlanPeriod | undefined {
  return periods.find(
    (period) =>
      monthOfDay(period.begins) === month && period.begins > firstDay(month) && startsAnew(period, periods),
  );
}

/**
 * Extrapolates the queries so far to the end of the month, at the rate since its beginning, the plan's start or the customer's creation,
 * whichever is latest; null outside the month. @param sinceStart queries since the plan has started
 */
export function forecastOf(
  customer: BilledCustomer,
  month: Month,
  overageCents: number,
  at: Date,
  sinceStart = 0,
) {
  const begins = startOfMonth(month).getTime();
  const ends = startOfMonth(addMonths(month, 1)).getTime();
  const now = at.getTime();
  if (now <= begins || now >= ends) return null;
  const { counts, periods } = customer;
  const soFar = counts.months.get(month) ?? 0;
  const start = startWithin(month, periods);
  const isStarted = start !== undefined && start.begins <= dayOf(at);
  const counted = isStarted ? sinceStart : soFar;
  let since = begins;
  const created = customer.created_at.getTime();
  if (isStarted) since = startOfDay(start.begins).getTime();
  else if (planMonths(periods, month).length === 0 && created > begins && created < now) since = created;
  // Less than a day is too little to extrapolate from.
  const elapsed = Math.min(1, Math.max(now - since, dayMs) / (ends - since));
  let expected = soFar - counted + Math.round(counted / elapsed);
  // Queries past the free allowance are refused.
  const free = customer.free_queries - customer.free_lost;
  if (!mayOwe(customer, at)) expected = Math.min(expected, soFar + freeLeft(counts, free));
  // And those past a cap.
  const cap = smallestCap(customer, month, overageCents);
  if (cap) expected = Math.min(expected, Math.max(soFar, cap.queries - customer.lost));
  const { bundle: _, bundled: __, ...figures } = figuresOf(customer, month, overageCents, expected);
  return { ...figures, total_cents: figures.overage_cents + figures.plan_fee_cents };
}
