import { setTimeout as sleep } from 'node:timers/promises';
import { anySeed, Random } from '@covermap/testing/random.ts';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { commandActor } from '../../../access/actor.ts';
import { openRateLimit } from '../../../access/rate-limit/open.ts';
import type { RateLimit } from '../../../access/rate-limit/rate-limit.ts';
import { createToken } from '../../../access/tokens.ts';
import type { ApiServer } from '../../../api/server.ts';
import { Meter } from '../../../billing/metering.ts';
import { closedThrough } from '../../../billing/months.ts';
import { invoicePlanStarts } from '../../../billing/plan-start.ts';
import { openWorkQueue } from '../../../coverage/jobs/queue.ts';
import { createLogger } from '../../../platform/logger.ts';
import { addMonths, dayOf, startOfMonth } from '../../../platform/nz-time.ts';
import { startCloseMonth } from '../../../workers/close-month.ts';
import { flakyDatabase, publishModelled, queriesOf } from '../../setup/billing.ts';
import { type FlakyProxy, startFlakyProxy } from '../../setup/flaky-proxy.ts';
import { type Client, clientWith } from '../../setup/operator.ts';
import { sampled } from '../../setup/rounds.ts';
import { startApiAlone, useDatabase } from '../../setup/service.ts';

/* Three months of dozens of customers, while things break. Their invoices equal their own calculation, to the cent. */

const first = '2031-08';
const months = [first, '2031-09', '2031-10'];
const slots = sampled(6, 10);
const callsASlot = 80;
/** Plans as those that are sold, but small: the rest of the terms are as they are. */
const plans = {
  small: { bundle: 12, price: 5001 },
  large: { bundle: 40, price: 12_345 },
};
type PlanName = keyof typeof plans;
const freeQueries = 5;
const patience = { timeout: 100_000, interval: 20 };

const logger = createLogger('silent');
const seed = anySeed();
const chosen = new Random(seed);
const random = chosen.next;

const { place, database } = await useDatabase();
let proxy: FlakyProxy | undefined;

/** The records of a customer: its plans, and the answers that it had. */
interface Customer {
  id: number;
  name: string;
  keys: string[];
  /** By month, with the first day; undefined: none. */
  plan: Map<string, { name: PlanName; from: number }>;
  /** True if staff let it go on past the free queries without a plan. */
  overage: boolean;
  /** Month and day of each answer, and how many months were closed when it was counted. */
  answers: { month: string; day: number; countedAfter: number }[];
  /** Entries that staff posted by hand, by the month of posting: cents, below zero for credits. */
  bookings: { index: number; entry: number; cents: number; left: number }[];
}

