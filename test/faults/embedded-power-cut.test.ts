import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { anySeed, randomNumbers } from '@covermap/testing/random.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Availability } from '../../client/schema.ts';
import { demoKey, demoOperatorToken, demoPosition, demoStaffToken } from '../../commands/demo.ts';
import { clientWith, customerWithKey, type ShownSubmission } from '../setup/operator.ts';
import { type Command, endCommandProcesses, runCommandProcess, startCommand } from '../setup/processes.ts';
import { rounds } from '../setup/rounds.ts';
import { publishFreely, withoutTerms } from '../setup/test-config.ts';

/*
 * `npm start` with the embedded database, killed (SIGKILL) at any moment: it opens again by itself, with all that it has acknowledged.
 * The system keeps what the process has written; a loss of power is another matter (docs/reliability.md).
 */

const seed = anySeed();
const random = randomNumbers(seed);
const folder = scratchFolder();
const eventually = { timeout: 100_000, interval: 50 };
/** docs/administrator/billing-operations.md: counts of the last second may be missing. */
const countedWithinMs = 1000;

beforeAll(() => console.log(`seed ${seed}`));
afterAll(endCommandProcesses);

const envOf = (dataDir: string) => ({
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
  ...publishFreely,
  ...withoutTerms,
});
/** Starts it, and waits until it is ready. */
const start = (dataDir: string) => startCommand('start', envOf(dataDir));
type Service = Awaited<ReturnType<typeof start>>;

async function kill({ child, ended }: Command): Promise<void> {
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
}

async function lookUp({ url }: Service, key: string, { lat, lng }: { lat: string; lng: string }) {
  const response = await fetch(`${url}/api/2.0/availability/${lat}/${lng}`, {
    headers: { 'x-api-key': key },
  });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return ((await response.json()) as Availability).results;
}

/** The place that all submissions cover, each with a speed of its own. */
const position = { lat: '-46.95', lng: '167.85' };
const provider = 'Demo Networks';

/** Work that the service has acknowledged, and work that it may have done without an answer. */
const known = {
  sent: 0,
  submissions: new Map<string, number>(),
  /** The speed of the last acknowledged publication. */
  published: 0,
  keys: [] as string[],
};

interface Asked {
  key: string;
  /** When each answer was there. */
  answeredAt: number[];
  open: number;
}

/** Does something again and again until the service is gone. */
async function whileThere(gone: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!gone.aborted) {
    try {
      await work();
    } catch (error) {
      // Cut off by the kill; anything else is a failure.
      await sleep(200);
      if (!gone.aborted) throw error;
    }
  }
}

async function newKey({ url }: Service, name: string): Promise<string> {
  const { key } = await customerWithKey(clientWith(url, demoStaffToken), name);
  known.keys.push(key);
  return key;
}

/** Uploads, publishes, looks up and makes keys until it is killed. */
async function writeUntilKilled(service: Service, round: number, asked: Asked): Promise<number> {
  const gone = new AbortController();
  const operator = clientWith(service.url, demoOperatorToken);
  const work = [
    whileThere(gone.signal, async () => {
      const speed = ++known.sent;
      const file = await zippedRectangle(167.8, -47, 167.9, -46.9 + speed / 1e5);
      const speeds = { bandwidth_max_mbps: speed, bandwidth_up_max_mbps: speed };
      const sent = await operator.send(file, { technology: 'fibre', speeds, publish: 'auto' });
      const { id } = (await sent.json()) as ShownSubmission;
      expect(sent.status).toBe(202);
      known.submissions.set(id, speed);
      if ((await operator.until(id, ({ finished }) => finished)).status === 'published')
        known.published = speed;
    }),
    whileThere(gone.signal, async () => {
      asked.open = 1;
      await lookUp(service, asked.key, demoPosition);
      asked.answeredAt.push(performance.now());
      asked.open = 0;
      await sleep(20);
    }),
    whileThere(gone.signal, async () => {
      await newKey(service, `Customer ${round} ${known.keys.length}`);
      await sleep(100);
    }),
  ];
  const ended = Promise.all(work);
  // Awaited below: a failure until then is not unhandled.
  ended.catch(() => undefined);
  await sleep(200 + random() * 2500);
  const killedAt = performance.now();
  gone.abort();
  await kill(service);
  await ended;
  return killedAt;
}

