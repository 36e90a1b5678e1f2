import { gunzipSync } from 'node:zlib';
import {
  hole,
  pairsOf,
  rectangle,
  regularRing,
  zippedRectangle,
  zippedShapefile,
} from '@covermap/testing/shapes.ts';
import type { Point } from '@covermap/testing/write-shapefile.ts';
import { describe, expect, test } from 'vitest';
import { waitingRows } from '../../coverage/jobs/waiting.ts';
import { openCatalog } from '../../coverage/lookup/catalog.ts';
import { makeOverview } from '../../coverage/tiles/overview.ts';
import { publishedTiles, type SetName } from '../../coverage/tiles/published.ts';
import type { Database } from '../../platform/database/database.ts';
import { createLogger } from '../../platform/logger.ts';
import { drawVersion } from '../../workers/draw.ts';
import { asMap } from '../setup/map.ts';
import { client } from '../setup/operator.ts';
import { expectError, useApi, useService } from '../setup/service.ts';
import { textOf } from '../setup/statement.ts';
import { type DecodedFeature, decodeTile, tileOver } from '../setup/vector-tile.ts';

/* The public map's tiles and lookup, as docs/user/tiles.md says. */

/** Fibre of two providers and planned wireless; one provider's fibre has a hole, and small places elsewhere. */
const service = await useService({ rateLimit: undefined });
const kauri = await client(service.api.url, service.database, 'Kauri Fibre');
const area = (SPEED: number, ...rings: Point[][]) => ({ rings, attributes: { SPEED } });
const small = Array.from({ length: 100 }, (_, i) => {
  const [west, south] = [175 + (i % 10) / 100, -42 + Math.floor(i / 10) / 100];
  return area(50, rectangle(west, south, west + 0.0002, south + 0.0002));
});
const file = await zippedShapefile({
  fields: [{ name: 'SPEED', type: 'N', length: 8 }],
  features: [
    area(950, rectangle(174, -40, 176, -38), hole(174.5, -39.5, 175.5, -38.5)),
    area(20, rectangle(174, -38, 176, -37)),
    ...small,
    // A faster one beside the first small place, in the same cell.
    area(300, rectangle(175.0004, -42, 175.0005, -41.9999)),
  ],
});
await service.ingest(file, { provider: 'Kauri Fibre' });
await service.ingest(await zippedRectangle(173, -40, 175, -39), { provider: 'Rimu Fibre' });
await service.ingest(await zippedRectangle(170, -45, 171, -44), {
  provider: 'Rimu Fibre',
  technology: 'wireless',
  availability: 'planned',
  planned_date: '2031-05-01',
});

const fibre = 1;
const wireless = 4;
const tileUrl = async (set: number) => {
  const json = (await (await service.get(`/tiles/${set}.json`, {})).json()) as { tiles: string[] };
  return json.tiles[0] as string;
};
type Place = { z: number; x: number; y: number };
const filled = (url: string, { z, x, y }: Place) =>
  url.replace('{z}', `${z}`).replace('{x}', `${x}`).replace('{y}', `${y}`);
const addressOf = async (set: number, place: Place) => filled(await tileUrl(set), place);
/** The features of a tile. Their rings are closed, and the first is an outer one. */
async function featuresOf(response: Response, place: Place) {
  const features = decodeTile(new Uint8Array(await response.arrayBuffer()), 'coverage', place);
  for (const ring of features.flatMap(({ rings }) => rings)) {
    expect(ring.length).toBeGreaterThanOrEqual(4);
    expect(ring[0]).toEqual(ring.at(-1));
    expect(twiceTheArea(ring)).not.toBe(0);
  }
  for (const { rings } of features) expect(twiceTheArea(rings[0] as Ring)).toBeGreaterThan(0);
  return features;
}
type Ring = DecodedFeature['rings'][number];
const twiceTheArea = (ring: Ring) =>
  ring.slice(1).reduce((sum, { x, y }, i) => {
    const from = ring[i] as Ring[number];
    return sum + from.x * y - x * from.y;
  }, 0);
const fetchTile = async (set: number, place: Place) =>
  featuresOf(await fetch(await addressOf(set, place)), place);
