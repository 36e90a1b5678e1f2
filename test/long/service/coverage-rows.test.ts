import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Polygon } from '@covermap/geometry/polygon.ts';
import { measure } from '@covermap/geometry/spheroid-area.ts';
import { isSurelyValid } from '@covermap/geometry/valid.ts';
import { wkbSize, writeWkb } from '@covermap/geometry/wkb.ts';
import { nztmPrj, pairsOf, points, regularRing, zippedShapefile } from '@covermap/testing/shapes.ts';
import type { Point, ShapefileLayer } from '@covermap/testing/write-shapefile.ts';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import type { Canvas } from '../../../coverage/tiles/canvas.ts';
import type { Database } from '../../../platform/database/database.ts';
import { loadAlone } from '../../setup/load-alone.ts';
import { readText } from '../../setup/project.ts';
import { useDatabase } from '../../setup/service.ts';

/* The rows that the reader makes are those that PostGIS would make, and the database keeps them as they are. */

const { place, database } = await useDatabase();

/** A repeatable number from 0 to 1 for each place in a list. */
const noise = (i: number, seed: number) => (((i * 7919 + seed * 104729) % 1009) + 0.5) / 1009;

/** Outlines in NZTM2000, most of which the reader can place, and some of each kind that it cannot. */
function features(count: number): ShapefileLayer['features'] {
  return Array.from({ length: count }, (_, i) => {
    const x = 1_550_000 + noise(i, 1) * 120_000;
    const y = 5_200_000 + noise(i, 2) * 120_000;
    const circle = (radius: number, vertices: number): Point[] =>
      pairsOf(regularRing(x, y, radius, vertices)).reverse();
    const kinds: Point[][][] = [
      [circle(500 + 3000 * noise(i, 3), 40)],
      [circle(2000, 90)],
      // A circle with a hole.
      [circle(3000, 30), circle(1000, 20).reverse()],
      // Long edges, which are bent in degrees.
      [circle(2500, 4)],
      // Too many vertices for a row, as it is and once its edges are short.
      [circle(4000, 300)],
      [circle(60_000, 5)],
      // A bow tie, two parts, no bigger than a cell, a sliver, beyond the service area.
      [[0, 2, 1, 3, 4].map((j) => circle(1000, 4)[j] as Point)],
      [circle(800, 12), circle(500, 12).map(([px, py]): Point => [px + 5000, py])],
      [circle(20, 8)],
      [points(`${x} ${y}, ${x + 0.001} ${y + 400}, ${x + 0.002} ${y}, ${x} ${y}`)],
      [circle(1000, 12).map(([px, py]): Point => [px + 1_000_000, py])],
    ];
    const rare = i % 12;
    const rings = kinds[rare < kinds.length ? rare : 0] as Point[][];
    return { rings, attributes: { SPEED: 10 + 100 * (i % 5) } };
  });
}

const speeds = { attributes: { bandwidth_max_mbps: 'SPEED' }, speeds: { bandwidth_up_max_mbps: 10 } };

async function fileOf(layer: ShapefileLayer & { prj?: string }): Promise<string> {
  const fields = [{ name: 'SPEED', type: 'N' as const, length: 8 }];
  const { name, bytes } = await zippedShapefile({ ...layer, fields });
  const file = path.join(place.config.dataDir, `${randomUUID()}-${name}`);
  writeFileSync(file, bytes);
  return file;
}

