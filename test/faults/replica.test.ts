import { setTimeout as sleep } from 'node:timers/promises';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../access/api-keys.ts';
import { metricOf } from '../setup/metrics.ts';
import { type Client, client, manifest } from '../setup/operator.ts';
import { answers } from '../setup/private-servers.ts';
import { endCommandProcesses } from '../setup/processes.ts';
import { promisedMs, rounds } from '../setup/rounds.ts';
import { type HttpPart, startTopology } from '../setup/topology.ts';
import { decodeTile, tileOver } from '../setup/vector-tile.ts';

/*
 * The promises of docs/scale.md about lookups on a streaming replica, with a real one. Two providers publish in turns, each time a
 * speed higher by one: the two speeds of an answer tell which publication it shows, and that it shows only one.
 */

const maxLagSeconds = 5;
const topology = await startTopology({
  REPLICA_MAX_LAG_SECONDS: String(maxLagSeconds),
  TILE_RATE: '100000',
});
afterAll(async () => {
  await topology.stop();
  endCommandProcesses();
});
const { database, apis, replica } = topology;
const [api] = apis;
const providers = [
  await client(api.url, database, 'Kauri Fibre'),
  await client(api.url, database, 'Rimu Fibre'),
];
const key = await createKey(database, 'Customer');

/** When each publication was seen to be done. */
const published: number[] = [];

beforeAll(async () => {
  await database.query('update customer set overage_allowed = true');
  await publish();
  await publish();
  // From here on every answer has the speeds of both providers.
  await Promise.all(apis.map((one) => answers(() => ask(one))));
});
afterEach(async () => {
  await replica.query(`select case when pg_is_in_recovery() then pg_wal_replay_resume() end`);
});

const eventually = { timeout: 60_000, interval: 100 };

/** Publishes the next version. */
async function publish(): Promise<void> {
  const number = published.length;
  const provider = providers[number % 2] as Client;
  const speed = 100 + Math.floor(number / 2);
  const file = await zippedRectangle(174.7, -37, 174.8, -36.9 + number / 1e5);
  const speeds = { bandwidth_max_mbps: speed, bandwidth_up_max_mbps: speed };
  const { status, error } = await provider.handIn(file, { ...manifest, speeds, publish: 'auto' });
  expect([status, error]).toEqual(['published', null]);
  published.push(performance.now());
}

type Speeds = Record<string, number | undefined>;

/** The publication that an answer is of, counted from 1. Anything that is not of one is an error. */
function versionOf(speeds: Speeds, of: unknown): number {
  const [kauri, rimu] = [speeds['Kauri Fibre'], speeds['Rimu Fibre']];
  const isOne = kauri !== undefined && rimu !== undefined && (kauri === rimu || kauri === rimu + 1);
  if (!isOne) throw new Error(`not of one publication: ${JSON.stringify(of)}`);
  return kauri - 100 + (rimu - 100) + 2;
}

const etags = new Map<string, string>();

/** Asks an API for a position, sometimes for whether it has changed. */
async function ask(api: HttpPart, etag?: string): Promise<{ version: number; etag: string; status: number }> {
  const headers = { 'x-api-key': key, ...(etag && { 'if-none-match': etag }) };
  const response = await fetch(`${api.url}/api/2.0/availability/-36.95/174.75`, { headers });
  const text = await response.text();
  if (response.status === 304)
    return { version: Number(etags.get(etag as string)), etag: etag as string, status: 304 };
  expect(response.status, text).toBe(200);
  const body = JSON.parse(text);
  const speeds: Speeds = {};
  for (const { name, bandwidth_max_mbps, bandwidth_up_max_mbps } of body.results[0].providers ?? []) {
    expect(bandwidth_up_max_mbps).toBe(bandwidth_max_mbps);
    speeds[name] = bandwidth_max_mbps;
  }
  const version = versionOf(speeds, body);
  const given = response.headers.get('etag') as string;
  // One ETag for a version, and one version for an ETag, whichever API says it.
  expect(etags.get(given) ?? String(version)).toBe(String(version));
  etags.set(given, String(version));
  return { version, etag: given, status: 200 };
}