/** A picture of all technologies, in the tile around a position. */
const pictureAt = async (name: 'best' | 'areas', z: number, lng: number, lat: number) => {
  const place = tileOver(z, lng, lat);
  return featuresOf(await service.get(`/tiles/${name}/${z}/${place.x}/${place.y}.mvt`, {}), place);
};
/** The features of a tile that is newly made, from this or another database. */
const madeAnew = async (database: Database, place: Place) => {
  const catalog = await openCatalog(service.database);
  const tiles = publishedTiles(database, catalog, service.config.serviceArea, 0);
  const { gzipped } = await tiles.tile(tiles.set(`${fibre}`) as SetName, place);
  await catalog.close();
  return decodeTile(gunzipSync(gzipped as Uint8Array), 'coverage', place);
};

/** The database, where each statement is seen before. */
const asking = (see: (text: string) => void): Database =>
  Object.create(service.database, {
    query: {
      value: async (...words: Parameters<Database['query']>) => {
        see(textOf(words[0]));
        return service.database.query(...words);
      },
    },
  });

describe('the description of a set', () => {
  test('there is one for each technology, and for two pictures of all', async () => {
    type Described = { set_id: number; technology: string; name: string; tilejson: string }[];
    const response = await service.get('/tiles.json', {});
    const { sets, pictures } = (await response.json()) as Record<'sets' | 'pictures', Described>;
    const technologies = ['fibre', 'cable', 'vdsl', 'wireless', 'adsl'];
    expect(sets.map(({ set_id, technology }) => [set_id, technology])).toEqual(
      technologies.map((technology, i) => [i + 1, technology]),
    );
    expect(pictures.map(({ name }) => name)).toEqual(['best', 'areas']);
    for (const { tilejson } of [...sets, ...pictures]) expect((await fetch(tilejson)).status).toBe(200);
  });

  test('is TileJSON 3.0, which anyone may keep and asks for again', async () => {
    const response = await service.get('/tiles/1.json', {});
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('cache-control')).toBe('public, no-cache');
    const pattern = new RegExp(`^${service.api.url}/tiles/1/\\{z\\}/\\{x\\}/\\{y\\}\\.mvt\\?v=[\\w-]{12}$`);
    const zooms = { minzoom: 0, maxzoom: 14 };
    const fields = {
      ...{ technology: 'String', availability: 'String', provider: 'String' },
      ...{ bandwidth_max_mbps: 'Number', bandwidth_up_max_mbps: 'Number' },
    };
    expect(await response.json()).toEqual({
      ...{ tilejson: '3.0.0', name: 'Fibre', scheme: 'xyz', ...zooms },
      tiles: [expect.stringMatching(pattern)],
      bounds: [166.2, -47.5, 178.6, -34.2],
      vector_layers: [{ id: 'coverage', fields, ...zooms }],
    });
    const etag = response.headers.get('etag') as string;
    expect((await service.get('/tiles/1.json', { 'if-none-match': etag })).status).toBe(304);
  });
});

