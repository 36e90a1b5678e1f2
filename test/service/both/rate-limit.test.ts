import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, test } from 'vitest';
import { createKey, revokeKey } from '../../../access/api-keys.ts';
import { openRateLimit } from '../../../access/rate-limit/open.ts';
import type { RateLimit } from '../../../access/rate-limit/rate-limit.ts';
import { createLogger } from '../../../platform/logger.ts';
import { untilQueries } from '../../setup/billing.ts';
import { type FlakyProxy, startFlakyProxy } from '../../setup/flaky-proxy.ts';
import { listening } from '../../setup/listen.ts';
import { expectError, useApi, useService } from '../../setup/service.ts';

/* Two calls a second, bursts of twenty, by key: whichever version and path, in however many processes. */

const rate = { perSecond: 0.001, burst: 20 };
/** A machine that is busy with other tests is not a Redis that is away. ms */
const timeoutMs = 60_000;

// So slow that no token comes back while a test runs.
const logger = createLogger('silent');
const service = await useService({ rateLimit: rate }, async ({ redisUrl }) => ({
  limit: await openRateLimit(rate, redisUrl, logger, timeoutMs),
}));

const newKey = (name: string) => createKey(service.database, name);
const v2 = '/api/2.0/availability/-36.9/174.8';
const v1 = (key: string) => `/api/1.0/availability/yx/-36.9/174.8?api_key=${key}`;
const ask = (path: string, key: string, url = service.api.url) =>
  fetch(`${url}${path}`, { headers: { 'x-api-key': key } });

describe('a key', () => {
  test('is refused after its burst, in the shape of each version, and says how long to wait', async () => {
    const key = await newKey('Burst');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => ask(index % 2 ? v2 : v1(key), key)),
    );
    const good = answers.filter(({ status }) => status === 200);
    for (const { headers } of good) expect(headers.get('ratelimit-policy')).toBe('"key";q=20;w=20000');
    const left = good.map(({ headers }) => Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]));
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
    const refused = await ask(v2, key);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({ message: expect.stringContaining('too many requests') });
    const seconds = Number(refused.headers.get('retry-after'));
    expect([seconds > 900, seconds <= 1000]).toEqual([true, true]);
    expect(refused.headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+$/);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    const refused1 = await ask(v1(key), key);
    await expectError(refused1, 429, expect.stringContaining('too many requests'));
    // The bucket is that of the key, whatever it asks for.
    expect((await ask('/api/2.0/providers', key)).status).toBe(429);
    expect((await ask('/api/2.0/usage', key)).status).toBe(429);
    // Refused calls are not billed.
    await untilQueries(service.database, 'Burst', 20);
  });
  test('is looked at before its rate, and the rate before the coordinates', async () => {
    const key = await newKey('Order');
    expect((await ask('/api/2.0/availability/x/y', 'nobody')).status).toBe(403);
    for (let call = 0; call < 20; call++) {
      expect((await ask('/api/2.0/availability/x/y', key)).status).toBe(400);
    }
    expect((await ask('/api/2.0/availability/x/y', key)).status).toBe(429);
    expect((await ask('/api/2.0/availability/x/y', 'nobody')).status).toBe(403);
  });
  test('has a bucket of its own beside another of the same customer', async () => {
    const [one, two] = [await newKey('Two keys'), await newKey('Two keys')];
    const answers = await Promise.all(
      [one, two].flatMap((key) => Array.from({ length: 25 }, () => ask(v2, key))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40);
  });
  test('that is revoked in mid-burst is refused, and billed for what it was answered', async () => {
    const key = await newKey('Revoked');
    for (let call = 0; call < 5; call++) expect((await ask(v2, key)).status).toBe(200);
    const { rows } = await service.database.query<{ id: number }>(`
      select k.id from api_key k join customer c on c.id = k.customer_id where c.name = 'Revoked'`);
    await revokeKey(service.database, rows[0]?.id as number);
    // Its announcement may take a moment; the bucket has more tokens than are tried here.
    const answers: number[] = [];
    do answers.push((await ask(v2, key)).status);
    while (answers.at(-1) === 200 && answers.length < 15);
    expect(answers.at(-1)).toBe(403);
    await untilQueries(service.database, 'Revoked', 5 + answers.length - 1);
  });
});

describe.runIf(inject('backend').kind === 'server')('with Redis', () => {
  const url = () => service.config.redisUrl as string;

  test('all processes share a bucket', async () => {
    const limit = await openRateLimit(rate, url(), logger, timeoutMs);
    const other = await useApi(service, service.database, logger, { limit });
    const key = await newKey('Shared');
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => ask(v2, key, index % 2 ? service.api.url : other.url)),
    );
    const good = answers.filter(({ status }) => status === 200).length;
    // Each process lets its first call through without asking Redis.
    expect([20, 21]).toContain(good);
    // A call too many is owed to the bucket: no token is left in any process.
    expect([(await ask(v2, key)).status, (await ask(v2, key, other.url)).status]).toEqual([429, 429]);
  });
  test('away, slow or back again: calls are answered, each process by what it knows', async () => {
    const proxy: FlakyProxy = await startFlakyProxy(url().replace('redis:', 'http:'));
    const through = proxy.url.replace('http:', 'redis:') + new URL(url()).pathname;
    const limit = await openRateLimit(rate, through, logger, timeoutMs);
    const direct = await openRateLimit(rate, url(), logger, timeoutMs);
    try {
      const allowed = async (from: RateLimit, keyId: number, calls: number) =>
        (await Promise.all(Array.from({ length: calls }, () => from.take(keyId)))).filter(
          (taken) => taken.allowed,
        ).length;
      expect(await allowed(limit, 901, 15)).toBe(15);
      expect(await allowed(direct, 901, 10)).toBe(5);
      expect(await allowed(limit, 902, 15)).toBe(15);
      proxy.cut();
      // It knows of its own fifteen, but not of calls through other processes.
      expect(await allowed(limit, 902, 10)).toBe(5);
      expect(await allowed(direct, 902, 10)).toBe(5);
      expect(await allowed(limit, 903, 30)).toBe(20);
      proxy.mend();
      const deadline = Date.now() + 60_000;
      // Once Redis is asked again, the other process hears of what was taken.
      for (let keyId = 10_000; ; keyId++) {
        await limit.take(keyId, 2);
        if ((await direct.take(keyId, 2)).remaining === 16) break;
        if (Date.now() > deadline) throw new Error('Redis is not asked any more');
        await sleep(50);
      }
    } finally {
      await limit.close();
      await direct.close();
      await proxy.close();
    }
  });
  test('that takes calls and says nothing holds up none of them for long', async () => {
    const mute = createServer((socket) => socket.on('error', () => undefined));
    const { port } = new URL(await listening(mute));
    const limit = await openRateLimit(rate, `redis://127.0.0.1:${port}`, logger);
    const taken = await Promise.all(Array.from({ length: 25 }, () => limit.take(1)));
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(20);
    await limit.close();
    mute.close();
  });
});
