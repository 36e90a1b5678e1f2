import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { closeMonth } from '../../billing/close.ts';
import { createCustomer } from '../../billing/customers.ts';
import { listInvoices } from '../../billing/invoices.ts';
import { postManualEntry } from '../../billing/manual-entries.ts';
import { listProcessingFees } from '../../billing/processing-fees.ts';
import { findOrCreateProvider } from '../../coverage/providers/providers.ts';
import type { Config } from '../../platform/config.ts';
import { sql } from '../../platform/database/sql.ts';
import { createLogger } from '../../platform/logger.ts';
import { startOfMonth } from '../../platform/nz-time.ts';
import { publishModelled } from '../setup/billing.ts';
import { type Client, clientWith } from '../setup/operator.ts';
import { useApi, useDatabase } from '../setup/service.ts';

/* Papers stay as they were issued. */

const first = { name: 'Maps & Co', address: '1 Queen Street', gstNumber: '123', payment: 'To 01-23' };
const second = { name: 'Harbour Maps', address: '9 Quay Street', gstNumber: '456', payment: 'To 99-88' };
const third = { ...second, name: 'Third' };

const { place, database } = await useDatabase();

/** An API whose environment names an issuer, for the rest of a test: on the same database, as after a restart. */
const issuing = async (issuer: Config['invoiceIssuer'], at = place, on = database) =>
  (await useApi({ config: { ...at.config, invoiceIssuer: issuer } }, on, createLogger('silent'))).url;

/** All papers in all formats, as their readers have them, byte for byte. */
async function papers(readers: readonly (readonly [Client, string])[]): Promise<Record<string, string>> {
  const read: Record<string, string> = {};
  for (const [client, all] of readers) {
    const { invoices } = await client.json<{ invoices: { number: number }[] }>(all);
    for (const { number } of invoices) {
      for (const format of ['json', 'csv', 'html', 'pdf']) {
        const address = `${all}/${number}?format=${format}`;
        read[address] = await (await client.call(address)).text();
      }
    }
  }
  return read;
}

