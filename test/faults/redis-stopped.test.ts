import { setTimeout as sleep } from 'node:timers/promises';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, expect, test } from 'vitest';
import { createKey } from '../../access/api-keys.ts';
import { queriesOf } from '../setup/billing.ts';
import { startLoad } from '../setup/load.ts';
import { type Client, client, manifest, type ShownSubmission } from '../setup/operator.ts';
import { promisedMs, rounds } from '../setup/rounds.ts';
import { makeStoppablePlace } from '../setup/stoppable.ts';

/*
 * Redis is shut down, killed and frozen under load, with files in the queue, and comes back, without what it had where it ended. Two
 * APIs and two workers run as `npm run api` and `npm run worker` do.
 */

/** How long an answer to a lookup may take, and an upload be accepted, whatever Redis does: both promised. ms */
const promised = { lookupMs: promisedMs(2_000), uploadMs: promisedMs(5_000) };
/** A process asks Redis again this soon after its return: it connects within a second, and pauses for another. ms */
const againWithinMs = 2_000;
const patience = { timeout: 100_000, interval: 100 };
const rate = { perSecond: 10, burst: 20 };

const place = await makeStoppablePlace();
afterAll(() => place.remove());
const limits = { RATE_LIMIT_PER_SECOND: `${rate.perSecond}`, RATE_LIMIT_BURST: `${rate.burst}` };
const apis = Promise.all([place.startApi(limits), place.startApi(limits)]);
await Promise.all([place.startWorker(), place.startWorker()]);
const [api, otherApi] = await apis;
let kauri: Client;
/** Clients that stay below their rate, and one that does not. */
const steady: string[] = [];
for (let i = 0; i < 20; i++) steady.push(await createKey(place.database, `Steady ${i}`));
const greedy = await createKey(place.database, 'Greedy');
await place.database.query('update customer set overage_allowed = true');
let answered = 0;
const submitted: string[] = [];

/** Hands in a small file of its own scope. */
async function submit(): Promise<void> {
  const number = submitted.length;
  const west = 167 + (number % 100) / 10;
  const file = await zippedRectangle(west, -44.05, west + 0.05, -44 + Math.floor(number / 100) / 10);
  const sentAt = Date.now();
  const sent = await kauri.send(file, { ...manifest, scope: `part ${number}`, publish: 'auto' });
  expect([sent.status, Date.now() - sentAt < promised.uploadMs]).toEqual([202, true]);
  submitted.push(((await sent.json()) as ShownSubmission).id);
}

const faults = [
  { name: 'is shut down', begin: () => place.redis.end('SIGINT'), end: () => place.redis.start() },
  { name: 'is killed', begin: () => place.redis.end('SIGKILL'), end: () => place.redis.start() },
  { name: 'is silent', begin: () => place.redis.freeze(), end: () => place.redis.thaw() },
];

for (let round = 1; round <= rounds(1, 12); round++) {
  test.each(faults)(
    `round ${round}: a Redis that $name: lookups go on, rates hold, every file is processed once, every query counts once`,
    async ({ name, begin, end }) => {
      const lookup = (key: string, number: number) => ({
        path: `/api/2.0/availability/${(-36 - (number % 100) / 50).toFixed(2)}/175`,
        headers: { 'x-api-key': key },
      });
      const beganAt = Date.now();
      const loads = [
        startLoad(api.url, 8, (number) => lookup(steady[number % steady.length] as string, number), 100),
        startLoad(api.url, 1, (number) => lookup(greedy, number), 5),
        startLoad(otherApi.url, 1, (number) => lookup(greedy, number), 5),
      ] as const;
      await loads[0].until(({ status }) => status === 200);
      // Each round has another provider, as the number of a provider's scopes is limited.
      kauri = await client(api.url, place.database, `Kauri ${round}`);
      for (let i = 0; i < 2; i++) await submit();
      await begin();
      const awayAt = Date.now();
      for (let i = 0; i < 2; i++) await submit();
      // Readiness may be up to five seconds old.
      await expect
        .poll(readiness, patience)
        .toMatchObject({ status: 'ready', parts: { queue: 'unreachable' } });
      // Long enough for a few attempts to connect.
      await sleep(rounds(1_000, 4_000 + 3_000 * (round % 6)));
      await end();
      const backAt = Date.now();
      await submit();
      for (const id of submitted.slice(-5)) {
        expect((await kauri.until(id, ({ finished }) => finished)).status).toBe('published');
      }
      const publishedMs = Date.now() - backAt;
      const got = await loads[0].stop();
      const refused = [...(await loads[1].stop()), ...(await loads[2].stop())];
      const seconds = (Date.now() - beganAt) / 1000;
      answered += [...got, ...refused].filter(({ status }) => status === 200).length;

      expect(got.filter(({ status }) => status !== 200)).toEqual([]);
      const longestMs = Math.max(...got.map(({ sentAt, gotAt }) => gotAt - sentAt));
      const allowed = refused.filter(({ status }) => status === 200).length;
      console.log(
        `${name}: away ${backAt - awayAt} ms; ${got.length} lookups, the longest ${longestMs} ms; ${allowed} of ${refused.length} ` +
          `allowed to the greedy in ${seconds.toFixed(1)} s; all published ${publishedMs} ms after its return`,
      );
      expect(longestMs).toBeLessThan(promised.lookupMs);
      expect([...new Set(refused.map(({ status }) => status))].sort()).toEqual([200, 429]);
      // Both share the rate; while Redis is away, and until each asks it again, the second has its own bucket. One that Redis has lost is full.
      const alone = (backAt - awayAt + againWithinMs) / 1000;
      const second = rate.burst + rate.perSecond * alone;
      expect(allowed).toBeLessThanOrEqual(2 * rate.burst + rate.perSecond * seconds + second);
      await processedOnce();
      await expect.poll(() => queriesOf(place.database), patience).toBe(answered);
    },
  );
}

const readiness = async () => (await fetch(`${api.url}/readyz`)).json();

/** Each file has one dataset, published once. */
async function processedOnce(): Promise<void> {
  const { rows } = await place.database.query<{ datasets: number; published: number }>(`
    select (select count(*) from dataset d where d.submission_id = s.id)::integer as datasets,
      (select count(*) from publication p join dataset d on d.id = p.dataset_id
        where d.submission_id = s.id)::integer as published
    from submission s`);
  expect(rows).toEqual(submitted.map(() => ({ datasets: 1, published: 1 })));
}
