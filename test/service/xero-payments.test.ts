import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import type { InvoiceDetail, Payment, XeroPayments } from '../../client/schema.ts';
import { createLogger } from '../../platform/logger.ts';
import { clientWith } from '../setup/operator.ts';
import { useApi, useDatabase } from '../setup/service.ts';

/* Payments that come back with Xero's file. Every test has customers of its own, whose plan began on 1 May: $575.00 each. */

const { place, database } = await useDatabase();
const now = '2031-05-20T02:00:00Z';
const api = await useApi(place, database, createLogger('silent'), { now: () => new Date(now) });
const staff = clientWith(api.url, await createToken(database, { role: 'staff' }, 'Ana', commandActor));
const ledger = (debtors_ledger: 'xero' | 'covermap') =>
  staff.post('/api/staff/settings', { debtors_ledger }, 'PATCH');

let customers = 0;
/** @returns the number of an invoice of $575.00 of a new customer */
async function invoice(): Promise<{ customer: number; number: number }> {
  const name = `Payer ${++customers}`;
  const contact = { address: '1 Queen Street', contact: '' };
  const made = await staff.post('/api/staff/customers', { name, plan: 'low', begins: '2031-05-01', contact });
  const { id } = (await made.json()) as { id: number };
  const { invoices } = await staff.json<{ invoices: InvoiceDetail[] }>(`/api/staff/invoices?customer=${id}`);
  return { customer: id, number: invoices[0]?.number as number };
}

const headings =
  'ContactName,EmailAddress,InvoiceNumber,Reference,InvoiceDate,DueDate,PlannedDate,Total,TaxTotal,InvoiceAmountPaid,InvoiceAmountDue,' +
  'InventoryItemCode,Description,Quantity,UnitAmount,Discount,LineAmount,AccountCode,TaxType,TaxAmount,Currency,Type,Sent,Status';
interface Of {
  total?: string;
  due?: string;
  currency?: string;
  type?: string;
  status?: string;
}
/** A line of Xero's export. */
const line = (number: number | string, paid: string, of: Of = {}) => {
  const { total = '575.00', currency = 'NZD', type = 'Sales invoice', status = 'Awaiting Payment' } = of;
  const due = of.due ?? (Number(total) - Number(paid)).toFixed(2);
  const name = typeof number === 'number' ? `INV-${number}` : number;
  return `"Payer, Ltd",,${name},May,01/05/2031,20/06/2031,,${total},75.00,${paid},${due},,Plan,1,500.00,,500.00,200,15% GST on Income,75.00,${currency},${type},Sent,${status}`;
};
const file = (...lines: string[]) => ({
  name: 'SalesInvoices.csv',
  content_base64: Buffer.from([headings, ...lines].join('\r\n')).toString('base64'),
});
const previewOf = (given: ReturnType<typeof file>) =>
  staff.json<XeroPayments>('/api/staff/xero/payments/preview', given);
type Seen = Pick<XeroPayments, 'payments' | 'amount_cents'>;
const take = (given: ReturnType<typeof file>, { payments, amount_cents }: Seen, day = '2031-05-19') =>
  staff.post('/api/staff/xero/payments', { ...given, day, payments, amount_cents });
const codeOf = async (answer: Response) => ((await answer.json()) as { code?: string }).code;
const leftOf = async (number: number) =>
  (await staff.json<InvoiceDetail>(`/api/staff/invoices/${number}`)).balance_cents;
const paymentsOf = async (customer: number) =>
  (await staff.json<{ payments: Payment[] }>(`/api/staff/payments?customer=${customer}`)).payments;

test('nothing comes from Xero while the debtors are here', async () => {
  const { number } = await invoice();
  const given = file(line(number, '575.00'));
  const preview = await staff.post('/api/staff/xero/payments/preview', given);
  expect(await codeOf(preview)).toBe('payments_in_covermap');
  expect(await codeOf(await take(given, { payments: 1, amount_cents: 57_500 }))).toBe('payments_in_covermap');
  expect(await leftOf(number)).toBe(57_500);
});

