import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { addKey } from '../../access/api-keys.ts';
import { closeMonth, previewClose } from '../../billing/close.ts';
import { findInvoice, type Invoice, type ListedInvoice, listInvoices } from '../../billing/invoices.ts';
import { type AccountId, listEntries } from '../../billing/ledger.ts';
import { postManualEntry, reverseEntry } from '../../billing/manual-entries.ts';
import { closedThrough, closingTime, monthsDue } from '../../billing/months.ts';
import { invoicePlanStarts } from '../../billing/plan-start.ts';
import { cancelCustomer, cancelUpcomingPlan, setPlan, withdrawCancellation } from '../../billing/plans.ts';
import {
  changeFeeState,
  type FeeStep,
  listProcessingFees,
  processingFees,
} from '../../billing/processing-fees.ts';
import { recordPayment, reverseSettling } from '../../billing/receivables/payments.ts';
import { statementOf } from '../../billing/statement.ts';
import { customerUsage, firstMonthOf } from '../../billing/usage.ts';
import { findOrCreateProvider } from '../../coverage/providers/providers.ts';
import {
  addDays,
  addMonths,
  dayOf,
  daysBetween,
  daysOfMonth,
  monthsBetween,
  startOfDay,
  startOfMonth,
} from '../../platform/nz-time.ts';
import { addQueries, interrupted, makeCustomer, publishModelled } from '../setup/billing.ts';
import { useDatabase } from '../setup/service.ts';

/* The charges by the terms of docs/user/billing.md. Each test has months of its own, so they run on one database. */

const { place, database } = await useDatabase();

/** The first of four months that no other test has. */
let year = 2030;
let first = '';
let months: [string, string, string, string] = ['', '', '', ''];
beforeEach(async () => {
  first = `${year++}-05`;
  months = [first, addMonths(first, 1), addMonths(first, 2), addMonths(first, 3)];
  // Closes the months of other tests.
  if ((await closedThrough(database)) !== undefined) await markClosedBefore(addMonths(first, -1));
  await close(addMonths(first, -1));
});

/** Marks the open months before one as closed, as nothing is to be billed in them. */
async function markClosedBefore(month: string) {
  const closed = (await closedThrough(database)) ?? addMonths(month, -1);
  for (const empty of monthsBetween(addMonths(closed, 1), addMonths(month, -1))) {
    await database.query(`insert into month_close (month, closed_by) values ($1, 'test')`, [`${empty}-01`]);
  }
}

let names = 0;
async function customer(plan?: string, begins?: string, at = instant(first, 1)) {
  const { id, keyId: key } = await makeCustomer(database, `Customer ${++names}`, { plan, begins }, at);
  return { id, key, asked: (when: Date, queries: number) => addQueries(database, key, when, queries) };
}
/** Noon of a day in New Zealand, more or less. */
function instant(month: string, day: number): Date {
  return new Date(startOfMonth(month).getTime() + (day - 1) * 86_400_000 + 12 * 3_600_000);
}
function close(month: string, at = new Date(startOfMonth(addMonths(month, 1)).getTime() + 3_600_000)) {
  return closeMonth(database, month, commandActor, at);
}
const changePlan = (id: number, to: Parameters<typeof setPlan>[2], at: Date) =>
  setPlan(database, id, to, commandActor, at);
const cancel = (id: number, at: Date, notice?: string) =>
  cancelCustomer(database, id, notice, commandActor, at);
