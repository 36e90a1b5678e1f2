import os from 'node:os';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { addKey, createKey, findCustomerKey, listKeys, revokeKey } from '../../access/api-keys.ts';
import { allowNetwork, denyNetwork, removeRegistrar } from '../../access/registrars.ts';
import { generateSecret } from '../../access/secrets.ts';
import { createToken, listTokens, revokeToken } from '../../access/tokens.ts';
import type { AuditEvent, Customer, CustomerToken, Key } from '../../client/schema.ts';
import { demoAccess, demoCustomerToken, demoKey, demoStaffToken, seedAccess } from '../../commands/demo.ts';
import type { Config } from '../../platform/config.ts';
import { addQueries, delegate } from '../setup/billing.ts';
import { clientWith, cookieOf, expectCode, signIn } from '../setup/operator.ts';
import { bearer } from '../setup/parties.ts';
import { importLines, send } from '../setup/registry.ts';
import { startApiAlone, useApi, useDatabase } from '../setup/service.ts';

/* Tokens, keys and sessions: who gets in by them, from where, for how long, and how often they may be guessed. */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const { place, database } = await useDatabase();
const api = await useApi(place, database);
const staff = clientWith(api.url, await createToken(database, { role: 'staff' }, 'Sam', commandActor));

/** The address of another API with other settings, on the same database, until the test ends. */
async function otherApi(changes: Partial<Config>, given = database): Promise<string> {
  return (await useApi({ config: { ...place.config, ...changes } }, given)).url;
}

const askCatalog = (headers: Record<string, string>, url = api.url) =>
  fetch(`${url}/api/operator/catalog`, { headers });
const withKey = (key: string, url = api.url) =>
  fetch(`${url}/api/2.0/providers`, { headers: { 'x-api-key': key } });
const setCookieOf = (response: Response) => response.headers.get('set-cookie') ?? '';

const newCustomer = async (name: string) => {
  const { id } = await staff.json<Customer>('/api/staff/customers', { name });
  const token = await createToken(database, { role: 'customer', customerId: id }, name, commandActor);
  return { path: `/api/staff/customers/${id}`, id, own: clientWith(api.url, token) };
};

test('a key that was refused is active as soon as it exists', async () => {
  const key = generateSecret('m');
  const status = async () => (await withKey(key)).status;
  expect(await status()).toBe(403);
  await createKey(database, 'New customer', key);
  await expect.poll(status).toBe(200);
});

test('whoever creates a token gets that very token, even while others are created', async () => {
  const [{ path }] = [await newCustomer('Busy Homes'), await newCustomer('Idle Homes')];
  type Made = { token: CustomerToken; secret: string };
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, number) =>
      staff.json<Made>(`${path}/tokens`, { name: `Person ${number}`, days: 10 + number }),
    ),
  );
  made.forEach(({ token, secret }, number) => {
    expect(token.name).toBe(`Person ${number}`);
    expect(secret.startsWith(token.hint.replace('...', ''))).toBe(true);
  });
  const { tokens } = await staff.json<{ tokens: CustomerToken[] }>(path);
  expect(tokens.map(({ name }) => name)).toEqual([
    'Busy Homes',
    ...made
      .map(({ token }) => token)
      .sort((a, b) => a.id - b.id)
      .map(({ name }) => name),
  ]);
});