test(`invoices are what the customers calculate themselves (SEED=${seed})`, async () => {
  await database.query(
    `insert into plan (name, label, position, bundled_queries, price_cents)
     select key, key, 10 + row_number() over (), (value->>'bundle')::integer, (value->>'price')::integer
     from jsonb_each($1)`,
    [JSON.stringify(plans)],
  );
  if (place.config.redisUrl) {
    proxy = await startFlakyProxy(place.config.redisUrl.replace('redis:', 'http:'));
    onTestFinished(() => proxy?.close());
  }
  const world = await startWorld();
  const customers = await makeCustomers(world.staff, world.setClock);
  const fees = new Map<string, number>();

  for (const [index, month] of months.entries()) {
    for (let slot = 0; slot < slots; slot++) {
      const begins = startOfMonth(month).getTime();
      const length = startOfMonth(addMonths(month, 1)).getTime() - begins;
      // The first and the last moments of a month are moments of it.
      const moment = slot === 0 ? 0 : (length * (slot + random())) / slots;
      world.setClock(begins + (slot === slots - 1 ? length - 1 : moment));
      if (slot === 5) await changePlans(world.staff, customers, index);
      await invoicePlanStarts(database, commandActor, world.now());
      for (let count = 0; count < 4; count++) await bookByHand(world.staff, chosen.pick(customers), index);
      if (slot % 4 === 1) {
        await publishModelled(database, 'Towers Ltd', world.now());
        fees.set(month, (fees.get(month) ?? 0) + 1);
      }
      await world.disturb();
      const last = slot === slots - 1;
      // Late counts: of the last moment, stored only after the month is closed.
      const late = last && index < months.length - 1;
      if (late) {
        await world.settle(answersOf(customers));
        world.database.away = true;
      }
      await ask(world, customers, month, index + (late ? 1 : 0));
    }
    world.setClock(startOfMonth(addMonths(month, 1)).getTime() + 6 * 3_600_000);
    if (index === months.length - 1) await world.settle(answersOf(customers));
    await world.closeMonth(month);
    await world.settle(answersOf(customers));
  }
  await world.stop();

  const { rows } = await database.query<Record<string, number> & { name: string }>(
    `select recipient || case occasion when 'plan_start' then ' starts' else '' end || to_char(month, ' YYYY-MM') as name,
       subtotal_cents as subtotal, gst_cents as gst, total_cents as total, brought_forward_cents as brought, due_cents as due,
       carried_forward_cents as carried
     from invoice`,
  );
  const invoices = new Map(rows.map(({ name, ...figures }) => [name, figures]));
  const expected = new Map<string, Record<string, number>>();
  const credits = new Map<string, number>();
  // Called in order of time: an amount below zero is carried forward to the customer's next invoice.
  const expect1 = (name: string, month: string, subtotal: number, whose = name) => {
    if (subtotal === 0) return;
    const gst = Math.sign(subtotal) * Math.floor(Math.abs(subtotal) * 0.15 + 0.5 + 1e-9) + 0;
    const brought = credits.get(whose) ?? 0;
    const open = subtotal + gst - brought;
    const [due, carried] = open > 0 ? [open, 0] : [0, 0 - open];
    credits.set(whose, carried);
    expected.set(`${name} ${month}`, { subtotal, gst, total: subtotal + gst, brought, due, carried });
  };
  for (const customer of customers) {
    const { name, plan } = customer;
    const begun = plan.get(first);
    if (begun) expect1(`${name} starts`, first, priceOf(begun, first), name);
    for (const [index, month] of months.entries()) expect1(name, month, owed(customer, index));
  }
  expect([...credits.values()].some((credit) => credit > 0)).toBe(true);
  let fee = 100_000;
  for (const month of months) {
    let sum = 0;
    for (let count = 0; count < (fees.get(month) ?? 0); count++) {
      sum += fee;
      fee = 25_000;
    }
    expect1('Towers Ltd', month, sum);
  }
  expect(invoices).toEqual(expected);

  const answers = customers.flatMap((customer) => customer.answers);
  expect(await queriesOf(database)).toBe(answers.length);
  // It was no idle time: there were answers, refusals, late counts, and queries past the bundle.
  expect(answers.length).toBeGreaterThan(500);
  expect(answers.some(({ month, countedAfter }) => countedAfter > months.indexOf(month))).toBe(true);
  const { rows: booked } = await database.query(
    `select string_agg(distinct kind::text, ' ' order by kind::text) as kinds from ledger_entry`,
  );
  const kinds = 'adjustment charge credit overage plan_fee processing_fee reversal';
  expect(booked).toEqual([{ kinds }]);
});

/**
 * The amount of a customer's invoice for a month, from its own records: query by query, day by day.
 * @param index of the month: queries that were counted by its closing are on the invoice
 */
function owed(customer: Customer, index: number): number {
  /** Queries past the bundles, of those that were counted by the closing of a month. */
  const overage = (through: number) => {
    let [free, past] = [freeQueries, 0];
    for (const month of months.slice(0, through + 1)) {
      const plan = customer.plan.get(month);
      let bundle = plan ? partOf(plans[plan.name].bundle, plan, month) : 0;
      for (const answer of customer.answers) {
        if (answer.month !== month || answer.countedAfter > through) continue;
        if (free > 0) free--;
        // Answered before the process knew that no free queries are left: not charged.
        else if (!customer.overage && !(plan && answer.day >= plan.from)) continue;
        else if (bundle > 0) bundle--;
        else past++;
      }
    }
    return past;
  };
  let cents = overage(index) - overage(index - 1);
  const next = addMonths(first, index + 1);
  const plan = customer.plan.get(next);
  if (plan) cents += priceOf(plan, next);
  for (const booking of customer.bookings) if (booking.index === index) cents += booking.cents;
  return cents;
}

/** What there is of a month's whole, by days. */
const partOf = (whole: number, { from }: { from: number }, month: string) =>
  Math.round((whole * daysFrom(month, from)) / daysFrom(month, 1));
const priceOf = (plan: { name: PlanName; from: number }, month: string) =>
  partOf(plans[plan.name].price, plan, month);