test('rows cover what PostGIS makes of the features, none has too many vertices, and each has its digest', async () => {
  const given = features(600);
  const file = await fileOf({ prj: nztmPrj, features: given });
  let canvas: Canvas | undefined;
  const { report, areas } = await loadAlone(place, database, file, speeds, async ([dataset], canvases) => {
    canvas = canvases.get(dataset as number);
  });
  const [dataset] = areas.keys();
  const shapes = given.map(
    ({ rings }) =>
      `MULTIPOLYGON(${(rings ?? []).map((one) => `((${one.map((p) => p.join(' ')).join(',')}))`).join(',')})`,
  );
  const { serviceArea: area } = place.config;
  // Holes are separate polygons here: ground under an odd number of them is covered.
  type Figures = Record<'speed' | 'm2' | 'other' | 'points' | 'invalid' | 'forged' | 'km2', number>;
  const { rows } = await database.query<Figures>(
    `with given as (
       select ('{' || (10 + 100 * ((number - 1) % 5)) || '}')::float8[] as speed,
         st_transform(st_segmentize(st_setsrid(shape::geometry, 2193), 1000), 4326) as geom
       from unnest($1::text[]) with ordinality as t (shape, number)
     ),
     valid as (
       select speed[1] as speed, st_intersection(
         (select st_buildarea(st_collect(st_exteriorring(part.geom))) from st_dump(geom) as part),
         st_makeenvelope($2, $3, $4, $5, 4326)) as geom
       from given
     ),
     expected as (select speed, st_union(geom) as geom from valid where st_area(geom) > 1e-12 group by speed),
     loaded as (
       select bandwidth_max_mbps::float8 as speed, st_union(geom) as geom, max(st_npoints(geom)) as points,
         count(*) filter (where not st_isvalid(geom))::integer as invalid,
         count(*) filter (where digest <> left(encode(sha256(st_asewkb(geom)), 'hex'), 32)::uuid)::integer as forged,
         sum(coverage_area_m2(geom)) / 1e6 as km2
       from coverage join tier on tier.id = tier_id where dataset_id = $6 group by 1
     )
     select speed, st_area(expected.geom) as m2, st_area(st_symdifference(expected.geom, loaded.geom)) as other, points, invalid, forged, km2
     from expected full join loaded using (speed)`,
    [shapes, area.west, area.south, area.east, area.north, dataset],
  );
  expect(rows).toHaveLength(5);
  for (const { m2, other, points, invalid, forged } of rows) {
    expect(other / m2).toBeLessThan(1e-6);
    expect([invalid, forged, points]).toEqual([0, 0, expect.toSatisfy((most) => most <= 120)]);
  }
  const km2 = rows.reduce((sum, row) => sum + row.km2, 0);
  expect(report.area_km2 / km2).toBeCloseTo(1, 5);
  const { repaired, dropped } = report.features;
  for (const count of [repaired, dropped.sliver, dropped.outside_service_area])
    expect(count).toBeGreaterThan(10);
  expect(canvas?.complete).toBe(true);
});

const nzmgPrj =
  'PROJCS["NZMG",GEOGCS["NZGD49",DATUM["New_Zealand_Geodetic_Datum_1949",SPHEROID["International 1924",6378388,297]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["New_Zealand_Map_Grid"],PARAMETER["latitude_of_origin",-41],PARAMETER["central_meridian",173],PARAMETER["false_easting",2510000],PARAMETER["false_northing",6023150],UNIT["metre",1]]';
/** A sphere, and a projection that no other file here has. */
const gnomonicPrj =
  'PROJCS["G",GEOGCS["S",DATUM["D_Sphere",SPHEROID["Sphere",6371000,0]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]],PROJECTION["Gnomonic"],PARAMETER["Longitude_Of_Center",173],PARAMETER["Latitude_Of_Center",-41],UNIT["Meter",1]]';
const moved = (count: number, east: number, north: number) =>
  features(count).map(({ rings, ...one }) => ({
    ...one,
    rings: (rings ?? []).map((ring) =>
      ring.map(([x, y]): Point => [(x as number) + east, (y as number) + north]),
    ),
  }));
const inNztm = { prj: nztmPrj, features: features(100) };
// On the old datum, whose shift is a grid.
const inNzmg = { prj: nzmgPrj, features: moved(40, 910_000, 560_000) };
// Around the middle of the country.
const onSphere = { prj: gnomonicPrj, features: moved(50, -1_600_000, -5_260_000) };

