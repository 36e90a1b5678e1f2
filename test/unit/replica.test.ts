import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Database } from '../../core/database/database.ts';
import { type Replica, watchReplica } from '../../core/database/replica.ts';
import { replicated } from '../../core/database/replicated.ts';
import { createLogger } from '../../core/logger.ts';

/* How the watch judges what two servers say; test/faults/replica.test.ts has real ones. */

const same = { away: false, position: 100, system: 'one', started: 'yesterday', follows: true };
const maxAgeMs = 500;
const eventually = { timeout: 20_000, interval: 5 };
let replica: Replica | undefined;
afterEach(() => replica?.close());

/** A server that answers with its current state. */
function server(changes: Partial<typeof same> = {}) {
  const now = { ...same, ...changes };
  const query = async () => {
    if (now.away) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    return { rows: [now], rowCount: 1 };
  };
  const poolUse = () => ({ max: 4, busy: 2, waiting: 1 });
  return { now, database: { query, poolUse, close: async () => undefined } as unknown as Database };
}

async function watch(primary = server(), copy = server()) {
  replica = await watchReplica(
    primary.database,
    copy.database,
    { maxAgeMs, everyMs: 5, timeoutMs: 1000 },
    createLogger('silent'),
  );
  return { primary: primary.now, copy: copy.now, replica };
}

test('where nothing is written, a replica that has all of it stays good', async () => {
  const { replica } = await watch();
  expect(replica.state).toBe('ok');
  await sleep(2 * maxAgeMs);
  await expect.poll(() => replica.state, eventually).toBe('ok');
  await expect.poll(() => replica.ageSeconds, eventually).toBeLessThan(maxAgeMs / 1000);
});

test('one that stands still is behind after that time, and good again once it has what was there', async () => {
  const { primary, copy, replica } = await watch();
  primary.position = 200;
  const began = performance.now();
  await expect.poll(() => replica.state, eventually).toBe('behind');
  expect(performance.now() - began).toBeGreaterThan(maxAgeMs - 50);
  copy.position = 150;
  await sleep(50);
  expect(replica.state).toBe('behind');
  copy.position = 200;
  await expect.poll(() => replica.state, eventually).toBe('ok');
});

test('while the primary is away a good replica stays good, and one that is behind stays behind', async () => {
  const { primary, copy, replica } = await watch();
  primary.away = true;
  await sleep(2 * maxAgeMs);
  expect(replica.state).toBe('ok');
  primary.away = false;
  primary.position = 200;
  await expect.poll(() => replica.state, eventually).toBe('behind');
  primary.away = true;
  await sleep(50);
  expect(replica.state).toBe('behind');
  copy.position = 200;
  await expect.poll(() => replica.state, eventually).toBe('ok');
});

test('a primary that fails to answer once is not away', async () => {
  const primary = server();
  const { query } = primary.database;
  let asked = 0;
  primary.database.query = async (...statement: Parameters<typeof query>) => {
    primary.now.away = asked++ % 2 === 0;
    return query(...statement);
  };
  const { replica } = await watch(primary);
  expect(replica.state).toBe('ok');
  primary.now.position = 200;
  await expect.poll(() => replica.state, eventually).toBe('behind');
});

test('the primary itself will do, but no other primary, and no other database', async () => {
  const { copy, replica } = await watch(server(), server({ follows: false }));
  expect(replica.state).toBe('ok');
  copy.started = 'today';
  await expect.poll(() => replica.state, eventually).toBe('not a replica');
  Object.assign(copy, { follows: true });
  await expect.poll(() => replica.state, eventually).toBe('ok');
  copy.system = 'two';
  await expect.poll(() => replica.state, eventually).toBe('not a replica');
});

test('statements under way on a replica that is lost are given up at once', async () => {
  const { copy, replica } = await watch();
  const never = replica.untilLost(new Promise(() => undefined));
  copy.away = true;
  await expect(never).rejects.toThrow('the replica is away');
  expect(replica.state).toBe('unreachable');
  copy.away = false;
  await expect.poll(() => replica.state, eventually).toBe('ok');
  await expect(replica.untilLost(Promise.resolve(1))).resolves.toBe(1);
});

test('what a replica that is away cannot answer is asked of the primary', async () => {
  const [primary, copy] = [server(), server({ position: 101 })];
  const { replica } = await watch(primary, copy);
  const reads = replicated(primary.database, copy.database, replica);
  expect((await reads.query('select')).rows).toEqual([copy.now]);
  expect(reads.poolUse()).toEqual({ max: 8, busy: 4, waiting: 2 });
  copy.now.away = true;
  expect((await reads.query('select')).rows).toEqual([primary.now]);
  expect(replica.state).toBe('unreachable');
});