test('a customer may make 20 keys a day, whatever becomes of them; staff may make more, as long as 20 are active', async () => {
  const { path, id, own } = await newCustomer('Key Homes');
  const keys = '/api/account/keys';
  const makeAndRevoke = async () => {
    const { key } = await own.json<{ key: Key }>(keys, {});
    await own.json(`${keys}/${key.id}/revoke`, {});
  };
  await Promise.all(Array.from({ length: 20 }, makeAndRevoke));
  await expectCode(own.post(keys), 409, 'too_many_keys');
  const { key } = await staff.json<{ key: Key }>(`${path}/keys`, {});
  expect((await own.post(`${keys}/${key.id}/rotate`)).status).toBe(409);
  const age = `update api_key set created_at = now() - interval '25 hours' where customer_id = $1`;
  await database.query(age, [id]);
  expect((await own.post(keys)).status).toBe(201);
  const more = Array.from({ length: 19 }, async () => (await staff.post(`${path}/keys`)).status);
  expect((await Promise.all(more)).sort()).toEqual([...Array(18).fill(201), 409]);
  const rotated = await staff.json<{ key: Key }>(`${path}/keys/${key.id}/rotate`, {});
  // The old one is active for some hours more, and counts as long.
  await expectCode(staff.post(`${path}/keys/${rotated.key.id}/rotate`), 409, 'too_many_keys');
});

test('a key was last used in the last hour with a query, and not before it was made', async () => {
  const { id } = await newCustomer('Used Homes');
  const { key } = await addKey(database, id, {}, commandActor);
  const lastUsed = async () => (await findCustomerKey(database, id, key.id)).last_used;
  expect(await lastUsed()).toBeNull();
  await addQueries(database, key.id, key.created_at, 3);
  expect(await lastUsed()).toEqual(key.created_at);
  const later = new Date(Math.ceil(key.created_at.getTime() / hourMs + 1) * hourMs);
  await addQueries(database, key.id, later, 1);
  expect(await lastUsed()).toEqual(later);
});

