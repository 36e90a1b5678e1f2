import type { Response as ExpressResponse } from 'express';
import { beforeEach, expect, test, vi } from 'vitest';
import { LocalBuckets } from '../../access/rate-limit/rate-limit.ts';
import { rateReporter } from '../../api/middleware/key.ts';
import { type ClientOptions, createClient } from '../../client/client.ts';
import { fakeTime } from '../setup/fake-time.ts';

/* The typed client keeps to the rate of its key: two requests a second, and twenty at once. */

const rate = { perSecond: 2, burst: 20 };
const tell = rateReporter(rate);
/** Answers take between one and two of these: later ones overtake. */
const latencyMs = 30;

/** The service as its buckets have it. `asked` are the statuses of its answers. */
function limited({ alreadyTaken = 0, refusal = {} }: { alreadyTaken?: number; refusal?: HeadersInit } = {}) {
  const buckets = new LocalBuckets(rate);
  if (alreadyTaken > 0) buckets.take(1, alreadyTaken);
  const asked: number[] = [];
  const fetch = async (request: Request) => {
    const taken = buckets.take(1);
    const status = taken.allowed ? 200 : 429;
    asked.push(status);
    const headers = new Headers({ 'content-type': 'application/json' });
    tell({ setHeader: (name: string, value: string) => headers.set(name, value) } as ExpressResponse, taken);
    if (!taken.allowed) headers.set('retry-after', `${Math.ceil(taken.retryMs / 1000)}`);
    for (const [name, value] of new Headers(refusal)) headers.set(name, value);
    const slower = (asked.length * 7) % 11;
    await new Promise((resolve) => setTimeout(resolve, latencyMs * (1 + slower / 11)));
    request.signal.throwIfAborted();
    return new Response('{}', { status, headers });
  };
  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({ url: 'https://covermap.example', key: 'key', fetch, ...options });
  return { asked, client };
}

type Client = ReturnType<typeof createClient>;
const ask = (client: Client, signal?: AbortSignal) =>
  client.get('/api/2.0/providers', signal ? { signal } : {});
const askOften = (client: Client, count: number) =>
  Promise.allSettled(Array.from({ length: count }, () => ask(client)));
/** @returns the seconds that it took, and what came of each */
async function secondsOf(asking: Promise<PromiseSettledResult<unknown>[]>) {
  const began = performance.now();
  let endedAt = 0;
  void asking.then(() => (endedAt = performance.now()));
  await vi.runAllTimersAsync();
  return { outcomes: (await asking).map(({ status }) => status), seconds: (endedAt - began) / 1000 };
}

beforeEach(() => fakeTime());

test('thirty calls at once are all answered, none refused, in the time that ten tokens take', async () => {
  const { asked, client } = limited();
  const { outcomes, seconds } = await secondsOf(askOften(client(), 30));
  expect(outcomes).toEqual(Array(30).fill('fulfilled'));
  expect(asked).toEqual(Array(30).fill(200));
  expect(seconds).toBeGreaterThanOrEqual(5);
  expect(seconds).toBeLessThan(6);
});

test('a key that others have emptied refuses the first four at most: all wait as it asks, and are answered', async () => {
  const { asked, client } = limited({ alreadyTaken: 20 });
  const { outcomes, seconds } = await secondsOf(askOften(client(), 30));
  expect(outcomes).toEqual(Array(30).fill('fulfilled'));
  expect(asked.filter((status) => status === 429)).toHaveLength(4);
  expect(seconds).toBeLessThan(17.5);
});

test('three processes with one key are all answered', async () => {
  const { client } = limited();
  const all = Promise.all([1, 2, 3].map(() => askOften(client(), 30))).then((three) => three.flat());
  const { outcomes, seconds } = await secondsOf(all);
  expect(outcomes).toEqual(Array(90).fill('fulfilled'));
  // 70 tokens take 35 seconds.
  expect(seconds).toBeLessThan(70);
});

test('who gives up leaves the queue at once, and the others are answered', async () => {
  const { asked, client } = limited({ alreadyTaken: 20 });
  const covermap = client();
  const given = new AbortController();
  const leaving = Promise.allSettled(Array.from({ length: 6 }, () => ask(covermap, given.signal)));
  const staying = askOften(covermap, 2);
  await vi.advanceTimersByTimeAsync(100);
  given.abort(new Error('left'));
  const reasons = (await leaving).map((outcome) => 'reason' in outcome && outcome.reason.message);
  expect(reasons).toEqual(Array(6).fill('left'));
  expect((await secondsOf(staying)).outcomes).toEqual(['fulfilled', 'fulfilled']);
  expect(asked).toEqual([429, 429, 429, 429, 200, 200]);
});

