import { geojson, type Point } from '@covermap/testing/formats.ts';
import { pairsOf, rectangle } from '@covermap/testing/shapes.ts';
import { describe, expect, test } from 'vitest';
import { createKey } from '../../access/api-keys.ts';
import type { Availability } from '../../client/schema.ts';
import { sql } from '../../platform/database/sql.ts';
import { queriesOf } from '../setup/billing.ts';
import { expectError, useService } from '../setup/service.ts';

/* ?nearby=1: how far the edge of each offer is, and what begins near by. */

const [east, north] = [175, -41];
/** Metres east and north of a place, in degrees. */
const at = (x: number, y: number): Point => [
  east + x / (111_320 * Math.cos((north * Math.PI) / 180)),
  north + y / 111_053,
];
const box = (...[west, south, right, top]: [number, number, number, number]): Point[] =>
  rectangle(
    ...(at(west, south) as [number, number]),
    ...(at(right, top) as [number, number]),
  ).reverse() as Point[];
/** A coast around a point: corners at distances that swing, in metres. */
const coast = (radius: number, swing: number, corners: number): Point[] =>
  pairsOf(
    Float64Array.from({ length: 2 * corners + 2 }, (_, i) => {
      const angle = (2 * Math.PI * ((i >> 1) % corners)) / corners;
      const away = radius + swing * Math.sin(17 * angle) + (swing / 3) * Math.cos(53 * angle);
      return at(away * Math.cos(angle), away * Math.sin(angle))[i % 2] as number;
    }),
  );
const rings = [coast(3_000, 250, 3_000), coast(900, 90, 700).reverse()];

const service = await useService({ rateLimit: undefined });
const ingest = (provider: string, shapes: Parameters<typeof geojson>[0], manifest: object = {}) =>
  service.ingest({ name: 'a.geojson', bytes: geojson(shapes) }, { provider, ...manifest });
const speeds = (mbps: number) => ({ bandwidth_max_mbps: mbps, bandwidth_up_max_mbps: 10 });
await ingest('Kauri Fibre', [{ rings }], { speeds: speeds(300) });
// Touching tiers, a street's width apart from a faster one of another provider.
await ingest(
  'Totara Cable',
  [
    { rings: [box(10_000, 0, 10_500, 900)], properties: speeds(100) },
    { rings: [box(10_500, 0, 11_000, 900)], properties: speeds(500) },
  ],
  { technology: 'cable' },
);
await ingest('Rimu Wireless', [{ rings: [box(11_040, 0, 12_000, 900)] }], {
  ...{ technology: 'wireless', availability: 'planned', planned_date: '2099-05-01' },
});
// Two scopes that meet, of what is here and what is planned around it.
const ofMatai = { speeds: speeds(200) };
await ingest('Matai Fibre', [{ rings: [box(20_000, 0, 20_500, 500)] }], { ...ofMatai, scope: 'West' });
await ingest('Matai Fibre', [{ rings: [box(20_500, 0, 21_000, 500)] }], { ...ofMatai, scope: 'East' });
await ingest('Matai Fibre', [{ rings: [box(20_000, 500, 21_000, 900)] }], {
  ...{ ...ofMatai, scope: 'planned', availability: 'planned' },
});
// More small areas than are measured.
await ingest(
  'Confetti',
  Array.from({ length: 2_116 }, (_, i) => {
    const [x, y] = [30_000 + 4 * (i % 46), 4 * Math.floor(i / 46)];
    return { rings: [box(x, y, x + 2, y + 2)] };
  }),
);

type Offer = NonNullable<Availability['results'][number]['providers']>[number];
const path = ([lng, lat]: Point) => `/api/2.0/availability/${lat}/${lng}`;
const around = async (position: Point) => {
  const response = await service.get(`${path(position)}?nearby=1`);
  expect(response.status).toBe(200);
  const body = (await response.json()) as Availability;
  const offers = body.results.flatMap(({ providers = [] }) => providers);
  return { body, offers, nearby: body.nearby as NonNullable<Availability['nearby']> };
};
const edges = (offers: Offer[]) => offers.map(({ name, edge_m }) => [name, edge_m]);
const begins = (nearby: NonNullable<Availability['nearby']>) =>
  nearby.map(({ name, availability, bandwidth_max_mbps, distance_m }) => [
    ...[name, availability, bandwidth_max_mbps, distance_m],
  ]);

