import { expect, onTestFinished, test, vi } from 'vitest';
import { freeQueriesIn, type Hold } from '../../billing/free-queries.ts';
import type { Database } from '../../platform/database/database.ts';
import { createLogger } from '../../platform/logger.ts';
import { fakeTime } from '../setup/fake-time.ts';

/** A database that says how many are left, and how often somebody wanted to hold some. */
function databaseWith(left: number) {
  const state = { left, asked: 0 };
  const query = async () => ({ rows: [{ left: state.left, id: 1 }], rowCount: 1 });
  const transaction = async (work: (connection: object) => Promise<unknown>) => {
    state.asked++;
    return work({ query });
  };
  return { state, database: { query, transaction } as unknown as Database };
}

test('lookups without a plan ask the database once for ten, and once a second where there are none', async () => {
  fakeTime({ toFake: ['performance'] });
  const { state, database } = databaseWith(500);
  const free = freeQueriesIn(database, async () => undefined, createLogger('silent'));
  onTestFinished(() => free.close());
  for (let count = 0; count < 300; count++) free.end((await free.take(7)) as Hold, true);
  expect(state.asked).toBe(30);
  // A call that is not billed gives its query back.
  for (let count = 0; count < 300; count++) free.end((await free.take(7)) as Hold, false);
  expect(state.asked).toBe(31);
  for (let count = 0; count < 10; count++) free.end((await free.take(7)) as Hold, true);
  state.left = 0;
  const before = state.asked;
  const refused = await Promise.all(Array.from({ length: 50 }, () => free.take(7)));
  expect(refused).toEqual(Array(50).fill(undefined));
  expect(await free.take(7)).toBeUndefined();
  expect(state.asked).toBe(before + 1);
  state.left = 1;
  vi.advanceTimersByTime(1_001);
  expect(await free.take(7)).toBeDefined();
});
