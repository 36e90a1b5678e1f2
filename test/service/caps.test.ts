import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { capsInUse, refusedAtCap } from '../../billing/cap-use.ts';
import { type Cap, type CapTerms, setCap } from '../../billing/caps.ts';
import { allowOverage } from '../../billing/customers.ts';
import { setPlan } from '../../billing/plans.ts';
import { customerUsage } from '../../billing/usage.ts';
import { addMonths, type Day, monthOf, startOfMonth } from '../../platform/nz-time.ts';
import { bulkLookup } from '../../workers/bulk-lookup.ts';
import { addQueries, makeCustomer, untilQueries } from '../setup/billing.ts';
import { useApi, useDatabase, useParts } from '../setup/service.ts';

/* A customer that has reached its cap is refused until the month ends: docs/user/billing.md. Two API processes. */

/** Within the current month, so that what workers answer is of it, too. */
let at = new Date();
let names = 0;
let customer: Awaited<ReturnType<typeof makeCustomer>>;

const { place, database } = await useDatabase({ rateLimit: { perSecond: 10_000, burst: 10_000 } });
const now = () => at;
const apis = [
  await useApi(place, database, undefined, { now }),
  await useApi(place, database, undefined, { now }),
];
const staff = await createToken(database, { role: 'staff' }, 'Sam', commandActor);

beforeEach(async () => {
  at = new Date();
  customer = await makeCustomer(database, `Capped ${++names}`);
  await database.query('update customer set free_queries = 0 where id = $1', [customer.id]);
  await allowOverage(database, customer.id, true, commandActor);
});

const cap = (by: Cap['set_by'], terms: Partial<CapTerms> | undefined) =>
  setCap(
    database,
    customer.id,
    by,
    terms && { queries: null, budget_cents: null, only_warns: false, ...terms },
    commandActor,
  );
const ask = async (path: string, api = 0, options: RequestInit = {}) => {
  const headers = { 'x-api-key': customer.secret, ...options.headers };
  const response = await fetch(`${apis[api]?.url}${path}`, { ...options, headers });
  return { status: response.status, text: await response.text(), retry: response.headers.get('retry-after') };
};
const lookUp = (api = 0) => ask('/api/2.0/availability/-36.9/174.8', api);
const until = (status: number, api = 0) => expect.poll(async () => (await lookUp(api)).status).toBe(status);
const list = (count: number, path = 'bulk', api = 0) =>
  ask(`/api/2.0/availability/${path}`, api, {
    method: 'POST',
    body: `lat,lng\n${'-36.9,174.8\n'.repeat(count)}`,
    headers: { 'content-type': 'text/csv' },
  });
const usage = () => customerUsage(database, customer.id, monthOf(at), at);
/** How many lookups are answered until both processes refuse. */
async function answeredToTheEnd(): Promise<number> {
  let answered = 0;
  for (let refused = 0; refused < 3; ) {
    const all = await Promise.all(Array.from({ length: 16 }, (_, call) => lookUp(call % 2)));
    const good = all.filter(({ status }) => status === 200).length;
    expect(all.every(({ status }) => status === 200 || status === 429)).toBe(true);
    answered += good;
    refused = good > 0 ? 0 : refused + 1;
    // What a process holds in vain, the other has a second later.
    if (good === 0) await sleep(800);
  }
  return answered;
}

test('where queries cannot be held, nothing is answered: 503 with Retry-After', async () => {
  await cap('customer', { queries: 60 });
  await until(200);
  await database.query('alter table query_hold rename to query_hold_away');
  try {
    // What is held already is answered yet.
    await until(503);
    const error = 'How many queries this account has left is not known for the moment. Try again.';
    const refused = { status: 503, text: JSON.stringify({ code: 503, error }), retry: '1' };
    expect(await lookUp()).toEqual(refused);
    expect(await list(3)).toEqual(refused);
    const first = `/api/1.0/availability/yx/-36.9/174.8?api_key=${customer.secret}`;
    expect(await ask(first)).toEqual(refused);
  } finally {
    await database.query('alter table query_hold_away rename to query_hold');
  }
  await until(200);
});