const keep = (id: number, at: Date) => withdrawCancellation(database, id, commandActor, at);
const accountOf = (id: number): AccountId => ({ kind: 'customer', id });
/** Each gets a new reference, unless one is given. */
const post = (kind: 'credit' | 'charge', id: number, amountCents: number, at: Date, given?: string) => {
  const entry = { account: accountOf(id), amountCents, reason: 'Outage', reference: given ?? randomUUID() };
  return postManualEntry(database, kind, entry, commandActor, at);
};
const statement = (id: number, at: Date) => statementOf(database, accountOf(id), {}, at);
/** The last entries of a customer, newest first. */
const entriesOf = (id: number) => listEntries(database, { account: accountOf(id), limit: 10 });
/** The plans of a customer, oldest first. */
async function periodsOf(id: number) {
  const periods = 'select plan, begins, ends from customer_plan where customer_id = $1 order by begins';
  return (await database.query(periods, [id])).rows;
}
/** The invoices that a filter lets through, oldest first. */
async function invoicesOf(
  filter: Parameters<typeof listInvoices>[1],
  good: (one: ListedInvoice) => boolean,
): Promise<Invoice[]> {
  const listed = (await listInvoices(database, filter, new Date())).filter(good).reverse();
  return Promise.all(listed.map(({ number }) => findInvoice(database, number, new Date())));
}
const invoiceOf = async (id: number, month: string) =>
  (await invoicesOf({ account: accountOf(id), month }, ({ occasion }) => occasion === 'month'))[0];
/** Those of plans that have started. */
const startsOf = (id: number) =>
  invoicesOf({ account: accountOf(id) }, ({ occasion }) => occasion === 'plan_start');
/** Kind, month, quantity and amount of each line. */
const lines = (invoice: Invoice | undefined) =>
  invoice?.lines.map(({ kind, month, quantity, amount_cents }) => [kind, month, quantity, amount_cents]);

test.runIf(database.kind === 'server')(
  'a statement shows an amount once while its month is closed',
  async () => {
    const [{ id }, another] = [await customer(), await customer()];
    await post('charge', id, 4_000, instant(first, 5));
    await post('charge', another.id, 500, instant(first, 5));
    const closesMeanwhile = interrupted(database, {
      after: (text) => /o\.entry_id is not null/.test(text) && close(first),
    });
    const { unbilled, lines } = await statementOf(closesMeanwhile, accountOf(id), {}, instant(first, 6));
    expect([unbilled.subtotal_cents, lines]).toEqual([4_000, []]);
    const later = await statement(id, instant(months[1], 6));
    expect([later.unbilled.subtotal_cents, later.lines.length]).toEqual([0, 1]);
  },
);

describe('an invoice', () => {
  test('is not issued without a plan, however many queries follow the free ones', async () => {
    const { id, asked } = await customer();
    await asked(instant(first, 1), 990);
    await asked(instant(first, 2), 30);
    expect(await customerUsage(database, id, first, instant(first, 3))).toMatchObject({
      ...{ queries: 1020, free: 1020, overage: 0, free_left: 0, overage_allowed: false },
      projection: { queries: 1020, overage: 0 },
    });
    await close(first);
    // With a plan, earlier queries past the free ones are not billed as overage, nor are late counts of them.
    await changePlan(id, { plan: 'low' }, instant(months[1], 16));
    await asked(instant(first, 3), 5);
    await asked(instant(months[1], 2), 7);
    await asked(instant(months[1], 17), 37_500 + 1130);
    await close(months[1]);
    expect(await invoiceOf(id, first)).toBeUndefined();
    expect(lines(await invoiceOf(id, months[1]))?.[0]).toEqual(['overage', months[1], 1130, 1130]);
  });
  test('has what all keys asked, of one bundle, once: late usage is an adjustment on the next', async () => {
    const { id, key, asked } = await customer('low', `${first}-01`);
    const second = (await addKey(database, id, { label: 'second' }, commandActor)).key.id;
    await asked(instant(first, 1), 40_000);
    await addQueries(database, second, instant(first, 2), 36_010);
    const other = await customer();
    await other.asked(instant(first, 2), 5);
    // What is posted as the month ends is of the next.
    await post('charge', id, 700, startOfMonth(months[1]));
    await close(first);
    const invoice = await invoiceOf(id, first);
    expect(lines(invoice)).toEqual([
      ['overage', first, 10, 10],
      ['plan_fee', months[1], 1, 50_000],
    ]);
    const keys = [
      { id: key, queries: 40_000 },
      { id: second, queries: 36_010 },
    ];
    expect(invoice?.lines[0]?.entry.source).toMatchObject({ queries: 76_010, keys });
    const invoiceIn = async (of: number) =>
      (await customerUsage(database, of, first, instant(months[1], 1))).invoice;
    expect([await invoiceIn(id), await invoiceIn(other.id)]).toEqual([invoice?.number, null]);
    await asked(instant(first, 30), 15);
    await close(months[1]);
    const next = await invoiceOf(id, months[1]);
    expect(lines(next)).toEqual([
      ['adjustment', first, 15, 15],
      ['plan_fee', months[2], 1, 50_000],
      ['charge', months[1], 1, 700],
    ]);
    expect(next?.lines[0]?.entry).toMatchObject({
      cause: `adjustment:${id}:${first}:${months[1]}`,
      source: { queries: 76_025, booked_before: 10 },
    });
    // What comes later still is counted beside the first adjustment.
    await asked(instant(first, 29), 20);
    await close(months[2]);
    expect(lines(await invoiceOf(id, months[2]))?.[0]).toEqual(['adjustment', first, 20, 20]);
    const late = await customer('low', `${months[3]}-02`, instant(months[3], 2));
    const since = (of: number) => firstMonthOf(database, of, instant(months[3], 3));
    expect([await since(id), await since(late.id)]).toEqual([first, months[3]]);
  });
});

