import { setImmediate as nextTurn } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, expect, test, vi } from 'vitest';
import { openRedisBuckets } from '../../access/rate-limit/redis.ts';
import { createLogger } from '../../platform/logger.ts';

/* A Redis that answers when it is told to. The true one is in test/service/both/rate-limit.test.ts. */

const asked: ((answers: number[]) => void)[] = [];
vi.spyOn(Redis.prototype, 'connect').mockResolvedValue();
vi.spyOn(Redis.prototype, 'defineCommand').mockImplementation(function (this: Redis) {
  Object.assign(this, { takeTokens: () => new Promise<number[]>((resolve) => asked.push(resolve)) });
  setImmediate(() => this.emit('ready'));
});
afterAll(() => {
  vi.restoreAllMocks();
});

const open = (perSecond: number, burst: number) =>
  openRedisBuckets({ perSecond, burst }, 'redis://nowhere', createLogger('silent'), 60_000, 'test');

test('what was granted while Redis was asked counts beside what it answers', async () => {
  const limit = await open(0.001, 20);
  const list = limit.take(1, 15);
  await nextTurn();
  // The bucket is full for all that this process knows.
  expect(limit.take(1)).toMatchObject({ allowed: true });
  asked[0]?.([1, 15 * 1e9]);
  expect(await list).toMatchObject({ allowed: true, remaining: 5 });
  expect(limit.take(1, 5)).toMatchObject({ allowed: false, remaining: 4 });
  await limit.close();
});

// A token is 16,666.7 microseconds, or 142,857.1.
test.each([
  [60, 16_667],
  [7, 142_857],
])('at %i a second, who takes the whole burst from Redis has it', async (perSecond, tokenUs) => {
  const limit = await open(perSecond, 1_000);
  const list = limit.take(1, 1_000);
  await nextTurn();
  asked.at(-1)?.([1, 1_000 * tokenUs]);
  expect(await list).toMatchObject({ allowed: true, remaining: 0 });
  await limit.close();
});
