import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, describe, expect, test } from 'vitest';
import type { ApiContext } from '../../api/context.ts';
import { unknownPath } from '../../api/errors.ts';
import { ConstantBody } from '../../api/http/constant-body.ts';
import { pages } from '../../api/routes/public/pages.ts';
import { listening } from '../setup/listen.ts';

/* How the pages are served; what is in them is tested in a browser. */

const html = Buffer.from('<!doctype html><title>A page</title>'.repeat(20));
const built = new Map([
  ['operator/index.html', new ConstantBody('text/html; charset=utf-8', html, gzipSync(html))],
  ['assets/main-x1.js', new ConstantBody('text/javascript; charset=utf-8', '1')],
]);

const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function serve(files = built, basemapStyleUrl?: string, pageRate = { perSecond: 100, burst: 1000 }) {
  const app = express();
  app.use(pages({ pages: files, config: { basemapStyleUrl, pageRate } } as unknown as ApiContext));
  app.use(unknownPath);
  const server = createServer(app);
  servers.push(server);
  const address = await listening(server);
  return (path: string, init?: RequestInit) => fetch(address + path, init);
}

describe('a page', () => {
  test('may load nothing from anywhere else, run nothing that is written into it, and be framed by nobody', async () => {
    const get = await serve();
    const policy = (await get('/operator')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  test('may load a basemap from where the configuration says, and from there only', async () => {
    const get = await serve(built, 'https://tiles.example.com/styles/light.json?key=1');
    const policy = (await get('/operator')).headers.get('content-security-policy') ?? '';
    expect(policy.match(/https?:\S+/g)?.map((one) => one.replace(/;$/, ''))).toEqual([
      'https://tiles.example.com',
      'https://tiles.example.com',
    ]);
    expect(policy).toMatch(/connect-src 'self' https:\/\/tiles\.example\.com/);
  });

  test('is requested every time, what it loads is cached', async () => {
    const get = await serve();
    expect((await get('/operator')).headers.get('cache-control')).toBe('public, no-cache');
    expect((await get('/assets/main-x1.js')).headers.get('cache-control')).toContain('immutable');
  });

  test('comes compressed to those who take that, and as it is to others', async () => {
    const get = await serve();
    const zipped = await get('/operator', { headers: { 'accept-encoding': 'gzip' } });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(zipped.headers.get('content-length')).toBe(String(gzipSync(html).length));
    expect(await zipped.text()).toBe(html.toString());
    for (const header of ['identity', 'gzip;q=0', 'br']) {
      const plain = await get('/operator', { headers: { 'accept-encoding': header } });
      expect(plain.headers.get('content-encoding'), header).toBeNull();
      expect(plain.headers.get('vary')).toBe('Accept-Encoding');
    }
  });

  test('is not sent again to who has it', async () => {
    const get = await serve();
    for (const encoding of ['gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding };
      const etag = (await get('/operator', { headers })).headers.get('etag') as string;
      const again = await get('/operator', { headers: { ...headers, 'if-none-match': etag } });
      expect([again.status, await again.text()], encoding).toEqual([304, '']);
    }
  });

  test('and what it loads are limited by address', async () => {
    const get = await serve(built, undefined, { perSecond: 0.001, burst: 2 });
    const statuses = [];
    for (const path of ['/operator', '/assets/main-x1.js', '/operator', '/assets/main-x1.js'])
      statuses.push((await get(path)).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
  });

  test('that was not built says how to build it', async () => {
    const get = await serve(new Map());
    const answer = await get('/operator');
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('npm run build');
  });

  test('is only read', async () => {
    const get = await serve();
    const answer = await get('/operator', { method: 'POST' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
    expect((await get('/operator', { method: 'HEAD' })).headers.get('content-type')).toContain('text/html');
  });
});

test.each([
  ['/assets/other.js', 404],
  ['/assets/..%2foperator%2findex.html', 404],
  ['/assets/%2e%2e/package.json', 404],
  // The router takes the address with a slash at its end for the same.
  ['/operator/', 200],
])('%s is answered with %i', async (path, status) => {
  expect((await (await serve())(path)).status).toBe(status);
});