describe('a large shape with a hole, which loading has cut', () => {
  test('ends where PostGIS says that the whole of it ends, wherever its seams run', async () => {
    const { rows } = await service.database.query<{ pieces: number }>(sql`
      select count(*)::integer as pieces from coverage c join tier t on t.id = c.tier_id
      join dataset d on d.id = t.dataset_id join provider p on p.id = d.provider_id where p.name = 'Kauri Fibre'`);
    expect(rows[0]?.pieces).toBeGreaterThan(40);
    const seen = { edge: 0, far: 0, nearby: 0, outside: 0 };
    for (let i = 0; i < 150; i++) {
      // Angles and distances that fill the disc evenly.
      const [angle, away] = [i * 2.39996, 3_400 * Math.sqrt((i + 0.5) / 150)];
      const position = at(away * Math.cos(angle), away * Math.sin(angle));
      const whole = JSON.stringify({ type: 'Polygon', coordinates: rings });
      const [lng, lat] = position;
      const { rows } = await service.database.query<{ inside: boolean; metres: number }>(sql`
        select st_intersects(geom, point) as inside, st_distance(st_boundary(geom)::geography, point::geography) as metres
        from (select st_geomfromgeojson(${whole}) as geom, st_point(${lng}, ${lat}, 4326) as point) as given`);
      const { inside, metres } = rows[0] as (typeof rows)[number];
      const { offers, nearby } = await around(position);
      expect(offers).toHaveLength(inside ? 1 : 0);
      const found = inside ? offers[0]?.edge_m : nearby[0]?.distance_m;
      if (metres > 200) expect(found ?? null, `${position}`).toBeNull();
      else expect(Math.abs((found as number) - metres), `${position}`).toBeLessThan(1);
      seen[inside ? (metres > 200 ? 'far' : 'edge') : metres > 200 ? 'outside' : 'nearby']++;
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
  });
});

describe('tiers that touch', () => {
  test('do not end an offer where a faster one of the same provider goes on', async () => {
    const { offers, nearby } = await around(at(10_480, 450));
    expect(edges(offers)).toEqual([['Totara Cable', null]]);
    expect(begins(nearby)).toEqual([['Totara Cable', 'available', 500, 20]]);
  });

  test('end the faster one; the slower one adds nothing, and others begin at their distance', async () => {
    const { offers, nearby } = await around(at(10_970, 450));
    expect(edges(offers)).toEqual([['Totara Cable', 30]]);
    expect(begins(nearby)).toEqual([['Rimu Wireless', 'planned', 100, 70]]);
    expect(nearby[0]).toMatchObject({
      technology: 'wireless',
      planned_date: 'Fri, 01 May 2099 00:00:00 GMT',
    });
  });

  test('of two scopes are one area; the same offer that is only planned adds nothing to it', async () => {
    const { offers, nearby } = await around(at(20_490, 450));
    expect(edges(offers)).toEqual([['Matai Fibre', 50]]);
    expect(nearby).toEqual([]);
  });

  test('nearest first: where it is planned, it is available beyond the edge', async () => {
    const { offers, nearby } = await around(at(20_500, 530));
    expect(edges(offers)).toEqual([['Matai Fibre', 30]]);
    expect(begins(nearby)).toEqual([['Matai Fibre', 'available', 200, 30]]);
  });
});

test('without anything near by, the list is empty', async () => {
  expect((await around(at(-30_000, 0))).nearby).toEqual([]);
});

test('too many areas to measure are a 422 that says so, and the plain answer is there', async () => {
  const middle = at(30_092, 92);
  const sentence = 'There is too much coverage around this position to measure it. Ask without nearby.';
  await expectError(await service.get(`${path(middle)}?nearby=1`), 422, sentence);
  expect((await service.get(path(middle))).status).toBe(200);
});

test('the rest of the answer is as without it, which does not change; its tag is another', async () => {
  const position = at(10_480, 450);
  const plain = await service.get(path(position));
  const text = await plain.text();
  expect(text).not.toMatch(/edge_m|nearby/);
  const response = await service.get(`${path(position)}?nearby=1`);
  const body = (await response.json()) as Availability;
  const { nearby, results, ...rest } = body;
  expect(nearby).toHaveLength(1);
  // What it adds stands last in each entry.
  const without = JSON.stringify({ ...rest, results }).replace(/,"edge_m":(null|\d+)/g, '');
  expect(without).toBe(text);
  expect(response.headers.get('etag')).not.toBe(plain.headers.get('etag'));
  expect(await (await service.get(path(position))).text()).toBe(text);
});

test('is one query, goes together with explain=1, and not with at', async () => {
  const key = await createKey(service.database, 'Of edges');
  await service.database.query('update customer set overage_allowed = true');
  const response = await service.get(`${path(at(10_970, 450))}?nearby=1&explain=1`, { 'x-api-key': key });
  const { results } = (await response.json()) as Availability;
  expect(results[0]?.providers?.[0]).toMatchObject({ edge_m: 30, explain: { file_name: 'a.geojson' } });
  await expect.poll(() => queriesOf(service.database, 'Of edges')).toBe(1);
  const sentence = 'nearby tells of the coverage of today: ask without at, or without nearby.';
  await expectError(await service.get(`${path(at(0, 0))}?nearby=1&at=2026-05-01`), 400, sentence);
  for (const query of ['nearby=2', 'nearby=', 'nearby=1&nearby=1', 'nearby[]=1'])
    expect((await service.get(`${path(at(0, 0))}?${query}`)).status, query).toBe(400);
});
