import { setTimeout as sleep } from 'node:timers/promises';
import { anySeed, Random } from '@covermap/testing/random.ts';
import { afterAll, expect, test, vi } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { setCap } from '../../billing/caps.ts';
import { makeCustomer } from '../setup/billing.ts';
import { rounds, sampled } from '../setup/rounds.ts';
import { makeStoppablePlace } from '../setup/stoppable.ts';

/*
 * Three APIs as `npm run api` starts them share PostgreSQL and Redis. While many clients ask with keys that have a cap, APIs are killed and started again,
 * and the servers are stopped, killed and frozen. No cap is passed by a query: neither by what clients got nor by what is billed.
 */

const seed = anySeed();
const random = new Random(seed);
const between = (least: number, most: number) => least + Math.floor(random.next() * (most - least + 1));
const customersARound = 20;
const clients = 18;

const place = await makeStoppablePlace();
const { database, postgres, redis } = place;
afterAll(() => place.remove());
const unlimited = { RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000', BULK_RATE: '1000000' };
const start = () => place.startApi(unlimited);
const apis = await Promise.all([start(), start(), start()]);

const kill = async () => {
  const index = between(0, 2);
  const { child, ended } = apis[index] as (typeof apis)[0];
  child.kill('SIGKILL');
  await ended;
  await sleep(between(0, 300));
  apis[index] = await start();
};
/** Takes a server away for a while. */
const away = (server: typeof redis, how: 'SIGINT' | 'SIGKILL' | 'freeze') => async () => {
  await (how === 'freeze' ? server.freeze() : server.end(how));
  await sleep(between(50, 1_500));
  await (how === 'freeze' ? server.thaw() : server.start());
};
const faults = {
  'an API is killed': kill,
  'Redis is shut down': away(redis, 'SIGINT'),
  'Redis is killed': away(redis, 'SIGKILL'),
  'Redis is silent': away(redis, 'freeze'),
  'PostgreSQL is shut down': away(postgres, 'SIGINT'),
  'PostgreSQL is killed': away(postgres, 'SIGKILL'),
  'PostgreSQL is silent': away(postgres, 'freeze'),
};
type Fault = keyof typeof faults;

interface Capped {
  name: string;
  secret: string;
  cap: number;
  /** What clients got. */
  answered: number;
  /** The last answer said that the cap is reached. */
  reached: boolean;
}

const total = { caps: 0, answered: 0, billed: 0, refused: 0, unavailable: 0, broken: 0, passed: 0 };

/** Asks once, a position or a list, and notes what came of it, even where the answer breaks off. */
async function ask(customer: Capped): Promise<void> {
  const { url } = random.pick(apis);
  const headers = { 'x-api-key': customer.secret };
  const list = random.next() < 0.15 && { method: 'POST', body: '-36.9,174.8\n'.repeat(between(2, 12)) };
  const path = `/api/2.0/availability/${list ? 'bulk' : '-36.9/174.8'}`;
  let got = 0;
  try {
    const options = list ? { ...list, headers: { ...headers, 'content-type': 'text/csv' } } : { headers };
    const response = await fetch(`${url}${path}`, { ...options, signal: AbortSignal.timeout(20_000) });
    if (response.status === 200 && list) {
      const decoder = new TextDecoder();
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        got += decoder.decode(chunk, { stream: true }).split('\n').length - 1;
      }
    } else {
      await response.text();
      if (response.status === 200) got = 1;
      else if (response.status === 429) {
        total.refused++;
        // A list can be refused while there are queries left for lookups.
        if (!list) customer.reached = true;
      } else if (response.status === 503) {
        total.unavailable++;
        expect(response.headers.get('retry-after')).toBe('1');
      } else expect(response.status).toBe(500);
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'AssertionError') throw error;
    total.broken++;
  }
  if (got > 0) customer.reached = false;
  customer.answered += got;
}

async function makeCapped(name: string): Promise<Capped> {
  const { id, secret } = await makeCustomer(database, name);
  await database.query('update customer set free_queries = 0, overage_allowed = true where id = $1', [id]);
  // Small ones are held one by one, large ones by the hundredth.
  const cap = random.next() < 0.8 ? between(1, 60) : between(200, 400);
  // A budget of that many cents is the same.
  const terms =
    random.next() < 0.5 ? { queries: cap, budget_cents: null } : { queries: null, budget_cents: cap };
  await setCap(database, id, 'customer', { ...terms, only_warns: false }, commandActor);
  return { name, secret, cap, answered: 0, reached: false };
}

async function billed(name: string): Promise<number> {
  const { rows } = await database.query<{ queries: number }>(
    `select coalesce(sum(m.queries), 0)::integer as queries from usage_month m join customer c on c.id = m.customer_id where c.name = $1`,
    [name],
  );
  return rows[0]?.queries ?? 0;
}

async function round(number: number, chosen: Fault[]): Promise<void> {
  const customers: Capped[] = [];
  for (let n = 0; n < customersARound; n++) customers.push(await makeCapped(`Capped ${number}.${n}`));
  let asking = true;
  const client = async () => {
    while (asking) {
      // Now and then one that has reached its cap: it may not get one more.
      const left = customers.filter(({ reached }) => !reached);
      await ask(random.pick(left.length > 0 && random.next() < 0.8 ? left : customers));
      await sleep(5);
    }
  };
  const all = Array.from({ length: clients }, client);
  for (const fault of chosen) {
    await sleep(between(0, 800));
    await faults[fault]();
  }
  // All are asked to the end, but for what killed processes held.
  await vi.waitFor(() => expect(customers.filter(({ reached }) => !reached)).toEqual([]), {
    timeout: 120_000,
    interval: 200,
  });
  await sleep(1_200);
  asking = false;
  await Promise.all(all);
  // The counts of the last second are stored.
  await sleep(1_500);
  // Without kills and with a database all along, all that is answered is billed, and a cap is used up but for what another process still holds.
  const isExact = chosen.every((fault) => fault.startsWith('Redis'));
  for (const { name, cap, answered } of customers) {
    const counted = await billed(name);
    total.caps++;
    total.answered += answered;
    total.billed += counted;
    total.passed += Math.max(0, answered - cap, counted - cap);
    const label = `seed ${seed}, ${name}, ${chosen.join(', ')}`;
    expect(answered, `${label}: answered`).toBeLessThanOrEqual(cap);
    expect(counted, `${label}: billed`).toBeLessThanOrEqual(cap);
    if (isExact) {
      expect(counted, label).toBe(answered);
      expect(cap - answered, label).toBeLessThanOrEqual(1 + cap / 20);
    }
  }
}

test(`no cap is passed, whatever is killed or taken away (SEED=${seed})`, {
  timeout: 3_600_000,
}, async () => {
  const names = Object.keys(faults) as Fault[];
  const count = rounds(sampled(2, 3), 25);
  for (let number = 0; number < count; number++) {
    const chosen =
      number === 0
        ? names.filter((name) => name.startsWith('Redis'))
        : number === 1
          ? names.filter((name) => !name.startsWith('Redis'))
          : Array.from({ length: between(1, 4) }, () => random.pick(names));
    await round(number, chosen);
  }
  console.log(`seed ${seed}: ${count} rounds, ${JSON.stringify(total)}`);
  expect(total.passed).toBe(0);
  expect(total.refused).toBeGreaterThan(0);
  expect(total.unavailable).toBeGreaterThan(0);
});
