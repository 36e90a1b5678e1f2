import { expect, onTestFinished, test, vi } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { closeMonth } from '../../billing/close.ts';
import { attachmentsOf } from '../../billing/papers/attachments.ts';
import { printPdf } from '../../billing/papers/kept.ts';
import { statementPaper } from '../../billing/papers/statement-paper.ts';
import type { Payment } from '../../client/schema.ts';
import { openMailSender } from '../../mail/sender.ts';
import { createLogger } from '../../platform/logger.ts';
import { startOfMonth } from '../../platform/nz-time.ts';
import { makeCustomer, publishModelled } from '../setup/billing.ts';
import { clientWith, expectCode } from '../setup/operator.ts';
import { textOfPdf } from '../setup/poppler.ts';
import { useApi, useDatabase } from '../setup/service.ts';
import { refusal, useSmtpServer } from '../setup/smtp.ts';

/* Statements and receipts as papers, and the papers that go with e-mails. */

const now = new Date('2031-05-20T00:00:00Z');
const name = 'Kererū 地図 <b>';
const { place, database } = await useDatabase({
  invoiceIssuer: { name: 'Maps & Co', address: '1 Queen Street', gstNumber: '123', payment: 'To 01-23' },
});
const api = await useApi(place, database, createLogger('silent'), { now: () => now });
const staff = clientWith(api.url, await createToken(database, { role: 'staff' }, 'Ana', commandActor));
const { id } = await makeCustomer(database, name, {}, now);
const { id: other } = await makeCustomer(database, 'Weka', {}, now);
const as = async (customerId: number) =>
  clientWith(api.url, await createToken(database, { role: 'customer', customerId }, 'Bo', commandActor));
const [customer, stranger] = [await as(id), await as(other)];
await staff.json(`/api/staff/customers/${id}/mail`, { email: 'a@example.com' });
await staff.json(`/api/staff/customers/${id}/plan`, { plan: 'low', begins: '2031-05-01' });
const paid = { day: '2031-05-19', amount_cents: 60_000, reference: 'INV 1', confirm: true };
const payment = await staff.json<Payment>('/api/staff/payments', {
  ...{ ...paid, customer: id, allocations: [{ invoice: 1, amount_cents: 57_500 }] },
});
const receipt = `/api/account/receipts/${payment.id}`;

const pdfOf = async (answer: Promise<Response>) => {
  const { headers, ...read } = await answer.then(async (one) => ({
    headers: one.headers,
    bytes: Buffer.from(await one.arrayBuffer()),
  }));
  expect(headers.get('content-type')).toBe('application/pdf');
  return read.bytes;
};

test('a statement and a receipt say what the account says, on the page and as PDF', async () => {
  for (const [address, words] of [
    ['/api/account/statement', ['Statement', '$575.00', 'Payment: invoice 1', '$25.00 credit', 'Your code']],
    [
      receipt,
      [`Receipt ${payment.id}`, 'Invoice 1 of 20 May 2031', 'INV 1', '$600.00', '$25.00', 'Bank transfer'],
    ],
  ] as const) {
    const text = textOfPdf(await pdfOf(customer.call(`${address}?format=pdf`)));
    const page = await (await customer.call(`${address}?format=html`)).text();
    for (const word of [...words, 'Maps & Co', '021 123 456', 'Kererū 地図']) {
      expect(text, word).toContain(word);
      expect(page, word).toContain(word.replace('&', '&amp;'));
    }
    expect(page).not.toContain('<b>');
  }
});

test('a receipt is printed again byte for byte, whatever comes after, and is its account’s alone', async () => {
  const first = await pdfOf(customer.call(`${receipt}?format=pdf`));
  await staff.json(`/api/staff/customers/${id}/contact`, { address: 'Elsewhere', contact: '' });
  expect((await pdfOf(staff.call(`/api/staff/receipts/${payment.id}?format=pdf`))).equals(first)).toBe(true);
  for (const format of ['html', 'pdf']) {
    await expectCode(stranger.call(`${receipt}?format=${format}`), 404, 'receipt_unknown');
  }
  await expectCode(customer.call('/api/account/receipts/999999'), 404, 'receipt_unknown');
  await expectCode(customer.call(`${receipt}?format=xml`), 400, 'request_invalid');
});

