import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { closeMonth } from '../../billing/close.ts';
import type { InvoiceDetail, OwnStatement, Payment } from '../../client/schema.ts';
import { createLogger } from '../../platform/logger.ts';
import { clientWith } from '../setup/operator.ts';
import { useApi, useDatabase } from '../setup/service.ts';

/* Payments: what they settle, what is asked about, and how each is undone. Every test has a customer of its own, whose plan began on 1 May. */

const { place, database } = await useDatabase();
let clock = '2031-05-20T02:00:00Z';
const api = await useApi(place, database, createLogger('silent'), { now: () => new Date(clock) });
const staff = clientWith(api.url, await createToken(database, { role: 'staff' }, 'Ana', commandActor));

let customers = 0;
/** @returns a customer with an invoice of $575.00 for a plan that began on 1 May */
async function customer(plan = 'low') {
  const name = `Payer ${++customers}`;
  const contact = { address: '1 Queen Street', contact: '' };
  const made = await staff.post('/api/staff/customers', { name, plan, begins: '2031-05-01', contact });
  const { id } = (await made.json()) as { id: number };
  const invoices = await invoicesOf(id);
  return { id, invoice: invoices[0] as InvoiceDetail };
}
async function invoicesOf(id: number): Promise<InvoiceDetail[]> {
  const { invoices } = await staff.json<{ invoices: InvoiceDetail[] }>(`/api/staff/invoices?customer=${id}`);
  return Promise.all(invoices.map(({ number }) => invoiceOf(number)));
}
const invoiceOf = (number: number) => staff.json<InvoiceDetail>(`/api/staff/invoices/${number}`);
const statementOf = (id: number) =>
  staff.json<OwnStatement>(`/api/staff/statement?customer=${id}&from=2031-01-01`);
const payments = '/api/staff/payments';
interface Asked {
  id: number;
  cents: number;
  invoice?: number;
  part?: number;
  more?: object;
}
const paymentOf = ({ id, cents, invoice, part = cents, more }: Asked) => ({
  customer: id,
  day: '2031-05-20',
  amount_cents: cents,
  allocations: invoice === undefined ? [] : [{ invoice, amount_cents: part }],
  ...more,
});
const pay = async (asked: Asked) => {
  const answered = await staff.post(payments, paymentOf(asked));
  return {
    status: answered.status,
    ...((await answered.json()) as Payment & { code?: string; message?: string }),
  };
};
const reverse = (id: number) => staff.post(`${payments}/${id}/reversal`, { reason: 'A mistake' });
const codeOf = async (answer: Response) => ((await answer.json()) as { code?: string }).code;

test('an invoice is part paid, paid, and open again once its payment is reversed', async () => {
  const { id, invoice } = await customer();
  expect(invoice).toMatchObject({ state: 'open', balance_cents: 57_500, settlements: [] });
  const bank = { particulars: 'Payer', code: 'MAY', reference: `INV ${invoice.number}` };
  const first = await pay({ id, cents: 1_500, invoice: invoice.number, more: bank });
  expect(first).toMatchObject({ status: 201, amount_cents: 1_500, left_cents: 0, ...bank });
  expect(await invoiceOf(invoice.number)).toMatchObject({
    state: 'part_paid',
    balance_cents: 56_000,
    settlements: [{ kind: 'payment', amount_cents: 1_500, words: `Payer MAY INV ${invoice.number}` }],
  });
  const second = await pay({ id, cents: 56_000, invoice: invoice.number });
  expect(await invoiceOf(invoice.number)).toMatchObject({ state: 'paid', balance_cents: 0 });
  expect((await reverse(second.id)).status).toBe(201);
  expect(await invoiceOf(invoice.number)).toMatchObject({ state: 'part_paid', balance_cents: 56_000 });
  expect(await codeOf(await reverse(second.id)), 'once').toBe('entry_not_reversible');
  expect(await statementOf(id)).toMatchObject({
    lines: [{ kind: 'invoice' }, { kind: 'payment' }, { kind: 'payment' }, { kind: 'reversal' }],
    closing_cents: 56_000,
    due_cents: 56_000,
    overdue_cents: 0,
  });
});