/** Staff credit, charge, or reverse what they have posted, all of it or a part. */
async function bookByHand(staff: Client, customer: Customer, index: number): Promise<void> {
  const { id, bookings } = customer;
  const wrong = bookings.find(({ left }) => left !== 0);
  const note = (cents: number, entry: number, left: number) => bookings.push({ index, cents, entry, left });
  if (wrong && random() < 0.6) {
    const all = Math.abs(wrong.left);
    const amount = random() < 0.5 ? all : 1 + Math.floor(random() * all);
    const cents = wrong.cents > 0 ? -amount : amount;
    const address = `/api/staff/ledger/${wrong.entry}/reversal`;
    const confirm = { amount_cents: amount, confirm_amount_cents: amount, reason: 'Wrong' };
    const entry = await staff.json<{ id: number; amount_cents: number }>(address, confirm);
    expect(entry.amount_cents).toBe(cents);
    wrong.left += cents;
    note(cents, entry.id, 0);
  } else {
    const kind = random() < 0.6 ? 'credits' : 'charges';
    const amount = 1 + Math.floor(random() * 30_000);
    const booking = { customer: id, amount_cents: amount, reason: 'Because' };
    const entry = await staff.json<{ id: number }>(`/api/staff/${kind}`, booking);
    const cents = kind === 'credits' ? -amount : amount;
    note(cents, entry.id, cents);
  }
}

/** How many answers there were so far. */
function answersOf(customers: readonly Customer[]): number {
  return customers.reduce((sum, { answers }) => sum + answers.length, 0);
}

/** Days of a month from one of them on. */
function daysFrom(month: string, day: number): number {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number, 0)).getUTCDate() - day + 1;
}

async function makeCustomers(staff: Client, setClock: (ms: number) => void): Promise<Customer[]> {
  setClock(startOfMonth(first).getTime());
  const customers: Customer[] = [];
  for (let number = 0; number < sampled(25, 50); number++) {
    const name = `Customer ${number}`;
    const plan = chosen.pick<PlanName | undefined>(['small', 'small', 'large', undefined]);
    const from = plan && random() < 0.4 ? 2 + Math.floor(random() * 9) : 1;
    const day = String(from).padStart(2, '0');
    const begins = plan ? { plan, begins: `${first}-${day}` } : {};
    const { id } = await staff.json<{ id: number }>('/api/staff/customers', { name, ...begins });
    const keys: string[] = [];
    for (let key = random() < 0.3 ? 2 : 1; key > 0; key--) {
      keys.push((await staff.json<{ secret: string }>(`/api/staff/customers/${id}/keys`, {})).secret);
    }
    customers.push({
      id,
      name,
      keys,
      plan: new Map(
        plan
          ? [0, 1, 2, 3].map((count) => [addMonths(first, count), { name: plan, from: count ? 1 : from }])
          : [],
      ),
      overage: plan === undefined && random() < 0.5,
      answers: [],
      bookings: [],
    });
    if (customers.at(-1)?.overage) {
      await staff.json(`/api/staff/customers/${id}/overage`, { allowed: true });
    }
  }
  await database.query('update customer set free_queries = $1', [freeQueries]);
  return customers;
}

/** Some change their plan, some give notice, and some take a plan, in the middle of a month. */
async function changePlans(staff: Client, customers: Customer[], index: number): Promise<void> {
  for (const customer of customers) {
    const present = customer.plan.get(months[index] as string);
    const last = customer.plan.has(addMonths(first, 3));
    if (!present || !last || random() > 0.2) continue;
    if (random() < 0.4) {
      await staff.json(`/api/staff/customers/${customer.id}/cancel`, {});
      for (const month of [2, 3].filter((count) => count > index + 1)) {
        customer.plan.delete(addMonths(first, month));
      }
    } else {
      const name: PlanName = present.name === 'small' ? 'large' : 'small';
      await staff.json(`/api/staff/customers/${customer.id}/plan`, { plan: name });
      for (const month of [1, 2, 3].filter((count) => count > index)) {
        customer.plan.set(addMonths(first, month), { name, from: 1 });
      }
    }
  }
}

