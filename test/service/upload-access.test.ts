import { once } from 'node:events';
import { type IncomingMessage, request as send } from 'node:http';
import { expect, test } from 'vitest';
import { type Client, client, pieceAt } from '../setup/operator.ts';
import { useService } from '../setup/service.ts';

/* The route's parameter alone decides which upload a request is about, and so whose. */

const uploads = '/api/operator/uploads';
const tus = { 'tus-resumable': '1.0.0' };
const piece = { ...tus, ...pieceAt(0) };
const bytes = 'somebody else wrote this';

const service = await useService();
const kauri = await client(service.api.url, service.database, 'Kauri Fibre');
const tui = await client(service.api.url, service.database, 'Tui Wireless');

async function begin(by: Client): Promise<string> {
  const begun = await by.beginUpload(100, { filename: 'x.zip' });
  expect(begun.status).toBe(201);
  return begun.headers.get('location')?.split('/').at(-1) as string;
}

/** Asks with a request target as it is: `fetch` would tidy it up. */
async function ask(by: Client, method: string, path: string, headers: Record<string, string>) {
  const asked = send(service.api.url, { method, path, headers: { ...by.headers, ...headers } });
  asked.end(method === 'PATCH' ? bytes : undefined);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
  return answer.statusCode as number;
}

test('no request target lets an operator read, write to or remove the upload of another', async () => {
  const [theirs, own] = [await begin(kauri), await begin(tui)];
  const targets = [
    `${uploads}/${theirs}`,
    `${uploads}?x=/${theirs}`,
    `${uploads}/?x=/${theirs}`,
    `${uploads}?/${theirs}/`,
    `${uploads}?x=%2F${theirs}`,
    `${uploads}%2F${theirs}`,
    `${uploads}/%2E/${theirs}`,
    `${uploads}//${theirs}`,
    `/${uploads}/${theirs}`,
    `${uploads}/${theirs}/`,
    `${uploads}/x/${theirs}`,
    `${uploads}/..%2Fuploads%2F${theirs}`,
    `${service.api.url}${uploads}?x=/${theirs}`,
    `http://elsewhere.example${uploads}/${theirs}`,
  ];
  for (const path of targets) {
    for (const method of ['HEAD', 'PATCH', 'DELETE', 'GET']) {
      expect([404, 405], `${method} ${path}`).toContain(await ask(tui, method, path, piece));
    }
    for (const method of ['PATCH', 'DELETE', 'HEAD']) {
      const headers = { ...piece, 'x-http-method-override': method };
      const status = await ask(tui, 'POST', path, {
        ...headers,
        'upload-concat': `final;${uploads}/${theirs}`,
      });
      expect(status, `POST ${path} as ${method}`).toBeGreaterThanOrEqual(400);
    }
  }
  // The path decides which upload a request is about, whatever its query names.
  for (const query of [`?x=/${theirs}`, `?/${theirs}/`, `?%2F${theirs}`]) {
    expect(await ask(tui, 'HEAD', `${uploads}/${own}${query}`, tus), query).toBe(200);
  }
  expect(await ask(tui, 'PATCH', `${uploads}/${own}?x=/${theirs}`, piece)).toBe(204);
  expect(await tui.offsetOf(`${uploads}/${own}`)).toBe(bytes.length);
  expect(await ask(tui, 'DELETE', `${uploads}/${own}?x=/${theirs}`, tus)).toBe(204);
  expect((await tui.tus('HEAD', `${uploads}/${own}`)).status).toBe(404);
  const untouched = await kauri.tus('HEAD', `${uploads}/${theirs}`);
  expect([untouched.status, untouched.headers.get('upload-offset')]).toEqual([200, '0']);
});
