import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiServer } from '../../api/server.ts';
import { createKey } from '../../core/access/api-keys.ts';
import type { Database } from '../../core/database/database.ts';
import { makePlace, type Place, startApiAlone } from '../setup/service.ts';

/* A failing database is a 500 in the version's own shape: never a stack trace, never HTML. */

let place: Place;
let database: Database;
let api: ApiServer;
let key: string;

beforeAll(async () => {
  place = await makePlace();
  database = await place.open();
  key = await createKey(database, 'Customer');
  api = await startApiAlone(place, database);
  // The key is known by now; then what lookups read goes away.
  expect(
    (await fetch(`${api.url}/api/2.0/availability/-36.9/174.8`, { headers: { 'x-api-key': key } })).status,
  ).toBe(200);
  await database.query('alter table catalog rename to catalog_away');
});
afterAll(async () => {
  await api?.close();
  await database?.close();
  await place?.remove();
});

test.each([
  ['/api/2.0/availability/-36.9/174.8', { code: 500, error: 'Internal Server Error' }],
  ['/api/2.0/providers', { code: 500, error: 'Internal Server Error' }],
  [
    '/api/1.0/availability/yx/-36.9/174.8?api_key=',
    { code: 500, error: expect.stringContaining('map data service') },
  ],
])('%s', async (address, body) => {
  const query = address.endsWith('=') ? key : '';
  const response = await fetch(`${api.url}${address}${query}`, { headers: { 'x-api-key': key } });
  expect(response.status).toBe(500);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual(body);
});

test('/readyz says that lookups cannot be answered, /healthz that the process lives', async () => {
  expect((await fetch(`${api.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
});
