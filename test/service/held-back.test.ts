import { anySeed, Random } from '@covermap/testing/random.ts';
import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { closeMonth, previewClose } from '../../billing/close.ts';
import { setContact } from '../../billing/contacts.ts';
import { createCustomer } from '../../billing/customers.ts';
import { issueHeldBack } from '../../billing/held-back.ts';
import { postManualEntry } from '../../billing/manual-entries.ts';
import { invoicePlanStarts } from '../../billing/plan-start.ts';
import type { InvoiceDetail } from '../../client/schema.ts';
import type { Database } from '../../platform/database/database.ts';
import { createLogger } from '../../platform/logger.ts';
import { addMonths, startOfMonth } from '../../platform/nz-time.ts';
import { recordTestIssuer } from '../setup/billing.ts';
import { clientWith, expectCode } from '../setup/operator.ts';
import { useApi, useDatabase } from '../setup/service.ts';

/* An invoice that lacks what the law asks for is not issued: nothing of it is lost or billed twice, and the others are issued. */

const noContact = { address: '', contact: '' };
const contact = { address: '', contact: 'accounts@example.com' };
const of = (id: number) => ({ kind: 'customer', id }) as const;

/** The sums of an account's invoices and of its entries on none, without GST. */
async function sums(db: Database, id: number) {
  const { rows } = await db.query<{ invoiced: number; open: number; entries: number; doubled: number }>(
    `select coalesce((select sum(subtotal_cents) from invoice where customer_id = $1), 0)::integer as invoiced,
       coalesce((select sum(e.amount_cents) from open_entry o join ledger_entry e on e.id = o.entry_id where e.customer_id = $1), 0)::integer as open,
       coalesce((select sum(amount_cents) from ledger_entry where customer_id = $1 and not settles), 0)::integer as entries,
       (select count(*)::integer from (select from ledger_entry where customer_id = $1 and kind = 'plan_fee'
         group by customer_plan_id, month having count(*) > 1) as d) as doubled`,
    [id],
  );
  return rows[0] as (typeof rows)[0];
}

