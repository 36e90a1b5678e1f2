import { once } from 'node:events';
import { get } from 'node:http';
import { type Logger, pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRateLimit } from '../../access/rate-limit/open.ts';
import { allowNetwork, denyNetwork, listNetworks, removeRegistrar } from '../../access/registrars.ts';
import type { ApiServer } from '../../api/server.ts';
import { administer } from '../../commands/admin/commands.ts';
import type { Application } from '../../commands/application.ts';
import { useRegistry } from '../setup/registry.ts';
import { expectError, startApiAlone, useApi } from '../setup/service.ts';

/* Who may ask the registry: by the address of the caller, or the one that a trusted proxy names. */

const lines: Record<string, unknown>[] = [];
const logger: Logger = pino(
  { level: 'debug' },
  {
    write: (line: string) => {
      const told = JSON.parse(line);
      if (told.msg.startsWith('a call from an')) lines.push(told);
    },
  },
);

const registry = await useRegistry({}, logger);
/** An API whose proxies are this machine and 10.0.0.0/8. */
const behindProxy = await useApi(
  { config: { ...registry.config, trustProxy: ['loopback', '10.0.0.0/8'] } },
  registry.database,
  logger,
);
await allowNetwork(registry.database, 'Best Names', '198.51.100.0/24');
await allowNetwork(registry.database, 'Best Names', '2001:db8:1::/48');

/** @param forwarded the header's lines */
const statusAt = async (url: string, ...forwarded: string[]) => {
  const headers = forwarded.length > 0 ? { 'x-forwarded-for': forwarded } : {};
  const [response] = await once(get(`${url}/1.0/droplist`, { headers }), 'response');
  return response.resume().statusCode as number;
};

/** Waits until the answer is as expected: on a busy machine, for seconds. */
const within = (expected: number, ask: () => Promise<number>) =>
  expect.poll(ask, { interval: 20 }).toBe(expected);

describe('the address of the connection', () => {
  test('is on the list or is refused with 403 on each path, and the call is logged with it', async () => {
    await denyNetwork(registry.database, 'This machine', '127.0.0.0/8');
    await within(403, () => statusAt(registry.api.url));
    for (const path of [
      '/1.0/droplist',
      '/1.0/zones',
      '/1.0/availability?string=active',
      '/1.0/availability',
    ]) {
      lines.length = 0;
      const response = await registry.get(path);
      await expectError(response, 403);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      // Pages of any origin may read availability and zones, not the droplist.
      expect(response.headers.get('access-control-allow-origin')).toBe(
        path.startsWith('/1.0/droplist') ? null : '*',
      );
      expect(lines).toEqual([
        expect.objectContaining({ address: '127.0.0.1', path: path.replace(/\?.*/, '') }),
      ]);
    }
    // Only the registry's paths have the list.
    expect((await registry.get('/healthz')).status).toBe(200);
    expect((await registry.get('/api/2.0/providers')).status).toBe(403);
    await allowNetwork(registry.database, 'This machine', '127.0.0.1');
    await within(200, () => statusAt(registry.api.url));
  });
  test('counts as IPv4 where the server listens on IPv6, too, and a proxy that connects by IPv4 is known', async () => {
    const config = { ...registry.config, host: '::', trustProxy: ['127.0.0.1'] };
    const { port } = new URL((await useApi({ config }, registry.database)).url);
    // The connection comes from ::ffff:127.0.0.1.
    const url = `http://127.0.0.1:${port}`;
    expect(await statusAt(url)).toBe(200);
    expect(await statusAt(url, '198.51.100.7')).toBe(200);
    expect(await statusAt(url, '203.0.113.9')).toBe(403);
    expect(await statusAt(`http://[::1]:${port}`)).toBe(403);
    await allowNetwork(registry.database, 'This machine', '::1');
    await within(200, () => statusAt(`http://[::1]:${port}`));
  });
  test('is all that counts where no proxy is trusted, whatever headers say', async () => {
    for (const name of ['x-forwarded-for', 'x-real-ip', 'client-ip', 'true-client-ip', 'cf-connecting-ip'])
      expect((await registry.get('/1.0/droplist', { [name]: '203.0.113.9' })).status, name).toBe(200);
    expect((await registry.get('/1.0/droplist', { forwarded: 'for=203.0.113.9' })).status).toBe(200);
    await denyNetwork(registry.database, 'This machine', '127.0.0.1');
    await within(403, () => statusAt(registry.api.url, '198.51.100.7'));
    await allowNetwork(registry.database, 'This machine', '127.0.0.0/8');
    await within(200, () => statusAt(registry.api.url));
  });
});