test('an operator has its own statement and receipts', async () => {
  await publishModelled(database, 'Kauri', now);
  const { rows } = await database.query<{ id: number }>("select id from provider where name = 'Kauri'");
  const provider = rows[0]?.id as number;
  const token = await createToken(
    database,
    { role: 'operator', provider: async () => provider },
    'Op',
    commandActor,
  );
  const operator = clientWith(api.url, token);
  const { id: entry } = await staff.json<Payment>('/api/staff/payments', { ...paid, provider });
  const page = await (await operator.call(`/api/operator/receipts/${entry}`)).text();
  expect(page).toContain('Credit of your account, for your next invoices');
  expect(textOfPdf(await pdfOf(operator.call('/api/operator/statement?format=pdf')))).toContain(
    '$600.00 credit',
  );
  await expectCode(operator.call(`/api/operator/receipts/${payment.id}`), 404, 'receipt_unknown');
});

test('the receipt of a payment that was reversed says so, and is not e-mailed', async () => {
  const { id: entry } = await staff.json<Payment>('/api/staff/payments', { ...paid, customer: other });
  await staff.json(`/api/staff/payments/${entry}/reversal`, { reason: 'Wrong' });
  const page = await (await stranger.call(`/api/account/receipts/${entry}`)).text();
  expect(page).toContain('This payment was reversed on 20 May 2031.');
  await expectCode(staff.post(`/api/staff/receipts/${entry}/mail`, {}), 404, 'receipt_unknown');
});

test('e-mails of an invoice, a statement and a payment carry the paper, the same bytes at each attempt', async () => {
  const { id: open } = await makeCustomer(database, 'Open', {}, now);
  await staff.json(`/api/staff/customers/${open}/mail`, { email: 'open@example.com' });
  await staff.json(`/api/staff/customers/${open}/plan`, { plan: 'low', begins: '2031-05-01' });
  const part = { ...paid, customer: open, amount_cents: 10_000 };
  const { id: entry } = await staff.json<Payment>('/api/staff/payments', part);
  await staff.json('/api/staff/statement/mail', { customer: open });
  const mailed = () => staff.json<{ mail: number }>(`/api/staff/receipts/${entry}/mail`, {});
  expect(await mailed()).toEqual(await mailed());

  // What comes before it is first sent is not on the statement that was queued.
  await staff.json('/api/staff/payments', { ...paid, customer: open, amount_cents: 500 });
  const smtp = await useSmtpServer();
  smtp.behaviour.onMessage = () => {
    throw refusal(451, 'Later');
  };
  const server = { url: smtp.url, from: 'Maps & Co <billing@maps.example>', origin: undefined };
  const sender = await openMailSender({ database, logger: createLogger('silent') }, server, 50, (message) =>
    attachmentsOf(database, message),
  );
  onTestFinished(() => sender.close());
  const mine = (all: readonly { to: string }[]) => all.filter(({ to }) => to === 'open@example.com').length;
  const patience = { timeout: 60_000, interval: 50 };
  await vi.waitFor(() => expect(mine(smtp.received)).toBe(3), patience);
  delete smtp.behaviour.onMessage;
  // What comes later is on no paper of before.
  await staff.json('/api/staff/payments', { ...paid, customer: open, amount_cents: 1_000 });
  await database.query("update mail_message set retry_at = now() where state = 'queued'");
  await vi.waitFor(() => expect(mine(smtp.accepted)).toBe(3), patience);
  const attached = (raw: string) =>
    Object.fromEntries(
      [...raw.matchAll(/filename="?([\w-]+\.pdf)"?(?:\r\n[^\r\n]+)*\r\n\r\n([\w+/=\r\n]+)\r\n--/g)].map(
        ([, file = '', body = '']) => [file, Buffer.from(body, 'base64')],
      ),
    );
  const all = (of: readonly { to: string; raw: string }[]) =>
    Object.assign({}, ...of.filter(({ to }) => to === 'open@example.com').map(({ raw }) => attached(raw)));
  const [refused, sent] = [
    all(smtp.received.filter((one) => !smtp.accepted.includes(one))),
    all(smtp.accepted),
  ] as Record<string, Buffer>[];
  const { invoices } = await staff.json<{ invoices: { number: number }[] }>(
    `/api/staff/invoices?customer=${open}`,
  );
  const number = invoices[0]?.number;
  const files = [`invoice-${number}.pdf`, `receipt-${entry}.pdf`, 'statement-2031-05-20.pdf'];
  expect(Object.keys(sent ?? {}).sort()).toEqual(files);
  for (const file of files) expect(sent?.[file]?.equals(refused?.[file] as Buffer), file).toBe(true);
  const kept = await pdfOf(staff.call(`/api/staff/invoices/${number}?format=pdf`));
  expect(sent?.[`invoice-${number}.pdf`]?.equals(kept)).toBe(true);
  expect(textOfPdf(sent?.['statement-2031-05-20.pdf'] as Buffer)).toContain('$475.00');

  // The file that staff download has it, too.
  const { messages } = await staff.json<{ messages: { id: number; template: string }[] }>(
    `/api/staff/mail?customer=${open}`,
  );
  const ofInvoice = messages.find(({ template }) => template === 'invoice')?.id;
  const eml = await (await staff.call(`/api/staff/mail/${ofInvoice}/eml`)).text();
  expect(attached(eml)[`invoice-${number}.pdf`]?.equals(kept)).toBe(true);
});