describe('guessing, whatever address a header names', () => {
  const rate = { refusedRate: { perSecond: 0.001, burst: 5 } };
  const statusesOf = async (count: number, ask: (number: number) => Promise<Response>) => {
    const statuses: number[] = [];
    for (let number = 0; number < count; number++) statuses.push((await ask(number)).status);
    return statuses;
  };

  const guesses: Record<string, (guess: string) => [path: string, headers?: Record<string, string>]> = {
    tokens: (guess) => ['/api/operator/catalog', bearer(guess)],
    sessions: (guess) => ['/api/session', { cookie: `covermap_session=${guess}` }],
    'keys of 1.0': (guess) => [`/api/1.0/availability/yx/-40/175?api_key=${guess}`],
    'keys of 2.0': (guess) => ['/api/2.0/providers', { 'x-api-key': guess }],
  };
  test.each(['sign-ins', ...Object.keys(guesses)])(
    '%s is refused without a look at the database after a while, also many at once',
    async (what) => {
      const ask = (url: string, number: number) => {
        const address = `203.0.113.${number}`;
        const named = { forwarded: `for=${address}`, 'x-forwarded-for': address, 'x-real-ip': address };
        const asked = guesses[what]?.(`guess${number}`);
        if (!asked) return signIn(url, `guess${number}`, named);
        return fetch(`${url}${asked[0]}`, { headers: { ...named, 'client-ip': address, ...asked[1] } });
      };
      const status = what === 'keys of 2.0' ? 403 : 401;
      let queries = 0;
      const query: typeof database.query = (statement, values) => {
        queries++;
        return database.query(statement, values);
      };
      // Where lookups have connections of their own, keys and tokens are looked up with these.
      const url = await otherApi(
        { ...rate, databaseReadUrl: place.config.databaseUrl },
        delegate(database, { query }),
      );
      const at = await Promise.all(
        Array.from({ length: 30 }, async (_, number) => (await ask(url, number)).status),
      );
      expect(at.filter((one) => one === status)).toHaveLength(5);
      expect(at.filter((one) => one === 429)).toHaveLength(25);
      const before = queries;
      const refused = await ask(url, 30);
      expect(refused.status).toBe(429);
      // One attempt comes back in a thousand seconds.
      const seconds = Number(refused.headers.get('retry-after'));
      expect([seconds > 900, seconds <= 1000]).toEqual([true, true]);
      expect(JSON.stringify(await refused.json())).toMatch(/Too many wrong keys or tokens/);
      await statusesOf(20, (number) => ask(url, 31 + number));
      expect(queries).toBe(before);
    },
  );

  test('keeps out nobody who was let in before, and expires; valid credentials cost nothing', async () => {
    const url = await otherApi({ refusedRate: { perSecond: 10, burst: 5 } });
    const good = await createKey(database, 'Neighbour');
    const withToken = (token: string) => askCatalog(bearer(token), url);
    const { token } = staff;
    expect(await statusesOf(20, () => withKey(good, url))).toEqual(Array(20).fill(200));
    expect(await statusesOf(20, () => withToken(token))).toEqual(Array(20).fill(200));
    await Promise.all(Array.from({ length: 60 }, (_, number) => withKey(`guess${number}`, url)));
    await Promise.all(Array.from({ length: 60 }, (_, number) => withToken(`guess${number}`)));
    expect((await withKey(good, url)).status).toBe(200);
    expect((await withToken(token)).status).toBe(200);
    await expect.poll(async () => (await withKey('later', url)).status).toBe(403);
  });

  test('is one line of the log for each kind, and one entry of the audit for sign-ins', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const config = { ...place.config, ...rate, trustProxy: ['loopback'] };
    const other = await startApiAlone({ config }, database, logger);
    const from = (address: string, number: number) =>
      signIn(other.url, `guess${number}`, { 'x-forwarded-for': address });
    await statusesOf(9, (number) => from('203.0.113.7', number));
    // A line has a network of IPv6 to itself.
    const statuses = await statusesOf(8, (number) => from(`2001:db8:1:2::${number + 1}`, number));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    await fetch(`${other.url}/1.0/droplist`, { headers: { 'x-forwarded-for': '203.0.113.8' } });
    // An API that closes logs the refusals since its last report.
    await other.close();
    // Who tried most comes first.
    const addresses = [
      { address: '203.0.113.7', attempts: 9 },
      { address: '2001:db8:1:2::/64', attempts: 8 },
    ];
    // A busy machine may have lines of its own.
    expect(lines.filter(({ msg }) => msg === 'credentials were refused')).toEqual([
      expect.objectContaining({ level: 40, kind: 'sign_in', attempts: 17, callers: 2, addresses }),
      expect.objectContaining({ kind: 'registrar', attempts: 1 }),
    ]);
    const { rows } = await database.query<{ details: object }>(
      `select details from audit_event where action = 'sign_ins_refused' order by id desc limit 1`,
    );
    expect(rows[0]?.details).toMatchObject({ attempts: 17, callers: 2 });
  });
});

