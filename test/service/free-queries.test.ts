import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { allowOverage } from '../../billing/customers.ts';
import { setPlan } from '../../billing/plans.ts';
import { type Hold, queryHoldsIn } from '../../billing/query-holds.ts';
import { customerUsage } from '../../billing/usage.ts';
import { sql } from '../../platform/database/sql.ts';
import { createLogger } from '../../platform/logger.ts';
import { monthOf } from '../../platform/nz-time.ts';
import { bulkLookup } from '../../workers/bulk-lookup.ts';
import { addQueries, makeCustomer, untilQueries } from '../setup/billing.ts';
import { useApi, useDatabase, useParts } from '../setup/service.ts';

/* A customer without a plan is refused once its free queries are used up, and never owes: docs/user/billing.md. Two API processes. */

const free = 40;
let names = 0;
let customer: Awaited<ReturnType<typeof makeCustomer>>;

const { place, database } = await useDatabase({ rateLimit: { perSecond: 10_000, burst: 10_000 } });
const apis = [await useApi(place, database), await useApi(place, database)];
beforeEach(async () => {
  customer = await makeCustomer(database, `Customer ${++names}`);
  await database.query('update customer set free_queries = $2 where id = $1', [customer.id, free]);
});

const ask = async (path: string, api = 0, options: RequestInit = {}) => {
  const headers = { 'x-api-key': customer.secret, ...options.headers };
  const response = await fetch(`${apis[api]?.url}${path}`, { ...options, headers });
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
const until = (status: number, api = 0) => expect.poll(async () => (await lookUp(api)).status).toBe(status);

test('without a plan the free queries are answered to the last, and then keys are refused, in each version’s shape', async () => {
  for (let count = 0; count < free; count++) {
    expect((await lookUp()).status).toBe(200);
    // A request that is refused costs no query.
    if (count < 3) expect((await ask('/api/2.0/availability/1/2')).status).toBe(400);
  }
  const second = await lookUp();
  const first = await ask(`/api/1.0/availability/yx/-36.9/174.8?api_key=${customer.secret}`);
  const sentence = expect.stringMatching(/free queries .* used up.* no plan.* Ask /);
  expect([second.status, JSON.parse(second.text)]).toEqual([403, { message: sentence }]);
  expect([first.status, JSON.parse(first.text)]).toEqual([401, { code: 401, error: sentence }]);
  await untilQueries(database, customer.name, free);
  await until(403, 1);
  // The key itself is valid: requests that cost nothing are answered.
  expect((await ask('/api/2.0/providers')).status).toBe(200);
  expect(JSON.parse((await ask('/api/2.0/usage')).text)).toMatchObject({
    ...{ plan: null, queries: free, key_queries: free, bundle: 0, free, free_left: 0 },
    ...{ overage_allowed: false, overage: 0, overage_cents: 0 },
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

test('what nobody paid for past the free queries takes nothing from those that are given later', async () => {
  await addQueries(database, customer.keyId, new Date(), free + 5);
  expect(await leftNow()).toBe(0);
  await database.query('update customer set free_queries = $2 where id = $1', [customer.id, free + 20]);
  expect([await leftNow(), (await usage()).free_left]).toEqual([20, 20]);
});

/** How many of a list's coordinates were answered. */
const answersIn = ({ status, text }: { status: number; text: string }) =>
  status === 200 ? text.split('"results"').length - 1 : 0;
const leftNow = async () => {
  const { rows } = await database.query<{ left: number }>('select free_left($1) as left', [customer.id]);
  return rows[0]?.left;
};
const freeIn = (flush = async () => undefined) => {
  const free = queryHoldsIn(database, flush, createLogger('silent'));
  onTestFinished(() => free.close());
  return { ...free, take: () => free.take({ customerId: customer.id, limits: '' }, Date.now()) };
};

test('exactly the free queries are answered, by lookups, lists and files at once, to several processes', async () => {
  const all = 1_000;
  await database.query('update customer set free_queries = $2 where id = $1', [customer.id, all]);
  const file = JSON.parse((await list(200, 'jobs')).text) as { id: string };
  const worker = bulkLookup(await useParts(place, database));
  let answered = 0;
  const lookUps = async (calls: number) => {
    const made = await Promise.all(Array.from({ length: calls }, (_, call) => lookUp(call % 2)));
    expect(made.every(({ status }) => status === 200 || status === 403)).toBe(true);
    const good = made.filter(({ status }) => status === 200).length;
    answered += good;
    return good;
  };
  const listsOf = async (api: number) => {
    for (let count = 150; count > 0; count -= 30) {
      const good = answersIn(await list(count, 'bulk', api));
      answered += good;
    }
  };
  await Promise.all([
    worker.work(file.id, new AbortController().signal),
    listsOf(0),
    listsOf(1),
    ...[150, 150, 150].map(lookUps),
  ]);
  // Uses up all free queries, also those that another process held and did not use.
  let idle = 0;
  while (idle < 4) {
    idle = (await lookUps(20)) > 0 ? 0 : idle + 1;
    await sleep(600);
  }
  const { rows } = await database.query<{ good: number }>(
    `select coalesce(sum(p.good), 0)::integer as good from bulk_job j join bulk_job_part p on p.job_id = j.id
     where j.id = $1 and j.state = 'done'`,
    [file.id],
  );
  expect(rows[0]?.good).toBe(200);
  expect(answered + 200).toBe(all);
  await untilQueries(database, customer.name, all);
  const shown = { queries: all, free: all, free_left: 0, overage: 0, overage_cents: 0 };
  expect(await usage()).toMatchObject(shown);
});

test('a list that ends returns what it held, and nothing that another holds', async () => {
  const free = freeIn();
  const [one, other] = [
    await free.holdList(customer.id, 15, Date.now()),
    await free.holdList(customer.id, 20, Date.now()),
  ];
  expect(await leftNow()).toBe(5);
  await free.endList(one);
  await expect.poll(leftNow).toBe(20);
  await expect(free.holdList(customer.id, 21, Date.now())).rejects.toMatchObject({
    code: 'free_queries_used_up',
  });
  await free.endList(other);
  await expect.poll(leftNow).toBe(40);
});

test('what a process holds in vain, others have soon; what it cannot store, they do not', async () => {
  let isStored = false;
  const free = freeIn(async () => {
    if (!isStored) throw new Error('the database is away');
  });
  const hold = (await free.take()) as Hold;
  // A process holds an eighth of the rest, so that none holds all of the last ones.
  expect(await leftNow()).toBe(40 - 5);
  free.end(hold, true);
  await sleep(2_000);
  expect(await leftNow()).toBe(40 - 5);
  isStored = true;
  await expect.poll(leftNow).toBe(40);
});

test('what a killed process may have answered stays used, and shows; of a list that is what it had begun', async () => {
  // Neither is closed before the test ends.
  const killed = freeIn();
  await killed.take();
  const unfinished = await killed.holdList(customer.id, 30, Date.now());
  await killed.begin(unfinished, 10);
  expect(await leftNow()).toBe(10 - 5);
  const end = `update query_hold set until = now() - interval '1 second' where customer_id = $1`;
  await database.query(end, [customer.id]);
  expect(await leftNow()).toBe(40 - 5 - 10);
  expect((await usage()).free_left).toBe(40 - 5 - 10);
  // A process that was only slow may not go on.
  await expect(killed.begin(unfinished, 10)).rejects.toThrow('no longer held');
  let [answered, stored] = [0, 0];
  const others = freeIn(async () => {
    const fresh = answered - stored;
    stored = answered;
    await addQueries(database, customer.keyId, new Date(), fresh);
  });
  for (let hold = await others.take(); 'id' in hold; hold = await others.take()) {
    others.end(hold, true);
    answered++;
  }
  expect(answered).toBe(40 - 5 - 10);
});

test('a list and a file are refused past the allowance, and show their cost before', async () => {
  const [many, few] = [await list(free + 1), await list(free - 15)];
  expect(few.status).toBe(200);
  const message = `There are ${free + 1} coordinates, and this account has no plan and ${free} free queries left. Send fewer, or ask your service administrator for a plan.`;
  expect([many.status, JSON.parse(many.text)]).toEqual([403, { message }]);
  await untilQueries(database, customer.name, free - 15);
  expect((await list(16, 'jobs', 1)).status).toBe(403);
  const quoted = await list(10, 'jobs?quote=1', 1);
  const job = JSON.parse(quoted.text) as { id: string; links: { start: string } };
  expect([quoted.status, job]).toMatchObject([
    202,
    { state: 'quoted', cost: { coordinates: 10, free: 10, included: 0, overage: 0, overage_cents: 0 } },
  ]);
  // Each of the two would fit alone; together they do not.
  const both = await Promise.all([list(10, 'jobs', 0), list(10, 'jobs', 1)]);
  expect(both.map(({ status }) => status).sort()).toEqual([202, 403]);
  expect((await ask(job.links.start, 0, { method: 'POST' })).status).toBe(403);
  // An accepted job reserves the queries of its file, waiting and at work: five are left to all else.
  expect((await list(6)).status).toBe(403);
  await database.query(sql`
    update bulk_job j set state = 'running' from api_key k
    where k.id = j.api_key_id and k.customer_id = ${customer.id} and j.state = 'queued'`);
  expect((await list(6)).status).toBe(403);
  await setPlan(database, customer.id, { plan: 'low' }, commandActor, new Date());
  // The cost is that of its start, when the free queries are gone.
  await addQueries(database, customer.keyId, new Date(), 15);
  const started = await ask(job.links.start, 0, { method: 'POST' });
  const included = { coordinates: 10, free: 0, included: 10, overage: 0, overage_cents: 0 };
  expect([started.status, JSON.parse(started.text)]).toMatchObject([202, { cost: included }]);
  expect((await ask(job.links.start, 0, { method: 'POST' })).status).toBe(202);
  // Past the bundle it is that of its own queries, a cent each, however many came before.
  await addQueries(database, customer.keyId, new Date(), 100_000);
  const past = JSON.parse((await list(10, 'jobs?quote=1', 1)).text);
  expect(past).toMatchObject({ cost: { ...included, included: 0, overage: 10, overage_cents: 10 } });
});
