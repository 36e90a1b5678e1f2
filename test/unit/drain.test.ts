import { once } from 'node:events';
import { Agent, createServer, get, type RequestListener, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { drainable } from '../../api/server.ts';
import { fakeTime } from '../setup/fake-time.ts';
import { listening } from '../setup/listen.ts';
import { request } from '../setup/load.ts';

/* How a server ends behind a proxy, step by step. */

const after = (ms: number) => vi.advanceTimersByTimeAsync(ms);

async function serve(listener: RequestListener) {
  const { answer, end } = drainable(listener);
  const server = createServer(answer);
  const url = await listening(server);
  onTestFinished(() => void server.close());
  // Connections have their own time.
  fakeTime({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  const unused = connect(Number(new URL(url).port), '127.0.0.1');
  await once(unused, 'connect');
  return { server, url, unused, end: (delayMs: number) => end(server, delayMs, () => undefined) };
}

test('a server that hands over answers, then sends GETs elsewhere, then ends', async () => {
  const { url, unused, end } = await serve((_request, response) => response.end('here'));
  unused.destroy();
  const agent = new Agent({ keepAlive: true });
  const ask = async (method: string) => {
    const { status, headers } = await request(url, agent, { path: '/', method });
    return [status, headers.connection];
  };
  expect(await ask('GET')).toEqual([200, 'keep-alive']);
  const ended = end(300);
  expect(await ask('GET')).toEqual([200, 'close']);
  await after(300);
  for (const method of ['GET', 'HEAD']) expect(await ask(method)).toEqual([502, 'close']);
  expect(await ask('POST')).toEqual([200, 'close']);
  await after(500);
  await ended;
  expect(await ask('POST')).toEqual([0, undefined]);
});

test('a connection that was opened in advance does not hold up the end; an answer does', async () => {
  const held: ServerResponse[] = [];
  const { server, url, unused, end } = await serve((_request, response) => held.push(response));
  const asked = get(url, { agent: false });
  await once(server, 'request');
  const order: string[] = [];
  const answered = once(asked, 'response').then(([{ statusCode }]) => order.push(`answered ${statusCode}`));
  const closed = once(unused, 'close').then(() => order.push('unused closed'));
  const ended = end(0).then(() => order.push('ended'));
  // For longer than the server keeps unused connections.
  await after(1500);
  expect(order).toEqual([]);
  const [answer] = held as [ServerResponse];
  answer.end('here');
  await Promise.all([answered, once(answer, 'close')]);
  // No more time passes than until the server looks again: it would cut connections that do not end after ten seconds.
  await after(50);
  await Promise.all([closed, ended]);
  expect(order[0]).toBe('answered 200');
});

test('a request on such a connection is answered where it comes soon after', async () => {
  const { unused, end } = await serve((_request, response) => response.end('here'));
  const ended = end(0);
  await after(200);
  unused.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  expect(await text(unused)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*here/s);
  await ended;
});
