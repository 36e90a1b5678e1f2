import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callerAt } from '../../api/middleware/address-limit.ts';
import { TokenBuckets } from '../../core/access/token-buckets.ts';

describe('buckets of tokens', () => {
  test('let a burst through, then so many a second, each caller by itself', () => {
    let now = 0;
    const buckets = new TokenBuckets({ perSecond: 2, burst: 3 }, () => now);
    expect([1, 2, 3, 4].map(() => buckets.take('a'))).toEqual([0, 0, 0, 1]);
    expect(buckets.take('b')).toBe(0);
    now += 500;
    expect([buckets.take('a'), buckets.take('a')]).toEqual([0, 1]);
    now += 60_000;
    expect(buckets.take('a', 3)).toBe(0);
    expect(buckets.take('a', 3)).toBe(2);
  });

  test('never give out more than the burst and what has come since', () => {
    const asking = fc.array(fc.record({ wait: fc.nat(3000), count: fc.integer({ min: 1, max: 12 }) }));
    fc.assert(
      fc.property(asking, (requests) => {
        let now = 0;
        let taken = 0;
        const buckets = new TokenBuckets({ perSecond: 5, burst: 10 }, () => now);
        for (const { wait, count } of requests) {
          now += wait;
          if (buckets.take('a', count) === 0) taken += count;
          expect(taken).toBeLessThanOrEqual(10 + (5 * now) / 1000 + 1e-6);
        }
      }),
    );
  });
});

test('a caller is an IPv4 address, also one that is written as IPv6, or 64 bits of an IPv6 address', () => {
  expect(callerAt('::ffff:192.0.2.1')).toBe(callerAt('192.0.2.1'));
  expect(callerAt('2001:db8:0:1::1')).toBe(callerAt('2001:db8:0:1:ffff::2'));
  expect(callerAt('2001:db8:0:1::1')).not.toBe(callerAt('2001:db8:0:2::1'));
  expect(callerAt('fe80::1%eth0')).toBe(callerAt('fe80::2'));
});
