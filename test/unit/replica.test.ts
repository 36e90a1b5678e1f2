import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { watchReplica } from '../../platform/database/replica.ts';
import { replicated } from '../../platform/database/replicated.ts';
import { createLogger } from '../../platform/logger.ts';
import { fakeTime } from '../setup/fake-time.ts';

/* How the watch judges what two servers say; test/faults/replica.test.ts has real ones. */

const same = { away: false, position: 100, system: 'one', started: 'yesterday', follows: true };
const maxAgeMs = 500;
beforeEach(() => fakeTime());

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

/** `after` gives the state that many ms later. */
async function watch(primary = server(), copy = server()) {
  const limits = { maxAgeMs, everyMs: 50, timeoutMs: 1000 };
  const replica = await watchReplica(primary.database, copy.database, limits, createLogger('silent'));
  onTestFinished(() => replica.close());
  const after = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return replica.state;
  };
  return { primary: primary.now, copy: copy.now, replica, after };
}

test('where nothing is written, a replica that has all of it stays good', async () => {
  const { replica, after } = await watch();
  expect([replica.state, await after(2 * maxAgeMs)]).toEqual(['ok', 'ok']);
  expect(replica.ageSeconds).toBeLessThanOrEqual(0.05);
});

test('one that stands still is behind after that time, and good again once it has what was there', async () => {
  const { primary, copy, after } = await watch();
  primary.position = 200;
  expect([await after(maxAgeMs), await after(1)]).toEqual(['ok', 'behind']);
  copy.position = 150;
  expect(await after(50)).toBe('behind');
  copy.position = 200;
  expect(await after(50)).toBe('ok');
});

test('while the primary is away a good replica stays good, and one that is behind stays behind', async () => {
  const { primary, copy, after } = await watch();
  primary.away = true;
  expect(await after(2 * maxAgeMs)).toBe('ok');
  primary.away = false;
  primary.position = 200;
  expect(await after(2 * maxAgeMs)).toBe('behind');
  primary.away = true;
  expect(await after(50)).toBe('behind');
  copy.position = 200;
  expect(await after(50)).toBe('ok');
});

test('a primary that fails to answer once is not away', async () => {
  const primary = server();
  const { query } = primary.database;
  let asked = 0;
  primary.database.query = async (...statement: Parameters<typeof query>) => {
    primary.now.away = asked++ % 2 === 0;
    return query(...statement);
  };
  const { replica, after } = await watch(primary);
  expect(replica.state).toBe('ok');
  primary.now.position = 200;
  expect(await after(2 * maxAgeMs)).toBe('behind');
});

test('the primary itself will do, but no other primary, and no other database', async () => {
  const { copy, replica, after } = await watch(server(), server({ follows: false }));
  expect(replica.state).toBe('ok');
  copy.started = 'today';
  expect(await after(50)).toBe('not a replica');
  copy.follows = true;
  expect(await after(50)).toBe('ok');
  copy.system = 'two';
  expect(await after(50)).toBe('not a replica');
});

test('statements under way on a replica that is lost are given up at once', async () => {
  const { copy, replica, after } = await watch();
  const never = expect(replica.untilLost(new Promise(() => undefined))).rejects.toThrow(
    'the replica is away',
  );
  copy.away = true;
  expect(await after(50)).toBe('unreachable');
  await never;
  copy.away = false;
  expect(await after(50)).toBe('ok');
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

test.each([
  [
    'a statement that conflicts with the replay is asked of the primary: the replica stays good',
    '40001',
    true,
  ],
  ['one that is wrong is so on the replica, too', '22P02', false],
])('%s', async (_, code, answered) => {
  const [primary, copy] = [server(), server({ position: 101 })];
  const { replica } = await watch(primary, copy);
  const { query } = copy.database;
  const reads = replicated(primary.database, copy.database, replica);
  copy.database.query = async () => {
    throw Object.assign(new Error(code), { code });
  };
  const answer = reads.query('select');
  await (answered
    ? expect(answer).resolves.toMatchObject({ rows: [primary.now] })
    : expect(answer).rejects.toMatchObject({ code }));
  copy.database.query = query;
  expect([replica.state, (await reads.query('select')).rows]).toEqual(['ok', [copy.now]]);
});
