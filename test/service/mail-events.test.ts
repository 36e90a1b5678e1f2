import { expect, test } from 'vitest';
import { commandActor, serviceActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { closeMonth } from '../../billing/close.ts';
import { readySubmission } from '../../coverage/datasets/load.ts';
import { failSubmission } from '../../coverage/submissions/submissions.ts';
import { addDays, startOfDay } from '../../platform/nz-time.ts';
import { queueMailDue } from '../../workers/mail.ts';
import { addQueries, makeCustomer, publishModelled } from '../setup/billing.ts';
import { clientWith } from '../setup/operator.ts';
import { submitFile, useApi, useDatabase } from '../setup/service.ts';

/* What customers and operators are told, when, and how it is turned off: docs/administrator/mail.md. */

let clock = startOfDay('2031-05-20');
const { place, database } = await useDatabase();
const api = await useApi(place, database, undefined, { now: () => clock });
const staff = clientWith(api.url, await createToken(database, { role: 'staff' }, 'Ana', commandActor));

type Told = { event: string; state: string; reason: string; subject: string; off_token: string; id: number };
const toldOf = async (column: 'customer_id' | 'provider_id', id: number) =>
  (await database.query<Told>(`select * from mail_message where ${column} = $1 order by id`, [id])).rows;

let customers = 0;
async function customer(plan?: string) {
  const name = `Customer ${++customers}`;
  const made = await makeCustomer(database, name, {}, clock);
  const email = `c${customers}@example.com`;
  await staff.post(`/api/staff/customers/${made.id}/mail`, { email });
  if (plan) await staff.post(`/api/staff/customers/${made.id}/plan`, { plan, begins: '2031-05-01' });
  const told = async (template: string) =>
    (await toldOf('customer_id', made.id)).filter(({ event }) => event.split(':')[0] === template);
  return { ...made, email, told };
}
const on = async (day: string) => {
  clock = startOfDay(day);
  await queueMailDue(database, clock);
};
/** As a payment does. */
const pay = async (invoice: number) => {
  const { rows } = await database.query<{ id: number; total_cents: number }>(
    `insert into ledger_entry (customer_id, kind, month, description, quantity, unit_price_cents, amount_cents, cause, source, booked_by, settles)
     select customer_id, 'payment', month, 'Payment', 1, -total_cents, -total_cents, 'payment:' || number, '{}', 'test', true from invoice where number = $1
     returning id, -amount_cents as total_cents`,
    [invoice],
  );
  const { id, total_cents: total } = rows[0] as { id: number; total_cents: number };
  const on = `(select issued_on from invoice where number = $2)`;
  await database.query(`insert into payment (entry_id, on_day, method) values ($1, ${on}, 'bank_transfer')`, [
    id,
    invoice,
  ]);
  await database.query(
    `insert into allocation (from_entry, to_invoice, amount_cents, on_day, by_name) values ($1, $2, $3, ${on}, 'test')`,
    [id, invoice, total],
  );
};
const invoiceOf = async (id: number) =>
  (
    await database.query<{ number: number }>(
      'select max(number) as number from invoice where customer_id = $1',
      [id],
    )
  ).rows[0]?.number as number;

test('an open invoice is reminded of three days before it is due, and three, fourteen and thirty after, once each', async () => {
  clock = startOfDay('2031-05-20');
  const { told } = await customer('low');
  for (let day = '2031-06-01'; day < '2031-08-10'; day = addDays(day, 1)) await on(day);
  await on('2031-08-09');
  const events = (await told('reminder')).map(({ event }) => event.split(':')[2]);
  expect(events).toEqual(['-3', '3', '14', '30']);
  // And a statement on the first days of each month.
  expect((await told('statement')).map(({ event }) => event)).toEqual([
    ...['statement:2031-06', 'statement:2031-07', 'statement:2031-08'],
  ]);
});

test('the days of reminders are a setting; with none, nobody is reminded', async () => {
  const remindOn = (days: string) =>
    database.query(
      `insert into billing_setting (name, value, changed_by) values ('reminder_days', $1::jsonb, 'test')
       on conflict (name) do update set value = excluded.value`,
      [days],
    );
  clock = startOfDay('2031-05-20');
  const { told } = await customer('low');
  await remindOn('[10, -1]');
  for (let day = '2031-06-01'; day < '2031-07-10'; day = addDays(day, 1)) await on(day);
  expect((await told('reminder')).map(({ event }) => event.split(':')[2])).toEqual(['-1', '10']);
  await remindOn('[]');
  clock = startOfDay('2031-07-20');
  const none = await customer('low');
  await on('2031-08-18');
  expect(await none.told('reminder')).toEqual([]);
  await database.query(`delete from billing_setting`);
});

test('after workers were down for weeks, only the last reminder is sent, and none that is more than a week late', async () => {
  clock = startOfDay('2031-05-20');
  const [late, old] = [await customer('low'), await customer('low')];
  await on('2031-07-06');
  expect((await late.told('reminder')).map(({ event }) => event.split(':')[2])).toEqual(['14']);
  await database.query(`delete from mail_message where customer_id = $1`, [old.id]);
  await on('2031-09-30');
  expect(await old.told('reminder')).toEqual([]);
});

test('payment stops reminders, those that are queued too; staff stop those of an invoice', async () => {
  clock = startOfDay('2031-05-20');
  const [paid, stopped] = [await customer('low'), await customer('low')];
  await on('2031-06-17');
  await pay(await invoiceOf(paid.id));
  const path = `/api/staff/invoices/${await invoiceOf(stopped.id)}/reminders`;
  await staff.post(path, { stopped: true });
  await on('2031-06-23');
  const reasons = async (one: typeof paid) =>
    (await one.told('reminder')).map(({ state, reason }) => [state, reason]);
  expect(await reasons(paid)).toEqual([['cancelled', 'The invoice is settled.']]);
  expect(await reasons(stopped)).toEqual([['cancelled', 'Its reminders were stopped.']]);
  await staff.post(path, { stopped: false });
  await on('2031-06-24');
  expect((await reasons(stopped)).map(([state]) => state)).toEqual(['cancelled', 'queued']);
});

test('an invoice whose reminder fails holds up no other e-mail', async () => {
  clock = startOfDay('2031-05-20');
  const [failing, other] = [await customer('low'), await customer('low')];
  const invoice = await invoiceOf(failing.id);
  await database.query(`
    create function fail_reminder() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger fail_reminder before insert on mail_message for each row
      when (new.template = 'reminder' and new.invoice_number = ${invoice}) execute function fail_reminder()`);
  clock = startOfDay('2031-07-04');
  const failed: object[] = [];
  await queueMailDue(database, clock, async (name, work, what = {}) => {
    await work().catch(() => failed.push({ name, ...what }));
  });
  await database.query('drop function fail_reminder cascade');
  expect(failed).toEqual([{ name: 'e-mails: reminders', invoice }]);
  expect(await failing.told('reminder')).toEqual([]);
  expect(await other.told('reminder')).toHaveLength(1);
});

test('reminders that are stopped while they are queued are not', async () => {
  clock = startOfDay('2031-05-20');
  const { id, told } = await customer('low');
  const invoice = await invoiceOf(id);
  clock = startOfDay('2031-06-17');
  let queueing: Promise<void> | undefined;
  await database.transaction(async (connection) => {
    await connection.query('select from open_invoice where number = $1 for no key update', [invoice]);
    queueing = queueMailDue(database, clock);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await connection.query(`insert into reminder_stop (invoice_number, by_name) values ($1, 'Ana')`, [
      invoice,
    ]);
  });
  await queueing;
  expect(await told('reminder')).toEqual([]);
});

test('usage is told at 50, 80 and 100 % of the bundle, each once a month, and the day on which it will be used up', async () => {
  clock = startOfDay('2031-05-20');
  const { told, keyId } = await customer('low');
  const ask = (day: string, queries: number) => addQueries(database, keyId, startOfDay(day), queries);
  const events = async () => (await told('usage')).map(({ event }) => event);
  // The free queries come before the bundle of 75,000.
  await ask('2031-06-02', 38_499);
  await on('2031-06-03');
  expect(await events()).toEqual([]);
  await ask('2031-06-03', 1);
  await on('2031-06-03');
  await on('2031-06-04');
  expect(await events()).toEqual(['usage:2031-06:50']);
  // From below 80 % to above 100 %, only the last is told.
  await ask('2031-06-04', 40_000);
  await on('2031-06-05');
  expect(await events()).toEqual(['usage:2031-06:50', 'usage:2031-06:100']);
  // In July some 3,900 a day.
  for (let day = '2031-07-01'; day < '2031-07-11'; day = addDays(day, 1)) await ask(day, 3_900);
  await on('2031-07-09');
  expect(await told('forecast')).toEqual([]);
  await on('2031-07-11');
  const [{ subject }] = (await told('forecast')) as [Told];
  expect(subject).toMatch(/^At this rate your bundle is used up on \d+ July 2031$/);
  expect(await events()).toEqual(['usage:2031-06:50', 'usage:2031-06:100', 'usage:2031-07:50']);
});

test('without a plan, the free queries are told of', async () => {
  clock = startOfDay('2031-08-20');
  const { told, keyId } = await customer();
  await addQueries(database, keyId, startOfDay('2031-08-20'), 810);
  await on('2031-08-21');
  expect((await told('free')).map(({ subject }) => subject)).toEqual(['80 % of your free queries is used']);
});

test('operators are told that coverage needs a look, is published with its fee, or failed', async () => {
  const file = { name: 'a.geojson', bytes: new Uint8Array([123, 125]) };
  const review = await submitFile(place, database, 'Kauri', file, { publish: 'review' });
  const { rows } = await database.query<{ id: number }>(`select id from provider where name = 'Kauri'`);
  const { id } = rows[0] as { id: number };
  await staff.post(`/api/operator/providers/${id}/mail`, { email: 'noc@kauri.example' });
  await readySubmission(database, review, new Map(), {});
  const failed = await submitFile(place, database, 'Kauri', file);
  await failSubmission(database, failed, { code: 'x', message: 'It has no <b>areas</b>.' });
  await publishModelled(database, 'Kauri', clock);
  const told = (await toldOf('provider_id', id)).map(({ event, subject }) => [event.split(':')[0], subject]);
  expect(told).toEqual([
    ['submission_review', 'a.geojson needs a look before it is published'],
    ['submission_failed', 'a.geojson could not be loaded'],
    ['fee', 'A processing fee of $1,000.00 for towers.csv'],
  ]);
  // The operator turns fees off by the link of one, and is told the rest.
  const fee = (await toldOf('provider_id', id)).find(({ event }) => event.startsWith('fee:')) as Told;
  expect((await fetch(`${api.url}/mail/off/${fee.off_token}`, { method: 'POST' })).status).toBe(200);
  await publishModelled(database, 'Kauri', clock);
  await failSubmission(database, await submitFile(place, database, 'Kauri', file), {
    code: 'x',
    message: 'x',
  });
  const later = (await toldOf('provider_id', id)).slice(told.length);
  expect(later.map(({ event }) => event.split(':')[0])).toEqual(['submission_failed']);
});

test.each(['7d1f7c1e-4f4a-4f0e-9d6b-2f6f3f1c0a11', 'x', '%00'])(
  'a link that nobody was sent: %s',
  async (token) => {
    for (const method of ['GET', 'POST'])
      expect((await fetch(`${api.url}/mail/off/${token}`, { method })).status).toBe(404);
  },
);

test('the link of an invoice turns nothing off', async () => {
  const { told } = await customer('low');
  const [invoice] = (await told('invoice')) as [Told];
  expect((await fetch(`${api.url}/mail/off/${invoice.off_token}`)).status).toBe(404);
});

test('staff e-mail a statement once a day to an account that owes something', async () => {
  clock = startOfDay('2031-05-20');
  const [owes, none] = [await customer('low'), await customer()];
  const send = (id: number) => staff.json<{ queued: boolean }>('/api/staff/statement/mail', { customer: id });
  for (let time = 0; time < 2; time++) expect(await send(owes.id)).toEqual({ queued: true });
  expect(await owes.told('statement')).toHaveLength(1);
  expect(await send(none.id)).toEqual({ queued: false });
  // Credit is taken from what is to pay, as on the paper that goes with it.
  const [part, all] = [await customer('low'), await customer('low')];
  const { rows } = await database.query<{ cents: number }>(
    'select total_cents as cents from invoice where customer_id = $1',
    [part.id],
  );
  const total = rows[0]?.cents as number;
  const paid = { day: '2031-05-20', confirm: true };
  await staff.post('/api/staff/payments', { ...paid, customer: part.id, amount_cents: total - 1000 });
  await staff.post('/api/staff/payments', { ...paid, customer: all.id, amount_cents: total });
  expect(await send(part.id)).toEqual({ queued: true });
  expect((await part.told('statement'))[0]?.subject).toContain('$10.00 to pay');
  expect(await send(all.id)).toEqual({ queued: false });
});

test('of two accounts with one address, each turns off its own e-mails only', async () => {
  clock = startOfDay('2031-05-20');
  const [one, other] = [await customer('low'), await customer('low')];
  const settingsOf = ({ id }: typeof one) => `/api/staff/customers/${id}/mail`;
  const states = async ({ told }: typeof one) => (await told('reminder')).map(({ state }) => state);
  // Who enters the address of another turns off nothing of theirs.
  await staff.post(settingsOf(one), { email: other.email.toUpperCase(), topics: { reminders: false } });
  await on('2031-06-17');
  expect([await states(one), await states(other)]).toEqual([[], ['queued']]);
  const { topics } = await staff.json<{ topics: { topic: string; on: boolean }[] }>(settingsOf(other));
  expect(topics.every((topic) => topic.on)).toBe(true);
  await staff.post(settingsOf(one), { topics: { reminders: true } });
  await on('2031-06-18');
  // Nor does the link of one, or turning one off, cancel what is queued for the other.
  const [reminder] = (await one.told('reminder')) as [Told];
  expect((await fetch(`${api.url}/mail/off/${reminder.off_token}`, { method: 'POST' })).status).toBe(200);
  expect([await states(one), await states(other)]).toEqual([['cancelled'], ['queued']]);
  await on('2031-06-23');
  expect([await states(one), await states(other)]).toEqual([['cancelled'], ['queued', 'queued']]);
});

test('the link of an e-mail turns its kind off for its address: by a button, or by the mail program', async () => {
  clock = startOfDay('2031-05-20');
  const { id, told, email } = await customer('low');
  await on('2031-06-17');
  const [reminder] = (await told('reminder')) as [Told];
  const address = `${api.url}/mail/off/${reminder.off_token}`;
  const page = await fetch(address);
  expect(await page.text()).toContain(`<form method="post">`);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect((await told('reminder'))[0]).toMatchObject({ state: 'queued' });
  const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };
  for (const given of [oneClick, oneClick]) expect((await fetch(address, given)).status).toBe(200);
  expect((await told('reminder'))[0]).toMatchObject({ state: 'cancelled' });
  await on('2031-06-23');
  expect(await told('reminder')).toHaveLength(1);
  // Invoices go on, and the account turns the rest on again.
  await closeMonth(database, '2031-05', serviceActor, startOfDay('2031-07-01'));
  expect((await told('invoice')).length).toBeGreaterThan(1);
  const settings = `/api/staff/customers/${id}/mail`;
  const { topics } = await staff.json<{ topics: { topic: string; on: boolean }[] }>(settings);
  expect(topics.find(({ topic }) => topic === 'reminders')?.on).toBe(false);
  await staff.post(settings, { topics: { reminders: true } });
  await on('2031-06-24');
  expect((await told('reminder')).map(({ state }) => state)).toEqual(['cancelled', 'queued']);
  expect(email).toContain('@');
});