test('an account waits for three prints at most, all for twenty, and mail for any; the same paper is printed once', async () => {
  const paper = await statementPaper(database, { kind: 'customer', id: other }, {}, now);
  const titled = (title: number) => ({ ...paper, title: String(title) });
  // The first of them is printed for seconds.
  const long = { ...paper, notes: Array.from({ length: 3_000 }, (_, n) => `Note ${n}`) };
  const begun = [printPdf(long), ...[1, 2, 3].map((n) => printPdf(titled(n), 'customer:0'))];
  await expect(printPdf(titled(4), 'customer:0')).rejects.toMatchObject({ code: 'prints_too_many' });
  begun.push(printPdf(titled(3), 'customer:0'), ...[1, 2, 3].map((n) => printPdf(titled(n), 'operator:0')));
  for (let n = 4; n < 20; n++) begun.push(printPdf(titled(n), 'staff'));
  await expect(printPdf(titled(20), 'staff')).rejects.toMatchObject({ code: 'prints_too_many' });
  const refused = await customer.call('/api/account/statement?format=pdf');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(await refused.json()).toMatchObject({ code: 'prints_too_many' });
  for (const address of [`/api/account/invoices/1`, '/api/account/statement'])
    expect((await customer.call(`${address}?format=html`)).status).toBe(200);
  begun.push(printPdf(titled(21)));
  const printed = await Promise.all(begun);
  expect(printed[3]).toBe(printed[4]);
  expect(printed[1]).toBe(printed[5]);
  expect(await pdfOf(customer.call('/api/account/statement?format=pdf'))).toBeInstanceOf(Buffer);
});

test('a statement of 500 lines is one paper, each line once', async () => {
  const { id: busy } = await makeCustomer(database, 'Busy', {}, now);
  await database.query(
    `with posted as (
       insert into ledger_entry (customer_id, kind, month, description, quantity, unit_price_cents, amount_cents, cause, source, settles, booked_by)
       select $1, 'payment', '2031-05-01', 'Payment no. ' || n, 1, -100, -100, 'busy:' || n, '{}', true, 'test' from generate_series(1, 500) as n
       returning id)
     insert into payment (entry_id, on_day, method) select id, '2031-05-02', 'cash' from posted`,
    [busy],
  );
  const paper = await statementPaper(database, { kind: 'customer', id: busy }, {}, now);
  const text = textOfPdf(await printPdf(paper));
  const numbers = [...text.matchAll(/Payment no\. (\d+)/g)].map(([, n]) => Number(n));
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, n) => n + 1));
  expect(text).toContain('$500.00');
});

test('an operator has its own invoices', async () => {
  await publishModelled(database, 'Rimu', now);
  await closeMonth(database, '2031-05', commandActor, startOfMonth('2031-06'));
  const { rows } = await database.query<{ number: number; provider_id: number }>(
    "select number, provider_id from invoice where recipient = 'Rimu'",
  );
  const { number, provider_id: provider } = rows[0] as (typeof rows)[0];
  const role = { role: 'operator', provider: async () => provider } as const;
  const operator = clientWith(api.url, await createToken(database, role, 'Rimu', commandActor));
  const address = `/api/operator/invoices/${number}`;
  expect(await operator.json(address)).toMatchObject({
    number,
    recipient: { kind: 'operator', name: 'Rimu' },
  });
  expect(textOfPdf(await pdfOf(operator.call(`${address}?format=pdf`)))).toContain('Operator code');
  await expectCode(operator.call(`${address}?format=xml`), 400, 'request_invalid');
});