test('a cap is answered to the last query, and then keys get 429 until the month ends, in each version’s shape', async () => {
  await cap('customer', { queries: 60 });
  expect(await answeredToTheEnd()).toBe(60);
  const second = await lookUp();
  const first = await ask(`/api/1.0/availability/yx/-36.9/174.8?api_key=${customer.secret}`);
  const sentence = expect.stringMatching(
    /^This account has reached its cap of .* from 1 .* raised on the account page\.$/,
  );
  expect([second.status, JSON.parse(second.text)]).toEqual([429, { message: sentence }]);
  expect([first.status, JSON.parse(first.text)]).toEqual([429, { code: 429, error: sentence }]);
  const ends = startOfMonth(addMonths(monthOf(at), 1)).getTime();
  expect(Math.abs(Number(second.retry) - (ends - at.getTime()) / 1000)).toBeLessThan(5);
  // The key itself is valid: requests that cost nothing are answered.
  expect((await ask('/api/2.0/providers')).status).toBe(200);
  await untilQueries(database, customer.name, 60);
  const used = { set_by: 'customer', max_queries: 60, used: 60, left: 0, reached: true };
  expect(JSON.parse((await ask('/api/2.0/usage')).text).caps).toMatchObject([used]);
  expect((await capsInUse(database, at)).at(-1)).toMatchObject({ customer: { id: customer.id }, ...used });
  expect(await refusedAtCap(database, at)).toContain(customer.id);
});

test('a raised or removed cap lets keys through at once; the smaller one of both sides holds; one that only warns refuses nothing', async () => {
  await cap('customer', { queries: 5 });
  expect(await answeredToTheEnd()).toBe(5);
  await cap('customer', { queries: 8 });
  expect(await answeredToTheEnd()).toBe(3);
  await cap('staff', { queries: 10 });
  await cap('customer', { queries: 1_000 });
  expect(await answeredToTheEnd()).toBe(2);
  expect(JSON.parse((await lookUp()).text).message).toContain('service administrator raises it');
  await cap('staff', undefined);
  await until(200);
  await cap('staff', { queries: 1, only_warns: true });
  await until(200, 1);
  await untilQueries(database, customer.name, 12);
  expect(await refusedAtCap(database, at)).not.toContain(customer.id);
  expect((await usage()).caps).toMatchObject([
    { set_by: 'staff', reached: true, only_warns: true },
    { set_by: 'customer', left: 1_000 - 12 },
  ]);
});

test('a budget is as many queries as it pays for, beside the plan’s fee and what that includes', async () => {
  const ofMonth = async () => (await usage()).caps[0]?.max_queries;
  await cap('staff', { budget_cents: 40 });
  expect(await ofMonth()).toBe(40);
  await database.query('update customer set free_queries = 7 where id = $1', [customer.id]);
  expect(await ofMonth()).toBe(47);
  const firstOf: Day = `${monthOf(at)}-01`;
  await setPlan(database, customer.id, { plan: 'low', begins: firstOf }, commandActor, at);
  // What the fee includes is not refused, though the fee alone is above the budget.
  expect(await ofMonth()).toBe(75_007);
  await cap('staff', { budget_cents: 50_010 });
  expect(await ofMonth()).toBe(75_017);
  await addQueries(database, customer.keyId, at, 75_000);
  expect(await answeredToTheEnd()).toBe(17);
  await untilQueries(database, customer.name, 75_017);
  expect(await usage()).toMatchObject({ plan_fee_cents: 50_000, overage_cents: 10 });
  // A forecast goes no further.
  expect((await usage()).projection?.total_cents).toBe(50_010);
});