test('as many wait as may, and the next is told how to ask for many', async () => {
  const { client } = limited();
  const covermap = client({ maxWaiting: 3 });
  const first = askOften(covermap, 7);
  await expect(ask(covermap)).rejects.toMatchObject({
    code: 'too_many_waiting',
    hint: expect.stringContaining('bulk'),
  });
  expect((await secondsOf(first)).outcomes).toEqual(Array(7).fill('fulfilled'));
});

test.each([
  ['seconds', '121', 121_000],
  ['a date, as proxies write it', 'Mon, 01 Jan 2029 00:02:01 GMT', 120_950],
])(
  'a limit that asks for a longer wait than may be is an error at once, with the wait: %s',
  async (_form, text, ms) => {
    vi.setSystemTime('2029-01-01T00:00:00Z');
    const { asked, client } = limited({ alreadyTaken: 20, refusal: { 'retry-after': text } });
    const [[outcome]] = await Promise.all([askOften(client(), 1), vi.runAllTimersAsync()]);
    expect(outcome).toMatchObject({ reason: { status: 429, retryAfterMs: expect.closeTo(ms, -2) } });
    expect(asked).toEqual([429]);
  },
);

test('so is a fault that asks for a longer wait', async () => {
  const answers: number[] = [];
  const fetch = async () => {
    answers.push(503);
    return new Response('{}', { status: 503, headers: { 'retry-after': '3600' } });
  };
  const covermap = createClient({ url: 'https://covermap.example', fetch });
  const { seconds, outcomes } = await secondsOf(askOften(covermap, 1));
  expect({ seconds, outcomes, answers }).toEqual({ seconds: 0, outcomes: ['rejected'], answers: [503] });
});

test('a refusal by another limit, while the key has tokens, holds up no other request', async () => {
  const buckets = new LocalBuckets(rate);
  const fetch = async (request: Request) => {
    const headers = new Headers({ 'retry-after': '60' });
    tell(
      { setHeader: (name: string, value: string) => headers.set(name, value) } as ExpressResponse,
      buckets.take(1),
    );
    const status = request.method === 'POST' ? 429 : 200;
    return new Response('{}', { status, headers });
  };
  const covermap = createClient({ url: 'https://covermap.example', key: 'key', fetch });
  await ask(covermap);
  const refused = covermap.post('/api/account/keys', { body: {} } as never).catch(() => {});
  await vi.advanceTimersByTimeAsync(1000);
  const { seconds } = await secondsOf(askOften(covermap, 3));
  expect(seconds).toBeLessThan(1);
  await refused;
});

test('requests are sent in the order in which they were asked, those refused first', async () => {
  const order: string[] = [];
  const { client } = limited({ alreadyTaken: 20 });
  const covermap = client({
    middleware: [{ onResponse: ({ request }) => void order.push(request.headers.get('x-number') ?? '') }],
  });
  const numbers = Array.from({ length: 12 }, (_, index) => `${index}`);
  const asking = numbers.map((number) =>
    covermap.get('/api/2.0/providers', { headers: { 'x-number': number } }),
  );
  await Promise.all([...asking, vi.runAllTimersAsync()]);
  expect(new Set(order.slice(0, 4))).toEqual(new Set(numbers.slice(0, 4)));
  expect(order.slice(4)).toEqual(numbers.slice(4));
});

test('without a key, those refused together do not come back together', async () => {
  const times: number[] = [];
  const fetch = async () => {
    times.push(performance.now());
    const refused = times.length <= 10;
    return new Response('{}', { status: refused ? 429 : 200, headers: { 'retry-after': '10' } });
  };
  const covermap = createClient({ url: 'https://covermap.example', fetch });
  await Promise.all([askOften(covermap, 10), vi.runAllTimersAsync()]);
  const waits = times.slice(10).map((time) => time - (times[0] as number));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(10_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(20_000);
  expect(new Set(waits.map((ms) => Math.round(ms / 10))).size).toBeGreaterThan(5);
});