describe('a plan', () => {
  const today = (day: number) => instant(first, day);
  test('can be changed again, or not at all, until the change takes effect', async () => {
    const { id } = await customer('low', `${first}-01`);
    const change = (plan: string, begins?: string) => changePlan(id, { plan, begins }, today(10));
    const before = [{ plan: 'low', begins: `${first}-01`, ends: null }];
    await change('high');
    await change('medium', `${months[2]}-01`);
    expect(await periodsOf(id)).toEqual([
      { plan: 'low', begins: `${first}-01`, ends: `${months[2]}-01` },
      { plan: 'medium', begins: `${months[2]}-01`, ends: null },
    ]);
    await change('low');
    expect(await periodsOf(id)).toEqual(before);
    await change('high');
    const { id: neighbour } = await customer('low', `${first}-01`);
    await changePlan(neighbour, { plan: 'high' }, today(10));
    const ofNeighbour = await periodsOf(neighbour);
    await cancelUpcomingPlan(database, id, commandActor, today(10));
    expect(await periodsOf(id)).toEqual(before);
    // Theirs changes on the same day.
    expect(await periodsOf(neighbour)).toEqual(ofNeighbour);
    const { id: other } = await customer('low', `${months[1]}-16`);
    await cancelUpcomingPlan(database, other, commandActor, today(10));
    expect(await periodsOf(other)).toEqual([]);
    const { id: begun } = await customer('low', `${first}-10`);
    const undone = cancelUpcomingPlan(database, begun, commandActor, today(10));
    await expect(undone).rejects.toMatchObject({ code: 'no_plan' });
    for (const begins of [`${first}-20`, `${months[1]}-02`, `${first}-01`])
      await expect(change('high', begins)).rejects.toMatchObject({ code: 'plan_date_invalid' });
    const isClosed = customer('low', `${addMonths(first, -1)}-20`);
    await expect(isClosed).rejects.toMatchObject({ code: 'plan_date_invalid' });
    // A mistyped year.
    for (const away of [-14, 14])
      await expect(customer('low', `${addMonths(first, away)}-01`)).rejects.toThrow(/12 months away/);
  });
  test('ends with the month after that of the notice, also if that comes on the last day', async () => {
    const { id, asked } = await customer('low', `${first}-01`);
    const lastMoment = new Date(startOfMonth(months[1]).getTime() - 1);
    const before = `${addMonths(first, -1)}-30`;
    await expect(cancel(id, today(10), before)).rejects.toThrow(`The subscription began on ${first}-01.`);
    expect(await cancel(id, lastMoment)).toBe(`${months[2]}-01`);
    const { id: later } = await customer('low', `${first}-01`);
    expect(await cancel(later, startOfMonth(months[1]))).toBe(`${months[3]}-01`);
    await close(first);
    expect(lines(await invoiceOf(id, first))?.map(([, month]) => month)).toEqual([months[1]]);
    await asked(instant(months[1], 30), 100);
    // Nothing is owed any more, and there is no invoice over nothing.
    for (const month of months.slice(1, 3)) {
      await close(month);
      expect(await invoiceOf(id, month)).toBeUndefined();
    }
    const { rows } = await database.query('select closes_at from customer where id = $1', [id]);
    expect(rows).toEqual([{ closes_at: startOfMonth(months[2]) }]);
    await expect(keep(id, startOfMonth(months[2]))).rejects.toMatchObject({ code: 'customer_not_cancelled' });
  });
  test('a notice and its withdrawal leave plans as they were, whenever a change is to come', async () => {
    const leaving: { id: number; before: object[]; noticed: object[] }[] = [];
    for (const change of [1, 2, 3]) {
      const { id } = await customer('low', `${first}-01`);
      const day = instant(first, 10);
      await changePlan(id, { plan: 'medium', begins: `${addMonths(first, change)}-01` }, day);
      const before = await periodsOf(id);
      expect(before).toHaveLength(2);
      await cancel(id, day);
      leaving.push({ id, before, noticed: await periodsOf(id) });
    }
    for (const [i, { id, before }] of leaving.entries()) {
      await keep(id, instant(months[1], 20));
      expect(await periodsOf(id)).toEqual(before);
      // The notices of others stand.
      for (const other of leaving.slice(i + 1)) expect(await periodsOf(other.id)).toEqual(other.noticed);
    }
  });
  test('that is yet to begin can be another, from the same day', async () => {
    const { id } = await customer('low', `${months[1]}-16`);
    await changePlan(id, { plan: 'medium' }, today(10));
    await close(first);
    await changePlan(id, { plan: 'low' }, instant(months[1], 2));
    await changePlan(id, { plan: 'medium' }, instant(months[1], 3));
    await invoicePlanStarts(database, commandActor, instant(months[1], 16));
    expect((await startsOf(id)).map(lines)).toEqual([[['plan_fee', months[1], 1, 37_500]]]);
    // Once invoiced, a plan counts as begun: a change takes effect with the next month.
    await changePlan(id, { plan: 'high' }, instant(months[1], 17));
    await close(months[1]);
    expect(lines(await invoiceOf(id, months[1]))).toEqual([['plan_fee', months[2], 1, 150_000]]);
  });
  test('of a customer who returns has no second free allowance', async () => {
    const { id, asked } = await customer('low', `${first}-01`);
    await asked(today(2), 1000);
    await cancel(id, today(3));
    for (const month of months.slice(0, 2)) await close(month);
    // The day on which the cancelled plan has ended.
    const back = instant(months[2], 1);
    await changePlan(id, { plan: 'low' }, back);
    await asked(back, 75_000);
    await close(months[2]);
    expect((await startsOf(id)).map(({ month }) => month)).toEqual([first, months[2]]);
    expect((await invoiceOf(id, months[2]))?.usage).toMatchObject({ free: 0, queries: 75_000 });
  });
  test('has terms that cannot be changed', async () => {
    const cheaper = database.query(`update plan set price_cents = 1 where name = 'low'`);
    await expect(cheaper).rejects.toThrow('do not change');
    await database.query(`update plan set label = label where name = 'low'`);
  });
});

