import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOrInstallProxy, type ProxyBinaries } from '../setup/nginx.ts';
import { smuggled } from '../setup/smuggled.ts';

/* deploy/nginx.conf, by a real nginx in front of a service that reports what reaches it. */

const binaries = findOrInstallProxy();

describe.runIf(typeof binaries !== 'string')('the proxy', () => {
  const { nginx, openssl } = binaries as ProxyBinaries;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-proxy-'));
  let service: Server;
  let proxy: ChildProcess;
  let ports: { http: number; https: number };
  const received: { url: string; headers: IncomingHttpHeaders }[] = [];

  beforeAll(async () => {
    service = createServer(({ url = '', headers }, response) => {
      received.push({ url, headers });
      // Held for a moment, so that requests are there at once.
      setTimeout(() => response.end('{}'), url.startsWith('/slow') ? 300 : 0);
    }).listen(0, '127.0.0.1');
    const certificate = spawnSync(
      openssl,
      // biome-ignore format: one option beside its value
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2',
        '-subj', '/CN=covermap.example', '-keyout', `${folder}/key.pem`, '-out', `${folder}/certificate.pem`],
      { encoding: 'utf8' },
    );
    if (certificate.status !== 0) throw new Error(certificate.stderr);
    ports = { http: await freePort(), https: await freePort() };
    const { port } = service.address() as AddressInfo;
    const site = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8')
      .replaceAll('/etc/letsencrypt/live/covermap.example/fullchain.pem', `${folder}/certificate.pem`)
      .replaceAll('/etc/letsencrypt/live/covermap.example/privkey.pem', `${folder}/key.pem`)
      .replaceAll('/var/log/nginx', folder)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replaceAll(/listen \[::\].*/g, '')
      .replaceAll('listen 80', `listen 127.0.0.1:${ports.http}`)
      .replaceAll('listen 443', `listen 127.0.0.1:${ports.https}`);
    for (const name of ['body', 'proxy', 'other']) mkdirSync(path.join(folder, name));
    writeFileSync(
      path.join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/pid; error_log ${folder}/start.log;
       events {}
       http {
         client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/other;
         uwsgi_temp_path ${folder}/other; scgi_temp_path ${folder}/other;
         ${site}
       }`,
    );
    const options = ['-p', folder, '-c', `${folder}/nginx.conf`, '-e', `${folder}/start.log`];
    const check = spawnSync(nginx, [...options, '-t'], { encoding: 'utf8' });
    expect(check.status, check.stderr).toBe(0);
    proxy = spawn(nginx, options, { stdio: 'ignore' });
    for (const deadline = Date.now() + 60_000; ; await sleep(20)) {
      const answered = await ask('/').then(
        () => true,
        () => false,
      );
      if (answered) break;
      if (Date.now() > deadline) throw new Error(readFileSync(`${folder}/start.log`, 'utf8'));
    }
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => proxy?.once('exit', resolve));
    proxy?.kill('SIGTERM');
    await ended;
    service?.closeAllConnections();
    service?.close();
    rmSync(folder, { recursive: true });
  });

  const ask = (
    address: string,
    {
      headers = {},
      plain = false,
      method = 'GET',
    }: { headers?: Record<string, string>; plain?: boolean; method?: string } = {},
  ) =>
    new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: plain ? ports.http : ports.https,
        path: address,
        method,
        headers: { host: 'covermap.example', ...headers },
        servername: headers.host ?? 'covermap.example',
        rejectUnauthorized: false,
        agent: false,
      };
      const request = (plain ? httpRequest : httpsRequest)(options, (response) => {
        response
          .resume()
          .on('end', () => resolve({ status: response.statusCode as number, headers: response.headers }));
      });
      request.on('error', reject).end();
    });

  test('redirects from plain HTTP, and keeps browsers from coming back to it', async () => {
    const redirect = await ask('/operator?a=b', { plain: true, method: 'POST' });
    expect([redirect.status, redirect.headers.location]).toEqual([
      308,
      'https://covermap.example/operator?a=b',
    ]);
    const { status, headers } = await ask('/');
    expect([status, headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
  });
  test('says itself who asks, for which host and how, whatever the client says', async () => {
    received.length = 0;
    await ask('/tiles/1.json', {
      headers: {
        'x-forwarded-host': 'evil.example',
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-proto': 'http',
        'x-forwarded-port': '1',
        forwarded: 'for=203.0.113.9;host=evil.example',
      },
    });
    expect(received[0]?.headers).toMatchObject({
      host: 'covermap.example',
      'x-forwarded-host': 'covermap.example',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
    });
    expect(received[0]?.headers).not.toHaveProperty('forwarded');
    expect(received[0]?.headers).not.toHaveProperty('x-forwarded-port');
  });
  test('answers for its own name alone', async () => {
    received.length = 0;
    await expect(ask('/', { headers: { host: 'evil.example' } })).rejects.toThrow();
    await expect(ask('/', { headers: { host: 'evil.example' }, plain: true })).rejects.toThrow();
    expect(received).toEqual([]);
  });
  test.each(smuggled)('hands on no request that another hides by %s', async (_, text) => {
    received.length = 0;
    const socket = connectTls({
      host: '127.0.0.1',
      port: ports.https,
      servername: 'covermap.example',
      rejectUnauthorized: false,
    });
    socket.on('error', () => undefined).on('secureConnect', () => socket.end(text, 'latin1'));
    await new Promise((resolve) => socket.resume().on('close', resolve));
    expect(received.map(({ url }) => url)).not.toContain('/smuggled');
  });
  test('limits how many requests an address sends at once, and how often it signs in', async () => {
    const slow = await Promise.all(
      Array.from({ length: 120 }, () => ask('/slow').then(({ status }) => status)),
    );
    expect(slow.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1);
    expect(slow.filter((status) => status === 200).length).toBeGreaterThanOrEqual(100);
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
    const read = () => readFileSync(`${folder}/covermap.log`, 'utf8');
    // The proxy writes a line after it has answered.
    await expect.poll(read).toContain('"GET /api/1.0/availability/yx/-36.9/174.8 HTTP/1.1" 502');
    const log = read();
    expect(log).toContain('"GET /logged HTTP/1.1" 200');
    expect(log + readFileSync(`${folder}/covermap-error.log`, 'utf8')).not.toContain('secret');
  });
});

async function freePort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
