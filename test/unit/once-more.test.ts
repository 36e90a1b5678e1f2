import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { onceMore } from '../../platform/database/server/server.ts';
import { fakeTime } from '../setup/fake-time.ts';

/* Work whose connection ends is done once more, in the rest of its time. */

beforeEach(() => fakeTime());

/** Runs work whose connection ends after `ms`, and which then succeeds. @returns the limits of second runs, or an error's code */
async function endsAfter(ms: number, timeoutMs: number | undefined): Promise<unknown[]> {
  const again: unknown[] = [];
  const work = async () => {
    await sleep(ms);
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  };
  const repetition = { again: async (limits: object) => again.push(limits), onEnd: () => undefined };
  const done = onceMore(work, repetition, timeoutMs ? { timeoutMs } : {}).catch(({ code }) =>
    again.push(code),
  );
  await vi.advanceTimersByTimeAsync(ms);
  await done;
  return again;
}

test('it has what is left of its time', async () => {
  expect(await endsAfter(100, 10_000)).toEqual([{ timeoutMs: 9_900 }]);
  expect(await endsAfter(0, undefined)).toEqual([{}]);
});

test('where none is left, it is not done', async () => {
  expect(await endsAfter(50, 20)).toEqual(['ECONNRESET']);
});
