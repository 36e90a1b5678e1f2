import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { listXeroExports, makeXeroFiles, xeroNews } from '../../billing/books/xero-files.ts';
import { customerByName, findCustomer } from '../../billing/customers.ts';
import { findInvoice, type Invoice, listInvoices } from '../../billing/invoices.ts';
import { customerUsage } from '../../billing/usage.ts';
import { seedAccess } from '../../commands/demo.ts';
import { seedBilling } from '../../commands/demo-billing.ts';
import type { Database } from '../../platform/database/database.ts';
import { useDatabase } from '../setup/service.ts';

/* The demo's billing, calculated a second time: by hand, from the price list of docs/user/billing.md and the counted hours. */

const prices = {
  Demo: { fee: 50_000, bundle: 75_000, label: 'Low usage' },
  'Kea Homes': { fee: 75_000, bundle: 150_000, label: 'Medium usage' },
  'Tui Apps': { fee: 0, bundle: 0, label: '' },
};
type Name = keyof typeof prices;
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
function splitOf(name: Name, counted: Map<string, number>, months: readonly string[]) {
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
  ...{ number, occasion, issued_on, usage, recipient: recipient.name },
  lines: lines.map((line) => [line.description, line.quantity, line.unit_price_cents, line.amount_cents]),
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
  for (const { number } of (await listInvoices(database, {}, new Date())).reverse()) {
    invoices.push(await findInvoice(database, number, new Date()));
  }

  const paying = ['Demo', 'Kea Homes'] as const;
  const splits = new Map<Name, ReturnType<typeof splitOf>>();
  for (const name of [...paying, 'Tui Apps'] as const)
    splits.set(name, splitOf(name, await countedOf(database, name), months));
  const expected: unknown[] = [];
  type Line = [description: string, quantity: number, price: number];
  /** On the first of a month. @param usage null where a plan starts */
  const issued = (recipient: string, month: string, usage: unknown, lines: Line[]) => {
    const subtotal = lines.reduce((sum, [, quantity, price]) => sum + quantity * price, 0);
    const gst = Math.round(subtotal * 0.15);
    expected.push({
      ...{ number: expected.length + 1, issued_on: `${month}-01`, usage, recipient },
      occasion: usage === null ? 'plan_start' : 'month',
      lines: lines.map(([text, quantity, price]) => [text, quantity, price, quantity * price]),
      sums: [subtotal, gst, subtotal + gst, subtotal + gst],
    });
  };
  const planOf = (name: Name, month: string): Line => {
    const { label, fee } = prices[name];
    return [`${label} plan, ${nameOf(month)}`, 1, fee];
  };
  // Numbers and dates ascend together.
  for (const name of paying) issued(name, months[0], null, [planOf(name, months[0])]);
  for (const [index, month] of months.slice(0, 2).entries()) {
    for (const name of paying) {
      const usage = splits.get(name)?.[index];
      const overage = usage?.overage ?? 0;
      const lines = [planOf(name, monthAfter(month))];
      if (overage > 0) lines.unshift([`Overage queries, ${nameOf(month)}`, overage, 1]);
      issued(name, monthAfter(month), usage, lines);
    }
  }
  expect(invoices.map(shown)).toEqual(expected);
  // There is something to see: a month past its bundle.
  expect(invoices.some(({ usage }) => (usage?.overage ?? 0) > 0)).toBe(true);

  for (const [name, split] of splits) {
    const id = await customerByName(database, name);
    for (const one of split) {
      const charges = { overage_cents: one.overage, plan_fee_cents: prices[name].fee };
      const told = await customerUsage(database, id, one.month, now);
      expect(told, `${name}, ${one.month}`).toMatchObject({ ...one, ...charges });
    }
    expect(dateOf((await findCustomer(database, id, now)).created_at)).toBe(`${months[0]}-01`);
  }

  // All of it goes to Xero.
  const whole = { from: `${months[0]}-01`, to: dateOf(now) };
  const made = await makeXeroFiles(database, whole, commandActor, now);
  const [{ files } = { files: [] }] = await listXeroExports(database, { id: made, limit: 1 });
  expect(files.filter(({ kind }) => kind === 'invoices')).toMatchObject([
    { documents: invoices.length, total_cents: invoices.reduce((sum, one) => sum + one.total_cents, 0) },
  ]);
  expect(await xeroNews(database, whole)).toMatchObject({ files: [], earlier: 0 });
});