test('lists and files are held whole, or refused with what is left; a file counts for the month that it was accepted in', async () => {
  await cap('customer', { queries: 100 });
  const refused = await list(101);
  expect([refused.status, JSON.parse(refused.text).message, Number(refused.retry) > 0]).toEqual([
    429,
    expect.stringMatching(/^There are 101 coordinates, and the cap of this account leaves 100 queries in /),
    true,
  ]);
  expect((await list(30)).status).toBe(200);
  const file = JSON.parse((await list(50, 'jobs', 1)).text) as { id: string };
  await untilQueries(database, customer.name, 30);
  expect((await list(21, 'jobs')).status).toBe(429);
  expect(await answeredToTheEnd()).toBe(20);
  const month = monthOf(at);
  // The file is of its month, however late it is looked up; in the next month all is there again.
  at = new Date(startOfMonth(addMonths(month, 1)).getTime() + 1);
  expect((await list(101)).status).toBe(429);
  expect((await list(100)).status).toBe(200);
  await bulkLookup(await useParts(place, database)).work(file.id, new AbortController().signal);
  const { rows } = await database.query<{ queries: number }>(
    'select queries from usage_month where customer_id = $1 order by month',
    [customer.id],
  );
  await untilQueries(database, customer.name, 200);
  expect(rows[0]?.queries).toBe(100);
});

test('what was held in a month answers nothing of the next, which has its own; over daylight saving, too', async () => {
  // The first query of October 2031 is in summer time, five days after the change.
  for (const month of ['2031-10', '2032-04']) {
    const begins = startOfMonth(month).getTime();
    customer = await makeCustomer(database, `Capped ${++names}`);
    await allowOverage(database, customer.id, true, commandActor);
    at = new Date(begins - 1);
    await cap('staff', { queries: 200 });
    expect((await lookUp()).status).toBe(200);
    at = new Date(begins);
    for (let count = 0; count < 3; count++) expect((await lookUp()).status).toBe(200);
    await expect
      .poll(async () => {
        const { rows } = await database.query(
          `select to_char(month, 'YYYY-MM') as month, queries from usage_month where customer_id = $1 order by 1`,
          [customer.id],
        );
        return rows;
      })
      .toEqual([
        { month: addMonths(month, -1), queries: 1 },
        { month, queries: 3 },
      ]);
    const { rows } = await database.query<{ month: string }>(
      `select distinct to_char(month, 'YYYY-MM') as month from query_hold where customer_id = $1 order by 1`,
      [customer.id],
    );
    expect(rows.at(-1)?.month).toBe(month);
  }
});

test('each side sets and removes its own cap alone; the audit says who did', async () => {
  const own = await createToken(database, { role: 'customer', customerId: customer.id }, 'Ana', commandActor);
  const call = async (token: string, method: string, path: string, json?: object) => {
    const response = await fetch(`${apis[0]?.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(json && { body: JSON.stringify(json) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const ofStaff = `/api/staff/customers/${customer.id}/cap`;
  const terms = { queries: 10, only_warns: false };
  expect((await call(own, 'PUT', ofStaff, terms)).status).toBe(403);
  expect((await call(staff, 'PUT', ofStaff, terms)).body.caps).toMatchObject([{ set_by: 'staff', left: 10 }]);
  expect((await call(own, 'PUT', '/api/account/cap', { ...terms, queries: 20 })).body.caps).toHaveLength(2);
  expect((await call(own, 'DELETE', '/api/account/cap')).body.caps).toMatchObject([{ set_by: 'staff' }]);
  for (const wrong of [
    { queries: -1 },
    { queries: 1.5 },
    { queries: null },
    { budget_cents: 5 },
    { only_warns: 1 },
  ])
    expect((await call(own, 'PUT', '/api/account/cap', { ...terms, ...wrong })).status).toBe(400);
  expect((await call(staff, 'PUT', '/api/staff/customers/999999/cap', terms)).status).toBe(404);
  const { rows } = await database.query(
    `select action, details->>'set_by' as by from audit_event where customer_id = $1 and action like 'cap%' order by id`,
    [customer.id],
  );
  expect(rows).toMatchObject([
    { action: 'cap_set', by: 'staff' },
    { action: 'cap_set', by: 'customer' },
    { action: 'cap_removed', by: 'customer' },
  ]);
});