const isServer = inject('backend').kind === 'server';
const { database: embedded } = isServer ? await useDatabase({}, { kind: 'embedded' }) : { database };
// Two samples are enough: the reader makes all rows except those of invalid shapes, which are below.
const manifests = ['several', 'wireless-signal'].map((name) =>
  JSON.parse(readText(`samples/${name}.manifest.json`)),
);
test
  .runIf(isServer)
  .each<[string, () => string | Promise<string>, object]>([
    ...manifests.map(({ file, ...one }): [string, () => string, object] => [
      file,
      () => path.resolve('samples', file),
      one,
    ]),
    ['NZTM2000', () => fileOf(inNztm), speeds],
    ['NZMG', () => fileOf(inNzmg), speeds],
    ['gnomonic, of a sphere', () => fileOf(onSphere), speeds],
  ])('the rows of a file are byte for byte the same on both databases: %s', async (_, make, manifest) => {
  const file = await make();
  const [here = [], there] = await Promise.all(
    [database, embedded].map(async (one) => rowsOf(one, (await loadAlone(place, one, file, manifest)).id)),
  );
  expect(here.length).toBeGreaterThan(0);
  expect(there).toEqual(here);
});

/** A submission's tiers and rows, in order. */
async function rowsOf(of: Database, submissionId: string): Promise<string[]> {
  const { rows } = await of.query<{ row: string }>(
    `select concat_ws(' ', technology_id, to_jsonb(tier) - array['id', 'dataset_id'], encode(st_asewkb(geom, 'NDR'), 'hex')) as row
     from coverage join tier on tier.id = tier_id join dataset on dataset.id = dataset_id where submission_id = $1`,
    [submissionId],
  );
  return rows.map(({ row }) => row).sort();
}

const place01 = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }));
/** Rings with corners on few places, so that they touch and cross in every way. */
const ring = fc
  .array(place01, { minLength: 3, maxLength: 12 })
  .map((points) =>
    Float64Array.from(
      [...points, points[0] as [number, number]].flatMap(([x, y]) => [174 + x / 500, y / 500 - 41]),
    ),
  );
const polygon: fc.Arbitrary<Polygon> = fc
  .tuple(ring, fc.array(ring, { maxLength: 2 }))
  .map(([outer, holes]) => [outer, ...holes]);

async function inDatabase<Row>(polygons: readonly Polygon[], columns: string): Promise<Row[]> {
  const shapes = polygons.map((one) => {
    const wkb = new Uint8Array(wkbSize([one]));
    writeWkb([one], wkb, 0);
    return Buffer.from(wkb).toString('hex');
  });
  const { rows } = await database.query<Row>(
    `select ${columns} from unnest($1::text[]) with ordinality as shape (hex, number)
     cross join lateral (select st_geomfromwkb(decode(hex, 'hex'), 4326) as geom) as read order by number`,
    [shapes],
  );
  return rows;
}

test('no polygon that PostGIS calls invalid is surely valid, and most valid ones are', async () => {
  const polygons = fc.sample(polygon, { numRuns: 20_000, seed: 1 });
  const answers = await inDatabase<{ valid: boolean }>(polygons, 'st_isvalid(geom) as valid');
  const sure = polygons.filter((one, i) => {
    const surely = isSurelyValid(one);
    if (surely) expect(answers[i], JSON.stringify(one.map((r) => [...r]))).toEqual({ valid: true });
    return surely;
  });
  const valid = answers.filter((answer) => answer.valid).length;
  expect(valid).toBeGreaterThan(500);
  expect(sure.length / valid).toBeGreaterThan(0.8);
});

test('measures are those of the database', async () => {
  const polygons = fc.sample(polygon, { numRuns: 5000, seed: 2 }).filter(isSurelyValid);
  const expected = await inDatabase<{ area: number; perimeter: number; m2: number }>(
    polygons,
    'st_area(geom) as area, st_perimeter(geom) as perimeter, coverage_area_m2(geom) as m2',
  );
  expect(polygons.length).toBeGreaterThan(100);
  for (const [i, { area, perimeter, m2 }] of expected.entries()) {
    const measured = measure(polygons[i] as Polygon);
    expect(measured.area / area).toBeCloseTo(1, 9);
    expect(measured.perimeter / perimeter).toBeCloseTo(1, 9);
    expect(measured.areaM2 / m2).toBeCloseTo(1, 9);
  }
});
