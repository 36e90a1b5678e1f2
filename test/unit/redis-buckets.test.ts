import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { openRedisBuckets } from '../../core/access/rate-limit/redis.ts';
import { createLogger } from '../../core/logger.ts';
import { resetModules } from '../setup/fresh-modules.ts';

/* A Redis that answers when it is told to. The true one is in test/service/both/rate-limit.test.ts. */

const { asked } = vi.hoisted(() => {
  vi.resetModules();
  return { asked: [] as ((answers: number[]) => void)[] };
});
vi.mock('ioredis', () => ({
  Redis: class {
    on() {}
    once(_: string, ready: () => void) {
      ready();
    }
    defineCommand() {}
    disconnect() {}
    takeTokens() {
      return new Promise<number[]>((resolve) => asked.push(resolve));
    }
  },
}));
// Other files of this worker have the module as it is.
afterAll(() => {
  vi.doUnmock('ioredis');
  resetModules();
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
