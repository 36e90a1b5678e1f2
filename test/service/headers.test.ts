import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { readPages } from '../../api/pages.ts';
import { addressesOf } from '../../api/routes/public/pages.ts';
import { descriptionOf, operationsIn } from '../setup/operations.ts';
import { client, pieceAt } from '../setup/operator.ts';
import { openSocket, receivedBy } from '../setup/raw-request.ts';
import { useApi, useDatabase } from '../setup/service.ts';

/* The headers that keep browsers, shared caches and other origins from doing what they should not, on every answer. */

const { place, database } = await useDatabase({
  trustProxy: ['loopback'],
  refusedRate: { perSecond: 1_000, burst: 10_000 },
});
const api = await useApi(place, database);
const { headers: asStaff } = await client(api.url, database);
const operations = operationsIn(await descriptionOf(api.url)).map(
  ({ path, method }) => [method.toUpperCase(), path.replace(/\{\w+\}/g, '1')] as const,
);

/** The headers that helmet 8 sets by default, or values as strict. Strict-Transport-Security has a test of its own. */
const helmet: Record<string, RegExp> = {
  'content-security-policy':
    /^default-src 'none';(?!.*unsafe)(?=.*base-uri 'none')(?=.*form-action '(?:none|self)')(?=.*frame-ancestors 'none')/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'origin-agent-cluster': /^\?1$/,
  'referrer-policy': /^(?:no-referrer|same-origin)$/,
  'x-content-type-options': /^nosniff$/,
  'x-dns-prefetch-control': /^off$/,
  'x-download-options': /^noopen$/,
  'x-frame-options': /^(?:DENY|SAMEORIGIN)$/,
  'x-permitted-cross-domain-policies': /^none$/,
  'x-xss-protection': /^0$/,
};

/** The headers that an answer lacks. An answer that any origin may read, any may also embed. */
function missing({ headers }: { headers: Headers }): string[] {
  const open = headers.get('access-control-allow-origin') === '*';
  return Object.entries(helmet)
    .filter(([name, form]) => {
      const value = headers.get(name) ?? '';
      return open && name === 'cross-origin-resource-policy' ? value !== 'cross-origin' : !form.test(value);
    })
    .map(([name]) => name)
    .concat(headers.has('x-powered-by') ? 'x-powered-by' : []);
}

const isPrivate = /^\/api\/(?:operator|staff|account|session|2\.0\/usage|2\.0\/availability\/jobs)/;

describe('the usual headers (helmet)', () => {
  test('are on every answer of every operation, errors included, and what is private is kept by nobody', async () => {
    expect(operations.length).toBeGreaterThan(70);
    for (const [method, path] of operations) {
      for (const headers of [{}, asStaff]) {
        const response = await fetch(api.url + path, { method, headers });
        const where = `${method} ${path}: ${response.status}`;
        await response.body?.cancel();
        expect(missing(response), where).toEqual([]);
        if (isPrivate.test(path)) expect(response.headers.get('cache-control'), where).toBe('no-store');
      }
    }
  });

  test.each([
    ...['/', ...addressesOf(readPages()).map(([address]) => address), '/assets/none.js', '/nothing'],
    '/operator/../nothing',
    ...['/%', '/%00', `/${'x'.repeat(9_000)}`, '/api/operator/nothing', '/api/staff', '//evil.example/'],
  ])('are on pages and on what there is not: %s', async (path) => {
    for (const accept of ['text/html', 'application/json']) {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        const response = await fetch(api.url + path, { method, headers: { accept }, redirect: 'manual' });
        await response.arrayBuffer();
        expect(missing(response), `${method} ${path}: ${response.status}`).toEqual([]);
        // Nothing here leads anywhere else.
        expect(response.headers.get('location'), path).toBeNull();
      }
    }
  });

  test('are on all answers of the protocol of uploads', async () => {
    const { tus } = await client(api.url, database, 'Kauri');
    const ask = async (...[method, path, ...asked]: Parameters<typeof tus>) => {
      const response = await tus(method, path, ...asked);
      await response.arrayBuffer();
      expect(missing(response), `${method} ${path}: ${response.status}`).toEqual([]);
      expect(response.headers.get('cache-control')).toBe('no-store');
      return response;
    };
    const base = '/api/operator/uploads';
    await ask('OPTIONS', base);
    await ask('POST', base, { 'tus-resumable': '0.1' });
    const made = await ask('POST', base, { 'upload-length': '4' });
    expect(made.status).toBe(201);
    const path = made.headers.get('location') as string;
    await ask('HEAD', path);
    expect((await ask('PATCH', path, pieceAt(3), Buffer.from('x'))).status).toBe(409);
    expect((await ask('PATCH', path, pieceAt(0), Buffer.from('xx'))).status).toBe(204);
    expect((await ask('DELETE', path)).status).toBe(204);
  });
});

