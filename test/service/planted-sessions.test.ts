import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiServer } from '../../api/server.ts';
import { commandActor } from '../../core/access/actor.ts';
import { createToken } from '../../core/access/tokens.ts';
import type { Database } from '../../core/database/database.ts';
import { makeParties, type Party } from '../setup/parties.ts';
import { makePlace, type Place, startApiAlone } from '../setup/service.ts';

/* Sessions that somebody else has planted, and guesses from addresses that somebody has invented. */

let place: Place;
let database: Database;
let api: ApiServer;
let kauri: Party;
const cookies: Record<string, string> = {};

beforeAll(async () => {
  place = await makePlace();
  database = await place.open();
  [kauri] = await makeParties(place, database);
  api = await startApiAlone(place, database);
  cookies.staff = await signIn(await createToken(database, { role: 'staff' }, 'Sam', commandActor));
});
afterAll(async () => {
  await api?.close();
  await database?.close();
  await place?.remove();
});

async function signIn(token: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(`${api.url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ token }),
  });
  expect(response.status).toBe(200);
  return response.headers.get('set-cookie')?.split(';')[0] as string;
}

test('a session is never the one that the browser came with: each sign-in begins another, and signing out ends it', async () => {
  const planted = `covermap_session=cvs${'A'.repeat(40)}`;
  const own = await signIn(kauri.operatorToken, { cookie: planted, origin: api.url });
  const status = async (cookie: string) =>
    (await fetch(`${api.url}/api/operator/catalog`, { headers: { cookie } })).status;
  expect(own).not.toBe(planted);
  expect([await status(planted), await status(own)]).toEqual([401, 200]);
  // A session that somebody else had is not taken over either.
  const second = await signIn(kauri.operatorToken, { cookie: cookies.staff as string, origin: api.url });
  expect([cookies.staff, own]).not.toContain(second);
  expect((await fetch(`${api.url}/api/staff/billing`, { headers: { cookie: second } })).status).toBe(403);
  const out = await fetch(`${api.url}/api/session`, {
    method: 'DELETE',
    headers: { cookie: own, origin: api.url },
  });
  expect([out.status, await status(own), await status(second)]).toEqual([204, 401, 200]);
});

test('wrong keys and tokens are counted by the connection’s address, whatever address a header names', async () => {
  const slow = await startApiAlone(
    { config: { ...place.config, refusedRate: { perSecond: 0.001, burst: 5 } } },
    database,
  );
  try {
    const statuses: number[] = [];
    for (let guess = 0; guess < 8; guess++) {
      const address = `203.0.113.${guess}`;
      const headers = {
        authorization: `Bearer guess${guess}`,
        ...{
          'x-forwarded-for': address,
          forwarded: `for=${address}`,
          'x-real-ip': address,
          'client-ip': address,
        },
      };
      statuses.push((await fetch(`${slow.url}/api/operator/catalog`, { headers })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  } finally {
    await slow.close();
  }
});
