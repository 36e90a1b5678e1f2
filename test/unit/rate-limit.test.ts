import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LocalBuckets } from '../../access/rate-limit/rate-limit.ts';
import { limitRate } from '../../api/middleware/key.ts';
import { gate } from '../setup/gate.ts';
import { keyedRequest } from '../setup/keyed-request.ts';

/* A key may ask twice a second, and twenty times at once. */

const rate = { perSecond: 2, burst: 20 };

test('lets through what a bucket that is refilled would', () => {
  const calls = fc.array(fc.tuple(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 1, max: 20 })), {
    maxLength: 100,
  });
  fc.assert(
    fc.property(calls, (steps) => {
      let now = 1000;
      const buckets = new LocalBuckets(rate, () => now);
      // In thousandths of a token, so that each step of time gives a whole number.
      let tokens = rate.burst * 1000;
      for (const [ms, count] of steps) {
        now += ms;
        tokens = Math.min(rate.burst * 1000, tokens + ms * rate.perSecond);
        const expected = tokens >= count * 1000;
        const taken = buckets.take(1, count);
        expect(taken.allowed).toBe(expected);
        if (expected) tokens -= count * 1000;
        else expect(taken.retryMs).toBe(Math.ceil((count * 1000 - tokens) / rate.perSecond));
        expect(taken.remaining).toBe(Math.floor(tokens / 1000));
        expect(taken.fullMs).toBe(Math.ceil((rate.burst * 1000 - tokens) / rate.perSecond));
      }
    }),
  );
});

test('what is given back is one call, whatever the rate', () => {
  const buckets = new LocalBuckets({ perSecond: 4, burst: 2 }, () => 1000);
  const take = () => buckets.take(1).allowed;
  expect([take(), take(), take()]).toEqual([true, true, false]);
  buckets.giveBack(1);
  expect([take(), take()]).toEqual([true, false]);
});

test.each([
  [true, 'followed'],
  [false, 'refused'],
])(
  'what takes time begins while another process is asked; if that allows it: %s, it is %s',
  async (allowed, end) => {
    const seen: string[] = [];
    const see = (what: string) => () => seen.push(what);
    const { request, response } = keyedRequest();
    const answer = gate();
    const taken = { ...{ remaining: 0, fullMs: 0, retryMs: 1_000 }, allowed };
    const limit = { rate, take: () => answer.opened.then(() => taken) } as never;
    const handler = limitRate(limit, { refuseTooMany: see('refused') }, see('begun'));
    const limited = handler(request, response, see('followed'));
    expect(seen).toEqual(['begun']);
    answer.open();
    await limited;
    expect(seen).toEqual(['begun', end]);
  },
);