test('a close holds back what lacks a contact, goes on for the others, and staff issue it later', async () => {
  const { place, database } = await useDatabase();
  let clock = startOfMonth('2031-05');
  const api = await useApi(place, database, createLogger('silent'), { now: () => clock });
  const staff = clientWith(api.url, await createToken(database, { role: 'staff' }, 'Ana', commandActor));
  const held = '/api/staff/invoices/held-back';
  const list = () => staff.json<{ invoices: (InvoiceDetail & { lacks: string[] })[]; totals: object }>(held);
  const desk = () => staff.json<{ items: { kind: string }[] }>('/api/staff/desk');
  const other = await createCustomer(database, { name: 'Kea', plan: 'low' }, commandActor, clock);
  // Of $862.50: a contact is asked for once a second month is with it.
  const id = await createCustomer(database, { name: 'Weka', plan: 'medium' }, commandActor, clock);
  const charge = { account: of(id), amountCents: 30_000, reason: 'Support', reference: 'a' };
  await postManualEntry(database, 'charge', charge, commandActor, clock);

  clock = startOfMonth('2031-06');
  const preview = await previewClose(database, '2031-05', clock);
  expect(preview.held_back).toMatchObject([
    { recipient: { name: 'Weka' }, lacks: ['contact'], total_cents: 120_750 },
  ]);
  expect(preview).toMatchObject({
    invoices: [{ recipient: { name: 'Kea' } }],
    totals: { total_cents: 57_500 },
  });
  await closeMonth(database, '2031-05', commandActor, clock, preview.totals.total_cents);
  expect(await sums(database, other)).toMatchObject({ invoiced: 100_000, open: 0 });
  expect(await sums(database, id)).toEqual({ invoiced: 75_000, open: 105_000, entries: 180_000, doubled: 0 });
  expect(await list()).toMatchObject({
    invoices: [{ lacks: ['contact'], month: '2031-05', total_cents: 120_750, since: '2031-05-01' }],
    totals: { count: 1, total_cents: 120_750 },
  });
  expect((await desk()).items).toContainEqual({
    ...{ kind: 'invoices_held_back', count: 1, oldest: '2031-05-01', amount_cents: 120_750 },
  });
  await expectCode(staff.post(held, { customer: id }), 409, 'invoice_held_back');
  await expectCode(staff.post(held, { customer: other }), 404, 'nothing_held_back');

  // A contact alone issues nothing.
  clock = new Date('2031-06-16T00:00:00Z');
  await staff.json(`/api/staff/customers/${id}/contact`, contact);
  await invoicePlanStarts(database, commandActor, clock);
  expect(await list()).toMatchObject({ invoices: [{ lacks: [] }] });
  await expectCode(staff.post(held, { customer: id, total_cents: 1 }), 409, 'preview_outdated');
  const asked = await Promise.all([1, 2].map(() => staff.post(held, { customer: id, total_cents: 120_750 })));
  expect(asked.map(({ status }) => status).sort()).toEqual([201, 404]);
  const issued = (await asked.find(({ status }) => status === 201)?.json()) as InvoiceDetail;
  expect(issued).toMatchObject({
    ...{ occasion: 'held_back', month: '2031-05', issued_on: '2031-06-16', due_on: '2031-07-20' },
    ...{ total_cents: 120_750, recipient: contact, usage: null },
    lines: [{ kind: 'plan_fee', month: '2031-06' }, { kind: 'charge' }],
  });
  expect(await list()).toMatchObject({ invoices: [] });
  expect((await desk()).items.map(({ kind }) => kind)).not.toContain('invoices_held_back');
  const { rows: audited } = await database.query(
    `select action from audit_event where customer_id = $1 and action like 'invoice%' order by id`,
    [id],
  );
  expect(audited).toEqual([{ action: 'invoice_held_back' }, { action: 'invoice_issued' }]);

  clock = startOfMonth('2031-07');
  await closeMonth(database, '2031-06', commandActor, clock);
  expect(await sums(database, id)).toEqual({ invoiced: 255_000, open: 0, entries: 255_000, doubled: 0 });
});

test('a plan is not started where its first invoice lacks a contact, and held back where it starts later', async () => {
  const { place, database } = await useDatabase();
  const at = startOfMonth('2031-05');
  const api = await useApi(place, database, createLogger('silent'), { now: () => at });
  const staff = clientWith(api.url, await createToken(database, { role: 'staff' }, 'Ana', commandActor));
  const refused = await staff.post('/api/staff/customers', { name: 'Weka', plan: 'high' });
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { code: 'invoice_held_back', hint: expect.stringContaining('address or a contact of the recipient') },
  ]);
  expect((await staff.post('/api/staff/customers', { name: 'Weka', plan: 'high', contact })).status).toBe(
    201,
  );

  const later = { name: 'Kea', plan: 'high', begins: '2031-05-10' };
  const id = await createCustomer(database, later, commandActor, at);
  const start = new Date('2031-05-10T00:00:00Z');
  // Each sweep looks again.
  for (let sweep = 0; sweep < 3; sweep++) await invoicePlanStarts(database, commandActor, start);
  expect(await sums(database, id)).toMatchObject({ invoiced: 0, open: 106_452 });
  await setContact(database, of(id), contact, commandActor);
  await issueHeldBack(database, of(id), 122_420, commandActor, start);
  expect(await sums(database, id)).toMatchObject({ invoiced: 106_452, open: 0 });
});

