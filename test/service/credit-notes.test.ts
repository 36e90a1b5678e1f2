import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { closeMonth } from '../../billing/close.ts';
import { listCreditNotes } from '../../billing/credit-notes.ts';
import { postManualEntry } from '../../billing/manual-entries.ts';
import type {
  CreditNoteDetail,
  CreditNotePreview,
  InvoiceDetail,
  LedgerEntry,
  MailMessage,
  OwnCreditNote,
  ProcessingFee,
} from '../../client/schema.ts';
import { findOrCreateProvider, operatorOf } from '../../coverage/providers/providers.ts';
import { createLogger } from '../../platform/logger.ts';
import { makeCustomer, publishModelled } from '../setup/billing.ts';
import { clientWith } from '../setup/operator.ts';
import { textOfPdf } from '../setup/poppler.ts';
import { useApi, useDatabase } from '../setup/service.ts';

/* Credit notes: what they correct, settle and undo. Every test has a customer of its own. */

const { place, database } = await useDatabase();
let clock = new Date('2031-05-20T02:00:00Z');
const api = await useApi(place, database, createLogger('silent'), { now: () => clock });
const staff = clientWith(api.url, await createToken(database, { role: 'staff' }, 'Ana', commandActor));

let customers = 0;
/** @returns a customer with an invoice of $575.00, of which $500.00 is for a plan */
async function customer() {
  const { id } = await makeCustomer(database, `Credited ${++customers}`, {}, clock);
  const contact = { address: '1 Queen Street', contact: '' };
  const plan = { plan: 'low', begins: '2031-05-01', contact };
  await staff.post(`/api/staff/customers/${id}/plan`, plan);
  const { invoices } = await staff.json<{ invoices: [InvoiceDetail] }>(`/api/staff/invoices?customer=${id}`);
  return { id, number: invoices[0].number };
}
const invoiceOf = (number: number) => staff.json<InvoiceDetail>(`/api/staff/invoices/${number}`);
const all = '/api/staff/credit-notes';
const noteOf = (number: number) => staff.json<CreditNoteDetail>(`${all}/${number}`);

const answered = async <Body>(response: Response) => ({
  status: response.status,
  ...((await response.json()) as Body & { code?: string; message?: string }),
});
const credit = async (number: number, body: object = {}) =>
  answered<CreditNoteDetail>(
    await staff.post(`/api/staff/invoices/${number}/credit-notes`, {
      reason: 'Two days without service',
      ...body,
    }),
  );
const preview = async (number: number, body: object = {}) =>
  answered<CreditNotePreview>(await staff.post(`/api/staff/invoices/${number}/credit-note-preview`, body));
const undo = async (number: number) =>
  answered<CreditNoteDetail>(await staff.post(`${all}/${number}/undo`, { reason: 'Wrong invoice' }));
const part = (amount_cents: number, position = 1) => ({ lines: [{ position, amount_cents }] });
const pay = (customer: number, cents: number, invoice?: number) =>
  staff.json<{ id: number }>('/api/staff/payments', {
    ...{ customer, day: '2031-05-20', amount_cents: cents, confirm: true },
    allocations: invoice === undefined ? [] : [{ invoice, amount_cents: cents }],
  });

test('an open invoice is credited in part and whole, with its GST to the cent, and owed again once that is undone', async () => {
  const { id, number } = await customer();
  const shown = await preview(number, part(10_001));
  expect(shown).toMatchObject({
    ...{ status: 200, invoice: number, left_cents: 50_000, subtotal_cents: 10_001, gst_cents: 1_500 },
    ...{ total_cents: 11_501, settled_cents: 11_501, credit_cents: 0 },
    lines: [{ position: 1, amount_cents: 50_000, left_cents: 50_000, credited_cents: 10_001 }],
  });
  const first = await credit(number, { ...part(10_001), total_cents: 11_501 });
  expect(first).toMatchObject({
    ...{ status: 201, invoice: number, undoes: null, undone_by: null, issued_on: '2031-05-20' },
    ...{ total_cents: 11_501, left_cents: 0, corrected_total_cents: 57_500 - 11_501, created_by: 'Ana' },
    lines: [{ position: 1, invoiced_cents: 50_000, amount_cents: 10_001 }],
  });
  expect(await invoiceOf(number)).toMatchObject({
    ...{ state: 'part_paid', balance_cents: 45_999, credited_cents: 11_501 },
    settlements: [{ kind: 'credit_note', number: first.number }],
  });
  const whole = await credit(number);
  expect(whole).toMatchObject({ number: first.number + 1, subtotal_cents: 39_999, total_cents: 45_999 });
  expect(whole.gst_cents + first.gst_cents).toBe(7_500);
  expect(await invoiceOf(number)).toMatchObject({ state: 'credited', balance_cents: 0 });
  expect(await preview(number)).toMatchObject({ status: 409, code: 'amount_too_large' });

  const undone = await undo(first.number);
  expect(undone).toMatchObject({ status: 201, undoes: first.number, total_cents: -11_501, left_cents: 0 });
  expect(undone.lines).toMatchObject([{ position: 1, invoiced_cents: 50_000, amount_cents: -10_001 }]);
  expect(await noteOf(first.number)).toMatchObject({ undone_by: undone.number, left_cents: 0 });
  expect(await invoiceOf(number)).toMatchObject({ state: 'part_paid', balance_cents: 11_501 });
  expect((await preview(number)).left_cents, 'it can be credited again').toBe(10_001);
  for (const again of [first.number, undone.number]) {
    expect((await undo(again)).code).toBe('credit_note_not_undoable');
  }
  const { credit_notes: listed } = await staff.json<{ credit_notes: OwnCreditNote[] }>(
    `${all}?customer=${id}`,
  );
  expect(listed.map((note) => note.number)).toEqual([undone.number, whole.number, first.number]);
  const page = await staff.json(`${all}?invoice=${number}&limit=1&before=${undone.number}`);
  expect(page).toMatchObject({ credit_notes: [{ number: whole.number }], next: String(whole.number) });
  const { entries } = await staff.json<{ entries: LedgerEntry[] }>(`/api/staff/ledger?customer=${id}`);
  const ofNote = entries.find(({ credit_note }) => credit_note === whole.number);
  expect(ofNote).toMatchObject({ kind: 'reversal', state: 'credited', amount_cents: -39_999 });
  const reversed = await staff.post(`/api/staff/ledger/${ofNote?.id}/reversal`, {
    reason: 'x',
    reference: 'y',
  });
  expect(await answered(reversed)).toMatchObject({ code: 'entry_not_reversible' });
});

