import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Response } from 'express';
import { expect, test } from 'vitest';
import { sendStream } from '../../api/http/send-stream.ts';
import { gate } from '../setup/gate.ts';
import { listening } from '../setup/listen.ts';

/** Answers one request with a stream. @returns the answer as the caller gets it, and the outcome of sending it */
async function answered(source: Readable): Promise<{ answer: IncomingMessage; sent: Promise<void> }> {
  const server = createServer();
  const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  const request = get(await listening(server), { agent: false });
  const [, response] = await asked;
  server.close();
  const sent = sendStream(response as Response, source);
  sent.catch(() => undefined);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { answer, sent };
}

test('all of the stream is the answer', async () => {
  const { answer, sent } = await answered(Readable.from(['one ', 'two']));
  expect((await answer.toArray()).join('')).toBe('one two');
  await sent;
});

test('a caller who leaves ends the stream, and it is no error', async () => {
  const source = new Readable({ read: () => source.push(Buffer.alloc(64 * 1024)) });
  const { answer, sent } = await answered(source);
  answer.destroy();
  await sent;
  expect(source.destroyed).toBe(true);
});

test('what the stream throws is thrown, and the caller sees that the answer is not whole', async () => {
  const begun = gate();
  const source = Readable.from(
    (async function* () {
      yield 'begun';
      await begun.opened;
      throw new Error('the file is gone');
    })(),
  );
  const { answer, sent } = await answered(source);
  begun.open();
  await expect(answer.toArray()).rejects.toThrow('aborted');
  await expect(sent).rejects.toThrow('the file is gone');
});