test('an invoice is overdue from the day after its due date', async () => {
  const { invoice } = await customer();
  expect(invoice.due_on).toBe('2031-06-20');
  clock = '2031-06-20T11:59:59Z';
  expect((await invoiceOf(invoice.number)).state).toBe('open');
  clock = '2031-06-20T12:00:00Z';
  expect((await invoiceOf(invoice.number)).state).toBe('overdue');
  const overdue = await staff.json<{ invoices: InvoiceDetail[] }>('/api/staff/invoices?state=overdue');
  expect(overdue.invoices.map(({ number }) => number)).toContain(invoice.number);
  clock = '2031-05-20T02:00:00Z';
});

test('credit is refunded, no more than there is, and is back when the refund is reversed', async () => {
  const { id } = await customer();
  const paid = await pay({ id, cents: 5_000, more: { confirm: true } });
  const refund = (cents: number, day = '2031-05-20') =>
    staff.post('/api/staff/refunds', { customer: id, day, amount_cents: cents });
  expect(await codeOf(await refund(5_001))).toBe('credit_too_small');
  expect(await codeOf(await refund(1, '2031-05-19')), 'before the credit came in').toBe('credit_too_small');
  const refunded = (await (await refund(5_000)).json()) as Payment;
  expect(refunded).toMatchObject({ kind: 'refund', amount_cents: -5_000 });
  expect((await statementOf(id)).credit_cents).toBe(0);
  expect(await codeOf(await reverse(paid.id)), 'what was refunded').toBe('entry_not_reversible');
  expect((await reverse(refunded.id)).status).toBe(201);
  expect((await statementOf(id)).credit_cents).toBe(5_000);
  expect((await reverse(paid.id)).status).toBe(201);
  expect((await statementOf(id)).credit_cents).toBe(0);
});

test('the same refund twice is a question', async () => {
  const { id } = await customer();
  await pay({ id, cents: 5_000, more: { confirm: true } });
  const refund = (more?: object) =>
    staff.post('/api/staff/refunds', { customer: id, day: '2031-05-20', amount_cents: 2_000, ...more });
  expect((await refund()).status).toBe(201);
  expect(await codeOf(await refund())).toBe('payment_unconfirmed');
  expect((await refund({ confirm: true })).status).toBe(201);
});

test('credit pays an invoice when staff say so', async () => {
  const { id, invoice } = await customer();
  await pay({ id, cents: 4_000, more: { confirm: true } });
  const apply = (amount_cents: number, left_cents = 57_500) =>
    staff.post('/api/staff/credit-allocations', {
      customer: id,
      allocations: [{ invoice: invoice.number, amount_cents, left_cents }],
    });
  expect(await codeOf(await apply(4_001))).toBe('allocation_invalid');
  expect((await apply(3_000)).status).toBe(204);
  // The same request again, as where its answer was lost, applies nothing.
  expect(await codeOf(await apply(3_000))).toBe('preview_outdated');
  expect((await apply(1_000, 54_500)).status).toBe(204);
  expect(await invoiceOf(invoice.number)).toMatchObject({ state: 'part_paid', balance_cents: 53_500 });
});

