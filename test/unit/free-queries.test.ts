import { expect, onTestFinished, test, vi } from 'vitest';
import { freeQueriesIn } from '../../core/billing/free-queries.ts';
import type { Database } from '../../core/database/database.ts';

/** A database that says how many are left, and how often it was asked. */
function databaseWith(left: number) {
  const state = { left, asked: 0 };
  const query = async () => {
    state.asked++;
    return { rows: [{ left: state.left }], rowCount: 1 };
  };
  return { state, database: { query } as unknown as Database };
}

test('lookups without a plan ask no database: it is looked at once a second, and before the first refusal', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { state, database } = databaseWith(500);
  const free = freeQueriesIn(database, async () => undefined);
  for (let count = 0; count < 300; count++) expect(free.take(7, 500)).toBe(true);
  expect(state.asked).toBe(0);
  vi.advanceTimersByTime(1_001);
  state.left = 100;
  for (let count = 0; count < 50; count++) free.take(7, 500);
  expect(state.asked).toBe(1);
  await new Promise(setImmediate);
  // Others have used some: a hundred are left, whatever this process thought.
  let more = 0;
  while (free.take(7, 500) === true) more++;
  expect(more).toBe(100);
  expect(state.asked).toBe(1);
  vi.advanceTimersByTime(1_001);
  state.left = 0;
  expect(await Promise.all(Array.from({ length: 50 }, () => free.take(7, 500)))).toEqual(
    Array(50).fill(false),
  );
  expect(state.asked).toBe(2);
  // A call that was none gives its query back.
  free.end(7, false);
});
