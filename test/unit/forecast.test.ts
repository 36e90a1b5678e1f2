import { anySeed, randomNumbers } from '@covermap/testing/random.ts';
import { expect, test } from 'vitest';
import type { BilledCustomer } from '../../billing/customers.ts';
import { forecastOf } from '../../billing/forecast.ts';
import { levelReached } from '../../billing/usage-alerts.ts';
import { addDays, type Day, daysOfMonth, startOfDay } from '../../platform/nz-time.ts';

/* The forecast against made-up months, of which the rest is known: weekdays, growth, noise, and customers who are new. */

const seed = anySeed();
const months = 500;
const plan = { name: 'low', label: 'Low usage', bundled_queries: 75_000, price_cents: 50_000 };

type DayQueries = { date: Day; queries: number };

/** The shapes of a week. */
const weeks: ((random: () => number) => number[])[] = [
  () => Array(7).fill(1),
  // Offices: little at the weekend.
  (random) => [0.05 + 0.6 * random(), 1, 1, 1, 1, 1, 0.1 + 0.6 * random()],
  // Shops: much at the weekend.
  (random) => [1.1 + 0.9 * random(), 1, 1, 1, 1, 1.2, 1.1 + 0.9 * random()],
  (random) => Array.from({ length: 7 }, () => 0.6 + 0.8 * random()),
];

/** A month with its past. @param past days of usage before it; 0: the customer comes within the month's first half */
function madeMonth(random: () => number, past: number) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const month = `2031-${String(1 + Math.floor(random() * 12)).padStart(2, '0')}`;
  const days = daysOfMonth(month);
  const week = (weeks[Math.floor(random() * weeks.length)] as (typeof weeks)[number])(random);
  const [growth, isSteady] = [-0.25 + 0.75 * random(), random() < 0.5];
  const noise = 0.02 + 0.08 * random();
  const level = 20 + 5000 * random();
  const first = past === 0 ? Math.floor(random() * 15) : -past;
  const all: DayQueries[] = [];
  for (let day = first; day < days.length; day++) {
    const date = addDays(days[0] as Day, day);
    const trend = isSteady ? (1 + growth) ** (day / 30) : Math.max(0.05, 1 + (growth * day) / 30);
    const ofWeek = week[new Date(`${date}T00:00:00Z`).getUTCDay()] as number;
    all.push({ date, queries: Math.round(level * trend * ofWeek * Math.exp(noise * normal())) });
  }
  return { month, days, all, first: Math.max(0, first) };
}

const sum = (days: readonly DayQueries[]) => days.reduce((total, { queries }) => total + queries, 0);

/** The errors, as shares, of the forecast and of a mean so far, after ten days. */
function errorsOf({ month, days, all, first }: ReturnType<typeof madeMonth>) {
  const today = days[Math.min(days.length - 1, first + 10)] as Day;
  const ofMonth = all.filter(({ date }) => date >= (days[0] as Day));
  const before = ofMonth.filter(({ date }) => date < today);
  const created = startOfDay(all[0]?.date as Day);
  const customer = {
    ...{
      id: 1,
      name: 'Kea',
      created_at: created,
      free_queries: 0,
      free_lost: 0,
      lost: 0,
      caps: [],
      overage_allowed: true,
    },
    ...{ cancelled_on: null, closes_at: null, active_keys: 1, periods: [] },
    counts: { before: 0, months: new Map([[month, sum(before)]]), uncharged: new Map() },
  } satisfies BilledCustomer;
  const forecast = forecastOf(customer, month, 1, startOfDay(today), {
    // The day of its creation counts with the mean only.
    days: all.filter(({ date }) => date < today),
  });
  const actual = sum(ofMonth);
  const mean = (sum(before) / before.length) * (days.length - first);
  return [forecast?.queries ?? 0, mean].map((one) => Math.abs(one / actual - 1)) as [number, number];
}

test.each<[string, number[], number]>([
  ['with three weeks or more of usage before it, within 10 % in nearly all', [21, 35, 56, 80], 480],
  ['of new customers, within 10 % in four of five', [0, 7], 400],
])(`after ten days, ${months} months %s`, (_, pasts, expected) => {
  const random = randomNumbers(seed);
  const errors = Array.from({ length: months }, (_, i) =>
    errorsOf(madeMonth(random, pasts[i % pasts.length] as number)),
  );
  const within = (which: 0 | 1) => errors.filter((one) => one[which] <= 0.1).length;
  const median = (which: 0 | 1) =>
    errors.map((one) => one[which]).sort((a, b) => a - b)[months / 2] as number;
  const shown = (which: 0 | 1) =>
    `${within(which)} of ${months}, median ${(100 * median(which)).toFixed(1)} %`;
  console.log(`seed ${seed}, within 10 %: ${shown(0)}; by the mean so far: ${shown(1)}`);
  expect(within(0), `seed ${seed}`).toBeGreaterThanOrEqual(expected);
  expect(within(0), `seed ${seed}`).toBeGreaterThan(within(1));
  expect(median(0)).toBeLessThan(median(1));
});

test('the bundle is used up on the day on which the days so far and those expected pass it', () => {
  // 4,000 a day, from a month before: 75,000 are passed within the 19th.
  const days = Array.from({ length: 40 }, (_, i) => ({ date: addDays('2031-11-01', i), queries: 4000 }));
  const customer = {
    ...{
      id: 1,
      name: 'Kea',
      created_at: new Date('2031-01-01'),
      free_queries: 0,
      free_lost: 0,
      lost: 0,
      caps: [],
    },
    ...{ overage_allowed: false, cancelled_on: null, closes_at: null, active_keys: 1 },
    periods: [{ id: 1, plan, begins: '2031-10-01', ends: null }],
    counts: { before: 0, months: new Map([['2031-12', 40_000]]), uncharged: new Map() },
  } satisfies BilledCustomer;
  const at = startOfDay('2031-12-11');
  const forecast = forecastOf(customer, '2031-12', 1, at, { days });
  expect(forecast).toMatchObject({ queries: 124_000, overage: 49_000, used_up_on: '2031-12-19' });
  // What is used up already has no day.
  const used = { ...customer, counts: { ...customer.counts, months: new Map([['2031-12', 75_001]]) } };
  expect(forecastOf(used, '2031-12', 1, at, { days })?.used_up_on).toBeNull();
  const little = days.map(({ date }) => ({ date, queries: 100 }));
  expect(forecastOf(customer, '2031-12', 1, at, { days: little })?.used_up_on).toBeNull();
});

test.each([
  [49, 0, undefined],
  [50, 0, 50],
  [79, 0, 50],
  [80, 0, 80],
  [100, 0, 100],
  [300, 0, 100],
  // It was told in an earlier month.
  [85, 80, undefined],
  [100, 80, 100],
])('of %i queries of 100, %i of them before this month, the level is %s', (used, before, level) => {
  expect(levelReached(used, 100, before)).toBe(level);
});