describe('a token', () => {
  test('ends after a year unless said otherwise, and with it every session; lists say so before', async () => {
    await createToken(database, { role: 'staff' }, 'Usual', commandActor);
    const short = await createToken(database, { role: 'staff' }, 'Short', commandActor, { days: 20 });
    const listed = async (name: string) => (await listTokens(database)).find((one) => one.name === name);
    const usual = await listed('Usual');
    const ends = usual?.expires_at.getTime() as number;
    expect(Math.abs(ends - Date.now() - 365 * dayMs)).toBeLessThan(dayMs / 12);
    expect([usual?.state, (await listed('Short'))?.state]).toEqual(['active', 'expiring']);
    const end = (after: string) =>
      database.query(
        `update access_token set created_at = now() - interval '2 days', expires_at = now() + $1::interval
         where name = 'Short'`,
        [after],
      );
    await end('1 hour');
    const begun = await signIn(api.url, short);
    const session = (await begun.json()) as Record<'expires_at' | 'token_expires_at', string>;
    expect(session.expires_at).toBe(session.token_expires_at);
    const both = [bearer(short), { cookie: cookieOf(begun) }];
    const statuses = () => Promise.all(both.map(async (headers) => (await askCatalog(headers)).status));
    expect(await statuses()).toEqual([200, 200]);
    await end('-1 second');
    expect(await statuses()).toEqual([401, 401]);
    for (const refused of [await signIn(api.url, short), await askCatalog(bearer(short))])
      expect(await refused.json()).toMatchObject({ message: expect.stringContaining('expired') });
    expect(await listed('Short')).toMatchObject({ state: 'expired' });
  });

  test('outlives its sessions, which end by themselves', async () => {
    const token = await createToken(database, { role: 'staff' }, 'Sessions', commandActor);
    const cookie = cookieOf(await signIn(api.url, token));
    // A second browser's session leaves the first as it is.
    await signIn(api.url, token);
    expect((await askCatalog({ cookie })).status).toBe(200);
    await database.query(`
      update session set expires_at = now() - interval '1 second'
      where token_id = (select id from access_token where name = 'Sessions')`);
    expect((await askCatalog({ cookie })).status).toBe(401);
    expect((await askCatalog(bearer(token))).status).toBe(200);
  });

  test('becomes a cookie that no other host can plant, where there is https', async () => {
    const token = await createToken(database, { role: 'staff' }, 'Cookies', commandActor);
    expect(setCookieOf(await signIn(api.url, token))).toMatch(
      /^covermap_session=\w+; Path=\/;.*HttpOnly; SameSite=Strict$/,
    );
    const https = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' };
    const cases: [Partial<Config>, Record<string, string>][] = [
      [{ trustProxy: ['loopback'] }, https],
      [{ publicUrl: 'https://coverage.example.nz' }, {}],
    ];
    for (const [changes, headers] of cases) {
      const url = await otherApi(changes);
      const set = setCookieOf(await signIn(url, token, headers));
      expect(set).toMatch(/^__Host-covermap_session=\w+; Path=\/;.*HttpOnly; Secure; SameSite=Strict$/);
      const secret = /=(\w+);/.exec(set)?.[1];
      const status = async (name: string) =>
        (await fetch(`${url}/api/session`, { headers: { ...headers, cookie: `${name}=${secret}` } })).status;
      const statuses = [await status('__Host-covermap_session'), await status('covermap_session')];
      expect(statuses).toEqual([200, 401]);
    }
  });
});

