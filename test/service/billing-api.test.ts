import { beforeAll, describe, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import type { Customer, CustomerUsage, InvoiceDetail, Key } from '../../client/schema.ts';
import { administer } from '../../commands/admin/commands.ts';
import type { Application } from '../../commands/application.ts';
import { startOfMonth } from '../../platform/nz-time.ts';
import { addQueries, makeCustomer } from '../setup/billing.ts';
import { type Client, clientWith, expectCode } from '../setup/operator.ts';
import { useApi, useDatabase } from '../setup/service.ts';

/* The operations of billing for staff and customers: docs/administrator/billing-api.md. */

/** The clock of billing; keys and sessions go by that of the database. */
let clock = new Date('2031-05-20T00:00:00Z');

const { place, database } = await useDatabase({
  rateLimit: { perSecond: 1000, burst: 1000 },
  invoiceIssuer: { name: 'Maps & Co', address: '1 Queen Street', gstNumber: '123', payment: 'To 01-23' },
});
const api = await useApi(place, database, undefined, { now: () => clock });
const staff = clientWith(api.url, await createToken(database, { role: 'staff' }, 'Ana', commandActor));

const patience = { timeout: 60_000, interval: 50 };
const statusWith = async (key: string) =>
  (await fetch(`${api.url}/api/2.0/providers`, { headers: { 'x-api-key': key } })).status;

type Audit = { events: { action: string; actor: { name: string } }[] };

async function customerWithToken(name: string): Promise<{ id: number; client: Client }> {
  const { id } = await staff.json<Customer>('/api/staff/customers', { name, plan: 'low' });
  const tokens = `/api/staff/customers/${id}/tokens`;
  const { secret } = await staff.json<{ secret: string }>(tokens, { name: 'Ana' });
  return { id, client: clientWith(api.url, secret) };
}

describe('customers', () => {
  test('are created, start and change plans, cancel and withdraw the cancellation: all is in the audit', async () => {
    const kea = { name: 'Kea Homes', plan: 'low', begins: '2031-05-16' };
    const made = await staff.post('/api/staff/customers', kea);
    const { id } = (await made.json()) as Customer;
    expect(made.headers.get('location')).toBe(`/api/staff/customers/${id}`);
    await expectCode(staff.post('/api/staff/customers', { name: 'KEA homes' }), 409, 'customer_exists');
    const change = async (path: string, body: object = {}, method = 'POST') =>
      (await (await staff.post(`/api/staff/customers/${id}${path}`, body, method)).json()) as Customer;
    const medium = { name: 'medium', begins: '2031-06-01' };
    expect((await change('/plan', { plan: 'medium' })).next_plan).toMatchObject(medium);
    expect((await change('/plan', { plan: 'low' })).next_plan).toBeNull();
    // A blank date is none: today's.
    const cancelled = { cancelled_on: '2031-05-20', ends_on: '2031-07-01' };
    expect(await change('/cancel', { notice_on: '' })).toMatchObject(cancelled);
    expect(await change('/cancel', {}, 'DELETE')).toMatchObject({ cancelled_on: null, ends_on: null });
    const { events } = await staff.json<Audit>(`/api/staff/audit?customer=${id}`);
    expect(events.map(({ action }) => action)).toEqual([
      ...['cancellation_withdrawn', 'customer_cancelled', 'plan_changed', 'plan_changed'],
      ...['plan_invoiced', 'plan_changed', 'customer_created'],
    ]);
    expect(new Set(events.map(({ actor }) => actor.name))).toEqual(new Set(['Ana']));
  });
  test.each<[string, object]>([
    ['a name of spaces', { name: ' ' }],
    ['a name that is no text', { name: 7 }],
    ['a name with a line break', { name: 'a\nb' }],
    ['a day without a plan', { name: 'Nobody', begins: '2031-05-01' }],
  ])('with %s are not made', async (_, body) => {
    expect((await staff.post('/api/staff/customers', body)).status).toBe(400);
  });
  test.each(['0', 'x', '1e3'])('are not found by what is no number: %s', (id) =>
    expectCode(staff.call(`/api/staff/customers/${id}`), 404, 'customer_unknown'),
  );
});

test('a customer’s keys are shown once, rotated with both active for a while, and revoked', async () => {
  const { id, client } = await customerWithToken('Keys');
  const keys = '/api/account/keys';
  const made = await client.json<{ key: Key; secret: string }>(keys, { label: 'Website' });
  expect(made.secret).toMatch(/^cvm[0-9A-Za-z]{40}$/);
  expect(made.key).toMatchObject({ label: 'Website', state: 'active' });
  expect(await statusWith(made.secret)).toBe(200);
  const rotate = `${keys}/${made.key.id}/rotate`;
  expect((await client.post(rotate, { overlap_hours: 721 })).status).toBe(400);
  type Rotated = { key: Key; secret: string; replaced: Key };
  const rotated = await client.json<Rotated>(rotate, { overlap_hours: 1 });
  expect(rotated.replaced).toMatchObject({ state: 'expiring', replaced_by: rotated.key.id });
  expect(rotated.key).toMatchObject({ label: 'Website', state: 'active' });
  expect([await statusWith(made.secret), await statusWith(rotated.secret)]).toEqual([200, 200]);
  await expectCode(client.post(rotate), 409, 'key_not_active');
  // The overlap ends, by the database's clock.
  const past = `update api_key set expires_at = now() - interval '1 second' where id = $1`;
  await database.query(past, [made.key.id]);
  await expect.poll(() => statusWith(made.secret), patience).toBe(403);
  expect(await statusWith(rotated.secret)).toBe(200);
  await Promise.all([1, 2, 3, 4].map(() => client.json(`${keys}/${rotated.key.id}/revoke`, {})));
  const { rows } = await database.query(
    `select action, details from audit_event where customer_id = $1 and action like 'key_%' order by id`,
    [id],
  );
  expect(rows).toMatchObject([
    { action: 'key_created', details: { key_id: made.key.id } },
    { action: 'key_rotated', details: { key_id: rotated.key.id, replaces: made.key.id } },
    { action: 'key_revoked', details: { key_id: rotated.key.id, hint: expect.any(String) } },
  ]);
  await expect.poll(() => statusWith(rotated.secret), patience).toBe(403);
  const text = await (await client.call(keys)).text();
  expect(text).not.toContain(made.secret.slice(8));
  const states = (JSON.parse(text) as { keys: Key[] }).keys.map(({ state }) => state);
  expect(states).toEqual(['revoked', 'expired']);
  expect(await client.json(`${keys}/${made.key.id}/revoke`, {})).toMatchObject({ state: 'revoked' });
});

test('the keys of a customer who has left are refused', async () => {
  const { id } = await customerWithToken('Left');
  const { secret } = await staff.json<{ secret: string }>(`/api/staff/customers/${id}/keys`, {});
  expect(await statusWith(secret)).toBe(200);
  const leave = `update customer set cancelled_on = '2020-01-01', closes_at = now() where id = $1`;
  await database.query(leave, [id]);
  expect(await staff.json(`/api/staff/customers/${id}`)).toMatchObject({ keys: [{ state: 'expired' }] });
  await expect.poll(() => statusWith(secret), patience).toBe(403);
});

test('staff handle keys and tokens at the terminal, too', async () => {
  const admin = (...words: string[]) => administer({ config: place.config, database } as Application, words);
  await staff.json('/api/staff/customers', { name: 'Terminal', plan: 'low' });
  const secret = (await admin('key', 'create', 'Terminal', 'Site')).split('\n')[0] as string;
  expect(await statusWith(secret)).toBe(200);
  const number = /^(\d+) +Terminal +Site/m.exec(await admin('key', 'list'))?.[1] as string;
  const rotated = (await admin('key', 'rotate', number, '1')).split('\n')[0] as string;
  expect([await statusWith(secret), await statusWith(rotated)]).toEqual([200, 200]);
  expect(await admin('token', 'create', 'customer', 'Terminal', 'Ana')).toMatch(/^cvt/);
  for (const words of [['key'], ['key', 'rotate', 'x'], ['key', 'revoke', '1', '2']])
    await expect(admin(...words), words.join(' ')).rejects.toMatchObject({ code: 'usage' });
  for (const change of ['rotate', 'revoke'])
    await expect(admin('key', change, '999999')).rejects.toMatchObject({ code: 'key_unknown' });
});

describe('usage, and the month that is closed', () => {
  let id: number;
  let client: Client;
  let keyId: number;
  let number: number;
  type Entry = { cause: string; invoice: number; month: string };
  const ledger = async (filter = '') =>
    (await staff.json<{ entries: Entry[] }>(`/api/staff/ledger?customer=${id}${filter}`)).entries;
  beforeAll(async () => {
    ({ id, client } = await customerWithToken('<b>Weka & Co</b>'));
    await staff.json(`/api/staff/customers/${id}/overage`, { allowed: true });
    keyId = (await staff.json<{ key: Key }>(`/api/staff/customers/${id}/keys`, { label: 'Site' })).key.id;
    // Two days of half a month each have a day's worth.
    await addQueries(database, keyId, new Date(startOfMonth('2031-05').getTime() + 3_600_000), 31_000);
    await addQueries(database, keyId, new Date(clock.getTime() - 3_600_000), 45_000);
    // The first hour of the next month.
    await addQueries(database, keyId, startOfMonth('2031-06'), 7);
    // Another customer's are nobody else's.
    const { keyId: anothers } = await makeCustomer(database, 'Another');
    await addQueries(database, anothers, startOfMonth('2031-05'), 11);
  });

  test('customers see the figures that staff see', async () => {
    const own = await client.json<CustomerUsage>('/api/account/usage?month=2031-05');
    const shown = await staff.json<object>(`/api/staff/customers/${id}/usage?month=2031-05`);
    expect(own).toEqual({ ...shown, as_of: own.as_of });
    expect(own).toMatchObject({
      ...{ month: '2031-05', closed: false, invoice: null, queries: 76_000, free: 1000, free_left: 0 },
      // From the 20th on: 12 of 31 days.
      plan: { name: 'low', days: 12, days_in_month: 31 },
      ...{ plan_fee_cents: 19_355, bundle: 29_032, bundled: 29_032, overage: 45_968, overage_cents: 45_968 },
      keys: [{ id: keyId, label: 'Site', queries: 76_000 }],
      limit: { per_second: 1000, burst: 1000 },
      // The forecast extrapolates the plan's first day, the 20th, over its 12 days.
      projection: { queries: 31_000 + 45_000 * 12, total_cents: 19_355 + 45_968 + 45_000 * 11 },
    });
    expect(own.days).toHaveLength(20);
    expect(own.days.filter(({ queries }) => queries > 0)).toEqual([
      { date: '2031-05-01', queries: 31_000 },
      { date: '2031-05-20', queries: 45_000 },
    ]);
    type All = { customers: { customer: { id: number }; queries: number }[] };
    const { customers } = await staff.json<All>('/api/staff/usage?month=2031-05');
    expect(customers.find(({ customer }) => customer.id === id)).toMatchObject({ queries: 76_000 });
    const csv = await client.call('/api/account/usage?month=2031-05&format=csv');
    expect(await csv.text()).toContain(`2031-05-01,${keyId},`);
    expect((await client.call('/api/account/usage?month=2031-06')).status).toBe(400);
  });
  test('a close issues what its preview showed', async () => {
    interface Invoices {
      invoices: (InvoiceDetail & { recipient: { id: number } })[];
      totals: { count: number; total_cents: number };
      held_back?: (InvoiceDetail & { recipient: { id: number } })[];
    }
    const ownOf = ({ invoices }: Invoices) => invoices.find(({ recipient }) => recipient.id === id);
    const preview = (month = '2031-05') =>
      staff.json<Invoices & { state: string }>(`/api/staff/invoices/preview?month=${month}`);
    const close = (body: object = {}) => staff.post('/api/staff/invoices/close?month=2031-05', body);
    const june = startOfMonth('2031-06').getTime();
    clock = new Date(june - 1);
    expect((await preview()).state).toBe('open');
    await expectCode(close(), 409, 'month_not_over');
    // With a mistyped year, ten years of months would have to be closed after it.
    await expectCode(staff.post('/api/staff/invoices/close?month=2021-05', {}), 409, 'month_not_next');
    expect((await preview('2021-05')).state).toBe('closed');
    clock = new Date(june);
    const lines = [{ amount_cents: 45_968 }, { amount_cents: 50_000 }];
    const { held_back: held = [], ...without } = await preview();
    expect([ownOf(without), ownOf({ ...without, invoices: held })]).toMatchObject([
      undefined,
      { lacks: ['contact'], lines },
    ]);
    await staff.json(`/api/staff/customers/${id}/contact`, { address: '1 Queen Street', contact: '' });
    const seen = await preview();
    expect(seen).toMatchObject({ state: 'closable', held_back: [] });
    expect(ownOf(seen)).toMatchObject({ lacks: [], lines });
    const { total_cents } = seen.totals;
    await expectCode(close({ total_cents: total_cents + 1 }), 409, 'preview_outdated');
    const closed = (await (await close({ total_cents })).json()) as Invoices & { closed: boolean };
    const ofMonth = seen.invoices.filter(({ occasion }) => occasion === 'month');
    const sum = ofMonth.reduce((sum, { total_cents }) => sum + total_cents, 0);
    expect(closed).toMatchObject({ closed: true, totals: { count: ofMonth.length, total_cents: sum } });
    expect(await (await close()).json()).toEqual({ ...closed, closed: false });
    expect(await preview()).toMatchObject({ state: 'closed', invoices: [] });
    number = ownOf(closed)?.number as number;
    const entries = await ledger();
    const ofMay = entries.filter(({ month }) => month === '2031-05');
    expect(ofMay.length).toBeLessThan(entries.length);
    expect(await ledger('&month=2031-05')).toEqual(ofMay);
    const whole = await staff.json<InvoiceDetail>(`/api/staff/invoices/${number}`);
    const causes = entries.filter(({ invoice }) => invoice === number).map(({ cause }) => cause);
    expect(causes).toEqual(whole.lines.map(({ entry }) => entry.cause).reverse());
  });
  test('the customer has the invoice in every format, without what is for staff alone', async () => {
    const { invoices } = await client.json<{ invoices: object[] }>('/api/account/invoices');
    expect(invoices).toMatchObject([{ number, occasion: 'month' }, { occasion: 'plan_start' }]);
    const path = `/api/account/invoices/${number}`;
    const json = await client.json<object>(path);
    expect(json).toMatchObject({
      issuer: { name: 'Maps & Co', gst_number: '123' },
      ...{ subtotal_cents: 95_968, gst_cents: 14_395, total_cents: 110_363, due_cents: 110_363 },
    });
    const csv = await (await client.call(`${path}?format=csv`)).text();
    expect(csv.split('\r\n')[1]).toContain('overage,2031-05,"Overage queries, May 2031",45968,0.01,459.68');
    const page = await client.call(path, { headers: { accept: 'text/html' } });
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    for (const text of [
      ...['<h1>Tax invoice ', '&lt;b&gt;Weka &amp; Co&lt;/b&gt;', 'Maps &amp; Co', 'GST number 123'],
      ...['$1,103.63', '$143.95', 'GST (15%)', '20 July 2031'],
    ])
      expect(html, text).toContain(text);
    expect(html).not.toContain('<b>Weka');
    // Only staff see who posted an entry, and its cause.
    for (const copy of [html, csv, JSON.stringify(json)])
      expect(copy).not.toMatch(/overage:\d+:2031-05|booked_by|"cause"|,cause/);
  });
  test('a credit is of one account, and above zero in whole cents', async () => {
    const credit = { customer: id, amount_cents: 500, reason: 'Outage', reference: 'ticket-1' };
    const booked = { amount_cents: -500, invoice: null, booked_by: 'Ana' };
    expect(await staff.json<object>('/api/staff/credits', credit)).toMatchObject(booked);
    for (const wrong of [{ provider: 1 }, { amount_cents: -1 }, { amount_cents: 0.5 }])
      expect((await staff.post('/api/staff/credits', { ...credit, ...wrong })).status).toBe(400);
  });
  test('a large amount is confirmed, and an entry posted by mistake is reversed', async () => {
    const reason = { reason: 'A digit too many' };
    const credit = (confirmed?: number) => {
      const amounts = { amount_cents: 100_000_000, confirm_amount_cents: confirmed };
      return staff.post('/api/staff/credits', { customer: id, ...reason, ...amounts });
    };
    for (const confirmed of [undefined, 10_000_000])
      await expectCode(credit(confirmed), 409, 'amount_unconfirmed');
    const { id: entry } = (await (await credit(100_000_000)).json()) as { id: number };
    const reversal = `/api/staff/ledger/${entry}/reversal`;
    await expectCode(staff.post(reversal, reason), 409, 'amount_unconfirmed');
    const reversed = await staff.json<object>(reversal, { ...reason, confirm_amount_cents: 100_000_000 });
    expect(reversed).toMatchObject({ amount_cents: 100_000_000, corrects: entry, state: 'settled' });
    const charge = { customer: id, amount_cents: 2_500, reason: 'Support on a Sunday' };
    await staff.json('/api/staff/charges', charge);
    const { events } = await staff.json<Audit>(`/api/staff/audit?customer=${id}&limit=3`);
    expect(events.map(({ action }) => action)).toEqual(['charge_booked', 'entry_reversed', 'credit_booked']);
    const statement = await client.json<object>('/api/account/statement');
    expect(statement).toMatchObject({
      credit_cents: 0,
      unbilled: { entries: [{ amount_cents: -500 }, { amount_cents: 2_500 }], subtotal_cents: 2_000 },
      lines: [{ kind: 'invoice' }, { kind: 'invoice' }],
    });
    expect(JSON.stringify(statement)).not.toMatch(/cause|booked_by/);
    const unbilled = { entries: [{ booked_by: 'Ana' }, {}] };
    expect(await staff.json<object>(`/api/staff/statement?customer=${id}`)).toMatchObject({ unbilled });
  });
  test('the ledger comes in pages, and as CSV whole, however long it is', async () => {
    const { id: busy } = await staff.json<Customer>('/api/staff/customers', { name: 'Many entries' });
    await database.query(
      `insert into ledger_entry (customer_id, kind, month, description, quantity, unit_price_cents, amount_cents, cause, source,
         booked_by)
       select $1::integer, 'charge', '2031-06-01', 'Entry ' || n, 1, 1, 1, 'charge:customer:' || $1::integer || ':' || n, '{}', 'Ana'
       from generate_series(1, 2500) as n order by n`,
      [busy],
    );
    const path = `/api/staff/ledger?customer=${busy}`;
    const page = (query: string) =>
      staff.json<{ entries: { id: number }[]; next: string }>(`${path}&limit=2${query}`);
    const first = await page('');
    const second = await page(`&before=${first.next}`);
    const ids = async (query: string) => {
      const rows = (await (await staff.call(`${path}&format=csv${query}`)).text()).split('\r\n');
      expect([rows[0]?.slice(0, 13), rows.pop()]).toEqual(['id,booked_at,', '']);
      return rows.slice(1).map((row) => Number(row.split(',')[0]));
    };
    const all = await ids('');
    expect([all.length, new Set(all).size]).toEqual([2500, 2500]);
    expect(all.slice(0, 4)).toEqual([...first.entries, ...second.entries].map((entry) => entry.id));
    expect(await ids('&limit=1002')).toEqual(all.slice(0, 1002));
    expect((await staff.call(`${path}&limit=501`)).status).toBe(400);
  });
  test('the pages know where to begin', async () => {
    expect(await staff.json<object>('/api/staff/billing')).toMatchObject({
      ...{ month: '2031-06', since: '2031-05', closed_through: '2031-05', confirm_from_cents: 100_000 },
      next_close: { month: '2031-06', over: false, scheduled_for: null },
      terms: { overage_cents: 1, gst_percent: 15, free_queries: 1000, first_processing_cents: 100_000 },
    });
    const session = await client.json<object>('/api/session', { token: client.token });
    const customer = { name: '<b>Weka & Co</b>' };
    expect(session).toMatchObject({ role: 'customer', provider: null, customer });
    expect(await client.json<object>('/api/account')).toMatchObject({
      customer: { id, keys: [{ id: keyId }] },
      since: '2031-05',
      plans: [{ name: 'low' }, { name: 'medium' }, { name: 'high' }],
    });
  });
});
