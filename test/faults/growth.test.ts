import { setTimeout as sleep } from 'node:timers/promises';
import { anySeed, randomNumbers } from '@covermap/testing/random.ts';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, expect, test } from 'vitest';
import { createKey } from '../../access/api-keys.ts';
import { findSubmission } from '../../coverage/submissions/submissions.ts';
import { metricOf } from '../setup/metrics.ts';
import { type Client, client, clientWith, type ShownSubmission } from '../setup/operator.ts';
import { endCommandProcesses } from '../setup/processes.ts';
import { rounds } from '../setup/rounds.ts';
import { type HttpPart, type Part, startTopology } from '../setup/topology.ts';

/* Two APIs, two workers, a replica, Redis and a bucket (docs/scale.md) share the work; each of them is lost in turn. */

const topology = await startTopology();
afterAll(async () => {
  await topology.stop();
  endCommandProcesses();
});
const { database, apis, workers, replica, redis, bucket } = topology;
const networks = await Promise.all(
  ['Kauri', 'Rimu', 'Totara', 'Kahikatea'].map((name) => client(apis[0].url, database, `${name} Fibre`)),
);
const key = await createKey(database, 'Customer');
await database.query('update customer set overage_allowed = true');
const seed = anySeed();
const random = randomNumbers(seed);
const eventually = { timeout: 100_000, interval: 100 };

let files = 0;
/** Published speeds by the network's number, as those who sent the files were told. */
const expected = new Map<number, number>();

/** Each network has an area of its own. */
const placeOf = (network: number) => ({ lat: -36.95, lng: 174.75 + network });

/** Hands a file of a network in through an API, once more where that did not say that it has it. @returns its id and speed */
async function submit(api: () => HttpPart, network: number) {
  const number = ++files;
  const { lng } = placeOf(network);
  const file = await zippedRectangle(lng - 0.05, -37, lng + 0.05, -36.9 + number / 1e5);
  const speeds = { bandwidth_max_mbps: number, bandwidth_up_max_mbps: number };
  const manifest = { technology: 'fibre', speeds, publish: 'auto' };
  for (;;) {
    const { url } = api();
    const sent = await clientWith(url, (networks[network] as Client).token)
      .send(file, manifest)
      .catch(() => undefined);
    if (sent?.status === 202) return { id: ((await sent.json()) as ShownSubmission).id, network, number };
    // Cut off, or refused for what is away: never for what is in the file.
    if (sent) expect(sent.status, await sent.text()).toBeGreaterThanOrEqual(500);
    await sleep(100);
  }
}

/** Waits until a submission is done. */
async function follow({ id, network, number }: Awaited<ReturnType<typeof submit>>): Promise<void> {
  const stateOf = async () => (await findSubmission(database, id))?.state;
  await expect
    .poll(stateOf, { ...eventually, message: `submission ${id}, seed ${seed}` })
    .toMatch(/published|superseded/);
  expected.set(network, Math.max(number, expected.get(network) ?? 0));
}

async function speedAt(api: HttpPart, network: number): Promise<number | undefined> {
  const { lat, lng } = placeOf(network);
  const response = await fetch(`${api.url}/api/2.0/availability/${lat}/${lng}`, {
    headers: { 'x-api-key': key },
  });
  const text = await response.text();
  expect(response.status, `${api.name}: ${text}`).toBe(200);
  return JSON.parse(text).results[0].providers?.[0]?.bandwidth_max_mbps;
}

/** Both APIs answer what was published last. */
async function expectAnswers() {
  for (const [network, speed] of expected) {
    for (const api of apis) await expect.poll(() => speedAt(api, network), eventually).toBe(speed);
  }
}

const filesOf = (worker: HttpPart) =>
  metricOf(worker, 'covermap_ingest_files_total', { format: 'ESRI Shapefile' });

