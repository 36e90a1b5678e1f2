import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bundleOf,
  freeLeft,
  gstOn,
  type Plan,
  type PlanPeriod,
  planMonth,
  usageOf,
} from '../../billing/charges.ts';
import type { BilledCustomer } from '../../billing/customers.ts';
import { forecastOf } from '../../billing/forecast.ts';
import { draft, type InvoiceContent, needsIdentifier } from '../../billing/invoicing.ts';
import { confirmAmount } from '../../billing/manual-entries.ts';
import { dueOn, planAfter, planOn } from '../../billing/terms.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { addDays, daysOfMonth, monthsBetween, startOfMonth } from '../../platform/nz-time.ts';

/* The charges of a month: prices and bundles of the plans, 1,000 free queries once, a cent for each query past the
   bundle, GST of 15 percent. */

const low: Plan = { name: 'low', label: 'Low usage', bundled_queries: 75_000, price_cents: 50_000 };
const medium: Plan = { name: 'medium', label: 'Medium usage', bundled_queries: 150_000, price_cents: 75_000 };
const period = (plan: Plan, begins: string, ends: string | null = null): PlanPeriod => ({
  ...{ id: 1, plan, begins, ends },
});
const asked = (counts: Record<string, number>) => new Map(Object.entries(counts));

test('a plan is in force from the day it begins to the day before it ends', () => {
  const periods = [period(low, '2026-05-01', '2026-07-01'), period(medium, '2026-07-01', '2026-08-01')];
  const days = ['2026-04-30', '2026-05-01', '2026-06-30', '2026-07-01', '2026-07-31', '2026-08-01'];
  const names = days.map((day) => planOn(periods, day)?.plan.name);
  expect(names).toEqual([undefined, 'low', 'low', 'medium', 'medium', undefined]);
  // One that begins today is no longer to come.
  const next = days.map((day) => planAfter(periods, day)?.plan.name);
  expect(next).toEqual(['low', 'medium', 'medium', undefined, undefined, undefined]);
});

describe('queries', () => {
  test('are free once: what is left of the thousand carries over to the next month', () => {
    const left = (before: number, months: Record<string, number>, uncharged: Record<string, number> = {}) =>
      freeLeft({ before, months: asked(months), uncharged: asked(uncharged) }, 1000);
    expect(left(0, { '2026-03': 600 })).toBe(400);
    expect(left(600, { '2026-05': 300 })).toBe(100);
    expect(left(0, { '2026-03': 600, '2026-05': 700 }, { '2026-05': 300 })).toBe(0);
  });
  test('are distinguished as if they had come one by one; those that nobody pays for are free besides', () => {
    const count = fc.record({ charged: fc.nat({ max: 400 }), unpaid: fc.nat({ max: 50 }) });
    const counts = fc.array(count, { minLength: 1, maxLength: 6 });
    const plan = fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined });
    fc.assert(
      fc.property(counts, plan, fc.integer({ min: 0, max: 500 }), (months, bundle, free) => {
        const names = monthsBetween('2026-01', '2026-12').slice(0, months.length);
        const plans = bundle ? [{ ...low, bundled_queries: bundle }] : [];
        const periods = plans.map((plan) => period(plan, '2026-01-01'));
        let left = free;
        const expected = months.map(({ charged, unpaid }, index) => {
          let inBundle = bundle ?? 0;
          const told = { free: unpaid, bundled: 0, overage: 0 };
          for (let query = 0; query < charged; query++) {
            if (left > 0) {
              left--;
              told.free++;
            } else if (inBundle > 0) {
              inBundle--;
              told.bundled++;
            } else told.overage++;
          }
          return { month: names[index] as string, queries: charged + unpaid, bundle: bundle ?? 0, ...told };
        });
        const queries = new Map(expected.map(({ month, queries }) => [month, queries]));
        const uncharged = new Map(names.map((name, index) => [name, months[index]?.unpaid ?? 0]));
        const told = (of: string[]) => usageOf(queries, periods, free, of, uncharged);
        expect(told(names)).toEqual(expected);
        expect(told(names.slice(-1))).toEqual(expected.slice(-1));
      }),
    );
  });
});

