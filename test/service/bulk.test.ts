import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import http from 'node:http';
import type { Socket } from 'node:net';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { createKey } from '../../access/api-keys.ts';
import { LocalBuckets } from '../../access/rate-limit/rate-limit.ts';
import type { BulkAnswer } from '../../client/schema.ts';
import { expectError, parsedLines, useApi, useService } from '../setup/service.ts';

/* POST /api/2.0/availability/bulk, as docs/user/bulk.md says. */

let counted = 0;

const service = await useService({ rateLimit: undefined });
await service.ingest(await zippedRectangle(175, -40, 176, -39), { provider: 'Kauri, "Fibre"' });
await service.ingest(await zippedRectangle(175.5, -40, 176, -39), {
  ...{ provider: '=Rimu', technology: 'wireless', availability: 'planned', planned_date: '2031-05-01' },
});
const { database } = service;
const rate = { perSecond: 1, burst: 30_000 };
const buckets = new LocalBuckets(rate);
/** The same service with a meter that a test can read, and an allowance that it can use up. */
const api = await useApi(service, database, undefined, {
  meter: {
    count(_key, queries = 1) {
      counted += queries;
    },
  },
  bulkLimit: { rate, take: (key, count) => buckets.take(key, count), close: async () => {} },
});

const path = '/api/2.0/availability/bulk';
const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': service.key, 'content-type': 'application/json', ...headers },
    body,
  });
const list = (count: number) =>
  Array.from({ length: count }, (_, i) => [-40.5 + (i % 200) / 100, 174.5 + ((i * 7) % 200) / 100]);
const lines = async (response: Response) => {
  const text = await response.text();
  expect(text.endsWith('\n')).toBe(true);
  return parsedLines<BulkAnswer>(text);
};

const asked = [
  { id: 'a', lat: '-39.5', lng: '175.75' },
  { id: 'b', lat: '-39.50', lng: '175.25' },
  { id: 'c', lat: '-45', lng: '170' },
];
const inputs: [type: string, body: string, ids: boolean][] = [
  ['application/json', JSON.stringify(asked), true],
  ['application/json', '[["-39.5","175.75"],["-39.50",175.25],[-45,170]]', false],
  ['application/x-ndjson', `\ufeff${asked.map((one) => JSON.stringify(one)).join('\n')}`, true],
  ['application/jsonl; charset=utf-8', '["-39.5",175.75]\r\n\r\n["-39.50",175.25]\n[-45,170]\n', false],
  ['text/csv', 'id,latitude,Longitude\r\na,-39.5,175.75\r\n"b","-39.50",175.25\r\nc,-45,170\r\n', true],
  ['text/csv', '-39.5,175.75\n-39.50, 175.25\n-45,170', false],
];