describe('a tile', () => {
  /** Positions, each with the providers whose fibre is there, far from any edge. */
  const places = [
    { lng: 175.8, lat: -39.7, providers: { 'Kauri Fibre': 950 } },
    { lng: 174.25, lat: -39.25, providers: { 'Kauri Fibre': 950, 'Rimu Fibre': 100 } },
    { lng: 174.75, lat: -39.25, providers: { 'Rimu Fibre': 100 } },
    { lng: 175.25, lat: -38.8, providers: {} },
    { lng: 175.1, lat: -37.5, providers: { 'Kauri Fibre': 20 } },
    { lng: 172.5, lat: -39.5, providers: {} },
  ];

  test.each([0, 5, 7, 9, 10, 13, 17].flatMap((z) => places.map((place) => ({ z, ...place }))))(
    'at zoom $z shows what lookups say at $lat, $lng',
    async ({ z, lng, lat, providers }) => {
      // At the least zooms a pixel is wider than the hole.
      if (z === 0 && (lng === 174.75 || lng === 175.25)) return;
      const here = (await fetchTile(fibre, tileOver(z, lng, lat))).filter((one) => one.holds(lng, lat));
      const shown = here.map(({ properties }) => [properties.provider, properties.bandwidth_max_mbps]);
      // From far away the areas of a provider meet in a pixel, and the faster is shown.
      if (z === 0)
        expect(shown.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(providers)));
      else expect(Object.fromEntries(shown)).toEqual(providers);
      const others = { technology: 'fibre', availability: 'available', bandwidth_up_max_mbps: 20 };
      for (const { properties } of here) expect(properties).toMatchObject(others);
    },
  );

  // From afar a place has the highest speed that the provider has in its class.
  test.each([
    [5, 950],
    [9, 950],
    [10, 300],
  ])('at zoom %i shows places smaller than a pixel, and the best of several in a cell', async (z, best) => {
    const features = await fetchTile(fibre, tileOver(z, 175.0002, -41.9999));
    const speeds = features.map(({ properties }) => properties.bandwidth_max_mbps);
    expect(speeds).toEqual(expect.arrayContaining([50, best]));
  });

  test('of another technology shows that one, with what is not there yet', async () => {
    const features = await fetchTile(wireless, tileOver(6, 170.5, -44.5));
    const speeds = { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 };
    expect(features.map(({ properties }) => properties)).toEqual([
      { technology: 'wireless', availability: 'planned', provider: 'Rimu Fibre', ...speeds },
    ]);
  });

  test('shows the scopes of a provider as one, the better on top', async () => {
    const ofRimu = { provider: 'Rimu Fibre', technology: 'vdsl' };
    const planned = { ...ofRimu, scope: 'planned', availability: 'planned' } as const;
    await service.ingest(await zippedRectangle(170, -45, 172, -44), planned);
    await service.ingest(await zippedRectangle(170, -45, 171, -44), { ...ofRimu, scope: 'South' });
    const features = await fetchTile(3, tileOver(6, 170.5, -44.5));
    const shownOf = (some: DecodedFeature[]) => some.map(({ properties }) => properties.availability);
    const shown = (lng: number) => shownOf(features.filter((one) => one.holds(lng, -44.5)));
    expect([shown(170.5), shown(171.5), features.length]).toEqual([['available'], ['planned'], 2]);
    // Shapes lie upon one another, the last on top.
    expect(shownOf(await fetchTile(3, tileOver(12, 170.5, -44.5)))).toEqual(['planned', 'available']);
  });

  test('shows the tiers of a class together, with the highest speed of each direction', async () => {
    const tiers = [
      { west: 171, down: 300, up: 100 },
      { west: 171.25, down: 900, up: 200 },
      { west: 171.5, down: 400, up: 400 },
    ];
    const file = await zippedShapefile({
      fields: [
        { name: 'DOWN', type: 'N', length: 8 },
        { name: 'UP', type: 'N', length: 8 },
      ],
      features: tiers.map(({ west, down, up }) => ({
        rings: [rectangle(west, -42, west + 0.25, -41.5)],
        attributes: { DOWN: down, UP: up },
      })),
    });
    const attributes = { bandwidth_max_mbps: 'DOWN', bandwidth_up_max_mbps: 'UP' };
    await service.ingest(file, { provider: 'Tawa Cable', technology: 'cable', attributes });
    const features = await fetchTile(2, tileOver(6, 171.5, -41.75));
    const highest = { bandwidth_max_mbps: 900, bandwidth_up_max_mbps: 400 };
    expect(features.map(({ properties }) => properties)).toEqual([expect.objectContaining(highest)]);
  });

  test('where nothing is published, or outside the service area, is empty', async () => {
    for (const place of [tileOver(8, 167, -46), tileOver(8, 10, 50)]) {
      const { status, headers } = await fetch(await addressOf(fibre, place));
      expect(status).toBe(204);
      expect(headers.get('cache-control')).toContain('immutable');
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  const numbers = ['21/0/0', '5/32/0', '5/0/32', '-1/0/0', '1.5/0/0', 'x/0/0', '5/1e1/0', '99999999/0/0'];
  test.each(numbers)('of the numbers %s is a 400', async (of) =>
    expectError(await service.get(`/tiles/1/${of}.mvt`, {}), 400),
  );

  test.each(['/tiles/6/0/0/0.mvt', '/tiles/x/0/0/0.mvt', '/tiles/6.json', '/tiles/01x.json', '/tiles/1'])(
    'of a set that there is not is a 404: %s',
    async (address) => expectError(await service.get(address, {}), 404),
  );

  test('is the same to HEAD, without its body', async () => {
    const address = await addressOf(fibre, tileOver(5, 175, -39));
    const head = await fetch(address, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0);
  });

  test('is compressed where that is accepted', async () => {
    const address = await addressOf(fibre, tileOver(5, 175, -39));
    const ask = (encoding: string) => fetch(address, { headers: { 'accept-encoding': encoding } });
    const [compressed, plain] = [await ask('gzip'), await ask('identity')];
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('vary')).toBe('Accept-Encoding');
    expect(await compressed.text()).toBe(await plain.text());
  });
});

describe('what is kept', () => {
  const place = tileOver(6, 175, -39.75);

  test('under the address of its version a tile never changes, under another it is what is published now', async () => {
    const address = await addressOf(fibre, place);
    const tile = await fetch(address);
    const etag = tile.headers.get('etag') as string;
    const length = (await tile.arrayBuffer()).byteLength;
    expect(tile.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const again = await fetch(address, { headers: { 'if-none-match': etag } });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    for (const other of [address.replace(/v=.*/, 'v=long-ago'), address.replace(/\?.*/, '')]) {
      const current = await fetch(other);
      expect(current.headers.get('cache-control')).toBe('public, no-cache');
      expect(current.headers.get('etag')).toBe(etag);
      expect((await current.arrayBuffer()).byteLength).toBe(length);
    }
  });

  test('a publication changes the address of its technology alone, and a rollback restores the former', async () => {
    const [before, beforeWireless] = [await tileUrl(fibre), await tileUrl(wireless)];
    await service.ingest(await zippedRectangle(177, -40, 178, -39), { provider: 'Kauri Fibre' });
    const [after, afterWireless] = [await tileUrl(fibre), await tileUrl(wireless)];
    expect(after).not.toBe(before);
    expect(afterWireless).toBe(beforeWireless);
    expect((await fetchTile(fibre, tileOver(6, 177.5, -39.5))).some((f) => f.holds(177.5, -39.5))).toBe(true);
    // A map that was open before has the old address, and is shown the new coverage.
    const tile = await featuresOf(await fetch(filled(before, place)), place);
    expect(tile.filter(({ properties }) => properties.bandwidth_max_mbps === 950)).toEqual([]);

    const { rows } = await service.database.query<{ id: number }>(`
      select min(d.id) as id from dataset d join provider p on p.id = d.provider_id where p.name = 'Kauri Fibre'`);
    await kauri.json(`/api/operator/datasets/${rows[0]?.id}/rollback`, {});
    expect(await tileUrl(fibre)).toBe(before);
    expect((await fetchTile(fibre, place)).some((f) => f.holds(175.8, -39.7))).toBe(true);
  });

  test('a tile that many ask for at once is made once, and then no more', async () => {
    let statements = 0;
    const counting = asking((text) => {
      if (!/select version from catalog/.test(text)) statements++;
    });
    const catalog = await openCatalog(service.database);
    const tiles = publishedTiles(counting, catalog, service.config.serviceArea, 1_000_000);
    const technology = tiles.set(`${fibre}`) as SetName;
    const made = await Promise.all(Array.from({ length: 20 }, () => tiles.tile(technology, place)));
    expect(new Set(made).size).toBe(1);
    await tiles.tile(technology, place);
    expect(statements).toBe(1);
    await catalog.close();
  });
});

test('what was loaded before there were overviews is shown from its shapes, until it has been drawn', async () => {
  const place = tileOver(5, 175, -39.5);
  const shown = async () => {
    const features = await madeAnew(service.database, place);
    const positions = [[175.8, -39.7], [175.25, -38.8], [174.25, -39.25]] as [number, number][]; // biome-ignore format: positions
    return positions.map((at) => features.filter((feature) => feature.holds(...at)).length);
  };
  const drawing = drawVersion({ ...service, logger: createLogger('silent') });
  const drawMissing = async () => {
    for (const { id } of await waitingRows(service.database, 'draw'))
      await drawing.work(id, new AbortController().signal);
  };
  expect(await shown()).toEqual([1, 0, 2]);
  await service.database.query('delete from coverage_overview');
  await service.database.query('update dataset set overview_at = null');
  expect(await shown()).toEqual([1, 0, 2]);
  await Promise.all([drawMissing(), drawMissing()]);
  expect(await shown()).toEqual([1, 0, 2]);
  expect(await waitingRows(service.database, 'draw')).toEqual([]);
  // Half of a drawing is never shown.
  const signal = AbortSignal.abort(new Error('stopped'));
  const { rows } = await service.database.query<{ id: number }>(`
    select id from dataset where state = 'published' limit 1`);
  const stopped = makeOverview(service.database, rows[0]?.id as number, { signal });
  await expect(stopped).rejects.toThrow('stopped');
  expect(await shown()).toEqual([1, 0, 2]);
  await drawMissing();
});

test('where there are too many shapes to be read in time, they are shown as from afar', async () => {
  const late = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  const slow = asking((text) => {
    if (/st_simplify/.test(text)) throw late;
  });
  const features = await madeAnew(slow, tileOver(11, 174.5, -39.5));
  const providersAt = (lng: number, lat: number) =>
    features.filter((feature) => feature.holds(lng, lat)).map(({ properties }) => properties.provider);
  // On both sides of an edge of the hole, a few pixels of the overview away from it.
  expect(providersAt(174.49, -39.45).sort()).toEqual(['Kauri Fibre', 'Rimu Fibre']);
  expect(providersAt(174.51, -39.45)).toEqual(['Rimu Fibre']);
});

describe('the picture of the best speeds', () => {
  test.each([5, 9, 10, 13, 16])(
    'at zoom %i shows one class at a place: the best that is available there',
    async (z) => {
      for (const [lng, lat, from] of [
        // Two providers, then one; 20 Mbps; nothing; nothing but what is planned.
        [174.25, -39.25, 300],
        [174.75, -39.25, 100],
        [175.1, -37.5, 0],
        [175.25, -38.8, undefined],
        [171.5, -44.5, undefined],
      ] as const) {
        const here = (await pictureAt('best', z, lng, lat)).filter((feature) => feature.holds(lng, lat));
        const starts = here.map(({ properties }) => properties.bandwidth_from_mbps);
        expect(starts, `at ${lng}, ${lat}`).toEqual(from === undefined ? [] : [from]);
      }
    },
  );

  test('has no seams where an area was cut into pieces', async () => {
    // A circle over a few tiles, with more corners than a piece may have.
    const round = pairsOf(regularRing(168, -46, 0.25, 1200)).reverse();
    const file = await zippedShapefile({ features: [{ rings: [round] }] });
    await service.ingest(file, { provider: 'Rimu Fibre', technology: 'cable' });
    const { rows } = await service.database.query(
      'select from coverage where box(geom) && box(st_makeenvelope(167, -47, 169, -45, 4326))',
    );
    expect(rows.length).toBeGreaterThan(4);
    for (const z of [9, 10, 11, 12]) {
      const features = await pictureAt('best', z, 168.01, -46.01);
      // One outline, without the holes that slivers between the pieces would be.
      expect(features.map(({ rings }) => rings.length)).toEqual([1]);
    }
  });

  test('stands beside one of areas, for outlines', async () => {
    for (const z of [6, 12]) {
      const features = await pictureAt('areas', z, 174.25, -39.25);
      const here = features.filter((feature) => feature.holds(174.25, -39.25));
      const shown = here.map(({ properties: { provider, technology, availability, ...others } }) => {
        expect([technology, availability, others]).toEqual(['fibre', 'available', {}]);
        return provider;
      });
      expect(shown.sort()).toEqual(['Kauri Fibre', 'Rimu Fibre']);
    }
  });
});

test.each(['/tiles/1/5/31/19.mvt', '/api/map/lookup?lat=-39.7&lng=175.8'])(
  '%s is limited by address',
  async (path) => {
    const rate = { perSecond: 1, burst: 3 };
    const limits = { tileRate: rate, mapLookupRate: rate, trustProxy: ['loopback'] };
    const { url } = await useApi({ config: { ...service.config, ...limits } }, service.database);
    const ask = async (from: string) => fetch(`${url}${path}`, { headers: await asMap(url, from) });
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('192.0.2.1')));
    const [refused] = answers.filter(({ status }) => status === 429) as [Response];
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    await expectError(refused, 429);
    expect((await ask('192.0.2.2')).status).toBe(200);
  },
);