describe('closing a month', () => {
  test('happens once, however many do it at once, and leaves no gap in the numbers', async () => {
    for (let count = 0; count < 5; count++) await customer('low', `${first}-01`);
    const before = (await listInvoices(database, {}, new Date())).length;
    const other = database.kind === 'server' ? await place.open() : database;
    const at = startOfMonth(months[1]);
    const by = [database, other, database, other, database, other];
    const done = await Promise.all(by.map((one) => closeMonth(one, first, commandActor, at)));
    if (other !== database) await other.close();
    expect(done.filter(({ closed }) => closed)).toHaveLength(1);
    expect((await close(first)).closed).toBe(false);
    expect((await close(addMonths(first, -1))).closed).toBe(false);
    const all = await listInvoices(database, {}, new Date());
    expect(all.length).toBeGreaterThanOrEqual(before + 5);
    expect(all.map(({ number }) => number).sort((a, b) => a - b)).toEqual(all.map((_, index) => index + 1));
  });
  test('that fails makes nothing and takes no number', async () => {
    await customer('low', `${first}-01`);
    const before = (await listInvoices(database, {}, new Date())).length;
    await database.query(`alter table invoice_line add constraint broken check (position < 1) not valid`);
    await expect(close(first)).rejects.toThrow('broken');
    await database.query('alter table invoice_line drop constraint broken');
    expect((await listInvoices(database, {}, new Date())).length).toBe(before);
    expect((await close(first)).closed).toBe(true);
    expect((await listInvoices(database, {}, new Date()))[0]?.number).toBe(
      (await listInvoices(database, {}, new Date())).length,
    );
  });
  test('is refused while one before it is open', async () => {
    await customer('low', `${first}-01`);
    const message = expect.stringContaining('May 20');
    await expect(close(months[1])).rejects.toMatchObject({ code: 'month_not_next', message });
    const preview = await previewClose(database, months[1], startOfMonth(months[2]));
    expect(preview).toMatchObject({ state: 'waiting', before: [first], invoices: [] });
    const insertion = `insert into month_close (month, closed_by) values ($1, 'x')`;
    await expect(database.query(insertion, [`${months[1]}-01`])).rejects.toThrow('does not follow');
  });
  test.each([
    { month: 'September', later: 4, sunday: -1, hours: 23, midnight: 'T11:00:00.000Z' },
    { month: 'April', later: 11, sunday: 0, hours: 25, midnight: 'T12:00:00.000Z' },
  ])(
    '$month bills a plan that begins as the clocks change from the first of its $hours hours',
    async (row) => {
      const month = addMonths(first, row.later);
      await markClosedBefore(month);
      const day = daysOfMonth(month)
        .filter((one) => new Date(one).getUTCDay() === 0)
        .at(row.sunday) as string;
      const { id, asked } = await customer('low', day, startOfMonth(month));
      const hours = 24 + row.hours + 24;
      const dayBefore = startOfDay(addDays(day, -1)).getTime();
      for (let hour = 0; hour < hours; hour++) await asked(new Date(dayBefore + hour * 3_600_000), 2_000);
      const dayAfter = new Date(dayBefore + (hours - 1) * 3_600_000);
      const { days } = await customerUsage(database, id, month, dayAfter);
      expect(days.slice(-2)).toEqual([
        { date: day, queries: row.hours * 2_000 },
        { date: addDays(day, 1), queries: 48_000 },
      ]);

      const over = new Date(`${daysOfMonth(month).at(-1)}${row.midnight}`);
      await expect(close(month, new Date(over.getTime() - 1))).rejects.toMatchObject({
        code: 'month_not_over',
      });
      await close(month, over);
      const planDays = 30 - Number(day.slice(8)) + 1;
      const overage = (row.hours + 24) * 2_000 - (75_000 * planDays) / 30;
      expect(lines(await invoiceOf(id, month))).toEqual([
        ['overage', month, overage, overage],
        ['plan_fee', addMonths(month, 1), 1, 50_000],
      ]);
      const [start] = await startsOf(id);
      expect(lines(start)).toEqual([['plan_fee', month, 1, Math.round((50_000 * planDays) / 30)]]);
    },
  );
  test('shows before what plans that begin after it cost, by the terms of their own month', async () => {
    const setGst = (month: string, percent: number) =>
      database.query(
        `insert into billing_terms (from_month, free_queries, overage_cents, gst_percent, first_processing_cents,
           later_processing_cents)
         select $1, free_queries, overage_cents, $2, first_processing_cents, later_processing_cents
         from billing_terms where from_month = '2000-01-01'`,
        [`${month}-01`, percent],
      );
    await setGst(months[1], 20);
    await setGst(months[2], 15);
    const before = await customer('low', `${first}-01`);
    const after = await customer('low', `${months[1]}-01`);
    const at = instant(months[1], 1);
    const { invoices, totals } = await previewClose(database, first, at);
    const shown = invoices.map(({ recipient, occasion, gst_cents }) => [recipient.id, occasion, gst_cents]);
    expect(shown.filter(([id]) => id === before.id || id === after.id)).toEqual([
      [after.id, 'plan_start', 10_000],
      [before.id, 'month', 7_500],
    ]);
    await closeMonth(database, first, commandActor, at, totals.total_cents);
  });
  test('is due at its time on the first of the next month, one month after the other', async () => {
    const due = (at: Date) => monthsDue(database, at, '06:00:00');
    const time = closingTime(first, '06:00:00');
    expect(time).toEqual(new Date(startOfMonth(months[1]).getTime() + 6 * 3_600_000));
    expect(await due(new Date(time.getTime() - 1))).toEqual([]);
    expect(await due(time)).toEqual([first]);
    expect(await due(instant(months[2], 2))).toEqual([first, months[1]]);
    // The clocks are put back at three o'clock of 1 April 2029.
    expect(closingTime('2029-03', '06:00:00').toISOString()).toBe('2029-03-31T18:00:00.000Z');
    expect(closingTime('2029-03', '01:00:00').toISOString()).toBe('2029-03-31T12:00:00.000Z');
  });
});