test('a paper stays as it was, whatever issuer, contact, name and terms become', async () => {
  const staffToken = await createToken(database, { role: 'staff' }, 'Ana', commandActor);
  const at = new Date('2031-05-10T00:00:00Z');
  const closing = (month: string) => new Date(`${month}-02T00:00:00Z`);
  await issuing(first);
  const weka = { name: 'Weka', plan: 'high', contact: { address: '', contact: '021 123 456' } };
  const id = await createCustomer(database, weka, commandActor, at);
  const customerToken = await createToken(database, { role: 'customer', customerId: id }, 'Bo', commandActor);
  await findOrCreateProvider(database, { name: 'Kauri', url: 'https://kauri.example/' });
  const account = { kind: 'customer', id } as const;
  const readers = (url: string) =>
    [
      [clientWith(url, staffToken), '/api/staff/invoices'],
      [clientWith(url, customerToken), '/api/account/invoices'],
    ] as const;

  const reading = readers(await issuing(first));
  await publishModelled(database, 'Kauri', at);
  await closeMonth(database, '2031-05', commandActor, closing('2031-06'));
  const credit = { account, amountCents: 500_000, reason: 'Outage', reference: '' };
  await postManualEntry(database, 'credit', credit, commandActor, closing('2031-06'));
  await closeMonth(database, '2031-06', commandActor, closing('2031-07'));
  const before = await papers(reading);
  const text = Object.values(before).join();
  expect(text).toContain('Credit invoice 4');
  expect(text).toContain('Maps &amp; Co');
  expect(text).toContain('https://kauri.example/');
  // The start of a plan, two of the first month, a credit; three of them are the customer's.
  expect(Object.keys(before)).toHaveLength(4 * (4 + 3));

  // On the same database with other settings: as a restart.
  const url = await issuing(second);
  const staff = clientWith(url, staffToken);
  const contact = { address: '7 Lambton Quay', contact: 'accounts@weka.example' };
  await staff.json(`/api/staff/customers/${id}/contact`, contact);
  await database.query("update customer set name = 'Kea' where id = $1", [id]);
  await database.query("update provider set name = 'Rimu', url = 'https://rimu.example/'");
  const setTerms = (laterProcessingCents: number) =>
    database.query(sql`
      insert into billing_terms (from_month, free_queries, overage_cents, gst_percent, first_processing_cents,
        later_processing_cents) values ('2031-05-01', 0, 7, 20, 1, ${laterProcessingCents})`);
  await expect(setTerms(0)).rejects.toThrow('billing_terms_processing_check');
  await setTerms(1);
  const set = await staff.call('/api/staff/settings', {
    ...{ method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"due_day": 16}' },
  });
  expect(set.status).toBe(200);
  expect(await papers(readers(url))).toEqual(before);
  // The next invoice has the issuer, the contact and the terms of now.
  await staff.json('/api/staff/charges', {
    customer: id,
    amount_cents: 1_000_000,
    confirm_amount_cents: 1_000_000,
    reason: 'Map',
  });
  await closeMonth(database, '2031-07', commandActor, closing('2031-08'));
  const [newest] = await listInvoices(database, {}, new Date());
  const page = await (await staff.call(`/api/staff/invoices/${newest?.number}?format=html`)).text();
  for (const part of ['<h1>Tax invoice ', 'Harbour Maps', 'GST number 456', 'Lambton Quay', 'GST (20%)']) {
    expect(page, part).toContain(part);
  }
  expect(newest).toMatchObject({ issued_on: '2031-08-02', due_on: '2031-09-16' });
  // A fee has the terms of New Zealand's month, whose first hours are in UTC's month before.
  const may = startOfMonth('2031-05');
  for (const at of [new Date(may.getTime() - 1), may]) await publishModelled(database, 'Nikau', at);
  const fees = async (months = {}) =>
    (await listProcessingFees(database, { provider: 'Nikau', ...months }, new Date())).map(
      (fee) => fee.amount_cents,
    );
  expect(await fees()).toEqual([1, 100_000]);
  expect([await fees({ to: '2031-04' }), await fees({ from: '2031-05' })]).toEqual([[100_000], [1]]);
  const { rows: audited } = await database.query<{ details: object }>(
    "select details from audit_event where action = 'issuer_changed'",
  );
  expect(audited).toMatchObject([{ details: { name: 'Harbour Maps', gst_number: '456' } }]);
});

test('papers that were issued before any issuer was recorded have the first one, also where processes start at once', async () => {
  const { place: other, database: fresh } = await useDatabase();
  // Of less than $200.
  await createCustomer(fresh, { name: 'Weka', plan: 'low' }, commandActor, new Date('2031-05-28T00:00:00Z'));
  const token = await createToken(fresh, { role: 'staff' }, 'Ana', commandActor);
  const shown = async (issuer: Config['invoiceIssuer']) => {
    const staff = clientWith(await issuing(issuer, other, fresh), token);
    return (await staff.call('/api/staff/invoices/1?format=html')).text();
  };
  const pages = new Set(await Promise.all([shown(first), shown(first), shown(second)]));
  pages.add(await shown(third));
  expect(pages.size).toBe(1);
  const [page] = pages;
  expect(page).toMatch(/Maps &amp; Co|Harbour Maps/);
  // A process that is told nothing of an issuer leaves whoever is recorded.
  const recorded = async () =>
    (await fresh.query<{ name: string }>('select id, name, gst_number from invoice_issuer order by id')).rows;
  const before = await recorded();
  expect(before.at(-1)?.name).toBe('Third');
  await issuing(undefined, other, fresh);
  expect(await recorded()).toEqual(before);
});

test('the database refuses every change of what papers show', async () => {
  const { rows } = await database.query<{ table: string; column: string }>(`
    select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.oid = any('{invoice,invoice_line,invoice_issuer,ledger_entry,month_close}'::regclass[])
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''`);
  expect(rows.length).toBeGreaterThan(40);
  for (const { table, column } of rows) {
    const change = database.query(`update ${table} set ${column} = ${column}`);
    await expect(change, `${table}.${column}`).rejects.toThrow('only ever added');
  }
  for (const table of new Set(rows.map((row) => row.table))) {
    await expect(database.query(`delete from ${table}`)).rejects.toThrow('only ever added');
    await expect(database.query(`truncate ${table} cascade`)).rejects.toThrow('only ever added');
  }
});
