import { Readable } from 'node:stream';
import type { Request } from 'express';
import { expect, test } from 'vitest';
import type { ApiContext } from '../../api/context.ts';
import { withForm } from '../../api/http/multipart.ts';

const part = (name: string, more = '') =>
  `--x\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;

/** Sends a form in two pieces. @returns the code of the error that it ends with */
async function sendCut(text: string, at: number): Promise<unknown> {
  const pieces = [text.slice(0, at), text.slice(at)].map((piece) => Buffer.from(piece));
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': `${text.length}` };
  const request = Object.assign(Readable.from(pieces), { headers, complete: true }) as unknown as Request;
  const storage = {
    store: async (_name: string, source: Readable) => {
      for await (const chunk of source) void chunk;
      return { key: 'a', size: 1, sha256: '' };
    },
    remove: async () => undefined,
  };
  const context = { storage, config: { uploadLimitBytes: 10_000 } } as unknown as ApiContext;
  const sent = withForm(
    context,
    request,
    async () => undefined,
    async () => undefined,
  );
  return sent.catch(({ code }) => code);
}

test('a form that is refused by a field before its file is refused wherever it was cut on its way', async () => {
  const field = `${part('manifest')}${'x'.repeat(1_100_000)}\r\n`;
  const file = `${part('file', '; filename="a.zip"')}${'y'.repeat(100)}\r\n--x--\r\n`;
  for (let at = field.length - 3; at < field.length + file.length; at += 5) {
    expect(await sendCut(field + file, at), `cut at ${at - field.length}`).toBe('manifest_too_large');
  }
});
