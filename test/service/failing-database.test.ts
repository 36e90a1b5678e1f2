import { describe, expect, test } from 'vitest';
import type { ApiContext } from '../../api/context.ts';
import { Reply, type Route } from '../../api/define-route.ts';
import { health } from '../../api/routes/public/health.ts';
import { createKey } from '../../core/access/api-keys.ts';
import { createLogger } from '../../core/logger.ts';
import { useApi, useDatabase } from '../setup/service.ts';

/* A failing database is a 500 in the version's own shape: never a stack trace, never HTML. */

const { place, database } = await useDatabase();
const key = await createKey(database, 'Customer');
const api = await useApi(place, database);
// A first lookup puts the key into memory; then a table that lookups read goes away.
expect(
  (await fetch(`${api.url}/api/2.0/availability/-36.9/174.8`, { headers: { 'x-api-key': key } })).status,
).toBe(200);
await database.query('alter table catalog rename to catalog_away');

test.each([
  ['/api/2.0/availability/-36.9/174.8', { code: 500, error: 'Internal Server Error' }],
  ['/api/2.0/providers', { code: 500, error: 'Internal Server Error' }],
  [
    '/api/1.0/availability/yx/-36.9/174.8?api_key=',
    { code: 500, error: expect.stringContaining('map data service') },
  ],
])('%s', async (address, body) => {
  const query = address.endsWith('=') ? key : '';
  const response = await fetch(`${api.url}${address}${query}`, { headers: { 'x-api-key': key } });
  expect(response.status).toBe(500);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual(body);
});

test('/readyz says that lookups cannot be answered, /healthz that the process lives', async () => {
  const answer = await fetch(`${api.url}/readyz`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({
    status: 'not ready',
    parts: { process: 'ok', lookups: 'unreachable' },
  });
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
});

describe('/readyz', () => {
  const [, readyz] = health as [Route, Route];
  /** Asks with the headers of a context. */
  const ask = async (changes: Partial<ApiContext>) => {
    const context = {
      draining: new AbortController().signal,
      checkReady: async () => undefined,
      checkQueue: async () => undefined,
      logger: createLogger('silent'),
      config: { ...place.config, redisUrl: 'redis://127.0.0.1:1' },
      ...changes,
    } as ApiContext;
    const answer = await readyz.handle?.(context, {} as never);
    const { status, body } = answer instanceof Reply ? answer : { status: 200, body: answer };
    return { code: status, ...(body as { status: string; parts: object }), said: JSON.stringify(body) };
  };
  const fails = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7 user secret-name'));

  test('names the part that is not ready, and nothing of how it is reached', async () => {
    expect(await ask({})).toMatchObject({
      code: 200,
      status: 'ready',
      parts: { process: 'ok', lookups: 'ok', queue: 'ok' },
    });
    const away = await ask({ checkReady: fails });
    expect(away).toMatchObject({ status: 'not ready', parts: { lookups: 'unreachable', queue: 'ok' } });
    expect(away.said).not.toMatch(/10\.0|secret|ECONN/);
    expect(await ask({ draining: AbortSignal.abort() })).toMatchObject({
      code: 503,
      status: 'stopping',
      parts: { process: 'stopping' },
    });
  });
  test('is still yes without a queue, whether that refuses or is silent: lookups go on', async () => {
    const { config } = place;
    for (const checkQueue of [fails, () => new Promise<void>(() => undefined)]) {
      expect(await ask({ checkQueue })).toMatchObject({ status: 'ready', parts: { queue: 'unreachable' } });
    }
    const withoutRedis = await ask({ checkQueue: fails, config: { ...config, redisUrl: undefined } });
    expect(withoutRedis.parts).toEqual({ process: 'ok', lookups: 'ok' });
  });
});