const tiles = new Map<string, number>();

/** Asks one API for a tile by the address that another gives. @returns the version behind the address, where it is known */
async function askTile(named: HttpPart, asked: HttpPart): Promise<number | undefined> {
  const set = (await (await fetch(`${named.url}/tiles/1.json`)).json()) as { tiles: [string] };
  const tile = tileOver(12, 174.75, -36.95);
  const { z, x, y } = tile;
  const address = new URL(set.tiles[0].replace('{z}/{x}/{y}', `${z}/${x}/${y}`));
  const response = await fetch(new URL(address.pathname + address.search, asked.url));
  expect(response.status).toBe(200);
  const features = decodeTile(new Uint8Array(await response.arrayBuffer()), 'coverage', tile);
  const speeds: Speeds = {};
  for (const { properties } of features) {
    expect(properties.bandwidth_up_max_mbps).toBe(properties.bandwidth_max_mbps);
    speeds[String(properties.provider)] = Number(properties.bandwidth_max_mbps);
  }
  const version = versionOf(speeds, speeds);
  if (!response.headers.get('cache-control')?.includes('immutable')) return undefined;
  // Under an address that is kept for ever there is one content, whichever API gives it.
  expect(tiles.get(address.search) ?? version).toBe(version);
  tiles.set(address.search, version);
  return version;
}

/** Asks an API over and over, and says what is wrong with an answer. @returns how often it was asked */
async function watch(api: HttpPart, other: HttpPart, until: AbortSignal) {
  let newest = 0;
  let etag: string | undefined;
  const seen = { answers: 0, unchanged: 0, slowestMs: 0 };
  while (!until.aborted) {
    const began = performance.now();
    // Publications that are older than the max lag of a replica must be in the answer.
    const due = published.filter((at) => at < began - maxLagSeconds * 1000).length;
    const { status, ...answer } = await ask(api, seen.answers % 3 ? etag : undefined);
    seen.slowestMs = Math.max(seen.slowestMs, performance.now() - began);
    if (answer.version < newest) throw new Error(`${api.name} went back from ${newest} to ${answer.version}`);
    if (answer.version < due)
      throw new Error(`${api.name} answers ${answer.version}, though ${due} is published`);
    newest = answer.version;
    etag = answer.etag;
    seen.answers++;
    if (status === 304) seen.unchanged++;
    if (seen.answers % 5 === 0) await askTile(other, api);
    await sleep(5);
  }
  return seen;
}

/** Does something while both APIs are asked. */
async function watching(work: () => Promise<void>) {
  const done = new AbortController();
  const [one, two] = apis;
  const watches = [watch(one, two, done.signal), watch(two, one, done.signal), watch(one, one, done.signal)];
  const all = Promise.all(watches);
  // A failed watch fails the test at once, without waiting for the work.
  await Promise.race([all, work().finally(() => done.abort())]);
  return all;
}

const reads = (api: HttpPart, server: 'replica' | 'primary') =>
  metricOf(api, 'covermap_replicated_reads_total', { server });

async function readiness(api: HttpPart): Promise<[number, string]> {
  const response = await fetch(`${api.url}/readyz`);
  const { parts } = (await response.json()) as { parts: { replica: string } };
  return [response.status, parts.replica];
}

/** Waits until all APIs say this of the replica. */
async function allAre(said: string): Promise<void> {
  for (const api of apis) await expect.poll(() => readiness(api), eventually).toEqual([200, said]);
}

test('lookups read from the replica, and the primary is asked for none', async () => {
  await expect.poll(() => readiness(api), eventually).toEqual([200, 'ok']);
  const before = await reads(api, 'primary');
  const seen = await watching(publish);
  expect(seen[0]?.answers).toBeGreaterThan(5);
  expect(seen[0]?.unchanged).toBeGreaterThan(1);
  expect(await reads(api, 'primary')).toBe(before);
  expect(await reads(api, 'replica')).toBeGreaterThan(seen[0]?.answers as number);
  expect(await metricOf(api, 'covermap_replica_up')).toBe(1);
});

