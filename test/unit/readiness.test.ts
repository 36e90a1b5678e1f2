import { expect, test } from 'vitest';
import type { ApiContext } from '../../api/context.ts';
import { Reply, type Route } from '../../api/define-route.ts';
import { health } from '../../api/routes/public/health.ts';
import { createLogger } from '../../platform/logger.ts';
import { testConfig } from '../setup/test-config.ts';

/* /readyz: whether lookups can be answered. */

const config = testConfig({ redisUrl: 'redis://127.0.0.1:1' });
const [, readyz] = health as [Route, Route];
/** Asks with the headers of a context. */
const ask = async (changes: Partial<ApiContext>) => {
  const context = {
    draining: new AbortController().signal,
    checkReady: async () => undefined,
    checkQueue: async () => undefined,
    logger: createLogger('silent'),
    config,
    ...changes,
  } as ApiContext;
  const answer = await readyz.handle?.(context, {} as never);
  const { status, body } = answer instanceof Reply ? answer : { status: 200, body: answer };
  return { code: status, ...(body as { status: string; parts: object }), said: JSON.stringify(body) };
};
const fails = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7 user secret-name'));

test('names the part that is not ready, and nothing of how it is reached', async () => {
  const well = { process: 'ok', lookups: 'ok', queue: 'ok' };
  expect(await ask({})).toMatchObject({ code: 200, status: 'ready', parts: well });
  const away = await ask({ checkReady: fails });
  expect(away).toMatchObject({ status: 'not ready', parts: { lookups: 'unreachable', queue: 'ok' } });
  expect(away.said).not.toMatch(/10\.0|secret|ECONN/);
  const stopping = { code: 503, status: 'stopping', parts: { process: 'stopping' } };
  expect(await ask({ draining: AbortSignal.abort() })).toMatchObject(stopping);
});
test('is still yes without a queue, whether that refuses or is silent: lookups go on', async () => {
  for (const checkQueue of [fails, () => new Promise<void>(() => undefined)]) {
    expect(await ask({ checkQueue })).toMatchObject({ status: 'ready', parts: { queue: 'unreachable' } });
  }
  const withoutRedis = await ask({ checkQueue: fails, config: { ...config, redisUrl: undefined } });
  expect(withoutRedis.parts).toEqual({ process: 'ok', lookups: 'ok' });
});