describe('a list', () => {
  test.each(inputs)('as %s gets the answer of each coordinate, in order: %s', async (type, body, ids) => {
    const before = counted;
    const response = await post(body, { 'content-type': type });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const single = await Promise.all(asked.map(({ lat, lng }) => service.at(lat, lng)));
    const expected = single.map((answer, i) => (ids ? { id: asked[i]?.id, ...answer } : answer));
    expect(await lines(response)).toEqual(expected);
    expect(counted - before).toBe(3);
  });

  test.each([
    ['application/x-ndjson', /^\{"id":9007199254740993,/],
    ['text/csv', /^9007199254740993,-39.5,175.75,/m],
  ])('has the caller’s own numbers to the last digit, as %s', async (accept, written) => {
    const given = '[{"id": 9007199254740993, "lat": "-39.5", "lng": "175.75"}]';
    expect(await (await post(given, { accept })).text()).toMatch(written);
  });

  test('is answered as CSV where that is asked for: a row for each provider, or for the technology', async () => {
    const body = JSON.stringify([...asked, { id: '=1+1', lat: 'x', lng: '' }]);
    const response = await post(body, { accept: 'text/csv' });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = parse(await response.text(), { columns: true }) as Record<string, string>[];
    expect(rows.map(({ id, technology }) => `${id} ${technology}`).slice(0, 6)).toEqual(
      ['fibre', 'wireless', 'cable', 'vdsl', 'adsl'].map((technology) => `a ${technology}`).concat('b fibre'),
    );
    const fibre = { availability: 'available', provider: 'Kauri, "Fibre"', bandwidth_max_mbps: '100' };
    expect(rows[0]).toMatchObject({ lat: '-39.5', lng: '175.75', ...fibre, error: '' });
    // A spreadsheet must not take a name for a formula.
    const planned = { availability: 'planned', planned_date: 'Thu, 01 May 2031 00:00:00 GMT' };
    expect(rows[1]).toMatchObject({ provider: "'=Rimu", ...planned });
    expect(rows[2]).toMatchObject({ availability: 'unavailable', provider: '', bandwidth_max_mbps: '' });
    const error = 'The given coordinates are not valid.';
    expect(rows.at(-1)).toMatchObject({ id: "'=1+1", lat: 'x', technology: '', error });
  });

  test('with invalid coordinates has an error in the place of each, and only the valid ones are counted', async () => {
    const bad = [
      ...['null', '{}', '[]', '[NaN,175.5]', '["1e2",175.5]', '[-39.5,10]', '\u0000', '</script>'],
      // Outside by less than a double can hold.
      `["-47.5${'0'.repeat(60)}1",170]`,
      ...['{"lat":[-39.5],"lng":{"a":1}}', '{"__proto__":{"lat":-39.5,"lng":175.5}}'],
      `${'['.repeat(900)}${']'.repeat(900)}`,
      `{"id":"${'x'.repeat(3_000_000)}","lat":-39.5,"lng":175.5}`,
    ];
    const body = bad.flatMap((line) => [line, '[-39.5,175.5]']).join('\n');
    const before = counted;
    const answers = await lines(await post(body, { 'content-type': 'application/x-ndjson' }));
    expect(answers).toHaveLength(2 * bad.length);
    for (const [i, { error, results }] of answers.entries()) {
      if (i % 2 === 1) expect(results).toHaveLength(5);
      else expect(error, bad[i / 2]).toEqual({ code: 400, error: 'The given coordinates are not valid.' });
    }
    expect(counted - before).toBe(bad.length);
  });

  test('of ten thousand is answered whole and in order, of one more is refused', async () => {
    const coordinates = list(10_000);
    const before = counted;
    const answers = await lines(await post(JSON.stringify(coordinates)));
    const places = answers.map(({ location }) => [Number(location?.lat), Number(location?.lng)]);
    expect(places).toEqual(coordinates);
    expect(counted - before).toBe(10_000);
    const more = await post(JSON.stringify(list(10_001)));
    await expectError(more, 413, expect.stringContaining('/api/2.0/availability/jobs'));
    expect(counted - before).toBe(10_000);
  });
});

test.each([
  ['no JSON', 400, '[[1,2]'],
  ['too many bytes', 413, ' '.repeat(5_000_000)],
])('%s is a %i, and is not counted', async (_, status, body) => {
  const before = counted;
  await expectError(await post(body), status);
  expect(counted).toBe(before);
});

test('the allowance is that of a customer, in coordinates; a list that exceeds it is refused whole', async () => {
  const [one, second] = [await createKey(database, 'Another'), await createKey(database, 'Another')];
  const ask = (count: number, key = one) => post(JSON.stringify(list(count)), { 'x-api-key': key });
  expect(await lines(await ask(100))).toHaveLength(100);
  const { rows } = await database.query<{ id: number }>('select max(id) as id from customer');
  buckets.take(rows[0]?.id as number, 29_600);
  const before = counted;
  const refused = await ask(800, second);
  await expectError(refused, 429);
  // 300 less a tenth of the list, the price of reading it, are left.
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(500);
  expect(seconds).toBeLessThanOrEqual(580);
  expect(refused.headers.get('ratelimit-policy')).toBe('"customer";q=30000;w=30000');
  expect(counted).toBe(before);
  expect((await ask(100)).status).toBe(200);
  expect(await lines(await ask(800, service.key))).toHaveLength(800);
});

test('a caller that does not read gets no further answers; what was sent is counted, and nothing else', async () => {
  const before = counted;
  const one = { id: 'x'.repeat(200), lat: -39.5, lng: 175.75 };
  const coordinates = JSON.stringify(Array.from({ length: 10_000 }, () => one));
  const [line] = (await (await post(JSON.stringify([one]))).text()).split('\n') as [string];
  let connection: Socket | undefined;
  const noteConnection = (message: unknown) => {
    connection ??= (message as { socket: Socket }).socket;
  };
  diagnostics.subscribe('http.server.request.start', noteConnection);
  const headers = { 'x-api-key': service.key, 'content-type': 'application/json' };
  const request = http.request(`${api.url}${path}`, { method: 'POST', headers }).end(coordinates);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  await once(response, 'readable');
  // The buffers of the connection are full before all of the list is answered.
  await lines(await post(JSON.stringify(list(1_000))));
  diagnostics.unsubscribe('http.server.request.start', noteConnection);
  const sent = Math.floor((connection as Socket).bytesWritten / (line.length + 1));
  // All lines that were sent are counted, also those in buffers.
  expect(counted - before - 1_001).toBeGreaterThanOrEqual(sent - 1);
  response.on('error', () => undefined).destroy();
  await once(response, 'close');
  await lines(await post(JSON.stringify(list(1_000))));
  const taken = counted - before - 2_001;
  expect(taken).toBeLessThan(10_000);
  expect(taken % 128).toBe(0);
});