describe('behind trusted proxies', () => {
  test.each<[string, string | string[], number, logged?: string]>([
    ['a listed address', '198.51.100.7', 200],
    ['one that is not listed', '203.0.113.9', 403],
    ['a listed IPv6 address', '2001:DB8:1::5', 200],
    ['an IPv6 address that is not listed', '2001:db8:2::5', 403],
    ['a listed address, mapped into IPv6', '::ffff:198.51.100.7', 200],
    ['a chain of trusted proxies', '198.51.100.7, 10.1.2.3, 10.9.9.9', 200],
    ['a chain whose last proxy is a stranger', '198.51.100.7, 203.0.113.9', 403],
    ['a chain with a stranger in it', '198.51.100.7, 203.0.113.9, 10.1.2.3', 403, '203.0.113.9'],
    ['a listed address that calls through a stranger of its own', '203.0.113.9, 198.51.100.7, 10.1.2.3', 200],
    ['no address', 'unknown', 403],
    ['an address in quotation marks', '"198.51.100.7"', 403],
    ['SQL', "198.51.100.7' or true", 403],
    ['very many', `${'1.2.3.4, '.repeat(500)}x`, 403],
    ['an empty entry beside one', ', 198.51.100.7,', 200],
    ['several lines, which count as one list', ['203.0.113.9', '198.51.100.7, 10.1.2.3'], 200],
    ['several lines, the last of which is the nearest', ['198.51.100.7', '203.0.113.9'], 403],
    // No caller is named: the proxy itself counts as the caller, and is on the list.
    ['nothing but empty entries', ', ,', 200],
  ])('%s', async (_, forwarded, status, logged = expect.anything()) => {
    lines.length = 0;
    expect(await statusAt(behindProxy.url, ...[forwarded].flat())).toBe(status);
    expect(lines.map(({ address }) => address)).toEqual(status === 403 ? [logged] : []);
  });
  test('a change of the list takes effect within seconds in every process', async () => {
    const both = () =>
      Promise.all([behindProxy.url, registry.api.url].map((url) => statusAt(url, '192.0.2.1')));
    expect(await both()).toEqual([403, 200]);
    await allowNetwork(registry.database, 'New Registrar', '192.0.2.0/24');
    await within(200, async () => (await both())[0] as number);
    await removeRegistrar(registry.database, 'new registrar');
    await within(403, async () => (await both())[0] as number);
  });
});