describe('a correction', () => {
  const reverse = (entry: number, amountCents: number | undefined, at: Date, reference?: string) => {
    const why = { reason: 'A digit too many', reference: reference ?? randomUUID() };
    const given = { amountCents, confirmedCents: amountCents, ...why };
    return reverseEntry(database, entry, given, amountCents ?? 1e9, commandActor, at);
  };
  test('reverses a part of a credit of a million', async () => {
    const { id } = await customer('low', `${first}-01`);
    const { id: entry } = await post('credit', id, 100_000_000, instant(first, 2));
    await close(first);
    expect(await invoiceOf(id, first)).toMatchObject({ total_cents: -114_942_500, due_on: null });
    expect((await statement(id, instant(months[1], 1))).credit_cents).toBe(114_942_500);
    await reverse(entry, 99_990_000, instant(months[1], 2));
    const left = expect.objectContaining({ id: entry, left_cents: -10_000 });
    expect(await entriesOf(id)).toContainEqual(left);
    await close(months[1]);
    // 500.00 + 999,900.00, with GST, less the credit; then all of the credit is used up.
    expect(await invoiceOf(id, months[1])).toMatchObject({
      total_cents: 115_046_000,
      brought_forward_cents: 114_942_500,
      due_cents: 103_500,
      carried_forward_cents: 0,
      due_on: expect.any(String),
    });
  });
  test('of a credit before its invoice keeps both off all invoices', async () => {
    const { id } = await customer('low', `${first}-01`);
    for (const cents of [5_000, 3_000]) {
      const { id: entry } = await post('credit', id, cents, instant(first, 2));
      // One ticket may be about several entries.
      await reverse(entry, undefined, instant(first, 3), 'ticket-31');
    }
    await close(first);
    expect(lines(await invoiceOf(id, first))).toEqual([['plan_fee', months[1], 1, 50_000]]);
    const settled = (await entriesOf(id)).filter(({ state }) => state === 'settled');
    expect(settled.map(({ kind }) => kind)).toEqual(['reversal', 'credit', 'reversal', 'credit']);
  });
  test('is at most the rest of the entry that it corrects, also by many at once, and of the same account', async () => {
    const [{ id }, other] = [await customer('low', `${first}-01`), await customer()];
    const at = instant(first, 2);
    const charge = () => post('charge', id, 1_000, at, 'sunday');
    const { id: entry } = await charge();
    await expect(charge()).rejects.toMatchObject({ code: 'entry_exists' });
    await expect(reverse(entry, 1_001, at)).rejects.toMatchObject({ code: 'amount_too_large' });
    const done = await Promise.allSettled([400, 400, 400].map((cents) => reverse(entry, cents, at)));
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const [newest] = await entriesOf(id);
    // A correction can be reversed; a reversal cannot.
    const undone = await reverse(newest?.id as number, undefined, at);
    await expect(reverse(undone.id, undefined, at)).rejects.toMatchObject({ code: 'entry_not_reversible' });
    for (const [customerId, corrects, cents] of [
      [id, entry, -601],
      [id, entry, 1],
      [other.id, entry, -1],
      [id, undone.id, -1],
    ] as const) {
      await expect(
        database.query(
          `insert into ledger_entry (customer_id, kind, month, description, quantity, unit_price_cents, amount_cents, cause,
             booked_by, corrects)
           values ($1, 'reversal', $2, 'x', 1, $3::integer, $3::integer, gen_random_uuid()::text, 'x', $4)`,
          [customerId, `${first}-01`, cents, corrects],
        ),
        String(cents),
      ).rejects.toMatchObject({ code: '23514' });
    }
    await close(first);
    expect((await invoiceOf(id, first))?.subtotal_cents).toBe(50_000 + 600);
  });
  test('may cancel its entry out: then there is no invoice, and both are on the next', async () => {
    const { id } = await customer();
    await post('charge', id, 700, instant(first, 2));
    await post('credit', id, 700, instant(first, 3));
    const { invoices } = await previewClose(database, first, startOfMonth(addMonths(first, 1)));
    expect(invoices.filter(({ recipient }) => recipient.id === id)).toEqual([]);
    await close(first);
    expect(await invoiceOf(id, first)).toBeUndefined();
    await post('credit', id, 1, instant(months[1], 3));
    await close(months[1]);
    expect(await invoiceOf(id, months[1])).toMatchObject({ subtotal_cents: -1, lines: [{}, {}, {}] });
  });
});

