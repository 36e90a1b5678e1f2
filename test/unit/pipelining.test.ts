import { once } from 'node:events';
import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Random, seed } from '@covermap/testing/random.ts';
import { expect, onTestFinished, test } from 'vitest';
import { inOrder, parseInSlices } from '../../api/http/connections.ts';
import { answerUnreadable } from '../../api/http/unreadable-requests.ts';
import { listening } from '../setup/listen.ts';

/** A server that parses in slices. @returns a function that sends the pieces of a text, and gives all answers until it closes */
async function serve(answer: RequestListener, options: ServerOptions = {}, onParsed = () => {}) {
  const server = createServer({ requireHostHeader: false, ...options }, onParsed);
  server.on('request', inOrder(answer));
  parseInSlices(server);
  answerUnreadable(server, () => ({}));
  const { port } = new URL(await listening(server));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return async (...pieces: string[]) => {
    const socket = connect(Number(port), '127.0.0.1').setNoDelay();
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    const closed = once(socket, 'close');
    for (const piece of pieces) {
      socket.write(piece, 'latin1');
      await turn();
    }
    await closed;
    return text;
  };
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;
const last = get('/last', 'Connection: close\r\n');
const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

test('each of many requests in one packet begins after the answer before it, in a turn of its own', async () => {
  let turns = 0;
  let running = 0;
  const began: number[] = [];
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  onTestFinished(() => clearImmediate(timer));
  const send = await serve((_request, response) => {
    running++;
    expect(running).toBe(1);
    began.push(turns);
    response.on('close', () => running--);
    response.end('x');
  });
  const text = await send(get('/').repeat(500) + last);
  expect(statuses(text)).toHaveLength(501);
  expect(new Set(began).size).toBe(began.length);
});

test('1,500 requests at once on each of ten connections hold up nobody: in the time of another’s request, each of them gets a few answers', async () => {
  let attacks = 0;
  const attacksAtOthers: number[] = [0];
  const send = await serve(({ url }, response) => {
    if (url === '/healthz') attacksAtOthers.push(attacks);
    else attacks++;
    response.end('x');
  });
  const attacking = Array.from({ length: 10 }, () => send(get('/').repeat(1_500) + last));
  // One after the other, on connections of their own, in this process: a request takes so many turns of the event loop on any machine.
  for (let i = 0; i < 10; i++) await send(get('/healthz', 'Connection: close\r\n'));
  const between = attacksAtOthers.slice(1).map((at, i) => at - (attacksAtOthers[i] as number));
  expect(between).toHaveLength(10);
  expect(Math.max(...between)).toBeLessThan(10 * 20);
  for (const answers of await Promise.all(attacking)) expect(statuses(answers)).toHaveLength(1_501);
});

test('what is parsed ahead is bounded, however much comes', async () => {
  let made = 0;
  let most = 0;
  const send = await serve(
    (_request, response) => {
      most = Math.max(most, made);
      response.end('x'.repeat(20_000), () => made--);
    },
    {},
    () => made++,
  );
  // The slice with a body ends with the body.
  const post = `POST / HTTP/1.1\r\nContent-Length: 5000\r\n\r\n${'x'.repeat(5000)}`;
  await send(post + get('/').repeat(1_000) + last);
  expect(most).toBeLessThanOrEqual(Math.ceil(1024 / get('/').length) + 1);
});

test('requests with and without bodies, in packets cut anywhere, are answered whole and in their order', async () => {
  const random = new Random(seed);
  const send = await serve(async (request, response) => {
    // Some are answered before their body has come, some long after.
    if (request.url?.endsWith('early')) return response.end(`${request.url}\n`);
    let length = 0;
    for await (const chunk of request) length += chunk.length;
    for (let i = random.below(3); i > 0; i--) await turn();
    response.end(`${request.url} ${length}\n${' '.repeat(random.chance(0.3) ? 200_000 : 0)}`);
  });
  const pieces = (text: string) => {
    const cut: string[] = [];
    for (let at = 0; at < text.length; ) {
      const end = at + 1 + random.below(20_000);
      cut.push(text.slice(at, end));
      at = end;
    }
    return cut;
  };
  for (let round = 0; round < 20; round++) {
    const expected: string[] = [];
    let text = '';
    for (let i = 0; i < 30; i++) {
      const body = 'GET /in-a-body HTTP/1.1\r\n\r\n'.repeat(random.below(random.chance(0.3) ? 4_000 : 40));
      const kind = random.below(4);
      const path = `/${round}/${i}${kind === 3 ? '/early' : ''}`;
      if (kind === 0) text += get(path);
      else if (kind === 1) {
        const chunk = body ? `${body.length.toString(16)}\r\n${body}\r\n` : '';
        text += `POST ${path} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`;
      } else text += `POST ${path} HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      expected.push(kind === 3 ? path : `${path} ${kind === 0 ? 0 : body.length}`);
    }
    const answers = await send(...pieces(text + last));
    expect([...answers.matchAll(/^\/\d\S*(?: \d+)?$/gm)].map(([line]) => line)).toEqual(expected);
  }
});

test('what cannot be parsed is answered after the requests before it', async () => {
  const send = await serve(async (_request, response) => {
    await turn();
    response.end('x');
  });
  const text = await send(`${get('/a').repeat(3)}no request\r\n\r\n${get('/b')}`);
  expect(statuses(text)).toEqual([200, 200, 200, 400]);
});

test('but what cannot be the body of a request, at once', async () => {
  const send = await serve((request, response) => {
    request.on('end', () => response.end('x')).resume();
  });
  const post = 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n';
  expect(statuses(await send(post))).toEqual([400]);
});

test('nothing begins after an answer that closes the connection, or once the client has gone', async () => {
  let begun = 0;
  const send = await serve((_request, response) => {
    begun++;
    response.end('x');
  });
  expect(statuses(await send(last + get('/').repeat(2_000)))).toEqual([200]);
  expect(begun).toBe(1);
});

test('CONNECT ends what is parsed of its connection', async () => {
  const send = await serve((_request, response) => void response.end('x'));
  const text = await send(`CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n${get('/').repeat(2_000)}`);
  expect(statuses(text)).toEqual([405]);
});

test('a request whose head never ends is told that it takes too long', async () => {
  const times = { connectionsCheckingInterval: 50, headersTimeout: 100 };
  const send = await serve((_, response) => response.end(), times);
  expect(await send('GET / HTTP/1.1\r\nhost: a\r\n')).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
});
