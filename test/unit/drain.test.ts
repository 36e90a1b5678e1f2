import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { drainable } from '../../api/http/drain.ts';
import { listening } from '../setup/listen.ts';

/* How a server ends behind a proxy, step by step. */

test('a server that hands over answers, then sends GETs elsewhere, then ends', async () => {
  const { answer, end } = drainable((_request, response) => response.end('here'));
  const server = createServer(answer);
  const url = await listening(server);
  const ask = async (method: string) => {
    const response = await fetch(url, { method });
    await response.arrayBuffer();
    return [response.status, response.headers.get('connection')];
  };
  expect(await ask('GET')).toEqual([200, 'keep-alive']);
  const ended = end(server, 300, () => undefined);
  expect(await ask('GET')).toEqual([200, 'close']);
  let status: unknown;
  while (status !== 502) [status] = await ask('GET');
  expect(await ask('HEAD')).toEqual([502, 'close']);
  expect(await ask('POST')).toEqual([200, 'close']);
  await ended;
  await expect(ask('POST')).rejects.toThrow();
});

test('a connection that was opened in advance does not hold up the end; an answer does', async () => {
  const held: ServerResponse[] = [];
  const { answer, end } = drainable((_request, response) => held.push(response));
  const server = createServer(answer);
  const url = await listening(server);
  const unused = connect(Number(new URL(url).port), '127.0.0.1');
  await once(unused, 'connect');
  const asked = get(url, { agent: false });
  await once(server, 'request');
  const order: string[] = [];
  unused.once('close', () => order.push('unused closed'));
  asked.once('response', (response) => order.push(`answered ${response.resume().statusCode}`));
  const ended = end(server, 0, () => undefined).then(() => order.push('ended'));
  // For longer than the server keeps unused connections.
  await sleep(1500);
  held[0]?.end('here');
  const began = performance.now();
  await ended;
  await expect.poll(() => order.toSorted()).toEqual(['answered 200', 'ended', 'unused closed']);
  // Connections that do not end are cut after ten seconds only.
  expect(performance.now() - began).toBeLessThan(6000);
});

test('a request on such a connection is answered where it comes soon after', async () => {
  const { answer, end } = drainable((_request, response) => response.end('here'));
  const server = createServer(answer);
  const unused = connect(Number(new URL(await listening(server)).port), '127.0.0.1');
  await once(unused, 'connect');
  const ended = end(server, 0, () => undefined);
  await sleep(200);
  unused.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  expect(await text(unused)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*here/s);
  await ended;
});