test(`a replica that stands still is read while it is at most ${maxLagSeconds} s behind, then the primary, then the replica again`, async () => {
  for (let round = 0; round < rounds(1, 10); round++) {
    await watching(async () => {
      await replica.query('select pg_wal_replay_pause()');
      await publish();
      const waiting = Date.now();
      await expect.poll(() => readiness(api), eventually).toEqual([200, 'behind']);
      expect(await metricOf(api, 'covermap_replica_up')).toBe(0);
      expect(await metricOf(api, 'covermap_replica_age_seconds')).toBeGreaterThan(maxLagSeconds);
      expect((await ask(api)).version).toBe(published.length);
      // The wait differs by round: the replica resumes before or after the next publication.
      await Promise.all([publish(), sleep((Date.now() - waiting) % 1000).then(resume)]);
      await expect.poll(() => readiness(api), eventually).toEqual([200, 'ok']);
      const before = await reads(api, 'replica');
      await expect.poll(() => reads(api, 'replica'), eventually).toBeGreaterThan(before);
    });
  }
});
const resume = () => replica.query('select pg_wal_replay_resume()');

test('a replica that is always some time behind never mixes publications, and no API goes back', async () => {
  for (let round = 0; round < rounds(1, 8); round++) {
    const delay = [1500, 300, 4500, 2500][round % 4] as number;
    await replica.query(`alter system set recovery_min_apply_delay = '${delay}ms'`);
    await replica.query('select pg_reload_conf()');
    await watching(async () => {
      for (let i = 0; i < rounds(2, 4); i++) await publish();
      const age = () => metricOf(apis[0], 'covermap_replica_age_seconds');
      if (delay > 1000) await expect.poll(age, eventually).toBeGreaterThan(delay / 1000 - 1);
      // Both APIs reach the newest version by themselves, also without a notification.
      for (const api of apis)
        await expect.poll(() => ask(api).then(({ version }) => version), eventually).toBe(published.length);
    });
  }
  await replica.query('alter system reset recovery_min_apply_delay');
  await replica.query('select pg_reload_conf()');
});

test('a replica that is killed or hangs costs no answer, and is read again once it is back', async () => {
  for (let round = 0; round < rounds(2, 12); round++) {
    await allAre('ok');
    const seen = await watching(async () => {
      if (round % 2) replica.hang();
      else await replica.kill();
      await allAre('unreachable');
      await publish();
      if (round % 2) replica.wake();
      else await replica.start();
      await allAre('ok');
    });
    // The API notices within 3 s, before a statement's limit of 10 s.
    for (const { slowestMs } of seen) expect(slowestMs).toBeLessThan(promisedMs(9_000));
  }
});

test('keys, and what support staff ask about an answer, are of the primary: a revoked key is refused while the replica lags', async () => {
  await replica.query('select pg_wal_replay_pause()');
  const fresh = await createKey(database, 'Newcomer');
  const withKey = () =>
    fetch(`${api.url}/api/2.0/availability/-36.95/174.75?explain=1`, { headers: { 'x-api-key': fresh } });
  expect((await withKey()).status).toBe(200);
  await database.query(
    "update api_key set revoked_at = now() where customer_id = (select id from customer where name = 'Newcomer')",
  );
  await expect.poll(() => withKey().then(({ status }) => status), eventually).toBe(403);
  expect(await readiness(api)).toEqual([200, 'ok']);
});

test('a replica that was made a primary of its own is not read from', async () => {
  await watching(async () => {
    await replica.query('select pg_promote()');
    await allAre('not a replica');
    await publish();
    for (const api of apis) expect((await ask(api)).version).toBe(published.length);
  });
});