test('what makes no sense is refused with a sentence, and changes nothing', async () => {
  const { id, number } = await customer();
  const count = async () => (await listCreditNotes(database, { limit: 500 })).length;
  const before = await count();
  const refused = async (body: object, expected: object) =>
    expect(await credit(number, body), JSON.stringify(body)).toMatchObject(expected);
  const invalid = { status: 400, code: 'request_invalid' };
  for (const amount_cents of [0, -1, 0.5, 1e12, '5'])
    await refused({ lines: [{ position: 1, amount_cents }] }, invalid);
  for (const more of [{ lines: [] }, { reason: '' }, { reason: 'x'.repeat(301) }])
    await refused(more, invalid);
  await refused(part(100, 9), { ...invalid, message: `Invoice ${number} has no line 9.` });
  await refused({ lines: [...part(1).lines, ...part(2).lines] }, invalid);
  const tooLarge = { status: 409, code: 'amount_too_large' };
  await refused(part(50_001), { ...tooLarge, message: '500.00 of line 1 is left: no more can be credited.' });
  await refused({ total_cents: 57_499 }, { status: 409, code: 'preview_outdated' });
  for (const path of [`/api/staff/invoices/999999/credit-notes`, `${all}/999999/undo`]) {
    expect((await staff.post(path, { reason: 'x' })).status).toBe(404);
  }
  // Books cannot be closed through a day to come: a clock that was put back finds them so.
  await database.query(
    `insert into billing_setting (name, value, changed_by) values ('books_locked_through', '"2031-05-31"', 'test')`,
  );
  await refused({}, { status: 409, code: 'period_locked' });
  await database.query(`delete from billing_setting where name = 'books_locked_through'`);
  await pay(id, 50_000, number);
  await staff.post(`/api/staff/invoices/${number}/write-off`, { reason: 'Gone' });
  await refused({}, tooLarge);
  expect(await count()).toBe(before);
  expect(await credit(number, part(43_000))).toMatchObject({ status: 201 });

  const request_id = randomUUID();
  const other = await customer();
  expect(await credit(other.number, { request_id })).toMatchObject({ status: 201 });
  expect(await credit(other.number, { request_id })).toMatchObject({ status: 409, code: 'entry_exists' });
});

test('of two at once no more is credited than there is', async () => {
  const { number } = await customer();
  const answers = await Promise.all([1, 2, 3, 4].map(() => credit(number, part(30_000))));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  expect(await invoiceOf(number)).toMatchObject({ credited_cents: 34_500 });
});

test('the credit of a paid invoice pays the next one, or is refunded, and is then not undone', async () => {
  const { id, number } = await customer();
  await pay(id, 57_500, number);
  const note = await credit(number, part(20_000));
  expect(note).toMatchObject({ status: 201, total_cents: 23_000, left_cents: 23_000 });
  expect(await invoiceOf(number)).toMatchObject({ state: 'paid', credited_cents: 0 });
  const refund = await staff.json<{ id: number }>('/api/staff/refunds', {
    ...{ customer: id, day: '2031-05-20', amount_cents: 3_000 },
  });
  expect(await undo(note.number)).toMatchObject({
    ...{ status: 409, code: 'credit_note_not_undoable' },
    message: `30.00 of credit note ${note.number} was refunded.`,
    hint: `Reverse the refund first: entry ${refund.id}.`,
  });
  await staff.post(`/api/staff/payments/${refund.id}/reversal`, { reason: 'Not paid out' });
  expect((await undo(note.number)).status).toBe(201);

  const again = await credit(number, part(20_000));
  await closeMonth(database, '2031-05', commandActor, new Date('2031-06-02T00:00:00Z'));
  const { invoices } = await staff.json<{ invoices: [InvoiceDetail] }>(`/api/staff/invoices?customer=${id}`);
  expect(invoices[0]).toMatchObject({ brought_forward_cents: 23_000, due_cents: 34_500 });
  clock = new Date('2031-06-03T00:00:00Z');
  expect(await undo(again.number)).toMatchObject({
    message: `230.00 of credit note ${again.number} has paid invoice ${invoices[0].number}.`,
  });
  clock = new Date('2031-05-20T02:00:00Z');
});

