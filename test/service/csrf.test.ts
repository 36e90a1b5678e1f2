import { expect, test } from 'vitest';
import { client, cookieOf, signIn } from '../setup/operator.ts';
import { addressOf, askFor, makeParties, operationsOf, rowsOf } from '../setup/parties.ts';
import { useApi, useDatabase } from '../setup/service.ts';

/* Requests that a page of another origin can make a browser send with somebody's session change nothing, whatever the operation. */

const { place, database } = await useDatabase();
const [kauri] = await makeParties(place, database);
const api = await useApi(place, database);
const operations = await operationsOf(api.url);
const roles = ['staff', 'operator', 'customer'] as const;
const cookies = {
  staff: await sessionOf((await client(api.url, database)).token),
  operator: await sessionOf(kauri.operatorToken),
  customer: await sessionOf(kauri.customerToken),
};

async function sessionOf(token: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await signIn(api.url, token, headers);
  expect(response.status).toBe(200);
  return cookieOf(response);
}

/** The forms of a page, and what scripts may send without a question: of another origin, of another host of the site, of no origin. */
const senders: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site', origin: api.url },
  { 'sec-fetch-site': 'same-site', origin: 'https://other.example.nz' },
  { origin: 'null' },
  { referer: 'https://evil.example/' },
  { 'sec-fetch-site': 'none' },
  {},
  // Browsers send it; a forged host of the page does not help.
  { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
];
const bodies = [
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/json',
];

test('no operation that changes something is done for a page of another origin', async () => {
  const before = await rowsOf(database);
  let asked = 0;
  for (const [number, asking] of operations.entries()) {
    const { method, operation } = asking;
    if (['GET', 'HEAD'].includes(method)) continue;
    const role = roles.find((one) => operation['x-access'].who.includes(one));
    const isSession = asking.path === '/api/session';
    if (role === undefined && !isSession) continue;
    const cookie = cookies[role ?? 'staff'];
    const body = JSON.stringify(operation.requestBody?.content['application/json']?.example ?? {});
    for (const [i, sender] of senders.entries()) {
      // Every sender asks for each operation; each type comes twice an operation, and with every sender.
      const type = bodies[(number + i) % bodies.length] as string;
      const headers = { cookie, 'content-type': type, ...sender };
      const { status, text } = await askFor(asking, api.url + addressOf(asking, kauri), headers, body);
      const where = `${method} ${asking.path} by ${JSON.stringify(sender)}`;
      const { code } = JSON.parse(text);
      // A sign-in requires JSON first, and without a sign of a page a valid token.
      const isSignIn = isSession && method === 'POST';
      if (isSignIn) expect([400, 401, 403], where).toContain(status);
      else expect([status, code], where).toEqual([403, 'not_same_origin']);
      asked++;
    }
  }
  expect(asked).toBeGreaterThan(200);
  expect(await rowsOf(database)).toEqual(before);
});

test('each sign-in begins a new session, whatever cookie the browser sends, and signing out ends it', async () => {
  const planted = `covermap_session=cvs${'A'.repeat(40)}`;
  const own = await sessionOf(kauri.operatorToken, { cookie: planted, origin: api.url });
  const status = async (cookie: string) =>
    (await fetch(`${api.url}/api/operator/catalog`, { headers: { cookie } })).status;
  expect(own).not.toBe(planted);
  expect([await status(planted), await status(own)]).toEqual([401, 200]);
  // A session that somebody else had is not taken over either.
  const second = await sessionOf(kauri.operatorToken, { cookie: cookies.staff, origin: api.url });
  expect([cookies.staff, own]).not.toContain(second);
  expect((await fetch(`${api.url}/api/staff/billing`, { headers: { cookie: second } })).status).toBe(403);
  const ofOurPage = { cookie: own, 'sec-fetch-site': 'same-origin' };
  const out = await fetch(`${api.url}/api/session`, { method: 'DELETE', headers: ofOurPage });
  expect([out.status, await status(own), await status(second)]).toEqual([204, 401, 200]);
});

test('cookies that another host of the domain has planted do not lock a user out, even if they come first', async () => {
  const refusedRate = { perSecond: 0.001, burst: 5 };
  const slow = await useApi({ config: { ...place.config, refusedRate } }, database);
  const own = await sessionOf(kauri.operatorToken);
  const planted = Array.from('ABCDEFGHI', (letter) => `covermap_session=cvs${letter.repeat(40)}`);
  const ask = (method: string, ...cookies: string[]) =>
    fetch(`${slow.url}/api/session`, { method, headers: { cookie: cookies.join('; '), origin: slow.url } });
  // No planted cookie counts as a wrong guess of the user.
  for (let i = 0; i < 10; i++) expect((await ask('GET', ...planted, own)).status).toBe(200);
  // Many cookies in one request count as guesses: they do not make guessing faster, and no more than ten are tried.
  for (let i = 0; i < 5; i++)
    expect((await ask('GET', ...planted, `covermap_session=${i}`, own)).status).toBe(401);
  expect((await ask('GET', ...planted)).status).toBe(429);
  expect((await ask('DELETE', ...planted, own)).status).toBe(204);
  expect((await ask('GET', ...planted, own)).status).toBe(401);
});
