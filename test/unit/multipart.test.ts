import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { Request } from 'express';
import { expect, test } from 'vitest';
import type { ApiContext } from '../../api/context.ts';
import { withForm } from '../../api/http/multipart.ts';

const part = (name: string, more = '') =>
  `--x\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;

/** Sends a form. @returns the code of the error that it ends with, and the stored files that are left */
async function send(pieces: Iterable<string> | AsyncIterable<string>) {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const request = Object.assign(Readable.from(pieces), { headers }) as unknown as Request;
  const stored: string[] = [];
  const storage = {
    store: async (key: string, source: Readable) => {
      for await (const chunk of source) void chunk;
      stored.push(key);
      return { key, size: 1, sha256: '' };
    },
    remove: async (key: string) => stored.splice(stored.indexOf(key), 1),
  };
  const context = { storage, config: { uploadLimitBytes: 10_000 } } as unknown as ApiContext;
  const nothing = async () => undefined;
  const code: unknown = await withForm(context, request, nothing, nothing).catch((error) => error.code);
  return { code, stored };
}

test('a form that is refused by a field before its file is refused wherever it was cut on its way', async () => {
  const field = `${part('manifest')}${'x'.repeat(1_100_000)}\r\n`;
  const file = `${part('file', '; filename="a.zip"')}${'y'.repeat(100)}\r\n--x--\r\n`;
  for (let at = field.length - 3; at < field.length + file.length; at += 5) {
    const text = field + file;
    const { code } = await send([text.slice(0, at), text.slice(at)]);
    expect(code, `cut at ${at - field.length}`).toBe('manifest_too_large');
  }
});

test('a stored file goes again where its form is refused for what comes after it', async () => {
  const pieces = async function* () {
    yield `${part('file', '; filename="a.zip"')}y\r\n${part('manifest')}`;
    await turn();
    yield `${'x'.repeat(1_100_000)}\r\n--x--\r\n`;
  };
  expect(await send(pieces())).toEqual({ code: 'manifest_too_large', stored: [] });
});