test('a large credit is confirmed with its amount', async () => {
  const { id } = await makeCustomer(database, 'Large', {}, clock);
  const entry = {
    account: { kind: 'customer', id },
    amountCents: 2_000_000,
    reason: 'Work',
    reference: '',
  } as const;
  await postManualEntry(database, 'charge', entry, commandActor, clock);
  await closeMonth(database, '2031-06', commandActor, new Date('2031-07-02T00:00:00Z'));
  clock = new Date('2031-07-03T00:00:00Z');
  const { invoices } = await staff.json<{ invoices: [InvoiceDetail] }>(`/api/staff/invoices?customer=${id}`);
  const { number } = invoices[0];
  expect(await credit(number)).toMatchObject({ status: 409, code: 'amount_unconfirmed' });
  expect(await credit(number, { confirm_amount_cents: 2_300_000 })).toMatchObject({ status: 201 });
});

test('an operator’s fee is credited on paper, which its operator alone reads, and is told once', async () => {
  const at = new Date('2031-07-10T00:00:00Z');
  const operator = await findOrCreateProvider(database, {
    name: 'Mānuka Networks',
    url: 'https://manuka.example',
  });
  await publishModelled(database, 'Mānuka Networks', at);
  await closeMonth(database, '2031-07', commandActor, new Date('2031-08-02T00:00:00Z'));
  clock = new Date('2031-08-03T00:00:00Z');
  const { invoices } = await staff.json<{ invoices: [InvoiceDetail] }>(
    `/api/staff/invoices?provider=${operator}`,
  );
  const { number } = invoices[0];
  const fee = async () => {
    const { fees } = await staff.json<{ fees: ProcessingFee[] }>('/api/staff/processing-fees');
    return fees.find(({ invoice }) => invoice === number) as ProcessingFee;
  };
  const { id, state } = await fee();
  expect(state).toBe('invoiced');
  const waive = () => staff.post(`/api/staff/processing-fees/${id}/state`, { state: 'waived', reason: 'x' });
  const first = await credit(number, part(100));
  expect(await answered(await waive())).toMatchObject({
    code: 'fee_state',
    message: 'A part of this fee is credited.',
  });
  const { total_cents: confirm_amount_cents } = await preview(number);
  const note = await credit(number, { reason: 'Kōwhai tower was counted twice', confirm_amount_cents });
  expect(await fee()).toMatchObject({ state: 'credited', paid_on: null });
  expect(await answered(await waive())).toMatchObject({ hint: 'Undo its credit note.' });

  const own = clientWith(
    api.url,
    await createToken(database, operatorOf('Mānuka Networks'), 'Bo', commandActor),
  );
  const address = `/api/operator/credit-notes/${note.number}`;
  const { credit_notes: listed } = await own.json<{ credit_notes: OwnCreditNote[] }>(
    '/api/operator/credit-notes',
  );
  expect(listed.map((one) => one.number)).toEqual([note.number, first.number]);
  expect(Object.keys(await own.json<object>(address))).not.toContain('created_by');
  const html = await (await own.call(`${address}?format=html`)).text();
  const pdf = Buffer.from(await (await own.call(`${address}?format=pdf`)).arrayBuffer());
  for (const text of [html, textOfPdf(pdf)]) {
    for (const said of [
      ...[
        `Credit note ${note.number}`,
        'Mānuka Networks',
        '3 August 2031',
        `Invoice ${number}`,
        '2 August 2031',
      ],
      ...['Kōwhai tower was counted twice', 'GST (15%)', `Invoice ${number} after this correction`, '$0.00'],
    ])
      expect(text).toContain(said);
  }
  await undo(note.number);
  expect(await fee()).toMatchObject({ state: 'part_paid' });
  const again = await (await own.call(`${address}?format=pdf`)).arrayBuffer();
  expect(Buffer.from(again).equals(pdf), 'as it was first printed').toBe(true);
  expect((await own.call(`${address}?format=xml`)).status).toBe(400);
  expect((await own.call(`/api/operator/credit-notes/1`)).status, 'a customer’s').toBe(404);

  const { messages } = await staff.json<{ messages: MailMessage[] }>(
    `/api/staff/mail?template=credit_note&provider=${operator}`,
  );
  expect(messages.map(({ event }) => event)).toEqual(
    [note.number + 1, note.number, first.number].map((one) => `credit_note:${one}`),
  );
});