test('an invoice that credit has paid falls due once the payment of that credit is reversed', async () => {
  clock = '2031-07-02T02:00:00Z';
  const name = `Payer ${++customers}`;
  const { id } = (await (await staff.post('/api/staff/customers', { name })).json()) as { id: number };
  const paid = await pay({ id, cents: 60_000, more: { confirm: true } });
  const contact = { address: '1 Queen Street', contact: '' };
  await staff.post(`/api/staff/customers/${id}/plan`, { plan: 'low', begins: '2031-07-01', contact });
  const [invoice] = (await invoicesOf(id)) as [InvoiceDetail];
  const due = { due_cents: 0, due_on: '2031-08-20' };
  expect(invoice).toMatchObject({ ...due, state: 'paid', balance_cents: 0 });
  expect((await reverse(paid.id)).status).toBe(201);
  clock = '2031-08-21T02:00:00Z';
  expect(await invoiceOf(invoice.number)).toMatchObject({ state: 'overdue', balance_cents: 57_500 });
  const { accounts } = await staff.json<{ accounts: { account: { id: number } }[] }>(
    '/api/staff/receivables',
  );
  const aged = { days_30_cents: 57_500, owed_cents: 57_500, current_cents: 0 };
  expect(accounts.find(({ account }) => account.id === id)).toMatchObject(aged);
  clock = '2031-05-20T02:00:00Z';
});

test('what is left of an invoice is written off with its GST apart, once, and comes back', async () => {
  const { id, invoice } = await customer('high');
  const { number, total_cents } = invoice;
  await pay({ id, cents: 1_000, invoice: number });
  const left = total_cents - 1_000;
  const writeOff = (body: object = {}) =>
    staff.post(`/api/staff/invoices/${number}/write-off`, {
      reason: 'Liquidated',
      request_id: `off ${id}`,
      ...body,
    });
  expect(left).toBeGreaterThan(100_000);
  expect(await codeOf(await writeOff())).toBe('amount_unconfirmed');
  const written = (await (await writeOff({ confirm_amount_cents: left })).json()) as Payment;
  const gst = invoice.gst_cents - Math.round((1_000 * invoice.gst_cents) / total_cents);
  expect(written).toMatchObject({ kind: 'write_off', amount_cents: left, gst_cents: gst });
  expect(await invoiceOf(number)).toMatchObject({
    state: 'written_off',
    balance_cents: 0,
    written_off_cents: left,
  });
  expect((await reverse(written.id)).status).toBe(201);
  expect((await invoiceOf(number)).state).toBe('part_paid');
  expect(await codeOf(await writeOff({ confirm_amount_cents: left }))).toBe('payment_exists');
});

test.each([
  ['of nothing', { amount_cents: 0 }, 400, 'request_invalid'],
  ['below zero', { amount_cents: -100 }, 400, 'request_invalid'],
  ['of a fraction of a cent', { amount_cents: 0.5 }, 400, 'request_invalid'],
  ['of another currency', { currency: 'AUD' }, 400, 'request_invalid'],
  ['with words longer than a bank takes', { particulars: 'thirteen char' }, 400, 'request_invalid'],
  ['of a day to come', { day: '2031-05-21' }, 409, 'payment_day_invalid'],
  ['of another year', { day: '2030-05-01' }, 409, 'payment_unconfirmed'],
  ['of an invoice twice', { twice: true }, 409, 'allocation_invalid'],
])('a payment %s is refused or asked about', async (_, wrong, status, code) => {
  const { id, invoice } = await customer();
  const { twice, ...more } = wrong as { twice?: boolean };
  const parts = [invoice, ...(twice ? [invoice] : [])].map(({ number }) => ({
    invoice: number,
    amount_cents: 100,
  }));
  const answered = await staff.post(payments, {
    ...paymentOf({ id, cents: 100 * parts.length }),
    allocations: parts,
    ...more,
  });
  expect([answered.status, await codeOf(answered)]).toEqual([status, code]);
  expect((await statementOf(id)).lines).toHaveLength(1);
});

test("nobody pays another account's invoice, or more of one than is left", async () => {
  const [one, another] = [await customer(), await customer()];
  expect(await pay({ id: one.id, cents: 100, invoice: another.invoice.number })).toMatchObject({
    code: 'allocation_invalid',
  });
  expect(await pay({ id: one.id, cents: 57_501, invoice: one.invoice.number })).toMatchObject({
    code: 'allocation_invalid',
    message: expect.stringContaining('575.00 is left'),
  });
});

