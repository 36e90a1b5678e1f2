import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../core/config.ts';
import { addTier, beginDataset } from '../../core/coverage/datasets.ts';
import type { Polygon } from '../../ingest/geometry/polygon.ts';
import { wkbSize, writeWkb } from '../../ingest/geometry/wkb.ts';
import { normaliseBatch, type RawBatch } from '../../ingest/normalise.ts';
import { resolveReferenceSystem } from '../../ingest/reference-system.ts';
import type { Point } from '../../samples/write-shapefile.ts';
import { type Service, startService } from '../setup/service.ts';
import { hole, nztmPrj, rectangle, wgs84Prj, zippedRectangle } from '../setup/shapes.ts';

/* What a reference system is taken for, and that it makes no difference how coordinates get to WGS 84. */

const { serviceArea } = readConfig({});
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

test.each([
  ['EPSG:4326', 'EPSG:4326', true],
  ['WGS 84 as ArcGIS writes it', wgs84Prj, true],
  [
    'WGS 84 in WKT 2',
    'GEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]],CS[ellipsoidal,2],AXIS["longitude",east],AXIS["latitude",north],ANGLEUNIT["degree",0.0174532925199433]]',
    true,
  ],
  ['NZGD49, 200 metres from it', 'EPSG:4272', false],
  [
    'gons',
    'GEOGCS["x",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["grad",0.01570796326794897]]',
    false,
  ],
  ['NZTM2000', nztmPrj, false],
  ['Web Mercator', 'EPSG:3857', false],
])('%s is, or is not, longitude and latitude in WGS 84 as it stands', async (_, definition, wgs84) => {
  expect(await resolveReferenceSystem(service.database, definition, serviceArea)).toMatchObject({ wgs84 });
});

test('coordinates in WGS 84 come out the same whether they are transformed or taken as they stand', async () => {
  const flat = (points: Point[]) => Float64Array.from(points.flat());
  const box = (...corners: [number, number, number, number]): Polygon => [flat(rectangle(...corners))];
  const wave = Float64Array.from({ length: 1002 }, (_, i) =>
    i % 2 === 0 ? 170 + 0.2 * Math.cos((i * Math.PI) / 500) : -44 + 0.2 * Math.sin(((i - 1) * Math.PI) / 500),
  );
  const features: Polygon[][] = [
    [box(170, -41, 170.1, -40.9)],
    [[flat(rectangle(171, -41, 171.5, -40.5)), flat(hole(171.1, -40.9, 171.2, -40.8))]],
    [box(172, -41, 172.1, -40.9), box(172.2, -41, 172.3, -40.9)],
    [[wave]],
    // A bow tie, one half outside, all outside, no width, parts that overlap.
    [[Float64Array.of(173, -41, 173.1, -40.9, 173.1, -41, 173, -40.9, 173, -41)]],
    [box(166, -41, 166.4, -40.9)],
    [box(10, 10, 11, 11)],
    [box(174, -41, 174 + 1e-9, -40.9)],
    [box(175, -41, 175.2, -40.9), box(175.1, -41, 175.3, -40.9)],
  ];
  const { database } = service;
  const submission = await service.ingest(await zippedRectangle(170, -41, 171, -40), { publish: 'review' });
  const outcomes = [];
  const dataset = await beginDataset(database, submission.id, 'cable');
  for (const wgs84 of [true, false]) {
    const tier = await addTier(database, dataset, {
      availability: 'available',
      planned_date: null,
      bandwidth_min_mbps: wgs84 ? 1 : 2,
      bandwidth_max_mbps: 10,
      bandwidth_up_min_mbps: 1,
      bandwidth_up_max_mbps: 10,
    });
    const system = { definition: 'EPSG:4326', projected: false, wgs84, name: 'WGS 84' };
    const outcome = await database.withConnection((connection) =>
      normaliseBatch(connection, batchOf(features, tier), system, serviceArea),
    );
    const { rows } = await database.query<{ shape: string }>(
      `select st_astext(st_normalize(st_snaptogrid(geom, 1e-11))) as shape from coverage where tier_id = $1 order by 1`,
      [tier],
    );
    const { rows: count, loaded, repaired, clipped, fates } = outcome;
    outcomes.push({ count, loaded, repaired, clipped, fates, shapes: rows });
    await database.query('delete from coverage where tier_id = $1', [tier]);
  }
  const [standing, transformed] = outcomes;
  expect(standing?.loaded).toBe(7);
  expect(standing?.shapes.length).toBeGreaterThan(10);
  expect(standing).toEqual(transformed);
});

function batchOf(features: Polygon[][], tier: number): RawBatch {
  const wkb = new Uint8Array(features.reduce((sum, polygons) => sum + wkbSize(polygons), 0));
  const offsets = [0];
  for (const polygons of features) offsets.push(writeWkb(polygons, wkb, offsets.at(-1) as number));
  return {
    wkb,
    offsets: Uint32Array.from(offsets),
    ids: Uint32Array.from(features, (_, i) => i + 1),
    tierIds: Uint32Array.from(features, () => tier),
    mended: Uint8Array.from(features, () => 0),
  };
}
