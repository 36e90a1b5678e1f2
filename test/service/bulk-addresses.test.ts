import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createKey } from '../../access/api-keys.ts';
import { startApi } from '../../api/server.ts';
import type { BulkAnswer, BulkJob } from '../../client/schema.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { bulkLookup } from '../../workers/bulk-lookup.ts';
import { listAddresses } from '../setup/addresses.ts';
import { queriesOf } from '../setup/billing.ts';
import { parsedLines, useService } from '../setup/service.ts';

/* Lists and files that name addresses, as docs/user/bulk.md says. */

const service = await useService({
  rateLimit: undefined,
  bulkRate: { perSecond: 1, burst: 100_000 },
  sweepSeconds: 3600,
});
await service.ingest(await zippedRectangle(175, -40, 176, -39), { provider: 'Kauri Fibre' });
const { database } = service;
/** The same service without a worker that takes its jobs. */
const unworked = await startApi({ ...service, queue: { ...service.queue, send: async () => undefined } });
afterAll(() => unworked?.close());

const invalid = { code: 400, error: 'The given coordinates are not valid.' };
const noId = { code: 404, error: 'No address has this ID.' };
const gone = { code: 410, error: 'The list of addresses no longer has the address with this ID.' };
const unsure = { code: 300, error: 'The text does not surely say one address. The likeliest is named.' };

const list = async (body: string, headers: Record<string, string> = {}, key = service.key) => {
  const response = await fetch(`${service.api.url}/api/2.0/availability/bulk`, {
    ...{ method: 'POST', body },
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
  });
  expect(response.status).toBe(200);
  return response.text();
};
const answersTo = async (entries: readonly object[]) =>
  parsedLines<BulkAnswer>(await list(JSON.stringify(entries)));
const csv = (body: string) => list(body, { 'content-type': 'text/csv', accept: 'text/csv' });
const keyOf = async (customer: string) => {
  const key = await createKey(database, customer);
  await database.query('update customer set overage_allowed = true');
  return key;
};

test('without a list of addresses, an entry that names one is an error that says so, and positions are answered', async () => {
  const noList = { code: 404, error: 'No list of addresses was imported.' };
  const [first, second, third] = await answersTo([
    { address: '2 Rata Street' },
    { lat: '-39.5', lng: '175.5' },
    { id: 'c', address_id: '101' },
  ]);
  expect([first, third]).toEqual([{ error: noList }, { id: 'c', error: noList }]);
  expect(second?.results).toHaveLength(5);
});

