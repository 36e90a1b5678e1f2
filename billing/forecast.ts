import {
  addDays,
  addMonths,
  type Day,
  dayOf,
  daysOfMonth,
  firstDay,
  type Month,
  monthOfDay,
  startOfDay,
  startOfMonth,
} from '../platform/nz-time.ts';
import { smallestCap } from './caps.ts';
import { freeLeft, type MonthUsage, type PlanPeriod, planMonths, startsAnew, usageOf } from './charges.ts';
import type { BilledCustomer } from './customers.ts';
import { expectedQueries, historyDays } from './daily-forecast.ts';
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

/** What a forecast is made of, besides the customer. */
export interface Past {
  /** Queries since the plan has started, where it started within the month. */
  sinceStart?: number | undefined;
  /** Queries by day, oldest first, none left out between the first and the last; today's do not matter. */
  days?: readonly { date: Day; queries: number }[] | undefined;
}

/** A forecast from fewer whole days would know some weekdays only, and no trend. */
const minDays = 7;

/**
 * The queries to expect by the end of the month, and the day on which what is included is used up; null outside the month. From a week of whole days
 * on the weekdays and the trend of the past count ({@link expectedQueries}); before, the rate since the beginning of the month, the plan's start
 * or the customer's creation, whichever is latest.
 */
export function forecastOf(
  customer: BilledCustomer,
  month: Month,
  overageCents: number,
  at: Date,
  past: Past = {},
) {
  const begins = startOfMonth(month).getTime();
  const ends = startOfMonth(addMonths(month, 1)).getTime();
  if (at.getTime() <= begins || at.getTime() >= ends) return null;
  const { counts } = customer;
  const soFar = counts.months.get(month) ?? 0;
  const today = dayOf(at);
  const days = daysOfMonth(month).filter((day) => day >= today);
  const known = knownDays(customer, today, past.days ?? []);
  const added =
    known.length >= minDays
      ? expectedQueries(known, days).map((queries, i) => (i === 0 ? queries * leftOf(today, at) : queries))
      : atTheMean(customer, month, at, days, past.sinceStart);
  const all = soFar + Math.round(added.reduce((sum, one) => sum + one, 0));
  // Queries past the free allowance are refused.
  const free = customer.free_queries - customer.free_lost;
  let expected = mayOwe(customer, at) ? all : Math.min(all, soFar + freeLeft(counts, free));
  // And those past a cap.
  const cap = smallestCap(customer, month, overageCents);
  if (cap) expected = Math.min(expected, Math.max(soFar, cap.queries - customer.lost));
  const figures = (queries: number) => figuresOf(customer, month, overageCents, queries);
  const { bundle, bundled: _, ...expectedFigures } = figures(expected);
  const isUsedUp = bundle > 0 && expectedFigures.overage > 0 && figures(soFar).overage === 0;
  let sum = soFar;
  const usedUpOn = isUsedUp
    ? days.find((_, i) => {
        sum += added[i] as number;
        return figures(Math.round(sum)).overage > 0;
      })
    : undefined;
  return {
    ...expectedFigures,
    total_cents: expectedFigures.overage_cents + expectedFigures.plan_fee_cents,
    used_up_on: usedUpOn ?? null,
  };
}

/** The whole days that tell of the days to come: since the plan or the customer was new, from the first query on. */
function knownDays({ created_at, periods }: BilledCustomer, today: Day, days: NonNullable<Past['days']>) {
  const starts = periods.filter((one) => one.begins <= today && startsAnew(one, periods));
  const first = [addDays(dayOf(created_at), 1), starts.at(-1)?.begins ?? '', addDays(today, 0 - historyDays)]
    .sort()
    .at(-1) as Day;
  const whole = days.filter(({ date }) => date >= first && date < today);
  const used = whole.findIndex(({ queries }) => queries > 0);
  return used < 0 ? [] : whole.slice(used);
}

/** The share of a day that is left at an instant of it. */
function leftOf(day: Day, at: Date): number {
  const [begins, ends] = [startOfDay(day).getTime(), startOfDay(addDays(day, 1)).getTime()];
  return (ends - at.getTime()) / (ends - begins);
}

/** What each of the days adds at the mean so far. */
function atTheMean(customer: BilledCustomer, month: Month, at: Date, days: readonly Day[], sinceStart = 0) {
  const begins = startOfMonth(month).getTime();
  const now = at.getTime();
  const { counts, periods } = customer;
  const start = startWithin(month, periods);
  const isStarted = start !== undefined && start.begins <= dayOf(at);
  const counted = isStarted ? sinceStart : (counts.months.get(month) ?? 0);
  let since = begins;
  const created = customer.created_at.getTime();
  if (isStarted) since = startOfDay(start.begins).getTime();
  else if (planMonths(periods, month).length === 0 && created > begins && created < now) since = created;
  // Less than a day is too little to extrapolate from: it counts as one.
  const until = Math.max(now, since + dayMs);
  const perMs = counted / (until - since);
  return days.map((day) => {
    const [from, to] = [startOfDay(day).getTime(), startOfDay(addDays(day, 1)).getTime()];
    return perMs * Math.max(0, to - Math.max(from, until));
  });
}