/** All that was acknowledged is there, once. */
async function checkAll(service: Service): Promise<void> {
  const operator = clientWith(service.url, demoOperatorToken);
  for (const [id, speed] of known.submissions) {
    const { status } = await operator.until(id, ({ finished }) => finished);
    expect(['published', 'superseded'], `submission of ${speed}, seed ${seed}`).toContain(status);
  }
  // A submission that was stored before its acknowledgement is published, too, maybe a moment later.
  const publications = async () => {
    const { submissions } = await operator.json<{ submissions: ShownSubmission[] }>(
      '/api/operator/submissions?limit=200&status=published',
    );
    return submissions.length;
  };
  if (known.published > 0) await expect.poll(publications, eventually).toBe(1);
  const [found, ...others] = (await lookUp(service, demoKey, position)).flatMap(({ providers = [] }) =>
    providers.filter(({ name }) => name === provider),
  );
  expect(others).toEqual([]);
  if (known.published > 0) expect(found?.bandwidth_max_mbps).toBeGreaterThanOrEqual(known.published);
  for (const key of known.keys) {
    const answer = await fetch(`${service.url}/api/2.0/usage`, { headers: { 'x-api-key': key } });
    expect(answer.status).toBe(200);
  }
}

/** Queries that were answered before the last second are counted, and none is twice. @returns how many were lost, and of how long */
async function checkCounts({ url }: Service, { key, answeredAt, open }: Asked, killedAt: number) {
  const least = answeredAt.filter((at) => at < killedAt - countedWithinMs).length;
  const counted = async () => {
    const answer = await fetch(`${url}/api/2.0/usage`, { headers: { 'x-api-key': key } });
    return ((await answer.json()) as { queries: number }).queries;
  };
  // Queries that the killed process left on the disk are counted soon after the start.
  await expect.poll(counted, eventually).toBeGreaterThanOrEqual(least);
  const queries = await counted();
  expect(queries).toBeLessThanOrEqual(answeredAt.length + open);
  const lost = answeredAt.slice(queries);
  return {
    answered: answeredAt.length,
    lost: lost.length,
    lostMs: lost[0] === undefined ? 0 : killedAt - lost[0],
  };
}

const firstStarts = rounds(1, 6);
/** The next test goes on with the demo of the last start. */
const dataDirOf = (start: number) => path.join(folder, `first-${start}`);

test(`killed in its first start, ${firstStarts} times, it starts as if it were the first time`, async () => {
  const killedAt: string[] = [];
  for (let i = 0; i < firstStarts; i++) {
    const dataDir = dataDirOf(i);
    const cut = runCommandProcess('start', [], envOf(dataDir));
    await cut.printed(/Starting the embedded database/);
    // In turns: while the database is unpacked, and while it is filled with the demo.
    const unpacking = i % 2 === 0;
    const complete = path.join(dataDir, 'postgres.complete');
    const begun = unpacking ? path.join(dataDir, 'postgres') : complete;
    while (!existsSync(begun) && cut.child.exitCode === null) await sleep(5);
    expect(existsSync(begun)).toBe(true);
    await sleep(random() * (unpacking ? 300 : 3000));
    killedAt.push(existsSync(complete) ? 'filling' : 'unpacking');
    await kill(cut);
    const service = await start(dataDir);
    const [fibre] = await lookUp(service, demoKey, demoPosition);
    expect(fibre, `seed ${seed}`).toMatchObject({ technology: 'fibre', availability: 'available' });
    const { submissions } = await clientWith(service.url, demoStaffToken).json<{
      submissions: ShownSubmission[];
    }>('/api/operator/submissions?limit=100');
    const files = submissions.map(({ file }) => file.name);
    expect(new Set(submissions.map(({ status }) => status)), `seed ${seed}`).toEqual(new Set(['published']));
    expect(new Set(files).size).toBe(files.length);
    await kill(service);
  }
  console.log('killed in the first start while', killedAt);
});

test(`killed ${rounds(1, 50)} times in the middle of writes, it has all that it acknowledged`, async () => {
  const dataDir = dataDirOf(firstStarts - 1);
  let service = await start(dataDir);
  const losses: Awaited<ReturnType<typeof checkCounts>>[] = [];
  const tell = () => {
    const sum = (of: 'answered' | 'lost') => losses.reduce((total, loss) => total + loss[of], 0);
    const longest = Math.max(...losses.map(({ lostMs }) => lostMs));
    console.log(
      `${losses.length} kills, ${known.submissions.size} submissions, ${known.keys.length} keys, ${sum('answered')} queries, of which ${sum('lost')} are not counted: of the last ${Math.round(longest)} ms`,
    );
  };
  for (let round = 0; round < rounds(1, 50); round++) {
    const asked: Asked = { key: await newKey(service, `Asking ${round}`), answeredAt: [], open: 0 };
    const killedAt = await writeUntilKilled(service, round, asked);
    service = await start(dataDir);
    await checkAll(service);
    losses.push(await checkCounts(service, asked, killedAt));
    if (losses.length % 10 === 0) tell();
  }
  await kill(service);
  tell();
});