/** A burst of calls of all kinds; each customer notes the answers that it is to pay for. */
async function ask(world: World, customers: Customer[], month: string, countedAfter: number): Promise<void> {
  const day = Number(dayOf(world.now()).slice(8));
  const calls = Array.from({ length: callsASlot }, async () => {
    const customer = chosen.pick(customers);
    const key = chosen.pick(customer.keys);
    const lat = -35 - random() * 10;
    const kind = random();
    const place = `/api/2.0/availability/${lat}/174.5`;
    const kinds: [until: number, address: string, billable: boolean, options?: RequestInit][] = [
      [0.6, place, true],
      [0.8, `/api/1.0/availability/yx/${lat}/174.5?api_key=${key}`, true],
      [0.85, place, true, { method: 'HEAD' }],
      [0.9, `/api/2.0/availability/${lat}/1`, false],
      [0.95, '/api/2.0/providers', false],
      [1, place, true, { headers: { 'if-none-match': '*' } }],
    ];
    const [, address, billable, options = {}] = kinds.find(([until]) => kind < until) as (typeof kinds)[0];
    const headers = { 'x-api-key': key, ...options.headers };
    const response = await fetch(`${world.url()}${address}`, { ...options, headers });
    await response.arrayBuffer();
    if (billable && response.status === 200) customer.answers.push({ month, day, countedAfter });
    else {
      const plan = customer.plan.get(month);
      // Refused without a plan and without free queries, and for a moment after a plan starts, as keys are cached.
      const refusable = !customer.overage && plan?.from !== 1;
      const refused = refusable ? [401, 403] : [];
      expect([...refused, ...(billable ? [429] : [200, 304, 400, 429])]).toContain(response.status);
    }
  });
  await Promise.all(calls);
}

type World = Awaited<ReturnType<typeof startWorld>>;

async function startWorld() {
  let clock = 0;
  const now = () => new Date(clock);
  const { flaky, state } = flakyDatabase(database);
  const redisUrl =
    proxy && proxy.url.replace('http:', 'redis:') + new URL(place.config.redisUrl as string).pathname;
  const config = { ...place.config, closeTime: '06:00:00' };
  let api: ApiServer;
  let meter: Meter;
  let limit: RateLimit;
  const startApi = async () => {
    meter = new Meter(flaky, { dataDir: config.dataDir, logger, now: () => clock, everyMs: 50 });
    limit = await openRateLimit({ perSecond: 1, burst: 12 }, redisUrl, logger);
    api = await startApiAlone({ config }, database, logger, { meter, limit, now });
  };
  const stopApi = async (gently: boolean) => {
    await api.close();
    if (gently) await meter.close();
    else {
      // As if killed once the counts of the last second are in the database or, while that is away, on the disk.
      if (!state.away) await meter.flush().catch(() => undefined);
      else await sleep(700);
      await meter.abandon();
    }
    await limit.close();
  };
  /** Starts a worker that closes months, and gives what stops it. */
  const startWorker = async () => {
    const queue = openWorkQueue(config, database);
    const worker = await startCloseMonth({ config, database, queue, logger }, now);
    return async () => {
      await worker.close();
      await queue.close();
    };
  };
  await startApi();
  clock = startOfMonth(first).getTime();
  let stopWorker = await startWorker();
  const token = await createToken(database, { role: 'staff' }, 'Staff', commandActor);
  return {
    staff: new Proxy({} as Client, { get: (_, name) => Reflect.get(clientWith(api.url, token), name) }),
    url: () => api.url,
    now,
    setClock(ms: number) {
      clock = Math.floor(ms);
    },
    /** Faults of the meter's database: it is away, or the outcome of a flush gets lost. */
    database: state,
    /** Something breaks, or is started anew. */
    async disturb() {
      const event = random();
      state.deaf = event > 0.85;
      if (event < 0.3) {
        await stopApi(event < 0.15);
        await startApi();
      } else if (event < 0.4) {
        await stopWorker();
        stopWorker = await startWorker();
      } else if (event < 0.5) {
        proxy?.cut();
      } else if (event < 0.65) {
        proxy?.mend();
      } else if (event < 0.75 && place.config.redisUrl) {
        // Redis comes back with nothing that it knew.
        const redis = new Redis(place.config.redisUrl);
        await redis.flushdb();
        redis.disconnect();
      }
    },
    /** Waits until as many queries are in the database. */
    async settle(queries: number) {
      // The one that is killed here has its counts on the disk, and the next brings them in.
      if (state.away) await stopApi(false).then(startApi);
      state.away = false;
      state.deaf = false;
      const bringIn = async () => {
        await meter.flush();
        await meter.reclaim();
        return queriesOf(database);
      };
      await expect.poll(bringIn, patience).toBe(queries);
    },
    async closeMonth(month: string) {
      proxy?.mend();
      await stopWorker();
      const [stopOne, stopOther] = await Promise.all([startWorker(), startWorker()]);
      await expect.poll(() => closedThrough(database), patience).toBe(month);
      await stopOther();
      stopWorker = stopOne;
    },
    async stop() {
      state.away = false;
      state.deaf = false;
      await stopWorker();
      await stopApi(true);
    },
  };
}
