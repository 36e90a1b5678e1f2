import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { addKey } from '../../access/api-keys.ts';
import { createCustomer } from '../../billing/customers.ts';
import { listAddresses } from '../setup/addresses.ts';
import { makeCustomer, untilQueries } from '../setup/billing.ts';
import { useApi, useService } from '../setup/service.ts';

/* GET /api/2.0/addresses and GET /api/2.0/availability/address: docs/specification.md, "Asking by address". */

const [perDay, visitorsPerDay] = [60, 3];
const service = await useService({
  addressesPerDay: perDay,
  mapAddressesPerDay: visitorsPerDay,
  trustProxy: ['loopback'],
});
const { database } = service;
const west = await zippedRectangle(174.7, -36.95, 174.8, -36.85);
await service.ingest(west, { provider: 'Kauri Fibre', technology: 'fibre' });
const at = { lat: -36.9, lng: 174.75 };
const rata = {
  road: 'Rata Street',
  suburb: 'Kōwhai Park',
  town: 'Kauri',
  authority: 'Kauri District',
  ...at,
};
await listAddresses(
  database,
  [
    { id: '14', label: '14', ...rata },
    { id: '14-2', label: '2/14', ...rata },
    { id: '16', label: '16', ...rata, lng: 174.7512345 },
    { id: 'elsewhere', label: '14', ...rata, suburb: 'Stoneleigh', lng: 174.9 },
  ],
  ['gone'],
);
await database.query(`insert into address_alias (system, alias, address_id) values ('tlc', '777', '16')`);

type Answer = { status: number; headers: Headers; body: Record<string, unknown> };
async function ask(
  path: string,
  headers: Record<string, string> = {},
  url = service.api.url,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': service.key, ...headers } });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  };
}
const offers = (text: string, headers?: Record<string, string>) =>
  ask(`/api/2.0/availability/address?q=${encodeURIComponent(text)}`, headers);
const search = (query: string, headers?: Record<string, string>) =>
  ask(`/api/2.0/addresses?${query}`, headers);

// The process learns of the list a moment after it was written.
beforeAll(() =>
  vi.waitFor(async () => expect((await offers('14 Rata St, Kowhai Park')).status).toBe(200), 10_000),
);

describe('offers at an address', () => {
  const expected = {
    location: { lat: '-36.9', lng: '174.7512345' },
    address: { id: '16', text: '16 Rata Street, Kōwhai Park, Kauri', match: 'exact', score: 1 },
  };

  test('are those of its position, with the address', async () => {
    const { results } = (await ask('/api/2.0/availability/-36.9/174.7512345')).body;
    for (const reference of ['16', 'tlc:777']) {
      const { status, body } = await ask(`/api/2.0/availability/address/${reference}`);
      expect([status, body]).toEqual([200, { ...expected, results }]);
    }
    expect((await offers('16 rata st, kowhai park')).body).toEqual({ ...expected, results });
  });

  test('are one query each; what is not sure, unknown or gone is none', async () => {
    const customer = await makeCustomer(database, 'Kea Homes');
    const key = { 'x-api-key': customer.secret };
    const statuses = [
      (await ask('/api/2.0/availability/address/16', key)).status,
      (await offers('16 Rata Street, Kowhai Park', key)).status,
      // Of two suburbs; of a road that is a street; without the number; with a unit that there is not.
      ...(await Promise.all(
        [
          '14 Rata Street, Kauri',
          '14 Rata Road, Kowhai Park',
          'Rata Street',
          '9/14 Rata Street, Stoneleigh',
        ].map(async (text) => (await offers(text, key)).status),
      )),
      (await offers('14 Nikau Street', key)).status,
      (await offers('', key)).status,
      (await ask('/api/2.0/availability/address/99', key)).status,
      (await ask('/api/2.0/availability/address/gone', key)).status,
    ];
    expect(statuses).toEqual([200, 200, 300, 300, 300, 300, 404, 400, 404, 410]);
    await untilQueries(database, customer.name, 2);
  });

  test('of a text that is not sure are candidates, the likeliest first', async () => {
    const { status, headers, body } = await offers('14 Rata Street, Kauri');
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([300, null, 'no-store']);
    const { candidates } = body as { candidates: { id: string; match: string }[] };
    expect(
      candidates
        .slice(0, 2)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['14', 'elsewhere']);
    expect(candidates.every(({ match }) => match !== 'exact')).toBe(true);
  });

  test('have a tag of their own, and are not sent again to a caller who has them', async () => {
    const first = await ask('/api/2.0/availability/address/16');
    const position = await ask('/api/2.0/availability/-36.9/174.7512345');
    expect(first.headers.get('etag')).not.toBe(position.headers.get('etag'));
    const known = { 'if-none-match': first.headers.get('etag') as string, 'x-api-key': service.key };
    const again = await fetch(`${service.api.url}/api/2.0/availability/address/16`, { headers: known });
    expect(again.status).toBe(304);
  });
});