describe('what never reaches a route', () => {
  const request = (line: string, more = '') => `${line} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  test.each<[string, string, number, RegExp, string?]>([
    ['what is no HTTP', 'Kia ora\r\n\r\n', 400, /Bad Request/],
    ['headers that are too long', request('GET /', `X-A: ${'x'.repeat(200_000)}\r\n`), 431, /Too Large/],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, /Host/],
    ['HTTP/1.0, which needs no Host', 'GET /nothing HTTP/1.0\r\n\r\n', 404, /nothing/],
    ['an expectation', request('GET /', 'Expect: cake\r\n'), 417, /100-continue/],
    ['UTF-8 in the query', request('GET /1.0/availability?string=ā'), 400, /Percent-encode/],
    ['UTF-8 in the path', request('GET /māori'), 400, /Percent-encode/],
    ['an unknown method', request('FOO /nothing'), 405, /FOO.*GET/, 'GET, HEAD'],
    ['get in lower case', request('get /healthz'), 405, /capitals/, 'GET, HEAD'],
    ['one after a good request', request('HEAD /') + request('FOO /'), 405, /FOO/, 'GET, HEAD'],
    ['one where others are known', request('FOO /api/2.0/availability/bulk'), 405, /POST/, 'POST'],
    ['one where errors have codes in words', request('foo /api/operator/uploads?x=1'), 405, /POST/, 'POST'],
    ['a tunnel', request('CONNECT evil.example:443'), 405, /CONNECT/, 'GET, HEAD'],
  ])('gets an error in JSON with the same headers: %s', async (_, text, status, sentence, allow) => {
    const answer = await answerTo(text);
    const { code, error, message } = JSON.parse(answer.body);
    expect([answer.status, code]).toEqual([status, error ? status : 'method_not_allowed']);
    expect(error ?? message).toMatch(sentence);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('allow') ?? undefined).toBe(allow);
    expect(missing(answer)).toEqual([]);
  });

  test.each(['CONNECT example.nz:443', 'FOO /healthz', 'get /healthz'])(
    'ends nothing but the connection of who breaks off after %s',
    async (line) => {
      const closed = Array.from({ length: 20 }, async (_, i) => {
        const socket = openSocket(api.url, request(line));
        // At once, or in the midst of the answer.
        await once(socket, i % 2 ? 'data' : 'connect');
        socket.resetAndDestroy();
      });
      await Promise.all(closed);
      expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
    },
  );
});

/** The last answer to a text that need not be a request. */
async function answerTo(text: string) {
  const answers = await receivedBy(openSocket(api.url, text));
  const last = answers.slice(answers.lastIndexOf('HTTP/1.1 '));
  const [head = '', body = ''] = last.split('\r\n\r\n');
  const [, ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
  return { status: Number(last.slice(9, 12)), headers, body };
}

test('browsers are told to come by https only where they did, and by nobody who is not trusted', async () => {
  const sent = async (url: string, headers: Record<string, string> = {}) => {
    const answers = await Promise.all(
      ['/', '/nothing', '/api/operator/catalog'].map((path) => fetch(url + path, { headers })),
    );
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    return [...new Set(answers.map((answer) => answer.headers.get('strict-transport-security')))];
  };
  const https = { 'x-forwarded-proto': 'https' };
  expect(await sent(api.url)).toEqual([null]);
  expect(await sent(api.url, https)).toEqual(['max-age=31536000']);
  const untrusting = await useApi({ config: { ...place.config, trustProxy: [] } }, database);
  expect(await sent(untrusting.url, https)).toEqual([null]);
  const publicUrl = 'https://coverage.example.nz';
  const known = await useApi({ config: { ...place.config, publicUrl } }, database);
  expect(await sent(known.url)).toEqual(['max-age=31536000']);
});

test('a shared cache gives no caller an answer that was made for other headers than its own', async () => {
  const varied = 'accept accept-encoding origin sec-fetch-site authorization cookie x-api-key'.split(' ');
  const rewriting = ['x-forwarded-prefix', 'x-original-url', 'x-rewrite-url'].map((name) => [name, '/evil']);
  const more: Record<string, string>[] = [
    ...[{ accept: 'text/html' }, { accept: 'text/csv' }],
    ...[{ 'accept-encoding': 'gzip' }, { 'accept-encoding': 'identity' }],
    ...[{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-origin' }, asStaff],
    // No cache has these headers in its keys: they may change no answer that it keeps.
    { ...Object.fromEntries(rewriting), 'x-http-method-override': 'DELETE' },
  ];
  const shown = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(api.url + path, { headers });
    const isEndless = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isEndless) await response.body?.cancel();
    const text = isEndless ? '' : await response.text();
    return { headers: response.headers, status: response.status, text };
  };
  const paths = ['/', '/docs', '/operator', '/assets/none.js', '/nothing'].concat(
    operations.flatMap(([method, path]) => (method === 'GET' ? path : [])),
  );
  for (const path of paths) {
    const usual = await shown(path, {});
    // If both halves of the headers make no difference, no single header does.
    const halves = [0, 1].map((half) => Object.assign({}, ...more.filter((_, i) => i % 2 === half)));
    const both = await Promise.all(halves.map((headers) => shown(path, headers)));
    if (both.every(({ text }) => text === usual.text)) continue;
    for (const headers of more) {
      const { headers: answered, text } = await shown(path, headers);
      const kept = [usual.headers, answered].filter((one) => {
        const control = one.get('cache-control') ?? '';
        return !/no-store|private/.test(control) && /public|max-age|immutable|^$/.test(control);
      });
      if (text === usual.text) continue;
      for (const one of kept) {
        const vary = (one.get('vary') ?? '').toLowerCase().split(/, */);
        const named = Object.keys(headers).filter((name) => varied.includes(name));
        expect(vary, `${path} with ${JSON.stringify(headers)}`).toEqual(expect.arrayContaining(named));
        expect(named.length, `${path} with ${JSON.stringify(headers)}`).toBeGreaterThan(0);
      }
    }
  }
});