test('a balance is carried once: no two invoices begin with the same credit', async () => {
  const { id } = await customer('low', `${first}-01`);
  await post('credit', id, 120_000, instant(first, 2));
  await close(first);
  await close(months[1]);
  const copy = (changes: string) =>
    database.query(
      `insert into invoice (number, occasion, customer_id, month, recipient, issued_on, due_on, subtotal_cents, gst_percent,
         gst_cents, total_cents, previous, brought_forward_cents, due_cents, carried_forward_cents)
       select 1000000, 'plan_start', customer_id, month, recipient, issued_on, null, 1, 15, 0, 1, ${changes}
       from invoice where customer_id = $1 order by number desc limit 1`,
      [id],
    );
  // A credit is brought forward once, in its own amount, and only if there is one.
  await expect(copy('previous, brought_forward_cents, 0, brought_forward_cents - 1')).rejects.toThrow(
    'followed_once',
  );
  await expect(copy('number, 80500, 0, 80499')).rejects.toThrow('the credit that invoice 1000000 uses');
  await expect(copy('null, 0, 0, 0')).rejects.toThrow(/balance_check|first_of_account/);
});

describe('processing fees', () => {
  async function submission(provider: string, at: Date): Promise<{ submission: string; fee: number }> {
    const id = await publishModelled(database, provider, at);
    const fees = await listProcessingFees(database, { provider }, new Date());
    return { submission: id, fee: fees.find((fee) => fee.submission.id === id)?.id as number };
  }
  const linesOf = async (provider: string) =>
    (await invoicesOf({}, ({ recipient }) => recipient.name === provider)).map(lines);

  test('are said in advance: the first of a provider is another, whoever else has one', async () => {
    await submission(`Kea ${first}`, instant(first, 3));
    const feesOf = async (name: string) =>
      processingFees(
        database,
        await findOrCreateProvider(database, { name: `${name} ${first}` }),
        instant(first, 3),
      );
    const { first_cents, later_cents, next_cents } = await feesOf('Kea');
    expect([next_cents, (await feesOf('Weka')).next_cents]).toEqual([later_cents, first_cents]);
  });
  test('are invoiced, due, part paid, overdue and paid as their invoice is, and waived with a reason by an entry of its own', async () => {
    const provider = `Rata ${first}`;
    const { fee, submission: id } = await submission(provider, instant(first, 3));
    const change = (to: FeeStep) =>
      changeFeeState(database, fee, to, 'The towers were ours', commandActor, instant(months[1], 2));
    const stateOn = async (month: string, day: number) => {
      const [shown] = await listProcessingFees(database, { id: fee }, instant(month, day));
      return [shown?.state, shown?.age_days];
    };
    expect(await stateOn(first, 4)).toEqual(['accrued', 1]);
    await expect(change('unwaived')).rejects.toMatchObject({ code: 'fee_state' });
    await close(first);
    // Due on the 20th of the month after the invoice.
    expect((await stateOn(months[1], 30))[0]).toBe('invoiced');
    expect((await stateOn(months[2], 20))[0]).toBe('due');
    expect((await stateOn(months[2], 21))[0]).toBe('overdue');
    const [invoice] = await invoicesOf({}, ({ recipient }) => recipient.name === provider);
    const pay = (cents: number) =>
      recordPayment(
        database,
        {
          account: invoice?.recipient as AccountId,
          day: dayOf(instant(months[1], 2)),
          cents,
          method: 'bank_transfer',
          allocations: [{ invoice: invoice?.number as number, cents }],
          cause: randomUUID(),
        },
        { largeFromCents: Number.MAX_SAFE_INTEGER },
        commandActor,
        instant(months[1], 2),
      );
    await pay(15_000);
    expect((await stateOn(months[1], 3))[0]).toBe('part_paid');
    const rest = await pay(100_000);
    expect(await stateOn(months[2], 21)).toEqual(['paid', daysBetween(`${first}-03`, `${months[1]}-02`)]);
    await expect(change('waived')).rejects.toMatchObject({
      code: 'fee_state',
      hint: expect.stringContaining('credit note'),
    });
    await reverseSettling(
      database,
      rest,
      { reason: 'Bounced', cause: randomUUID() },
      commandActor,
      instant(months[1], 2),
    );
    expect(await change('waived')).toMatchObject({ state: 'waived', reason: 'The towers were ours' });
    await expect(change('waived')).rejects.toMatchObject({ code: 'fee_state' });
    await close(months[1]);
    expect(await linesOf(provider)).toEqual([
      [['processing_fee', first, 1, 100_000]],
      [['waiver', months[1], 1, -100_000]],
    ]);
    const events =
      "select details->>'to' as state from audit_event where submission_id = $1 and action = 'fee_state_changed' order by id";
    const { rows } = await database.query<{ state: string }>(events, [id]);
    expect(rows.map(({ state }) => state)).toEqual(['waived']);
  });
  test('that are waived before they are invoiced are on no invoice, and neither is the waiver, until it is undone', async () => {
    const provider = `Miro ${first}`;
    const { fee } = await submission(provider, instant(first, 3));
    const change = (to: FeeStep, month: string) =>
      changeFeeState(database, fee, to, 'A gift', commandActor, instant(month, 4));
    await change('waived', first);
    await close(first);
    expect(await linesOf(provider)).toEqual([]);
    expect(await change('unwaived', months[1])).toMatchObject({ state: 'accrued', invoice: null });
    await expect(change('unwaived', months[1])).rejects.toMatchObject({ code: 'fee_state' });
    await close(months[1]);
    expect(await linesOf(provider)).toEqual([[['reversal', months[1], 1, 100_000]]]);
    const [shown] = await listProcessingFees(database, { id: fee }, instant(months[2], 2));
    expect(shown).toMatchObject({ state: 'invoiced', invoice: expect.any(Number) });
    // And again, by two at once.
    const done = await Promise.allSettled([change('waived', months[2]), change('waived', months[2])]);
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await close(months[2]);
    expect((await linesOf(provider))[1]).toEqual([['waiver', months[2], 1, -100_000]]);
    const listed = async (filter: object) =>
      (await listProcessingFees(database, { provider: provider.toUpperCase(), ...filter }, new Date()))
        .length;
    expect(await listed({ state: 'waived', from: first, to: first })).toBe(1);
    expect(await listed({ state: 'invoiced' })).toBe(0);
    expect(await listed({ to: addMonths(first, -1) })).toBe(0);
    // The second waiver is undone as the first was: the fee is on an invoice again, and names that one.
    await change('unwaived', months[3]);
    await close(months[3]);
    expect((await linesOf(provider))[2]).toEqual([['reversal', months[3], 1, 100_000]]);
    // It is paid with the credit of the waiver.
    const [last] = await invoicesOf({ month: months[3] }, ({ recipient }) => recipient.name === provider);
    expect(
      await listProcessingFees(database, { id: fee }, instant(addMonths(months[3], 1), 2)),
    ).toMatchObject([{ state: 'paid', invoice: last?.number }]);
  });
});