describe("the map's lookup", () => {
  const lookup = async (query: string, headers?: Record<string, string>) =>
    service.get(`/api/map/lookup${query}`, headers ?? (await asMap(service.api.url)));
  const somewhere = '?lat=-39.70&lng=175.8';

  test('answers as version 2.0 does, and since when each entry is published', async () => {
    const response = await lookup(somewhere);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    const { rows } = await service.database.query<{ name: string; at: Date }>(
      `select p.name, d.published_at as at from dataset d join provider p on p.id = d.provider_id where d.state = 'published'`,
    );
    const times = new Map(rows.map(({ name, at }) => [name, new Date(at).toISOString()]));
    const { location, results } = await service.at('-39.70', '175.8');
    const dated = results.map((result: { providers?: { name: string }[] }) => ({
      ...result,
      ...(result.providers && {
        providers: result.providers.map((one) => ({ ...one, published_at: times.get(one.name) })),
      }),
    }));
    expect(await response.json()).toEqual({ location, results: dated });
  });

  test.each([
    ...['', '?lat=-39.7', '?lat=-39.7&lng=x', '?lat=-39.7&lng=10'].map((query) => [
      query,
      'The given coordinates are not valid.',
    ]),
    ['?lat=-39.7&lat=-39.7&lng=175', 'lat has to be given once, as lat=<value>.'],
  ] as [string, string][])('without a position in the service area is a 400: %s', async (query, sentence) => {
    await expectError(await lookup(query), 400, sentence);
  });

  test('is for pages of this server only', async () => {
    const { url } = service.api;
    const { 'x-map-token': token } = (await asMap(url)) as { 'x-map-token': string };
    const withToken = (headers: Record<string, string>) =>
      lookup(somewhere, { 'x-map-token': token, ...headers });
    const own: Record<string, string>[] = [{ origin: url }, { referer: `${url}/?at=1` }];
    for (const headers of own) expect((await withToken(headers)).status).toBe(200);
    for (const headers of [
      {},
      { 'x-api-key': service.key },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: url },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://example.com' },
      { origin: 'null', referer: `${url}/` },
      { referer: 'no address' },
    ] as Record<string, string>[])
      await expectError(await withToken(headers), 403);
  });

  test('takes the token that the map gets, from the same address, in every process', async () => {
    const config = { ...service.config, trustProxy: ['loopback'] };
    const api = await useApi({ config }, service.database);
    const neighbour = await useApi({ config }, service.database);
    const headers = await asMap(api.url, '192.0.2.1');
    const status = async (changes: Record<string, string> = {}, { url } = api) =>
      (await fetch(`${url}/api/map/lookup${somewhere}`, { headers: { ...headers, ...changes } })).status;
    expect([await status(), await status({}, neighbour)]).toEqual([200, 200]);
    for (const other of [{ 'x-forwarded-for': '192.0.2.2' }, { 'x-map-token': 'x' }])
      expect(await status(other)).toBe(403);
  });

  test('answers an address so many times a day, and then says what applications use', async () => {
    // A minute before midnight in New Zealand.
    let now = Date.parse('2026-11-23T10:59:00Z');
    const config = {
      ...{ ...service.config, trustProxy: ['loopback'], mapLookupsPerDay: 1 },
      mapLookupRate: { perSecond: 1000, burst: 1000 },
    };
    const api = await useApi({ config }, service.database, createLogger('silent'), {
      now: () => new Date(now),
    });
    const ask = async (from: string) =>
      fetch(`${api.url}/api/map/lookup${somewhere}`, { headers: await asMap(api.url, from) });
    for (const status of [200, 429]) expect((await ask('2001:db8::1')).status).toBe(status);
    const refused = await ask('2001:db8::ffff:1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await refused.json()).toEqual({
      code: 429,
      error: expect.stringMatching(/today.* tomorrow\. Applications use \/api\/2\.0\/ with a key/),
    });
    expect((await ask('2001:db8:0:1::1')).status).toBe(200);
    // All networks of a site together have twenty times the rate of one.
    let answered = 2;
    for (let network = 2; network < 24; network++)
      if ((await ask(`2001:db8:0:${network.toString(16)}::1`)).status === 200) answered++;
    expect(answered).toBe(20);
    expect((await ask('2001:db8:1::1')).status).toBe(200);
    now += 60_000;
    expect((await ask('2001:db8::1')).status).toBe(200);
  });
});
