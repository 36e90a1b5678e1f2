import { createServer } from 'node:http';
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
