import { expect, onTestFinished, test, vi } from 'vitest';
import { type Hold, queryHoldsIn } from '../../billing/query-holds.ts';
import type { Database } from '../../platform/database/database.ts';
import { createLogger } from '../../platform/logger.ts';
import { fakeTime } from '../setup/fake-time.ts';

/** A database that says how many are left, and how often somebody wanted to hold some. */
function databaseWith(free: number) {
  const state = { free, asked: 0 };
  const query = async () => ({
    rows: [{ free: state.free, held: 0, before: 0, capped: false, id: 1 }],
    rowCount: 1,
  });
  const transaction = async (work: (connection: object) => Promise<unknown>) => {
    state.asked++;
    return work({ query });
  };
  return { state, database: { query, transaction } as unknown as Database };
}

test('lookups without a plan ask the database once for ten, and once a second where there are none', async () => {
  fakeTime({ toFake: ['performance'] });
  const { state, database } = databaseWith(500);
  const holds = queryHoldsIn(database, async () => undefined, createLogger('silent'));
  onTestFinished(() => holds.close());
  const take = async () =>
    (await holds.take({ customerId: 7, limits: '' }, Date.parse('2031-05-05'))) as Hold;
  for (let count = 0; count < 300; count++) holds.end(await take(), true);
  expect(state.asked).toBe(30);
  // A call that is not billed gives its query back.
  for (let count = 0; count < 300; count++) holds.end(await take(), false);
  expect(state.asked).toBe(31);
  for (let count = 0; count < 10; count++) holds.end(await take(), true);
  state.free = 0;
  const before = state.asked;
  const refused = await Promise.all(Array.from({ length: 50 }, take));
  expect(refused).toEqual(Array(50).fill(expect.objectContaining({ code: 'free_queries_used_up' })));
  expect(await take()).toMatchObject({ code: 'free_queries_used_up' });
  expect(state.asked).toBe(before + 1);
  state.free = 1;
  vi.advanceTimersByTime(1_001);
  expect(await take()).toMatchObject({ customerId: 7 });
});
