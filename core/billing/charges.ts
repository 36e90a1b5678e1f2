import {
  addMonths,
  type Day,
  daysBetween,
  daysInMonth,
  firstDay,
  type Month,
  monthOfDay,
  monthsBetween,
} from '../nz-time.ts';

/* What a customer owes, worked out from what was asked and which plan held when. No database, no clock: docs/billing.md
   has the terms. */

/** What can be subscribed to; price a month in cents without GST. */
export interface Plan {
  name: string;
  label: string;
  bundledQueries: number;
  priceCents: number;
}

/** That a customer has a plan from a day until before another; null: until further notice. */
export interface PlanPeriod {
  id: number;
  plan: Plan;
  begins: Day;
  ends: Day | null;
}

/** The part of a month for which a plan holds. */
export interface PlanMonth {
  period: PlanPeriod;
  month: Month;
  days: number;
  daysInMonth: number;
  /** The price and the bundle, in proportion to the days. */
  feeCents: number;
  bundle: number;
}

/** A month's queries, told apart: `queries` is `free + bundled + overage`. */
export interface MonthUsage {
  month: Month;
  queries: number;
  free: number;
  bundle: number;
  bundled: number;
  overage: number;
}

/** What a customer asked: from a month on by month, and all before it together. */
export interface AskedQueries {
  /** Of these as many as count for the free ones. */
  before: number;
  months: Map<Month, number>;
  /** Of the months' queries those that nobody pays for, as they were answered without a plan after the free ones. */
  uncharged: Map<Month, number>;
}

/** Of somebody who asked nothing. */
export const nothingAsked: AskedQueries = { before: 0, months: new Map(), uncharged: new Map() };

/** For how much of a month a plan holds; undefined where it does not. */
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
    feeCents: share(period.plan.priceCents, days, all),
    bundle: share(period.plan.bundledQueries, days, all),
  };
}

/** The parts of a month for which the customer has a plan. */
export function planMonths(periods: readonly PlanPeriod[], month: Month): PlanMonth[] {
  return periods.flatMap((period) => planMonth(period, month) ?? []);
}

/** How many queries the plans of a month include. */
export function bundleOf(periods: readonly PlanPeriod[], month: Month): number {
  return planMonths(periods, month).reduce((sum, { bundle }) => sum + bundle, 0);
}

/** Whether a customer has a plan with this period who had none the day before. */
export function startsAnew(period: PlanPeriod, periods: readonly PlanPeriod[]): boolean {
  return !periods.some(({ ends }) => ends === period.begins);
}

/**
 * The fee of every month up to one, that included, in which a plan holds: but for the first of a plan that starts anew, which
 * has an invoice of its own.
 * @param from the first month to tell about; undefined: from the beginning
 */
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
 * Tells the queries of each month apart: free ones first, which a customer has once, then those of the bundle, and the
 * rest is charged for.
 * @param queries by month; months without any may be missing
 * @param months those to tell about; what was asked before the first of them counts for the free ones
 * @param uncharged of the queries those that are free besides, by month
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
    const asked = queries.get(month) ?? 0;
    const given = uncharged.get(month) ?? 0;
    const once = Math.min(asked - given, freeLeft);
    freeLeft -= once;
    if (!wanted.has(month)) continue;
    const free = once + given;
    const bundle = bundleOf(periods, month);
    const bundled = Math.min(asked - free, bundle);
    usages.push({ month, queries: asked, free, bundle, bundled, overage: asked - free - bundled });
  }
  return usages;
}

/** How many free queries are left after all that was asked. */
export function freeLeft({ before, months, uncharged }: AskedQueries, freeQueries: number): number {
  const sum = (counts: Map<Month, number>) => [...counts.values()].reduce((total, count) => total + count, 0);
  return Math.max(0, freeQueries - (before + sum(months) - sum(uncharged)));
}

/**
 * How many queries a month will have if it goes on as it has so far.
 * @param elapsed the part of the time that has gone by, of which the queries are: more than 0, at most 1
 */
export function projectedQueries(soFar: number, elapsed: number): number {
  return Math.round(soFar / elapsed);
}

/** GST on a sum, in cents: rounded once, half a cent away from zero. */
export function gstOn(subtotalCents: number, percent: number): number {
  const hundredths = Math.abs(subtotalCents) * percent;
  const cents = Math.floor((hundredths + 50) / 100);
  return subtotalCents < 0 ? 0 - cents : cents;
}

/** A part of a whole by days, rounded half up. */
function share(whole: number, days: number, all: number): number {
  return Math.floor((2 * whole * days + all) / (2 * all));
}