test('the same payment is recorded once, however many record it at once', async () => {
  const { id, invoice } = await customer();
  const same = { id, cents: 2_000, invoice: invoice.number };
  const once = { ...same, more: { request_id: `once ${id}` } };
  const answers = await Promise.all([1, 2, 3, 4].map(() => pay(once)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  // Recorded by somebody else from the same line of a bank's statement.
  expect(await pay(same)).toMatchObject({ status: 409, code: 'payment_unconfirmed' });
  expect((await invoiceOf(invoice.number)).balance_cents).toBe(55_500);
  const rest = await Promise.all(
    [1, 2, 3].map((n) => pay({ id, cents: 55_500, invoice: invoice.number, more: { code: `${n}` } })),
  );
  expect(rest.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(await invoiceOf(invoice.number)).toMatchObject({ state: 'paid', paid_cents: 57_500 });
});

test('nothing is dated on or before a day whose books are closed, or recorded where Xero has the debtors', async () => {
  const { id, invoice } = await customer();
  const change = (json: object) => staff.post('/api/staff/settings', json, 'PATCH');
  await change({ books_locked_through: '2031-05-10' });
  const dated = (day: string) => pay({ id, cents: 100, invoice: invoice.number, more: { day } });
  expect(await dated('2031-05-10')).toMatchObject({ code: 'period_locked' });
  expect(await dated('2031-05-11')).toMatchObject({ status: 201 });
  expect(await codeOf(await change({ books_locked_through: '2031-05-09' }))).toBe('books_opened_unasked');
  await change({ books_locked_through: '', reason: 'A late statement' });
  expect(await dated('2031-05-10')).toMatchObject({ status: 201 });
  await change({ debtors_ledger: 'xero' });
  expect(await dated('2031-05-12')).toMatchObject({ code: 'payments_in_xero' });
  await change({ debtors_ledger: 'covermap' });
});

test('rows of the ledger cannot be made to say more than there is', async () => {
  const { id, invoice } = await customer();
  const { id: entry } = await pay({ id, cents: 100, invoice: invoice.number });
  const allocate = (from: number, to: number, cents: number) =>
    database.query(
      `insert into allocation (from_entry, to_invoice, amount_cents, on_day, by_name) values ($1, $2, $3, '2031-05-20', 'test')`,
      [from, to, cents],
    );
  await expect(allocate(entry, invoice.number, 1)).rejects.toThrow('more is settled than is left');
  await expect(allocate(entry, invoice.number, -101)).rejects.toThrow('more is settled than is left');
  const other = await customer();
  await allocate(entry, invoice.number, -100);
  await expect(allocate(entry, other.invoice.number, 1)).rejects.toThrow('another account');
  await expect(database.query('update allocation set amount_cents = 1')).rejects.toThrow();
  await expect(database.query('delete from payment')).rejects.toThrow();
});

// The last one, as it closes the month.
test('what is paid too much is asked about, becomes credit, and pays the next invoice', async () => {
  const { id, invoice } = await customer();
  const tooMuch = { id, cents: 66_000, invoice: invoice.number, part: 57_500 };
  expect(await pay(tooMuch)).toMatchObject({ status: 409, code: 'payment_unconfirmed' });
  expect(await pay({ ...tooMuch, more: { confirm: true } })).toMatchObject({
    status: 201,
    left_cents: 8_500,
  });
  expect(await statementOf(id)).toMatchObject({ credit_cents: 8_500, closing_cents: -8_500, due_cents: 0 });
  clock = '2031-06-01T02:00:00Z';
  await closeMonth(database, '2031-05', commandActor, new Date(clock));
  const [next] = await invoicesOf(id);
  // The low plan of June.
  expect(next).toMatchObject({
    total_cents: 57_500,
    brought_forward_cents: 8_500,
    due_cents: 49_000,
    balance_cents: 49_000,
    state: 'part_paid',
  });
  expect(await statementOf(id)).toMatchObject({ credit_cents: 0 });
});
