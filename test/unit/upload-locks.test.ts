import { beforeEach, expect, test, vi } from 'vitest';
import { openUploadLocks } from '../../coverage/submissions/upload-locks.ts';
import type { Database, Statement } from '../../platform/database/database.ts';
import { fakeTime } from '../setup/fake-time.ts';
import { textOf } from '../setup/statement.ts';

/* A request that writes to an upload has a lease, and stops where it cannot be renewed. */

beforeEach(() => fakeTime());

type Renewal = () => Promise<{ rows: { taken: boolean }[]; rowCount: number }>;
const renewed: Renewal = async () => ({ rows: [{ taken: true }], rowCount: 1 });

/** A request with the lease. `stopped` gives the seconds after which it was told to stop. */
async function writer(renewals: Renewal[]) {
  const answers = [renewed, ...renewals];
  const database = {
    query: (statement: string | Statement) =>
      /returning id/.test(textOf(statement)) ? (answers.shift() ?? renewed)() : renewed(),
    listen: async () => async () => undefined,
  } as unknown as Database;
  const locks = await openUploadLocks(database);
  const lock = locks.newLock('8a1f7c1e-52a5-4a5e-8f9e-3a2f0b8f1c7d');
  const begun = Date.now();
  let stopped: number | undefined;
  await lock.lock(new AbortController().signal, () => {
    stopped ??= (Date.now() - begun) / 1000;
  });
  return { lock, stopped: () => stopped };
}

test.each<[string, Renewal[], number | undefined]>([
  ['is renewed each time: it goes on', [], undefined],
  ['is another request’s by now', [renewed, async () => ({ rows: [{ taken: false }], rowCount: 1 })], 10],
  ['cannot be renewed as the database is out of reach', [() => Promise.reject(new Error('gone'))], 5],
  ['is not known to be renewed, as the database says nothing', [() => new Promise(() => {})], 10],
])('a writer whose lease %s', async (_, renewals, seconds) => {
  const { lock, stopped } = await writer(renewals);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stopped()).toBe(seconds);
  await lock.unlock();
});

test('a request that has ended is not asked to stop', async () => {
  const { lock, stopped } = await writer([]);
  await vi.advanceTimersByTimeAsync(7_000);
  await lock.unlock();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stopped()).toBe(undefined);
  expect(vi.getTimerCount()).toBe(0);
});
