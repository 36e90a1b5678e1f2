import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { describe, expect, test } from 'vitest';
import { expectError, useService } from '../setup/service.ts';

/* GET /api/2.0/availability/<lat>/<lng>: docs/specification.md, "Coverage: positions and keys" and "Coverage: answers". */

const speeds = (down: [min: number, max: number], up: [min: number, max: number]) => ({
  ...{ bandwidth_min_mbps: down[0], bandwidth_max_mbps: down[1] },
  ...{ bandwidth_up_min_mbps: up[0], bandwidth_up_max_mbps: up[1] },
});
const [slow, fast] = [speeds([5, 20], [1, 2]), speeds([50, 300], [10, 100])];

/** Points by what is there. */
const places = {
  everything: ['-36.9', '174.75'],
  onlyPlanned: ['-36.9', '174.85'],
  nothing: ['-45', '170'],
} satisfies Record<string, [string, string]>;

const service = await useService();
const west = await zippedRectangle(174.7, -36.95, 174.8, -36.85);
const both = await zippedRectangle(174.7, -36.95, 174.9, -36.85);
const alpha = { name: 'Alpha', url: 'https://alpha.example/', wholesale_network: 'Yes' } as const;
const beta = { name: 'Beta', wholesale_network: 'Both' } as const;
await service.ingest(west, { provider: alpha, technology: 'fibre', speeds: fast });
for (const provider of [beta, 'Delta'])
  await service.ingest(west, { provider, technology: 'wireless', speeds: slow });
const charlie = { provider: 'Charlie', technology: 'wireless' };
await service.ingest(west, { ...charlie, speeds: { ...fast, bandwidth_max_mbps: 400 } });
const planned = { availability: 'planned', planned_date: '2027-06-30' } as const;
const fastest = { ...fast, bandwidth_max_mbps: 950 };
await service.ingest(both, { provider: 'Echo', technology: 'fibre', ...planned, speeds: fastest });
const foxtrot = { provider: 'Foxtrot', technology: 'fibre', availability: 'underway' } as const;
await service.ingest(both, { ...foxtrot, speeds: fast });

test.each([
  ['-36.9000', '174.750'],
  ['-45', '170.123456789012'],
])('location repeats the text of the request, as strings: %s, %s', async (lat, lng) => {
  expect((await service.at(lat, lng)).location).toEqual({ lat, lng });
});

describe('results', () => {
  /** The technologies in order, each with its availability and its providers. */
  const shown = async ([lat, lng]: [string, string]) =>
    (await service.at(lat, lng)).results.map(({ technology, availability, providers }) =>
      [technology, availability, ...(providers ?? []).map(({ name }) => name)].join(' '),
    );
  const unavailable = (...names: string[]) => names.map((name) => `${name} unavailable`);
  test('list every technology, the fastest first, with those providers alone that have what is shown', async () => {
    expect(await shown(places.everything)).toEqual([
      'wireless available Charlie Beta Delta',
      'fibre available Alpha',
      ...unavailable('cable', 'vdsl', 'adsl'),
    ]);
    expect((await shown(places.onlyPlanned))[0]).toBe('fibre planned Echo Foxtrot');
    expect(await shown(places.nothing)).toEqual(unavailable('fibre', 'cable', 'vdsl', 'wireless', 'adsl'));
  });
  test('have every field of the document, and no providers where the technology is unavailable', async () => {
    const { results } = await service.at(...places.everything);
    expect(results[1]?.providers).toEqual([{ ...alpha, ...fast, planned_date: null }]);
    expect(results[4]).toEqual({ technology: 'adsl', availability: 'unavailable' });
  });
  test('have a planned_date in HTTP-date text where it is known, else null', async () => {
    const [fibre] = (await service.at(...places.onlyPlanned)).results;
    const dates = fibre?.providers?.map((provider) => provider.planned_date);
    expect(dates).toEqual(['Wed, 30 Jun 2027 00:00:00 GMT', null]);
  });
});

