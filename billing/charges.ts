import { z } from 'zod';
import {
  addMonths,
  type Day,
  daysBetween,
  daysInMonth,
  firstDay,
  type Month,
  monthOfDay,
  monthsBetween,
} from '../platform/nz-time.ts';
import { cents, month, named } from '../platform/schemas.ts';

/* The charges of a customer, calculated from its queries and plans. No database, no clock: docs/specification.md, "Commercial terms". */

export const Plan = named('Plan', {
  name: z.string(),
  label: z.string(),
  bundled_queries: z.int().describe('Per month.'),
  price_cents: cents('Per month. Cents, excluding GST.'),
  offered: z.boolean().describe('Whether customers can start this plan.'),
});
export type Plan = Omit<z.output<typeof Plan>, 'offered'>;

export interface PlanPeriod {
  id: number;
  plan: Plan;
  begins: Day;
  /** The first day without it; null: until further notice. */
  ends: Day | null;
}

export interface PlanMonth {
  period: PlanPeriod;
  month: Month;
  days: number;
  daysInMonth: number;
  /** Price and bundle, prorated by day. */
  feeCents: number;
  bundle: number;
}

export const queryCounts = {
  queries: z.int().describe('The sum of `free`, `bundled` and `overage`.'),
  free: z.int(),
  overage: z.int(),
};
export const bundle = z.int().describe('The queries that the plan includes.');

export const MonthUsage = z.object({ month: month(), ...queryCounts, bundle, bundled: z.int() });
export type MonthUsage = z.output<typeof MonthUsage>;

/** The billable queries of a customer: by month from one on, and the total before it. */
export interface QueryCounts {
  /** The number of these that use up the free allowance. */
  before: number;
  months: Map<Month, number>;
  /** Queries that nobody pays for, by month: answered without a plan after the free allowance was used up. */
  uncharged: Map<Month, number>;
}

export const noQueries: QueryCounts = { before: 0, months: new Map(), uncharged: new Map() };

/** The part of a month with a plan; undefined where there is none. */
export function planMonth(period: PlanPeriod, month: Month): PlanMonth | undefined {
  const first = firstDay(month);
  const next = firstDay(addMonths(month, 1));
  const from = period.begins > first ? period.begins : first;
  const until = period.ends !== null && period.ends < next ? period.ends : next;
  const days = daysBetween(from, until);
  if (days <= 0) return undefined;
  const all = daysInMonth(month);
  return {
    period,
    month,
    days,
    daysInMonth: all,
    feeCents: prorate(period.plan.price_cents, days, all),
    bundle: prorate(period.plan.bundled_queries, days, all),
  };
}

/** The parts of a month for which the customer has a plan. */
export const planMonths = (periods: readonly PlanPeriod[], month: Month): PlanMonth[] =>
  periods.flatMap((period) => planMonth(period, month) ?? []);

/** The queries that the plans of a month include. */
export const bundleOf = (periods: readonly PlanPeriod[], month: Month): number =>
  planMonths(periods, month).reduce((sum, { bundle }) => sum + bundle, 0);

/** True where the customer had no plan the day before this period. */
export const startsAnew = (period: PlanPeriod, periods: readonly PlanPeriod[]): boolean =>
  !periods.some(({ ends }) => ends === period.begins);

/** The plan fees of all months through one. The first month of a plan that starts anew has an invoice of its own. */
export function planFees(periods: readonly PlanPeriod[], through: Month, from?: Month): PlanMonth[] {
  return periods.flatMap((period) => {
    const begins = monthOfDay(period.begins);
    const first = startsAnew(period, periods) ? addMonths(begins, 1) : begins;
    return monthsBetween(from !== undefined && from > first ? from : first, through).flatMap(
      (month) => planMonth(period, month) ?? [],
    );
  });
}

/**
 * Splits the queries of each month: a customer's one free allowance comes first, then the bundle, and the rest is overage.
 * @param months those to return; queries before them use up the free allowance @param uncharged queries that are free besides
 */
export function usageOf(
  queries: ReadonlyMap<Month, number>,
  periods: readonly PlanPeriod[],
  freeQueries: number,
  months: readonly Month[],
  uncharged: ReadonlyMap<Month, number> = new Map(),
): MonthUsage[] {
  const wanted = new Set(months);
  const all = [...new Set([...queries.keys(), ...months])].sort();
  let freeLeft = freeQueries;
  const usages: MonthUsage[] = [];
  for (const month of all) {
    const count = queries.get(month) ?? 0;
    const unpaid = uncharged.get(month) ?? 0;
    const once = Math.min(count - unpaid, freeLeft);
    freeLeft -= once;
    if (!wanted.has(month)) continue;
    const free = once + unpaid;
    const bundle = bundleOf(periods, month);
    const bundled = Math.min(count - free, bundle);
    usages.push({ month, queries: count, free, bundle, bundled, overage: count - free - bundled });
  }
  return usages;
}

export function freeLeft({ before, months, uncharged }: QueryCounts, freeQueries: number): number {
  const sum = (counts: Map<Month, number>) => [...counts.values()].reduce((total, count) => total + count, 0);
  return Math.max(0, freeQueries - (before + sum(months) - sum(uncharged)));
}

/** GST on a sum, in cents: rounded once, half a cent away from zero. */
export function gstOn(subtotalCents: number, percent: number): number {
  const hundredths = Math.abs(subtotalCents) * percent;
  const cents = Math.floor((hundredths + 50) / 100);
  return subtotalCents < 0 ? 0 - cents : cents;
}

const prorate = (whole: number, days: number, all: number): number =>
  Math.floor((2 * whole * days + all) / (2 * all));
