import { setImmediate as nextTurn } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, expect, test, vi } from 'vitest';
import { openRedisBuckets } from '../../core/access/rate-limit/redis.ts';
import { createLogger } from '../../core/logger.ts';

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

test('what was granted while Redis was asked counts beside what it answers', async () => {
  const rate = { perSecond: 0.001, burst: 20 };
  const limit = await openRedisBuckets(rate, 'redis://nowhere', createLogger('silent'), 60_000, 'test');
  const list = limit.take(1, 15);
  await nextTurn();
  // The bucket is full for all that this process knows.
  expect(limit.take(1)).toMatchObject({ allowed: true });
  asked[0]?.([1, 15 * 1e9]);
  expect(await list).toMatchObject({ allowed: true, remaining: 5 });
  expect(limit.take(1, 5)).toMatchObject({ allowed: false, remaining: 4 });
  await limit.close();
});