describe('the demo’s key, tokens and registrar', () => {
  let cookie: string;
  beforeAll(async () => {
    await seedAccess(database);
    cookie = cookieOf(await signIn(api.url, demoStaffToken));
  });

  /** With headers that `fetch` does not send. */
  const ask = (url: string, headers: Record<string, string> = {}) => send(url, { headers });
  /** The statuses that the demo's key, tokens and registrar get. */
  const statuses = async (url: string, headers: Record<string, string> = {}) => {
    const answers = await Promise.all([
      ask(`${url}/api/2.0/providers`, { 'x-api-key': demoKey, ...headers }),
      ask(`${url}/api/operator/catalog`, { ...bearer(demoStaffToken), ...headers }),
      ask(`${url}/api/account`, { ...bearer(demoCustomerToken), ...headers }),
      ask(`${url}/api/operator/catalog`, { cookie, ...headers }),
      ask(`${url}/1.0/droplist`, headers),
    ]);
    return answers.map(({ status }) => status);
  };
  const good = [200, 200, 200, 200, 200];
  const refused = [403, 401, 401, 401, 403];

  test('answer callers on this machine, by IPv4, by IPv6 and by name, and nobody else, wherever the service listens', async () => {
    const own = Object.values(os.networkInterfaces())
      .flat()
      .find((one) => one && !one.internal && one.family === 'IPv4')?.address;
    for (const [listened, ...local] of [
      ['0.0.0.0', '127.0.0.1'],
      ['::', '127.0.0.1', '[::1]', 'localhost'],
    ] as const) {
      const { port } = new URL(await otherApi({ host: listened }));
      for (const host of local) expect(await statuses(`http://${host}:${port}`), host).toEqual(good);
      if (own !== undefined) expect(await statuses(`http://${own}:${port}`), listened).toEqual(refused);
    }
  });

  test('behind a proxy on this machine answer those whom it says to be here, and no page of a name that leads here', async () => {
    const url = await otherApi({ trustProxy: ['loopback'] });
    expect(await statuses(url, { 'x-forwarded-for': '127.0.0.1' })).toEqual(good);
    for (const elsewhere of ['203.0.113.7', '203.0.113.7, 127.0.0.1'])
      expect(await statuses(url, { 'x-forwarded-for': elsewhere }), elsewhere).toEqual(refused);
    expect(await statuses(url, { host: 'rebound.example' })).toEqual(refused);
  });

  test('are not for those for whom a proxy asks that nobody has named', async () => {
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])
      expect(await statuses(api.url, { [name]: '127.0.0.1' }), name).toEqual(refused);
  });

  test('from elsewhere, the key is refused as any that there is not', async () => {
    const answer = async (key: string) =>
      (await ask(`${api.url}/api/2.0/providers`, { 'x-api-key': key, via: '1.1 proxy' })).text;
    expect(await answer(demoKey)).toBe(await answer('unknown'));
  });

  test('are made once: what was removed or revoked stays so at the next start', async () => {
    const all = { key: true, registrar: true, operator: true, staff: true, customer: true };
    expect(await demoAccess(database)).toEqual(all);
    await removeRegistrar(database, 'Demo');
    const id = (await listKeys(database)).find(({ hint }) => hint === demoKey)?.id as number;
    await revokeKey(database, id);
    const token = (await listTokens(database)).find(({ hint }) => hint === demoStaffToken)?.id as number;
    // Once is changed and recorded, however many do it at once.
    await Promise.all([1, 2, 3, 4].map(() => revokeToken(database, token, commandActor)));
    const revocations = `select from audit_event where action = 'token_revoked' and details->>'token_id' = $1`;
    expect((await database.query(revocations, [String(token)])).rowCount).toBe(1);
    await seedAccess(database);
    expect(await demoAccess(database)).toEqual({ ...all, key: false, registrar: false, staff: false });
  });
});

test('who changes the registrars’ list, and who imports a register, is in the audit', async () => {
  await allowNetwork(database, 'Best Names', '192.0.2.0/24');
  await allowNetwork(database, 'Best Names', '192.0.2.0/24');
  await denyNetwork(database, 'best names', '192.0.2.0/24');
  await removeRegistrar(database, 'BEST NAMES');
  await importLines(database, ['kauri.nz,2019-03-01 09:00:00+13:00,']);
  const { events } = await staff.json<{ events: AuditEvent[] }>('/api/staff/audit?limit=4');
  const actions = events.map(({ action }) => action).join(' ');
  expect(actions).toBe('register_imported registrar_removed registrar_denied registrar_allowed');
  expect(events[0]).toMatchObject({ actor: { kind: 'command' }, details: { added: 1, changes_only: false } });
  expect(events[3]).toMatchObject({ details: { registrar: 'Best Names', network: '192.0.2.0/24' } });
});

test('addresses that the service gives are those of PUBLIC_URL; else a proxy’s word counts where it is trusted', async () => {
  const addressOf = async (url: string) => {
    const headers = { 'x-forwarded-host': 'forged.example', 'x-forwarded-proto': 'https' };
    const originIn = async (path: string) =>
      /https?:\/\/[^"/]+(?=\/tiles\/)/.exec(await (await fetch(url + path, { headers })).text())?.[0];
    return [...new Set([await originIn('/tiles/1.json'), await originIn('/tiles.json')])].join();
  };
  expect(await addressOf(api.url)).toBe(api.url);
  const publicUrl = 'https://coverage.example.nz';
  const trustProxy = ['loopback'];
  expect(await addressOf(await otherApi({ publicUrl, trustProxy }))).toBe(publicUrl);
  expect(await addressOf(await otherApi({ trustProxy }))).toBe('https://forged.example');
});
