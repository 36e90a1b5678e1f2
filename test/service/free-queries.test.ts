import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ApiServer } from '../../api/server.ts';
import { commandActor } from '../../core/access/actor.ts';
import { addKey } from '../../core/access/api-keys.ts';
import { allowOverage, createCustomer } from '../../core/billing/customers.ts';
import { setPlan } from '../../core/billing/plans.ts';
import { customerUsage } from '../../core/billing/usage.ts';
import type { Database } from '../../core/database/database.ts';
import { createLogger } from '../../core/logger.ts';
import { monthOf } from '../../core/nz-time.ts';
import { untilQueries } from '../setup/billing.ts';
import { makePlace, type Place, startApiAlone } from '../setup/service.ts';

/* Who has no plan is refused once the free queries are used up, and never owes: docs/user/billing.md. Two API processes. */

const free = 40;
let place: Place;
let database: Database;
let apis: ApiServer[];
let names = 0;
let customer: { id: number; name: string; key: string };

beforeAll(async () => {
  place = await makePlace({ rateLimit: { perSecond: 10_000, burst: 10_000 } });
  database = await place.open();
  const logger = createLogger('silent');
  apis = [await startApiAlone(place, database, logger), await startApiAlone(place, database, logger)];
});
afterAll(async () => {
  for (const api of apis ?? []) await api.close();
  await database?.close();
  await place?.remove();
});
beforeEach(async () => {
  const name = `Customer ${++names}`;
  const id = await createCustomer(database, { name }, commandActor, new Date());
  await database.query('update customer set free_queries = $2 where id = $1', [id, free]);
  customer = { id, name, key: (await addKey(database, id, '', commandActor)).secret };
});

const ask = async (path: string, api = 0, options: RequestInit = {}) => {
  const response = await fetch(`${(apis[api] as ApiServer).url}${path}`, {
    ...options,
    headers: { 'x-api-key': customer.key, ...options.headers },
  });
  return { status: response.status, text: await response.text() };
};
const lookUp = (api = 0) => ask('/api/2.0/availability/-36.9/174.8', api);
const list = (count: number, path = 'bulk', api = 0) =>
  ask(`/api/2.0/availability/${path}`, api, {
    method: 'POST',
    body: `lat,lng\n${'-36.9,174.8\n'.repeat(count)}`,
    headers: { 'content-type': 'text/csv' },
  });
const usage = () => customerUsage(database, customer.id, monthOf(new Date()), new Date());
const until = (status: number, api = 0) =>
  expect.poll(async () => (await lookUp(api)).status, { timeout: 30_000 }).toBe(status);

test('without a plan the free queries are answered to the last, and then keys are refused, in each version’s shape', async () => {
  for (let count = 0; count < free; count++) {
    expect((await lookUp()).status).toBe(200);
    // What is no query costs none.
    if (count < 3) expect((await ask('/api/2.0/availability/1/2')).status).toBe(400);
  }
  const [second, first] = [
    await lookUp(),
    await ask(`/api/1.0/availability/yx/-36.9/174.8?api_key=${customer.key}`),
  ];
  const sentence = expect.stringMatching(/free queries .* used up.* no plan.* Ask /);
  expect([second.status, JSON.parse(second.text)]).toEqual([403, { message: sentence }]);
  expect([first.status, JSON.parse(first.text)]).toEqual([401, { code: 401, error: sentence }]);
  await untilQueries(database, customer.name, free);
  await until(403, 1);
  // The key itself is good: what costs nothing is answered.
  expect((await ask('/api/2.0/providers')).status).toBe(200);
  expect(JSON.parse((await ask('/api/2.0/usage')).text)).toMatchObject({
    free_left: 0,
    overage_allowed: false,
    overage_cents: 0,
  });
});

test('a plan, or leave of staff, lets keys through at once; only what is asked from then on is paid for', async () => {
  for (let count = 0; count <= free; count++) await lookUp();
  await allowOverage(database, customer.id, true, commandActor);
  await until(200);
  await untilQueries(database, customer.name, free + 1);
  expect(await usage()).toMatchObject({ overage: 1, overage_allowed: true });
  await allowOverage(database, customer.id, false, commandActor);
  await until(403);
  await setPlan(database, customer.id, { plan: 'low' }, commandActor, new Date());
  await until(200);
});

test('many calls at once, to several processes, end within a bound, and what was too many is free', async () => {
  const calls = await Promise.all(Array.from({ length: 300 }, (_, call) => lookUp(call % 2)));
  const answered = calls.filter(({ status }) => status === 200).length;
  expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200, 403]));
  // Each process knows what was left when it looked: so many more at most as there are others.
  expect(answered).toBeGreaterThanOrEqual(free);
  expect(answered).toBeLessThanOrEqual(2 * free);
  await untilQueries(database, customer.name, answered);
  await until(403, 0);
  await until(403, 1);
  await untilQueries(database, customer.name, answered);
  expect(await usage()).toMatchObject({ queries: answered, free: answered, overage: 0, overage_cents: 0 });
});

test('a list and a file are refused past the allowance, and show their cost before', async () => {
  const [many, few] = [await list(free + 1), await list(free - 15)];
  expect(few.status).toBe(200);
  expect([many.status, JSON.parse(many.text)]).toEqual([
    403,
    {
      message: `There are ${free + 1} coordinates, and this account has no plan and ${free} free queries left. Send fewer, or ask your service administrator for a plan.`,
    },
  ]);
  await untilQueries(database, customer.name, free - 15);
  expect((await list(16, 'jobs', 1)).status).toBe(403);
  const quoted = await list(10, 'jobs?quote=1', 1);
  const job = JSON.parse(quoted.text) as { id: string; links: { start: string } };
  expect([quoted.status, job]).toMatchObject([
    202,
    { state: 'quoted', cost: { coordinates: 10, free: 10, included: 0, overage: 0, overage_cents: 0 } },
  ]);
  // Of two at once that both fit, one does.
  const both = await Promise.all([list(10, 'jobs', 0), list(10, 'jobs', 1)]);
  expect(both.map(({ status }) => status).sort()).toEqual([202, 403]);
  expect((await ask(job.links.start, 0, { method: 'POST' })).status).toBe(403);
  // What a file will use is kept for it: five are left to all else.
  expect((await list(6)).status).toBe(403);
  await setPlan(database, customer.id, { plan: 'low' }, commandActor, new Date());
  expect((await ask(job.links.start, 0, { method: 'POST' })).status).toBe(202);
  expect((await ask(job.links.start, 0, { method: 'POST' })).status).toBe(202);
});