describe('a search', () => {
  test('finds addresses, streets and suburbs while somebody types', async () => {
    const texts = async (q: string) =>
      ((await search(`q=${encodeURIComponent(q)}&limit=3`)).body.results as { text: string }[]).map(
        ({ text }) => text,
      );
    expect(await texts('16 rat')).toEqual([
      '16 Rata Street, Kōwhai Park, Kauri',
      expect.anything(),
      expect.anything(),
    ]);
    expect((await texts('Rata Street, Stone'))[0]).toBe('Rata Street, Stoneleigh, Kauri');
    expect((await texts('stonel'))[0]).toBe('Stoneleigh, Kauri');
  });

  test('prefers what is near, where the text leaves it open', async () => {
    const first = async (near: string) =>
      ((await search(`q=14+Rata+Street&near=${near}`)).body.results as { id: string }[])[0]?.id;
    expect(await first('-36.9,174.9')).toBe('elsewhere');
    expect(await first('-36.9,174.75')).toBe('14');
  });

  test('is learnt by every process', async () => {
    const other = await useApi({ config: service.config }, database);
    await expect
      .poll(async () => (await ask('/api/2.0/addresses?q=16+Rata+Street,+Kowhai+Park', {}, other.url)).body)
      .toMatchObject({ results: [{ id: '16', match: 'exact' }, expect.anything()] });
    await listAddresses(database, [{ id: '18', label: '18', ...rata, road: 'Nikau Lane' }]);
    for (const url of [service.api.url, other.url])
      await expect
        .poll(async () => (await ask('/api/2.0/addresses?q=18+nikau+lane', {}, url)).body, {
          timeout: 10_000,
        })
        .toMatchObject({ results: [{ id: '18' }] });
  });

  test('is learnt anew where a backup was restored, whose list is older', async () => {
    const restored = `update address_list set version = version - 1, changed_at = now() - interval '1 day'`;
    await database.query(`update street set road = 'Mānuka Street' where road = 'Nikau Lane'`);
    await database.query(restored);
    const found = async (q: string) => (await search(`q=${q}`)).body.results as { id: string }[];
    await expect.poll(async () => (await found('18+manuka+st'))[0]?.id, { timeout: 10_000 }).toBe('18');
    expect((await found('18+nikau+lane'))[0]?.id).not.toBe('18');
  });

  const long = 'a'.repeat(10_000);
  test.each([
    ['10,000 letters', `q=${long}`, 414],
    ['301 letters', `q=${long.slice(0, 301)}`, 400],
    ['controls', 'q=%00%01%1f14+Rata+Street', 200],
    ['marks of patterns', `q=${encodeURIComponent(`%_\\'";--`)}`, 200],
    ['another script', `q=${encodeURIComponent('東京都千代田区 १४ Ратa 🏠')}`, 200],
    ['lone surrogates', 'q=%ED%A0%80', 200],
    ['words without end', `q=${encodeURIComponent('rata '.repeat(59))}`, 200],
    ['misspelt words without end', `q=${encodeURIComponent('ratta kauuri '.repeat(23))}`, 200],
    ['numbers without end', `q=${encodeURIComponent('14/'.repeat(99))}`, 200],
    ['no limit that there is', 'q=a&limit=21', 400],
    ['no position', 'q=a&near=1,2', 400],
  ])('with %s has an answer', async (_what, query, status) => {
    expect((await search(query)).status).toBe(status);
  });
});

describe('bounds', () => {
  test('by the key and the day: a program cannot draw the list', async () => {
    const { secret } = await makeCustomer(database, 'Hoarder');
    const key = { 'x-api-key': secret };
    const paths = [
      '/api/2.0/addresses?q=a',
      '/api/2.0/addresses/16',
      '/api/2.0/addresses/nearest/-36.9/174.75',
    ];
    for (let i = 0; i < perDay; i++) expect((await ask(paths[i % 3] as string, key)).status).toBe(200);
    for (const path of paths) {
      const { status, headers, body } = await ask(path, key);
      expect([status, body]).toEqual([429, { message: expect.stringContaining('tomorrow') }]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // What is sure is answered. Candidates are those of a search: in lists, an entry that is not sure names none any more.
    expect((await ask('/api/2.0/availability/address/16', key)).status).toBe(200);
    expect((await offers('16 Rata Street, Kowhai Park', key)).status).toBe(200);
    expect((await offers('14 Rata Street, Kauri', key)).status).toBe(429);
    const listed = async (headers: Record<string, string>) => {
      const body = JSON.stringify([{ address: '14 Rata Street, Kauri' }]);
      const sent = { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } };
      return (await fetch(`${service.api.url}/api/2.0/availability/bulk`, sent)).json();
    };
    const unsure = { error: { code: 300, error: expect.any(String) } };
    expect(await listed(key)).toEqual(unsure);
    expect(await listed({ 'x-api-key': service.key })).toMatchObject({
      ...unsure,
      address: { match: 'uncertain' },
    });
  });

  test('by the visitor of other sites, whose key all of its pages share', async () => {
    const customer = await createCustomer(database, { name: 'Shop' }, commandActor, new Date());
    const options = { label: 'Shop', origin: 'https://shop.example' };
    const { secret } = await addKey(database, customer, options, commandActor);
    const from = (address: string) => ({
      ...{ 'x-api-key': secret, 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address },
    });
    expect((await search('q=a', { 'x-api-key': secret })).status).toBe(403);
    for (let i = 0; i < visitorsPerDay; i++)
      expect((await search('q=a', from('192.0.2.7'))).status).toBe(200);
    expect((await search('q=a', from('192.0.2.7'))).status).toBe(429);
    expect((await search('q=a', from('192.0.2.8'))).status).toBe(200);
    expect((await ask('/api/2.0/availability/address/16', from('192.0.2.7'))).status).toBe(200);
  });

  test('of the rate are its own', async () => {
    const api = await useApi(
      { config: { ...service.config, addressRate: { perSecond: 0.001, burst: 1 } } },
      database,
    );
    const { secret } = await makeCustomer(database, 'Typist');
    const key = { 'x-api-key': secret };
    const statuses = [];
    for (const path of [
      '/api/2.0/addresses?q=a',
      '/api/2.0/addresses?q=a',
      '/api/2.0/availability/address/16',
    ])
      statuses.push((await ask(path, key, api.url)).status);
    expect(statuses).toEqual([200, 429, 200]);
  });
});