test.each([
  ['on an edge', '-36.9', '174.7', 'available'],
  ['on a corner', '-36.85', '174.7', 'available'],
  ['a centimetre outside', '-36.9', '174.6999999', 'unavailable'],
])('an area ends with its edge: %s', async (_, lat, lng, availability) => {
  const { results } = await service.at(lat, lng);
  expect(results.find(({ technology }) => technology === 'fibre')?.availability).toBe(availability);
});

test('the answer to HEAD has the same headers and no body', async () => {
  const address = `/api/2.0/availability/${places.everything.join('/')}`;
  const get = await service.get(address);
  const headers = { 'x-api-key': service.key };
  const head = await fetch(`${service.api.url}${address}`, { method: 'HEAD', headers });
  expect(head.status).toBe(200);
  for (const name of ['etag', 'content-length', 'cache-control'])
    expect(head.headers.get(name), name).toBe(get.headers.get(name));
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0);
  expect(await head.text()).toBe('');
});

test('a key of any length that is not known, or in the query as in version 1.0, is a 403', async () => {
  for (const [path, key] of [
    ['', 'x'.repeat(4000)],
    [`?api_key=${service.key}`, undefined],
  ] as const) {
    const headers = key === undefined ? {} : { 'x-api-key': key };
    expect((await service.get(`/api/2.0/availability/-36.9/174.8${path}`, headers)).status).toBe(403);
  }
});

describe('coordinates', () => {
  const invalid = { code: 400, error: 'The given coordinates are not valid.' };

  const statusOf = async (address: string) => {
    const response = await service.get(`/api/2.0/availability/${address}`);
    return [response.status, response.status === 200 ? undefined : await response.json()];
  };

  const others = ['1e2', '0x1', '%201', 'NaN', '', '+36.9', '--36', '-36.', '.5', '-36,9', 'Infinity'];
  test.each([...others, '-36.9%00', '%EF%BC%93', '１'])(
    'that are not plain decimal numbers are a 400: %j',
    async (text) => {
      expect(await statusOf(`${text}/174.8`)).toEqual([400, invalid]);
      expect(await statusOf(`-36.9/${text}`)).toEqual([400, invalid]);
    },
  );
  test.each([
    ['south', '-47.5000001/170'],
    ['north', '-34.1999999/170'],
    ['west', '-40/166.1999999'],
    ['east', '-40/178.6000001'],
    ['south by less than a number can tell', '-47.50000000000000000001/170'],
    ['east by less than a number can tell', `-40/178.6${'0'.repeat(300)}1`],
    ['with their axes swapped', '174.8/-36.9'],
  ])('outside the service area are a 400: %s', async (_, position) => {
    expect(await statusOf(position)).toEqual([400, invalid]);
  });
  test.each([
    ...['-47.5/166.2', '-34.2/178.6', '-47.500000000000000000000/0166.20'],
    '-47.49999999999999999999/178.59999999999999999999',
  ])('on the edge of the service area are in it: %s', async (position) => {
    expect(await statusOf(position)).toEqual([200, undefined]);
  });
  test('that do not decode are a 400, and without a key a 403', async () => {
    expect(await statusOf('%E0%A4%A/174.8')).toEqual([400, invalid]);
    expect((await service.get('/api/2.0/availability/%zz/1', {})).status).toBe(403);
    expect((await service.get('/api/1.0/availability/yx/%zz/1', {})).status).toBe(401);
  });
});

test.each([
  ...['/api/2.0/availability', '/api/2.0/availability/-36.9', '/api/2.0/availability/1/2/3'],
  ...['/api/3.0/providers', '/API/2.0/providers', '/1.0/', '/1.0/availability/x', '/2.0/availability'],
  '/1.0/Availability',
])('an unknown path is a 404: %s', async (address) => {
  await expectError(await service.get(address), 404);
});