test('above $200 nothing is issued without the issuer’s GST number', async () => {
  const { place, database } = await useDatabase();
  const at = startOfMonth('2031-05');
  const issuer = { name: 'Maps', address: '', gstNumber: '', payment: '' };
  const without = { config: { ...place.config, invoiceIssuer: issuer } };
  const api = await useApi(without, database, createLogger('silent'), { now: () => at });
  const staff = clientWith(api.url, await createToken(database, { role: 'staff' }, 'Ana', commandActor));
  const refused = await staff.post('/api/staff/customers', { name: 'Weka', plan: 'low', contact });
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { code: 'invoice_held_back', hint: expect.stringContaining('INVOICE_GST_NUMBER') },
  ]);
  expect(await staff.json('/api/staff/plans/preview?plan=low')).toMatchObject({
    invoices: [{ lacks_gst_number: true, needs_identifier: false }],
  });
  const { id } = await staff.json<{ id: number }>('/api/staff/customers', { name: 'Weka', contact });
  for (const [index, amountCents] of [17_391, 1].entries()) {
    const charge = { account: of(id), amountCents, reason: 'Map', reference: String(index) };
    await postManualEntry(database, 'charge', charge, commandActor, at);
    const { invoices, held_back } = await previewClose(database, '2031-05', startOfMonth('2031-06'));
    // $200.00 is not above $200.
    expect([invoices, held_back].map((one) => one.map(({ lacks }) => lacks))).toEqual(
      index === 0 ? [[[]], []] : [[], [['gst_number']]],
    );
  }
});

/* Accounts whose contact comes and goes, charges and credits, over months: what preview says is what the close issues, and every entry is on one invoice. */
const seed = anySeed();
test(`nothing that is held back is lost or billed twice, over generated histories (SEED=${seed})`, async () => {
  const { database } = await useDatabase();
  await recordTestIssuer(database);
  const random = new Random(seed);
  const first = '2031-01';
  const ids: number[] = [];
  for (let count = 0; count < 40; count++) {
    const plan = { plan: ['low', 'medium', 'high'][count % 3] as string, begins: '2031-01-02' };
    ids.push(
      await createCustomer(database, { name: `C${count}`, ...plan }, commandActor, startOfMonth(first)),
    );
  }
  let issuedLate = 0;
  let wasHeld = 0;
  for (let index = 0; index < 6; index++) {
    const month = addMonths(first, index);
    const during = new Date(startOfMonth(month).getTime() + 10 * 86_400_000);
    const end = startOfMonth(addMonths(month, 1));
    await invoicePlanStarts(database, commandActor, during);
    for (const id of ids) {
      const account = of(id);
      if (random.next() < 0.4) {
        const entry = {
          account,
          amountCents: 1 + Math.floor(random.next() * 90_000),
          reason: 'x',
          reference: `${id} ${index}`,
        };
        await postManualEntry(
          database,
          random.next() < 0.5 ? 'charge' : 'credit',
          entry,
          commandActor,
          during,
        );
      }
      if (random.next() < 0.3) {
        await setContact(database, account, random.next() < 0.7 ? contact : noContact, commandActor);
      }
      if (random.next() < 0.7) {
        await issueHeldBack(database, account, undefined, commandActor, during).then(
          () => issuedLate++,
          ({ code }) => expect(['nothing_held_back', 'invoice_held_back']).toContain(code),
        );
      }
    }
    const { totals, held_back } = await previewClose(database, month, end);
    wasHeld += held_back.length;
    const { rows: before } = await database.query<{ last: number }>('select last from invoice_counter');
    await closeMonth(database, month, commandActor, end, totals.total_cents);
    const { rows } = await database.query<{ cents: number; incomplete: number }>(
      `select coalesce(sum(total_cents), 0)::integer as cents,
         (count(*) filter (where total_cents > 100000 and recipient_contact = ''))::integer as incomplete
       from invoice where number > $1`,
      [before[0]?.last],
    );
    expect(rows, month).toEqual([{ cents: totals.total_cents, incomplete: 0 }]);
  }
  expect([issuedLate > 0, wasHeld > 10]).toEqual([true, true]);
  for (const id of ids) {
    const { invoiced, open, entries, doubled } = await sums(database, id);
    expect([invoiced + open, doubled], `customer ${id}`).toEqual([entries, 0]);
  }
  // The last close is of all that was billed: with contacts, nothing is left.
  for (const id of ids) await setContact(database, of(id), contact, commandActor);
  await closeMonth(database, addMonths(first, 6), commandActor, startOfMonth(addMonths(first, 7)));
  for (const id of ids) expect(await sums(database, id), `customer ${id}`).toMatchObject({ open: 0 });
});
