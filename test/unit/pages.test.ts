import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
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

async function serve(files = built, basemapStyleUrl?: string, pageRate = { perSecond: 100, burst: 1000 }) {
  const app = express();
  app.use(pages({ pages: files, config: { basemapStyleUrl, pageRate } } as unknown as ApiContext));
  app.use(unknownPath);
  const server = createServer(app);
  onTestFinished(() => void server.close());
  const address = await listening(server);
  return (path: string, init?: RequestInit) => fetch(address + path, init);
}

describe('a page', () => {
  test('may load a basemap from where the configuration says, and nothing else from anywhere else', async () => {
    const policyWith = async (style?: string) =>
      (await (await serve(built, style))('/operator')).headers.get('content-security-policy') ?? '';
    expect(await policyWith()).not.toMatch(/unsafe|https?:|\*/);
    const policy = await policyWith('https://tiles.example.com/styles/light.json?key=1');
    expect(policy.match(/https?:[^\s;]+/g)).toEqual(Array(2).fill('https://tiles.example.com'));
    expect(policy).toMatch(/connect-src 'self' https:\/\/tiles\.example\.com/);
  });

  test('is requested every time, what it loads is cached', async () => {
    const get = await serve();
    expect((await get('/operator')).headers.get('cache-control')).toBe('public, no-cache');
    expect((await get('/assets/main-x1.js')).headers.get('cache-control')).toContain('immutable');
  });

  test('comes as it was compressed when it was built to those who take that', async () => {
    const zipped = await (await serve())('/operator', { headers: { 'accept-encoding': 'gzip' } });
    expect(zipped.headers.get('content-length')).toBe(String(gzipSync(html).length));
    expect(await zipped.text()).toBe(html.toString());
  });

  test('and what it loads are limited by address', async () => {
    const get = await serve(built, undefined, { perSecond: 0.001, burst: 2 });
    const statuses = [];
    for (const path of ['/operator', '/assets/main-x1.js', '/operator', '/assets/main-x1.js'])
      statuses.push((await get(path)).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
  });

  test('that was not built says how to build it', async () => {
    const answer = await (await serve(new Map()))('/operator');
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
