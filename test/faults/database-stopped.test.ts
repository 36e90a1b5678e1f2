import { setTimeout as sleep } from 'node:timers/promises';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../access/api-keys.ts';
import { queriesOf } from '../setup/billing.ts';
import { startFlakyProxy } from '../setup/flaky-proxy.ts';
import { type Got, type Load, startLoad } from '../setup/load.ts';
import { client, manifest as reviewed } from '../setup/operator.ts';
import { promisedMs, rounds } from '../setup/rounds.ts';
import { makeStoppablePlace } from '../setup/stoppable.ts';

/*
 * PostgreSQL is stopped, killed, frozen and cut off under load, and comes back. The API and the worker run as `npm run api` and
 * `npm run worker` do; what the clients of the load saw is compared with what was counted.
 */

/** How long an answer may take while the database is away, and how soon all is well once it is back: both promised. ms */
const promised = {
  refusesMs: promisedMs(1_000),
  silentMs: promisedMs(5_000),
  recoversMs: promisedMs(5_000),
};
const clients = 12;

const place = await makeStoppablePlace();
const { database, databaseUrl } = place;
/** The API's way to the database, for a network that loses packets. */
const network = await startFlakyProxy(databaseUrl);
afterAll(async () => {
  await network.close();
  await place.remove();
});
const throughNetwork = new URL(databaseUrl);
throughNetwork.port = new URL(network.url).port;
const [direct, remote] = await Promise.all([
  place.startApi(),
  place.startApi({ DATABASE_URL: throughNetwork.href }),
  place.startWorker(),
]);
const kauri = await client(direct.url, database, 'Kauri Fibre');
/** Keys for versions 1.0 and 2.0, and what their clients saw. */
const keys = { one: await createKey(database, 'One'), two: await createKey(database, 'Two') };
const seen = { one: 0, two: 0 };
await database.query('update customer set overage_allowed = true');

const manifest = (scope: string) => ({ ...reviewed, scope, publish: 'auto' });

beforeAll(async () => {
  const sent = await kauri.handIn(await zippedRectangle(174, -38, 176, -36), manifest('first'));
  expect(sent.status).toBe('published');
});

/** Lookups of both versions, in turn. */
const loadOn = (url: string): Load =>
  startLoad(url, clients, (number) => {
    const lat = (-36 - (number % 100) / 50).toFixed(2);
    return number % 2 === 0
      ? { path: `/api/1.0/availability/yx/${lat}/175?api_key=${keys.one}` }
      : { path: `/api/2.0/availability/${lat}/175`, headers: { 'x-api-key': keys.two } };
  });

/** Errors of both versions have these. */
const failure = { code: 500, error: expect.any(String) };
const versionOf = ({ asked }: Got) => (asked.path.startsWith('/api/1.0') ? 'one' : 'two');

const { refusesMs, silentMs } = promised;
const ended = (signal: 'SIGINT' | 'SIGKILL') => ({
  begin: () => place.postgres.end(signal),
  end: () => place.postgres.start(),
  withinMs: refusesMs,
});
/** `end` returns when the database can be reached again; `withinMs`: how long an answer may take meanwhile. */
const faults = [
  { name: 'is shut down', api: direct, ...ended('SIGINT') },
  { name: 'is killed', api: direct, ...ended('SIGKILL') },
  {
    ...{ name: 'is silent', api: direct, withinMs: silentMs },
    begin: () => place.postgres.freeze(),
    end: () => place.postgres.thaw(),
  },
  {
    ...{ name: 'is behind a network that loses all packets', api: remote, withinMs: silentMs },
    begin: async () => network.lose(),
    end: async () => network.mend(),
  },
];

for (let round = 1; round <= rounds(1, 8); round++) {
  test.each(faults)(
    `round ${round}: a database that $name: errors at once, /readyz says so, all recovers, every query counts once`,
    async (fault) => {
      const { url } = fault.api;
      const load = loadOn(url);
      await load.until(({ status }) => status === 200);
      await fault.begin();
      const brokenAt = Date.now();
      const [readiness] = await Promise.all([
        fetch(`${url}/readyz`),
        load.until(({ status }) => status !== 200),
      ]);
      // Keys and other rows in memory have to be read again by then.
      await sleep(rounds(0, 6_000));
      expect([readiness.status, await readiness.json()]).toMatchObject([
        503,
        { status: 'not ready', parts: { lookups: 'unreachable' } },
      ]);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      await fault.end();
      const backAt = Date.now();
      await load.until(({ status, sentAt }) => status === 200 && sentAt > backAt);
      while ((await fetch(`${url}/readyz`)).status !== 200) await sleep(20);
      const readyMs = Date.now() - backAt;
      await sleep(1_000);
      const got = await load.stop();

      const failed = got.filter(({ status }) => status !== 200);
      const lastFailedMs = Math.max(...failed.map(({ gotAt }) => gotAt)) - backAt;
      const longestMs = Math.max(...got.map(({ sentAt, gotAt }) => gotAt - sentAt));
      console.log(
        `${fault.name}: away ${backAt - brokenAt} ms, ${failed.length} errors of ${got.length} answers, the longest ${longestMs} ms; ` +
          `ready after ${readyMs} ms, last error after ${lastFailedMs} ms`,
      );
      for (const answer of failed) {
        expect([answer.status, JSON.parse(answer.text)]).toEqual([500, failure]);
      }
      expect(longestMs).toBeLessThan(fault.withinMs);
      expect(Math.max(readyMs, lastFailedMs)).toBeLessThan(promised.recoversMs);
      for (const answer of got) if (answer.status === 200) seen[versionOf(answer)]++;
      await countsAre(seen);
    },
  );
}

test('whoever listens to the database hears of changes again, and the worker works on', async () => {
  const key = await createKey(database, 'Revoked');
  const ask = async (url: string) =>
    (await fetch(`${url}/api/2.0/availability/-37/175`, { headers: { 'x-api-key': key } })).status;
  expect([await ask(direct.url), await ask(remote.url)]).toEqual([200, 200]);
  const { rows } = await database.query<{ id: number }>('select max(id) as id from api_key');
  await revokeKey(database, rows[0]?.id as number);
  const revokedAt = Date.now();
  while ((await ask(direct.url)) !== 403 || (await ask(remote.url)) !== 403) await sleep(20);
  expect(Date.now() - revokedAt).toBeLessThan(promised.recoversMs);
  const sent = await kauri.handIn(await zippedRectangle(170, -45, 171, -44), manifest('second'));
  expect(sent.status).toBe('published');
});

/** Waits until as many queries are counted as the clients saw answered; then no more may come. */
async function countsAre(expected: typeof seen) {
  const counted = async () => ({
    one: await queriesOf(database, 'One'),
    two: await queriesOf(database, 'Two'),
  });
  await expect.poll(counted, { timeout: 100_000 }).toEqual(expected);
  // A batch that came twice would come within that.
  await sleep(500);
  expect(await counted()).toEqual(expected);
}