describe('the rate of a registrar, in names', () => {
  const limited: ApiServer[] = [];
  beforeAll(async () => {
    const config = { ...registry.config, trustProxy: ['loopback'], registryMaxNames: 100 };
    // So slow that none comes back while a test runs.
    const rate = { perSecond: 0.001, burst: 40 };
    for (const [name, ...networks] of [
      ['Counted', '192.0.2.0/25', '2001:db8:7::/48'],
      ['Neighbour', '192.0.2.128/25'],
      ['Narrow', '192.0.2.5'],
    ] as const) {
      for (const network of networks) await allowNetwork(registry.database, name, network);
    }
    // Two processes share buckets where there is Redis.
    for (let i = 0; i < (config.redisUrl ? 2 : 1); i++) {
      // A machine that is busy with other tests is not a Redis that is away.
      const registryLimit = await openRateLimit(rate, config.redisUrl, logger, 60_000, 'registry');
      limited.push(await startApiAlone({ config }, registry.database, logger, { registryLimit }));
    }
  });
  afterAll(async () => {
    for (const api of limited) await api.close();
  });
  let turn = 0;
  /** Asks the processes in turns. */
  const ask = async (from: string, question: string) => {
    const url = `${limited[turn++ % limited.length]?.url}/1.0/${['droplist', 'zones'].includes(question) ? question : `availability?${question}`}`;
    const response = await fetch(url, { headers: { 'x-forwarded-for': from } });
    return {
      status: response.status,
      left: Number(/^"registrar";r=(\d+);t=\d+$/.exec(response.headers.get('ratelimit') ?? '')?.[1]),
      policy: response.headers.get('ratelimit-policy'),
      retry: Number(response.headers.get('retry-after')),
      body: (await response.json()) as unknown,
    };
  };
  const names = (count: number) => Array.from({ length: count }, (_, i) => `domains=name${i}.nz`).join('&');

  test('is that of all its addresses, in every process: 429 with code, sentence and how long to wait', async () => {
    expect(await ask('192.0.2.1', names(10))).toMatchObject({
      status: 200,
      policy: '"registrar";q=40;w=40000',
      left: 30,
    });
    // A label is asked for in each of the sixteen zones.
    expect(await ask('2001:db8:7::1', 'string=kauri')).toMatchObject({ status: 200, left: 14 });
    // A request that names nothing counts as one name.
    expect(await ask('192.0.2.1', 'x')).toMatchObject({ status: 400, left: 13 });
    expect(await ask('192.0.2.77', 'droplist')).toMatchObject({ status: 200, left: 12 });
    expect(await ask('192.0.2.77', 'zones')).toMatchObject({ status: 200, left: 11 });
    // A refused list takes nothing from the bucket.
    const refused = await ask('192.0.2.1', names(12));
    expect(refused).toMatchObject({
      status: 429,
      left: 11,
      body: { code: 429, error: expect.stringContaining('too many names') },
    });
    expect(refused.retry).toBeGreaterThan(900);
    expect(await ask('192.0.2.1', names(11))).toMatchObject({ status: 200, left: 0 });
    expect((await ask('192.0.2.2', 'droplist')).status).toBe(429);
    // A registrar with a network inside that one, and another beside it, have buckets of their own.
    expect((await ask('192.0.2.129', names(10))).status).toBe(200);
    // A list that is longer than the burst takes all of it.
    expect(await ask('192.0.2.5', 'string=kauri')).toMatchObject({ status: 200, left: 24 });
    expect((await ask('192.0.2.5', names(100))).status).toBe(429);
  });
});

test('the list holds a network once a registrar, whatever its name is written like', async () => {
  await allowNetwork(registry.database, 'Twice', '203.0.113.0/24');
  await allowNetwork(registry.database, 'TWICE', '203.0.113.0/24');
  await allowNetwork(registry.database, 'Other', '203.0.113.0/24');
  const listed = async () =>
    (await listNetworks(registry.database)).flatMap(({ registrar, network }) =>
      network === '203.0.113.0/24' ? [registrar] : [],
    );
  expect(await listed()).toEqual(['Other', 'Twice']);
  // What one registrar loses, another keeps.
  await denyNetwork(registry.database, 'tWICE', '203.0.113.0/24');
  expect(await listed()).toEqual(['Other']);
  expect(await statusAt(behindProxy.url, '203.0.113.200')).toBe(200);
});

describe('npm run admin -- registrar', () => {
  const admin = (...words: string[]) =>
    administer({ database: registry.database } as Application, ['registrar', ...words]);

  test('shows the list, also the registrars who have no network on it any more', async () => {
    expect(await admin('allow', 'Corner Names', '2001:DB8:7::/48')).toBe(
      'Corner Names may ask from 2001:db8:7::/48.',
    );
    await admin('allow', 'corner names', ' 192.0.2.9 ');
    expect(await admin('list')).toMatch(
      /^registrar +network +since\n[\s\S]*\nCorner Names +192\.0\.2\.9\/32 +\d{4}-\d\d-\d\d\nCorner Names +2001:db8:7::\/48 /,
    );
    await admin('deny', 'Corner Names', '192.0.2.9');
    await admin('deny', 'CORNER NAMES', '2001:db8:7::/48');
    expect(await admin('list')).toMatch(/\nCorner Names +none +\d{4}/);
    expect(await admin('remove', 'Corner Names')).toBe('Corner Names may no longer ask.');
    expect(await admin('list')).not.toContain('Corner');
  });
  test.each<[string[], string]>([
    [['allow', 'X', '192.0.2.7/24'], 'network_invalid'],
    [['deny', 'X', '192.0.2.7'], 'network_not_listed'],
    [['remove', 'X'], 'registrar_unknown'],
    [['allow', 'X'], 'usage'],
    [['allow', ' ', '192.0.2.7'], 'usage'],
    [['list', 'all'], 'usage'],
    [['invite'], 'usage'],
  ])('%j: %s', async (words, code) => {
    await expect(admin(...words)).rejects.toMatchObject({ code });
    expect(await admin('list')).not.toMatch(/^X /m);
  });
});