test('what is paid more than is known is a payment, once, whatever files say it again and at once', async () => {
  const one = await invoice();
  const two = await invoice();
  await ledger('xero');
  // A line for each line of an invoice.
  const part = file(line(one.number, '75.00'), line(one.number, '75.00'), line(two.number, '0.00'));
  const first = await previewOf(part);
  expect(first).toMatchObject({ payments: 1, amount_cents: 7_500, known: 1, others: 0 });
  expect(first.invoices).toMatchObject([{ invoice: one.number, payment_cents: 7_500, left_cents: 57_500 }]);
  expect((await take(part, first)).status).toBe(200);
  expect(await leftOf(one.number)).toBe(50_000);
  expect(await codeOf(await take(part, first)), 'again').toBe('preview_outdated');
  expect(await previewOf(part)).toMatchObject({ payments: 0, known: 2, invoices: [] });

  const all = file(line(one.number, '575.00'), line(two.number, '575.00'));
  const rest = await previewOf(all);
  expect(rest).toMatchObject({ payments: 2, amount_cents: 107_500 });
  const answers = await Promise.all([take(all, rest), take(all, rest), take(all, rest)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect([await leftOf(one.number), await leftOf(two.number)]).toEqual([0, 0]);
  expect(await paymentsOf(one.customer)).toMatchObject([
    { amount_cents: 50_000, on_day: '2031-05-19', reference: 'Xero' },
    { amount_cents: 7_500 },
  ]);
});

test('what cannot be is a question, and nothing is recorded of it', async () => {
  const wrong = await Promise.all([1, 2, 3, 4, 5].map(invoice));
  const [total, currency, voided, much, due] = wrong.map(({ number }) => number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const given = file(
    line(total, '100.00', { total: '570.00' }),
    line(currency, '100.00', { currency: 'AUD' }),
    line(voided, '0.00', { total: '0.00', due: '0.00', status: 'Voided' }),
    line(much, '600.00', { due: '0.00' }),
    line(due, '0.00', { due: '500.00' }),
    line(999_999, '575.00'),
    line('INV-0001', '575.00'),
    line('CN-1', '0.00', { type: 'Sales credit note' }),
    line('', '0.00'),
  );
  const preview = await previewOf(given);
  expect(preview.invoices.map(({ question }) => question)).toEqual([
    ...['total_differs', 'other_currency', 'voided', 'paid_too_much', 'due_differs', 'unknown'],
  ]);
  expect(preview).toMatchObject({ payments: 0, amount_cents: 0, known: 0, others: 3 });
  expect((await take(given, preview)).status).toBe(200);
  for (const { customer } of wrong) expect(await paymentsOf(customer)).toEqual([]);
});

test('a number that Xero has twice, or gave again, is told apart', async () => {
  const { number } = await invoice();
  const voided = line(number, '0.00', { total: '0.00', due: '0.00', status: 'Voided' });
  const drafts = [
    line('', '0.00'),
    line('', '0.00', { total: '9.00' }),
    line('Q-1', '1.00'),
    line('Q-1', '2.00'),
  ];
  const given = file(voided, line(number, '75.00'), ...drafts);
  expect(await previewOf(given)).toMatchObject({
    payments: 1,
    amount_cents: 7_500,
    invoices: [{ question: null }],
    others: 2,
  });
});

test('a payment that is undone in Xero is a question until it is reversed here, and may come again', async () => {
  const { customer, number } = await invoice();
  const paid = file(line(number, '575.00'));
  await take(paid, await previewOf(paid));
  const undone = file(line(number, '0.00'));
  expect((await previewOf(undone)).invoices).toMatchObject([{ question: 'paid_less', known_cents: 57_500 }]);
  const [payment] = await paymentsOf(customer);
  const reversed = await staff.post(`/api/staff/payments/${payment?.id}/reversal`, {
    reason: 'Undone in Xero',
  });
  expect(reversed.status).toBe(201);
  expect(await previewOf(undone)).toMatchObject({ known: 1, invoices: [] });
  expect((await take(paid, await previewOf(paid))).status).toBe(200);
  expect(await leftOf(number)).toBe(0);
});

test('what was recorded here before counts, and nothing is entered here beside it', async () => {
  const { customer, number } = await invoice();
  await ledger('covermap');
  const body = {
    customer,
    day: '2031-05-20',
    amount_cents: 10_000,
    allocations: [{ invoice: number, amount_cents: 10_000 }],
  };
  const own = (await (await staff.post('/api/staff/payments', body)).json()) as Payment;
  await ledger('xero');
  expect(await codeOf(await staff.post('/api/staff/payments', body))).toBe('payments_in_xero');
  const reversal = await staff.post(`/api/staff/payments/${own.id}/reversal`, { reason: 'Mistake' });
  expect(await codeOf(reversal)).toBe('payments_in_xero');
  expect((await previewOf(file(line(number, '175.00')))).invoices).toMatchObject([
    { payment_cents: 7_500, known_cents: 10_000 },
  ]);
});

test('what came from Xero is in no file for Xero', async () => {
  const { number } = await invoice();
  const paid = file(line(number, '575.00'));
  await take(paid, await previewOf(paid));
  const { files } = await staff.json<{ files: { kind: string; documents: number }[] }>(
    '/api/staff/xero/new?from=2031-05-01&to=2031-05-31',
  );
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::integer as count from ledger_entry where kind = 'payment' and not starts_with(cause, 'xero:')`,
  );
  expect(rows[0]?.count).toBeGreaterThan(0);
  expect(files.find(({ kind }) => kind === 'payments')?.documents).toBe(rows[0]?.count);
});

test.each([
  ['2031-05-21', 'payment_day_invalid'],
  ['2030-05-01', 'payment_day_invalid'],
  ['2031-04-30', 'period_locked'],
])('payments of %s are refused: %s', async (day, code) => {
  const { number } = await invoice();
  const given = file(line(number, '575.00'));
  await staff.post('/api/staff/settings', { books_locked_through: '2031-04-30' }, 'PATCH');
  expect(await codeOf(await take(given, await previewOf(given), day))).toBe(code);
  expect(await leftOf(number)).toBe(57_500);
});

const many = Array.from({ length: 5_001 }, (_, i) => line(`Q-${i}`, '0.00'));
test.each([
  ['of a bank', 'Date,Amount\n01/05/2031,5', 'InvoiceNumber'],
  ['with an amount that is none', `${headings}\n${line(1, 'much')}`, 'Line 2'],
  ['whose lines differ', `${headings}\n${line(1, '1.00')}\n${line(1, '2.00')}`, 'Lines 2 and 3'],
  ['of too many lines', [headings, ...many].join('\n'), '5,000'],
  ['of more than 2 MB', 'x'.repeat(2_100_000), '2 MB'],
  ['that is no text', 'PK\0\0', 'CSV'],
])('a file %s is refused', async (_, text, words) => {
  const given = { name: 'x.csv', content_base64: Buffer.from(text).toString('base64') };
  const answer = await staff.post('/api/staff/xero/payments/preview', given);
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({
    code: 'xero_file_unreadable',
    message: expect.stringContaining(words),
  });
});
