import { expect, test } from 'vitest';
import { seedAccess } from '../../commands/demo.ts';
import { seedBilling } from '../../commands/demo-billing.ts';
import { customerByName, findCustomer } from '../../core/billing/customers.ts';
import { findInvoice, type Invoice, listInvoices } from '../../core/billing/invoices.ts';
import { customerUsage } from '../../core/billing/usage.ts';
import type { Database } from '../../core/database/database.ts';
import { useDatabase } from '../setup/service.ts';

/* The demo's billing, calculated a second time: by hand, from the price list of docs/user/billing.md and the counted hours. */

const prices = {
  Demo: { fee: 50_000, bundle: 75_000, label: 'Low usage' },
  'Kea Homes': { fee: 75_000, bundle: 150_000, label: 'Medium usage' },
  'Tui Apps': { fee: 0, bundle: 0, label: '' },
};
const freeQueries = 1_000;

const inNewZealand = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Auckland' });
/** The date in New Zealand, YYYY-MM-DD. */
const dateOf = (instant: Date) => inNewZealand.format(instant);
const named = new Intl.DateTimeFormat('en-NZ', { timeZone: 'UTC', month: 'long', year: 'numeric' });
const nameOf = (month: string) => named.format(new Date(`${month}-01T00:00:00Z`));
function monthAfter(month: string, count = 1): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

/** The queries that hours were counted with, by month. */
async function countedOf(database: Database, name: string): Promise<Map<string, number>> {
  const { rows } = await database.query<{ hour: Date; queries: number }>(
    `select u.hour, u.queries from usage_hour u join api_key k on k.id = u.key_id join customer c on c.id = k.customer_id
     where c.name = $1`,
    [name],
  );
  const counted = new Map<string, number>();
  for (const { hour, queries } of rows) {
    const month = dateOf(hour).slice(0, 7);
    counted.set(month, (counted.get(month) ?? 0) + queries);
  }
  return counted;
}

/** The queries of each month: the free ones first, then the bundle, then overage. */
function splitOf(name: keyof typeof prices, counted: Map<string, number>, months: readonly string[]) {
  let left = freeQueries;
  return months.map((month) => {
    const queries = counted.get(month) ?? 0;
    const free = Math.min(left, queries);
    left -= free;
    const bundled = Math.min(queries - free, prices[name].bundle);
    return { month, queries, free, bundle: prices[name].bundle, bundled, overage: queries - free - bundled };
  });
}

const shown = ({ number, occasion, issued_on, usage, lines, recipient, ...sums }: Invoice) => ({
  number,
  occasion,
  issued_on,
  usage,
  recipient: recipient.name,
  lines: lines.map(({ description, quantity, unit_price_cents: price, amount_cents: amount }) => [
    description,
    quantity,
    price,
    amount,
  ]),
  sums: [sums.subtotal_cents, sums.gst_cents, sums.total_cents, sums.due_cents],
});

test.each([
  ['in the middle of a month', '2026-11-21T02:30:00Z'],
  ['on the first of a month, before months are closed', '2026-09-30T16:30:00Z'],
])('the demo is billed as its terms say, %s', async (_, instant) => {
  const now = new Date(instant);
  const { database } = await useDatabase();
  await seedAccess(database);
  await seedBilling(database, now);
  // A second start changes nothing.
  await seedBilling(database, now);
  const current = dateOf(now).slice(0, 7);
  const months = [monthAfter(current, -2), monthAfter(current, -1), current] as const;
  const invoices: Invoice[] = [];
  for (const { number } of (await listInvoices(database, {})).reverse()) {
    invoices.push(await findInvoice(database, number));
  }

  const paying = ['Demo', 'Kea Homes'] as const;
  const counts = new Map<string, Map<string, number>>();
  for (const name of [...paying, 'Tui Apps']) counts.set(name, await countedOf(database, name));
  const splits = (name: keyof typeof prices) => splitOf(name, counts.get(name) ?? new Map(), months);
  const expected: Omit<ReturnType<typeof shown>, 'number'>[] = [];
  const sums = (subtotal: number) => {
    const gst = Math.round(subtotal * 0.15);
    return [subtotal, gst, subtotal + gst, subtotal + gst];
  };
  for (const recipient of paying) {
    const { fee, label } = prices[recipient];
    expected.push({
      occasion: 'plan_start',
      issued_on: `${months[0]}-01`,
      usage: null,
      recipient,
      lines: [[`${label} plan, ${nameOf(months[0])}`, 1, fee, fee]],
      sums: sums(fee),
    });
  }
  for (const month of months.slice(0, 2)) {
    for (const recipient of paying) {
      const { fee, label } = prices[recipient];
      const usage = splits(recipient).find((one) => one.month === month);
      const overage = usage?.overage ?? 0;
      const next = nameOf(monthAfter(month));
      expected.push({
        occasion: 'month',
        issued_on: `${monthAfter(month)}-01`,
        usage: usage as NonNullable<typeof usage>,
        recipient,
        lines: [
          ...(overage > 0 ? [[`Overage queries, ${nameOf(month)}`, overage, 1, overage]] : []),
          [`${label} plan, ${next}`, 1, fee, fee],
        ] as [string, number, number, number][],
        sums: sums(overage + fee),
      });
    }
  }
  // Numbers and dates ascend together.
  expect(invoices.map(shown)).toEqual(expected.map((invoice, index) => ({ number: index + 1, ...invoice })));
  // There is something to see: a month past its bundle.
  expect(invoices.some(({ usage }) => (usage?.overage ?? 0) > 0)).toBe(true);

  for (const name of ['Demo', 'Kea Homes', 'Tui Apps'] as const) {
    const id = await customerByName(database, name);
    for (const split of splits(name)) {
      const charges = { overage_cents: split.overage, plan_fee_cents: prices[name].fee };
      const told = await customerUsage(database, id, split.month, now);
      expect(told, `${name}, ${split.month}`).toMatchObject({ ...split, ...charges });
    }
    expect(dateOf((await findCustomer(database, id, now)).created_at)).toBe(`${months[0]}-01`);
  }
});
