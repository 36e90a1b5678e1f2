import { describe, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { closeMonth } from '../../billing/close.ts';
import { sql } from '../../platform/database/sql.ts';
import { addQueries, makeCustomer, publishModelled } from '../setup/billing.ts';
import { clientWith, expectCode } from '../setup/operator.ts';
import { useApi, useDatabase } from '../setup/service.ts';

/* The beginning of staff's page, and its search: docs/administrator/staff-page.md. */

let clock = new Date('2031-05-01T00:00:00Z');
const { place, database } = await useDatabase();
const api = await useApi(place, database, undefined, { now: () => clock });
const staff = clientWith(api.url, await createToken(database, { role: 'staff' }, 'Ana', commandActor));

interface Item {
  kind: string;
  count: number;
  oldest: string | null;
  amount_cents: number | null;
}
const all = async () => (await staff.json<{ items: Item[] }>('/api/staff/desk')).items;
/** All but e-mails. */
const desk = async () => (await all()).filter(({ kind }) => !kind.startsWith('email'));
interface Thing {
  kind: string;
  id: string;
  title: string;
  note: string;
  amount_cents: number | null;
}
const search = async (q: string) =>
  (await staff.json<{ found: Thing[] }>(`/api/staff/search?q=${encodeURIComponent(q)}`)).found;
const named = async (q: string) => (await search(q)).map(({ kind, title }) => `${kind}: ${title}`);

test('nothing needs doing where nothing waits', async () => {
  expect(await all()).toEqual([]);
});

describe('what needs doing', () => {
  test('is a month that is over and not closed, then its invoices once they are overdue', async () => {
    const kea = await makeCustomer(database, 'Kea Homes', { plan: 'low' }, clock);
    await makeCustomer(database, 'Pōhutukawa Ltd', {}, clock);
    await addQueries(database, kea.keyId, clock, 90_000);
    await publishModelled(database, 'Tūī Networks', clock, 'north-towers.csv');
    // What the close of May and the start of the plan issue.
    clock = new Date('2031-06-02T00:00:00Z');
    const month = { kind: 'months_to_close', count: 1, oldest: '2031-05-01', amount_cents: null };
    const fee = { kind: 'fees_not_invoiced', count: 1, oldest: '2031-05-01', amount_cents: 100_000 };
    expect(await desk()).toEqual([month, fee]);
    await closeMonth(database, '2031-05', commandActor, clock);
    expect(await desk()).toEqual([]);
    // The twentieth of the month after is not past until it is over in New Zealand.
    clock = new Date('2031-06-20T11:59:00Z');
    expect(await desk()).toEqual([]);
    clock = new Date('2031-06-20T12:00:00Z');
    expect(await desk()).toMatchObject([{ kind: 'invoices_overdue', count: 1, oldest: '2031-06-20' }]);
    clock = new Date('2031-08-01T00:00:00Z');
    const { rows } = await database.query<{ count: number; cents: number }>(
      sql`select count(*)::integer as count, sum(total_cents)::bigint as cents from invoice`,
    );
    const [, overdue] = await desk();
    expect(overdue).toEqual({
      kind: 'invoices_overdue',
      count: rows[0]?.count,
      oldest: '2031-06-20',
      amount_cents: rows[0]?.cents,
    });
    // Two months are over by now.
    expect((await desk())[0]).toMatchObject({ kind: 'months_to_close', count: 2, oldest: '2031-06-01' });
  });

  test('is an e-mail without an address, that failed, or that may have arrived', async () => {
    const day = '2031-05-01';
    const count = async (kind: string) => (await all()).find((one) => one.kind === kind);
    expect(await count('emails_without_address')).toMatchObject({ count: 3, oldest: day });
    for (const state of ['failed', 'uncertain']) {
      const change = `update mail_message set state = $1, address = 'a@example.com' where id = (select min(id) from mail_message)`;
      await database.query(change, [state]);
      expect(await count(`emails_${state}`)).toMatchObject({ count: 1 });
      expect(await count('emails_without_address')).toMatchObject({ count: 2 });
    }
  });

  test('is a version that waits for a review, and work that failed', async () => {
    const insert = (state: string, more: string) =>
      database.query(
        `insert into submission (provider_id, state, file_name, storage_key, size_bytes, sha256, manifest, received_at, finished_at, error)
         values (1, $1, 'a.zip', 'a', 1, sha256('a'), '{"publish": "review"}', ${more})`,
        [state],
      );
    await insert('ready', `'2031-05-03T12:30:00Z', now(), null`);
    await insert('failed', `now(), now(), '{"code": "file_empty", "message": "Empty."}'`);
    const items = (await desk()).filter(({ kind }) => !/month|invoice/.test(kind));
    expect(items).toMatchObject([
      { kind: 'reviews_waiting', count: 1, oldest: '2031-05-04' },
      { kind: 'work_failed', count: 1 },
    ]);
  });
});

describe('the search finds', () => {
  test.each([
    ['a customer by a part of the name, without macrons', 'pohut', ['customer: Pōhutukawa Ltd']],
    [
      'an operator, its invoice and its fee by the name',
      'TUI net',
      ['operator: Tūī Networks', 'invoice: Invoice 3', 'fee: Fee for north-towers.csv'],
    ],
    ['an invoice by its number', '#3', ['invoice: Invoice 3']],
    ['an invoice by its number as people write it', 'INV-0003', ['invoice: Invoice 3']],
    ['an invoice by its amount, with GST', '1,150.00', ['invoice: Invoice 3']],
    ['the same without cents', '$1150', ['invoice: Invoice 3']],
    ['a fee by its amount', '1000', ['fee: Fee for north-towers.csv']],
    [
      'a fee and the file by the name of the file',
      'north-',
      ['fee: Fee for north-towers.csv', 'file: north-towers.csv'],
    ],
    ['nothing by what is a wildcard elsewhere', '%', []],
    ['nothing by what there is not', "o'reilly", []],
  ])('%s', async (_, typed, expected) => {
    expect(await named(typed)).toEqual(expected);
  });

  test('a payment by its amount, its reference and its customer, with day and the bank’s words', async () => {
    await database.query(`
      with e as (
        insert into ledger_entry (customer_id, kind, month, description, quantity, unit_price_cents, amount_cents, cause, booked_by, settles)
        select id, 'payment', '2031-06-01', 'Payment', 1, -12345, -12345, 'payment:test', 'Ana', true from customer where name = 'Kea Homes'
        returning id)
      insert into payment (entry_id, on_day, method, particulars, code, reference) select id, '2031-06-19', 'bank_transfer', 'KEA', 'INV', 'R77-x' from e`);
    const payment = {
      kind: 'payment',
      title: 'Payment of Kea Homes',
      note: '2031-06-19 KEA INV R77-x',
      amount_cents: 12_345,
    };
    expect(await search('123.45')).toMatchObject([payment]);
    expect(await search('r77')).toMatchObject([payment]);
    expect(await search('kea homes')).toContainEqual(expect.objectContaining(payment));
  });

  test('at most ten of a kind, those first whose name begins so', async () => {
    for (let n = 0; n < 12; n++) await makeCustomer(database, `The Zebra ${n}`);
    await makeCustomer(database, 'Zebra First');
    const found = await named('zebra');
    expect(found).toHaveLength(10);
    expect(found[0]).toBe('customer: Zebra First');
  });

  test.each(['', '   ', 'x'.repeat(101), 'a\u0000b'])('nothing for what is no text of a line: %j', (typed) =>
    expectCode(staff.call(`/api/staff/search?q=${encodeURIComponent(typed)}`), 400, 'request_invalid'),
  );
});

test('lists are searched by name, number and amount; their totals and files are of what was found', async () => {
  const numbers = async (q: string) => {
    const { invoices, totals } = await staff.json<{
      invoices: { number: number }[];
      totals: { count: number };
    }>(`/api/staff/invoices?q=${encodeURIComponent(q)}`);
    expect(totals.count).toBe(invoices.length);
    return invoices.map(({ number }) => number);
  };
  expect(await numbers('tui')).toEqual([3]);
  expect(await numbers('INV 3')).toEqual([3]);
  expect(await numbers('1,150.00')).toEqual([3]);
  expect(await numbers('kea')).toEqual([2, 1]);
  expect(await numbers(' ')).toEqual([3, 2, 1]);
  const file = await (await staff.call('/api/staff/invoices?q=tui&format=csv')).text();
  expect(file.trim().split('\r\n')).toHaveLength(2);
  const fees = (q: string) => staff.json<{ fees: object[] }>(`/api/staff/processing-fees?q=${q}`);
  for (const q of ['north', 'TUI', '1000', '3']) expect((await fees(q)).fees, q).toHaveLength(1);
  expect((await fees('1001')).fees).toEqual([]);
  type Customers = { customers: { name: string }[] };
  const { customers } = await staff.json<Customers>('/api/staff/customers?q=pohutukawa');
  expect(customers.map(({ name }) => name)).toEqual(['Pōhutukawa Ltd']);
});