describe('a plan', () => {
  test('has parts of a month that make the whole, to half a cent and half a query each', () => {
    fc.assert(
      fc.property(fc.constantFrom('2026-02', '2026-06', '2026-07'), fc.nat({ max: 26 }), (month, cut) => {
        const day = daysOfMonth(month)[cut + 1] as string;
        const periods = [period(low, addDays(`${month}-01`, -40), day), period(low, day)];
        const [before, rest] = periods.map((one) => planMonth(one, month));
        expect((before?.days ?? 0) + (rest?.days ?? 0)).toBe(rest?.daysInMonth);
        expect(Math.abs((before?.feeCents ?? 0) + (rest?.feeCents ?? 0) - 50_000)).toBeLessThanOrEqual(1);
        expect(Math.abs(bundleOf(periods, month) - 75_000)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

/** An instant of May 2031, which has 31 days of 24 hours. @param days since it began */
const inMay = (days: number) => new Date(startOfMonth('2031-05').getTime() + days * 86_400_000);

test.each<[what: string, days: number, Partial<BilledCustomer>, queries: number | undefined]>([
  ['at the rate since the month began', 15, {}, Math.round((500 * 31) / 15)],
  ['at the rate since the customer was made', 15, { created_at: inMay(10) }, (500 * 21) / 5],
  ['as of a day where that was less', 15, { created_at: inMay(14.5) }, (500 * 16.5) / 1],
  ['at most as what is free, less what is lost', 15, { overage_allowed: false, free_lost: 10 }, 590],
  [
    'at most as its cap allows, less what is lost',
    15,
    { lost: 5, caps: [{ set_by: 'staff', queries: 700, budget_cents: null, only_warns: false }] },
    695,
  ],
  ['not before it has begun', 0, {}, undefined],
  ['not once it is over', 31, {}, undefined],
])('a month is forecast %s', (_, days, given, queries) => {
  const customer: BilledCustomer = {
    ...{
      id: 1,
      name: 'Kea Homes',
      created_at: inMay(-90),
      cancelled_on: null,
      closes_at: null,
      active_keys: 1,
    },
    ...{ free_queries: 600, free_lost: 0, lost: 0, caps: [], overage_allowed: true, periods: [] },
    counts: { before: 0, months: asked({ '2031-05': 500 }), uncharged: asked({}) },
    ...given,
  };
  expect(forecastOf(customer, '2031-05', 1, inMay(days))?.queries).toBe(queries);
});

test('an amount is large, and a recipient to be identified, from a cent on', () => {
  const isConfirmed = (cents: number, confirmed?: number) => {
    try {
      return confirmAmount(cents, confirmed, 10_000) === undefined;
    } catch {
      return false;
    }
  };
  expect([isConfirmed(9_999), isConfirmed(10_000), isConfirmed(10_000, 10_000)]).toEqual([true, false, true]);
  expect([100_000, 100_001].map((total_cents) => needsIdentifier({ total_cents }))).toEqual([false, true]);
});

test.each([
  [3, 0],
  [10, 2],
  [-10, -2],
  [-3, 0],
])('GST of 15 percent on %i cents is %i', (subtotal, gst) => expect(gstOn(subtotal, 15)).toBe(gst));

test.each([
  ['2031-05-01', 20, '2031-06-20'],
  ['2031-01-31', 28, '2031-02-28'],
  ['2031-12-05', 1, '2032-01-01'],
])('an invoice of %s is due on day %o of the month after: %s', (issuedOn, due_day, expected) => {
  expect(dueOn(issuedOn, { due_day })).toBe(expected);
});

test('of invoices that are drafted together, each uses up the credit that those before it leave its account', async () => {
  const terms = { gst_percent: 0, account: '' };
  const none = { query: async () => ({ rows: [terms], rowCount: 1 }) } as unknown as Queryable;
  const content = (account: number, cents: number) =>
    ({
      account: { kind: 'customer', id: account, name: `Customer ${account}` },
      lines: [{ kind: 'charge', quantity: 1, unit_price_cents: cents }],
    }) as unknown as InvoiceContent;
  const contents = [content(1, -500), content(2, 100), content(1, 200), content(1, 400)];
  const drafted = await draft(none, contents);
  const told = drafted.map((one) => [one.brought_forward_cents, one.due_cents, one.carried_forward_cents]);
  expect(told.map(String)).toEqual(['0,0,500', '0,100,0', '500,0,300', '300,100,0']);
});