describe('with a list of addresses', () => {
  const rata2 = { id: '101', text: '2 Rata Street, Ponsonby, Auckland', match: 'exact', score: 1 };
  beforeAll(async () => {
    await listAddresses(
      database,
      [
        ...['2', '2A', '14', '1/14'].map((label, i) => ({
          ...{ id: `${101 + i}`, label, road: 'Rata Street', suburb: 'Ponsonby', town: 'Auckland' },
          ...{ lat: -39.5 - i / 1000, lng: 175.5 },
        })),
        {
          id: '201',
          label: '7',
          road: 'Rātā Road',
          suburb: 'Ngāio',
          town: 'Wellington',
          lat: -41.25,
          lng: 174.77,
        },
        {
          id: '202',
          label: '7',
          road: '=Sum Lane',
          suburb: 'Ngāio',
          town: 'Wellington',
          lat: -41.26,
          lng: 174.77,
        },
        { id: '203', label: '9', road: 'Far Lane', town: 'Elsewhere', lat: -30, lng: 174.77 },
      ],
      ['900'],
    );
    await database.query(sql`
    insert into address_alias (system, alias, address_id) values ('tlc', '55', '103'), ('tlc', '56', '900')`);
    await vi.waitFor(
      async () => expect((await answersTo([{ address: rata2.text }]))[0]?.address).toEqual(rata2),
      { timeout: 60_000 },
    );
  });

  test('entries by id, by another system’s id, by text and by position are answered as the position is', async () => {
    const answers = await answersTo([
      { id: 'a', address_id: '101' },
      { lat: '-39.5', lng: 175.5 },
      { address_id: 101 },
      { address_id: 'tlc:55' },
      { address: '2 rata st ponsonby auckland', id: 4 },
      { address: rata2.text, address_id: null },
    ]);
    const { results, location } = await service.at('-39.5', '175.5');
    expect(answers).toEqual([
      { id: 'a', location, address: rata2, results },
      { location, results },
      { location, address: rata2, results },
      {
        location: { lat: '-39.502', lng: '175.5' },
        ...{ address: { ...rata2, id: '103', text: '14 Rata Street, Ponsonby, Auckland' }, results },
      },
      { id: 4, location, address: { ...rata2, score: expect.any(Number) }, results },
      { location, address: rata2, results },
    ]);
  });

  test('a position that is given answers, right or wrong, and an id before a text: nothing takes another place', async () => {
    const text = rata2.text;
    expect(
      (
        await answersTo([
          { lat: '-45', lng: '170', address: text },
          { lat: 'x', lng: '170', address: text },
          { lat: '-39.5', address_id: '101' },
          { address_id: '999', address: text },
          { address_id: '900', address: text },
          { address_id: 'tlc:56' },
          { address_id: 'tlc:57' },
          { address_id: '203' },
        ])
      ).map(({ results, ...rest }) => ({ ...rest, answered: results !== undefined })),
    ).toEqual([
      { location: { lat: '-45', lng: '170' }, answered: true },
      { location: { lat: 'x', lng: '170' }, error: invalid, answered: false },
      { location: { lat: '-39.5', lng: '' }, error: invalid, answered: false },
      { error: noId, answered: false },
      { error: gone, answered: false },
      { error: gone, answered: false },
      { error: noId, answered: false },
      // Outside the service area.
      {
        address: { id: '203', text: '9 Far Lane, Elsewhere', match: 'exact', score: 1 },
        ...{ error: invalid, answered: false },
      },
    ]);
  });

  test('what is not sure is an error in its place with the likeliest candidate, and is not counted', async () => {
    const key = await keyOf('Of unsure');
    const entries = [
      { id: 'number', address: '999 Rata Street, Ponsonby, Auckland' },
      { id: 'typing', address: '14 Raat Street, Ponsonby' },
      { id: 'sure', address: '14 Rata Street, Ponsonby' },
      { id: 'nothing', address: 'zzzzqqq xxyy' },
    ];
    const answers = parsedLines<BulkAnswer>(await list(JSON.stringify(entries), {}, key));
    expect(answers.map(({ results, ...rest }) => ({ ...rest, answered: results !== undefined }))).toEqual([
      {
        id: 'number',
        address: {
          id: null,
          text: 'Rata Street, Ponsonby, Auckland',
          match: 'street',
          score: expect.any(Number),
        },
        error: { code: 300, error: 'The street is found, but not this number on it.' },
        answered: false,
      },
      {
        id: 'typing',
        address: {
          id: '103',
          text: '14 Rata Street, Ponsonby, Auckland',
          match: 'uncertain',
          score: expect.any(Number),
        },
        error: unsure,
        answered: false,
      },
      { id: 'sure', location: expect.anything(), address: expect.anything(), answered: true },
      {
        id: 'nothing',
        error: { code: 404, error: 'The text says no address of the list.' },
        answered: false,
      },
    ]);
    await expect.poll(() => queriesOf(database, 'Of unsure')).toBe(1);
  });

  test('hostile texts are errors in their places', async () => {
    const texts = [
      ...[
        'x'.repeat(301),
        '%_\\',
        "' or 1=1 --",
        '\u0000\u0001\u001b[2J',
        '東京都千代田区',
        'ул. Ленина 5',
        '\ud800',
      ],
      ...['a '.repeat(40), '1/2/3/4/5 - - -', '\u202e2 Rata', '14 14 14 14', '🏠', '   '],
    ];
    const answers = await answersTo(texts.map((address) => ({ address })));
    expect(answers[0]?.error).toEqual({ code: 400, error: 'An address has at most 300 characters.' });
    expect(answers.at(-1)?.error).toEqual(invalid);
    for (const [i, { error, results }] of answers.entries()) {
      expect([300, 400, 404], texts[i]).toContain(error?.code);
      expect(results, texts[i]).toBeUndefined();
    }
    const long = await answersTo([{ address: 'x'.repeat(10_000) }, { address_id: '1'.repeat(1_000) }]);
    expect(long.map(({ error }) => error)).toEqual([invalid, noId]);
  });

  test('CSV has the address in columns after the position, harmless in a spreadsheet', async () => {
    const text = await csv(
      'id,address,address_id,lat,lng\na,"7 =Sum Lane, Ngaio",,,\nb,,101,,\nc,,,-39.5,175.5\nd,7 Rata Roda,,,\ne,,900,,\n',
    );
    const rows: Record<string, string>[] = parse(text, { columns: true });
    expect(text.split('\r\n', 1)[0]).toBe(
      'id,lat,lng,address_id,address,match,score,technology,availability,provider,wholesale_network,url,' +
        'bandwidth_min_mbps,bandwidth_max_mbps,bandwidth_up_min_mbps,bandwidth_up_max_mbps,planned_date,error',
    );
    const first = (id: string) => rows.find((row) => row.id === id) as Record<string, string>;
    const of = (id: string) => {
      const { lat, lng, address_id, address, match, technology, error } = first(id);
      return [lat, lng, address_id, address, match, technology, error];
    };
    expect(of('a')).toEqual([
      '-41.26',
      '174.77',
      '202',
      '7 =Sum Lane, Ngāio, Wellington',
      'exact',
      'fibre',
      '',
    ]);
    expect(of('b')).toEqual(['-39.5', '175.5', ...['101', rata2.text, 'exact', 'fibre', '']]);
    expect(of('c')).toEqual(['-39.5', '175.5', '', '', '', 'fibre', '']);
    expect(of('d')).toEqual(['', '', '201', '7 Rātā Road, Ngāio, Wellington', 'uncertain', '', unsure.error]);
    expect(of('e')).toEqual(['', '', '', '', '', '', gone.error]);
    expect(Number(first('a').score)).toBeGreaterThan(0.9);
    // A street whose name begins like a formula.
    const street = parse(await csv('address\n=Sum Lane\n'), { columns: true }) as Record<string, string>[];
    expect(street[0]?.address).toBe("'=Sum Lane, Ngāio, Wellington");
  });

  test('a line that was cut at a comma is refused: a part of an address may be another one', async () => {
    const rows: Record<string, string>[] = parse(await csv('id,address\na,2 Rata Street, Ponsonby\n'), {
      columns: true,
    });
    expect(rows).toMatchObject([
      { id: 'a', error: 'The line has more fields than the header: put the address in quotes.' },
    ]);
  });

  test('a list of positions is answered to the byte as without a list of addresses, whatever columns it has', async () => {
    const positions = '-39.5,175.5\n-45,170\nx,y\n,\n';
    const plain = await csv(`lat,lng\n${positions}`);
    expect(
      await csv(
        `lat,lng,address,address_id\n${positions.replaceAll('\n', ',"2 Rata Street, Ponsonby",\n').replace(',,"2 Rata Street, Ponsonby",', ',,,')}`,
      ),
    ).toBe(plain);
    expect(plain).not.toContain('address');
    const json = await list('[["-39.5",175.5],{"lat":"x","lng":1,"address":"2 Rata Street"}]');
    expect(json).not.toContain('address');
  });

  describe('a file', () => {
    const base = '/api/2.0/availability/jobs';
    const call = (path: string, key: string, options: RequestInit = {}, url = service.api.url) =>
      fetch(`${url}${path}`, { ...options, headers: { 'x-api-key': key, ...options.headers } });
    const send = async (body: string, key: string, headers = {}, query = '') => {
      const asked = { method: 'POST', body, headers: { 'content-type': 'text/csv', ...headers } };
      return (await (await call(`${base}${query}`, key, asked, unworked.url)).json()) as BulkJob;
    };
    const run = async (
      id: string,
      storage: Storage = service.storage,
      signal = new AbortController().signal,
    ) => {
      const { work, close } = bulkLookup({ ...service, storage });
      await work(id, signal).finally(() => close?.());
    };
    const result = async (id: string, key: string) => (await call(`${base}/${id}/result`, key)).text();
    const texts = Array.from(
      { length: 2_500 },
      (_, i) => [rata2.text, '14 Raat Street, Ponsonby', '2a Rata St, Ponsonby', ''][i % 4],
    );
    const body = `id,address,lat,lng\n${texts.map((text, i) => (text ? `${i},"${text}",,` : `${i},,-39.5,175.5`)).join('\n')}\n`;

    test('is quoted as if all were sure; what is sure is counted once, also where a worker stopped in the middle', async () => {
      const key = await keyOf('Of files of addresses');
      const { id, cost } = await send(body, key, { accept: 'application/x-ndjson' });
      expect(cost).toMatchObject({ coordinates: 2_500 });
      const stop = new AbortController();
      const storage: Storage = {
        ...service.storage,
        async store(...given) {
          const file = await service.storage.store(...given);
          stop.abort(new Error('stopping'));
          return file;
        },
      };
      await expect(run(id, storage, stop.signal)).rejects.toThrow();
      const halfway = await database.query('select from bulk_job_part where job_id = $1', [id]);
      expect(halfway.rows).toHaveLength(1);
      await run(id);
      const answers = parsedLines<BulkAnswer>(await result(id, key));
      expect(answers.map(({ id }) => id)).toEqual(texts.map((_, i) => `${i}`));
      const kinds = answers.map(({ address, error }) => `${address?.id} ${error?.code}`);
      expect(kinds).toEqual(
        texts.map((_, i) => ['101 undefined', '103 300', '102 undefined', 'undefined undefined'][i % 4]),
      );
      expect(await queriesOf(database, 'Of files of addresses')).toBe(1_875);
      // The same as a list.
      const lines = body.split('\n').slice(0, 101).join('\n');
      const ofList = await list(lines, { 'content-type': 'text/csv' });
      expect(answers.slice(0, 100)).toEqual(parsedLines(ofList));
    });

    test('has the columns of addresses in CSV where it names some, and else the bytes that it had', async () => {
      const key = await keyOf('Of columns');
      const asCsv = { accept: 'text/csv' };
      const [named, plain, other] = [
        await send('address_id,lat,lng\n101,,\n,-39.5,175.5\n', key, asCsv),
        await send('lat,lng\n-39.5,175.5\n', key, asCsv),
        await send('lat,lng,address\n-39.5,175.5,2 Rata Street\n', key, asCsv),
      ];
      for (const { id } of [named, plain, other]) await run(id);
      expect(await result(named.id, key)).toBe(await csv('address_id,lat,lng\n101,,\n,-39.5,175.5\n'));
      const bytes = await result(plain.id, key);
      expect(bytes).not.toContain('address');
      expect(await result(other.id, key)).toBe(bytes);
    });
  });
});
