import { readFileSync } from 'node:fs';
import { createServer, Agent as HttpAgent, type IncomingHttpHeaders, type Server } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxHeaderSize } from '../../api/http/every-request.ts';
import { listening } from '../setup/listen.ts';
import { type Asked, request } from '../setup/load.ts';
import { findOrInstallProxy, type ProxyBinaries, type RunningProxy, startProxy } from '../setup/nginx.ts';
import { smuggled } from '../setup/smuggled.ts';

/* deploy/nginx.conf, by a real nginx in front of a service that reports what reaches it. */

const binaries = findOrInstallProxy();

describe.runIf(typeof binaries !== 'string')('the proxy', () => {
  let service: Server;
  let proxy: RunningProxy;
  const received: { url: string; headers: IncomingHttpHeaders }[] = [];
  /** Answers that wait for a test. */
  const held: (() => void)[] = [];

  beforeAll(async () => {
    service = createServer({ maxHeaderSize }, ({ url = '', headers }, response) => {
      received.push({ url, headers });
      if (url.startsWith('/slow')) held.push(() => response.end('{}'));
      else response.end('{}');
    });
    const { port } = new URL(await listening(service));
    proxy = await startProxy(binaries as ProxyBinaries, [Number(port)]);
  });
  afterAll(async () => {
    await proxy?.stop();
    service?.closeAllConnections();
    service?.close();
  });

  const ask = (path: string, { plain = false, ...asked }: Partial<Asked> & { plain?: boolean } = {}) => {
    const [url, agent] = plain
      ? ([`http://127.0.0.1:${proxy.ports.http}`, new HttpAgent()] as const)
      : ([`https://127.0.0.1:${proxy.ports.https}`, new HttpsAgent({ rejectUnauthorized: false })] as const);
    return request(url, agent, { path, ...asked, headers: { host: 'covermap.example', ...asked.headers } });
  };

  test('redirects from plain HTTP, and keeps browsers from coming back to it', async () => {
    const location = 'https://covermap.example/operator?a=b';
    const redirect = await ask('/operator?a=b', { plain: true, method: 'POST' });
    expect(redirect).toMatchObject({ status: 308, headers: { location } });
    const headers = { 'strict-transport-security': 'max-age=31536000' };
    expect(await ask('/')).toMatchObject({ status: 200, headers });
  });
  test('says itself who asks, for which host and how, whatever the client says', async () => {
    received.length = 0;
    const [from, host] = ['203.0.113.9', 'covermap.example'];
    const forged = { 'x-forwarded-host': 'evil', 'x-forwarded-for': from, 'x-forwarded-proto': 'http' };
    const more = { 'x-forwarded-port': '1', forwarded: `for=${from};host=evil.example` };
    await ask('/tiles/1.json', { headers: { ...forged, ...more } });
    const own = { 'x-forwarded-host': host, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' };
    expect(received[0]?.headers).toMatchObject({ host, ...own });
    for (const name in more) expect(received[0]?.headers).not.toHaveProperty(name);
  });
  test('hands on the longest list of names that the service takes in a query', async () => {
    expect((await ask(`/1.0/availability?${'x'.repeat(maxHeaderSize - 8 * 1024)}`)).status).toBe(200);
  });
  test('answers for its own name alone', async () => {
    received.length = 0;
    for (const plain of [false, true])
      expect((await ask('/', { headers: { host: 'evil.example' }, plain })).status).toBe(0);
    expect(received).toEqual([]);
  });
  test.each(smuggled)('hands on no request that another hides by %s', async (_, text) => {
    received.length = 0;
    const asked = { servername: 'covermap.example', rejectUnauthorized: false };
    const socket = connectTls(proxy.ports.https, '127.0.0.1', asked);
    socket.on('error', () => undefined).on('secureConnect', () => socket.end(text, 'latin1'));
    await new Promise((resolve) => socket.resume().on('close', resolve));
    expect(received.map(({ url }) => url)).not.toContain('/smuggled');
  });
  test('limits how many requests an address sends at once, and how often it signs in', async () => {
    const refused: number[] = [];
    const slow = Array.from({ length: 120 }, async () => {
      const { status } = await ask('/slow');
      if (status !== 200) refused.push(status);
    });
    await expect.poll(() => held.length + refused.length).toBe(120);
    for (const answer of held) answer();
    await Promise.all(slow);
    expect(refused).toEqual(Array(20).fill(429));
    const guesses = [];
    for (let guess = 0; guess < 40; guess++)
      guesses.push((await ask('/api/session', { method: 'POST' })).status);
    expect(guesses.slice(0, 10)).toEqual(Array(10).fill(200));
    expect(guesses).toContain(429);
    expect((await ask('/')).status).toBe(200);
  });
  test('logs no key, however it is written', async () => {
    const secrets = ['/api/1.0/availability/yx/-36.9/174.8?api_key=secret-1', '/logged?api%5Fkey=secret-2'];
    for (const address of secrets)
      await ask(address, { headers: { referer: 'https://x.example/?api_key=secret-3' } });
    await ask(secrets[0] as string, { plain: true });
    // A service that is gone is an error of the proxy, which would quote the request.
    await new Promise((resolve) => {
      service.closeAllConnections();
      service.close(resolve);
    });
    expect((await ask(secrets[0] as string)).status).toBe(502);
    const read = () => readFileSync(`${proxy.folder}/covermap.log`, 'utf8');
    // The proxy writes a line after it has answered.
    await expect.poll(read).toContain('"GET /api/1.0/availability/yx/-36.9/174.8 HTTP/1.1" 502');
    const log = read();
    expect(log).toContain('"GET /logged HTTP/1.1" 200');
    expect(log + readFileSync(`${proxy.folder}/covermap-error.log`, 'utf8')).not.toContain('secret');
  });
});