test('files that one API takes are loaded by both workers, and both APIs answer from them', async () => {
  let sent = 0;
  do {
    const batch = await Promise.all(networks.map((_, network) => submit(() => apis[0], network)));
    await Promise.all(batch.map(follow));
    sent += batch.length;
    // Chance may give all of a batch to one of them.
  } while (sent < 40 && (await Promise.all(workers.map(filesOf))).includes(0));
  const [one = 0, other = 0] = await Promise.all(workers.map(filesOf));
  expect(Math.min(one, other)).toBeGreaterThan(0);
  expect(one + other).toBe(sent);
  await expectAnswers();
});

test('files of positions are looked up by a worker, on the replica', async () => {
  const jobs = `${apis[1].url}/api/2.0/availability/jobs`;
  const headers = { 'x-api-key': key, 'content-type': 'text/csv' };
  const places = networks.map((_, network) => placeOf(network));
  const body = places.map(({ lat, lng }) => `${lat},${lng}\n`).join('');
  const sent = await fetch(jobs, { method: 'POST', headers, body });
  const { id } = (await sent.json()) as { id: string };
  await expect
    .poll(async () => (await fetch(`${jobs}/${id}`, { headers })).json(), eventually)
    .toMatchObject({ state: 'done', answered: places.length });
  const reads = workers.map((worker) =>
    metricOf(worker, 'covermap_replicated_reads_total', { server: 'replica' }),
  );
  expect(Math.max(...(await Promise.all(reads)))).toBeGreaterThan(0);
});

test('Redis with AOF that is killed has its queue when it is back', async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  const sent = await Promise.all(networks.map((_, network) => submit(() => apis[1], network)));
  const waiting = () => redis.client.zcard('bull:load:prioritized');
  await expect.poll(waiting, eventually).toBeGreaterThanOrEqual(networks.length);
  const before = await waiting();
  await redis.kill();
  await redis.start();
  // Nobody sends a job again meanwhile: that is the workers' sweep.
  expect(await waiting()).toBe(before);
  await Promise.all(workers.map((worker) => worker.start()));
  await Promise.all(sent.map(follow));
  await expectAnswers();
});

test('whichever part is killed while files are sent and positions looked up, nothing acknowledged is lost', async () => {
  const parts: Part[] = [apis[0], apis[1], workers[0], workers[1], replica, redis, bucket];
  let order: Part[] = [];
  for (let round = 0; round < rounds(3, 70); round++) {
    // In random order, each part once before any of them again.
    if (order.length === 0) order = byChance(parts);
    const part = order.pop() as Part;
    // Behind a proxy, callers reach the APIs that are up.
    const there = () => apis.filter((api) => api !== part);
    const oneThere = () => there()[Math.floor(random() * there().length)] as HttpPart;
    const over = new AbortController();
    let lookups = 0;
    const looking = (async () => {
      while (!over.signal.aborted) {
        await speedAt(oneThere(), lookups++ % networks.length);
        await sleep(10);
      }
    })();
    // Some files go to the API that is killed: their sender tries again, elsewhere.
    let first = apis.find((api) => api === part);
    const sending = Promise.all(
      networks.slice(0, 2).map((_, network) =>
        submit(() => {
          const api = first ?? oneThere();
          first = undefined;
          return api;
        }, network),
      ),
    );
    await sleep(random() * 400);
    await part.kill();
    await sleep(random() * 500);
    await part.start();
    const sent = await sending;
    await Promise.race([Promise.all(sent.map(follow)), looking]);
    over.abort();
    await looking;
    expect(lookups).toBeGreaterThan(3);
  }
  await expectAnswers();
  // No half of anything: one version is published for each network, with the rows of its file, and no work waits.
  const { rows } = await database.query(`
    select count(distinct d.id)::int as datasets, count(*)::int as rows
    from dataset d join tier t on t.dataset_id = d.id join coverage c on c.tier_id = t.id
    where d.state = 'published'`);
  expect(rows[0]).toEqual({ datasets: networks.length, rows: networks.length });
  const { rows: open } = await database.query(
    "select id, state from submission where state not in ('published', 'superseded')",
  );
  expect(open).toEqual([]);
});

function byChance<T>(all: readonly T[]): T[] {
  const drawn = all.map((one) => ({ one, at: random() }));
  return drawn.sort((a, b) => a.at - b.at).map(({ one }) => one);
}
