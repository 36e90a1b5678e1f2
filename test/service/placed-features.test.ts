import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseManifest } from '../../core/coverage/submissions/manifest.ts';
import type { Canvas } from '../../core/coverage/tiles/canvas.ts';
import { makeOverview, overviewZoom } from '../../core/coverage/tiles/overview.ts';
import type { Database } from '../../core/database/database.ts';
import type { Polygon } from '../../ingest/geometry/polygon.ts';
import { measure } from '../../ingest/geometry/spheroid-area.ts';
import { isSurelyValid } from '../../ingest/geometry/valid.ts';
import { wkbSize, writeWkb } from '../../ingest/geometry/wkb.ts';
import { loadFile } from '../../ingest/load.ts';
import { placingOf } from '../../ingest/place.ts';
import { readerLimits, readFile } from '../../ingest/reader.ts';
import { referenceSystems } from '../../ingest/reference-system.ts';
import { makePlace, type Place } from '../setup/service.ts';
import { nztmPrj, zippedShapefile } from '../setup/shapes.ts';
import type { Point, ShapefileLayer } from '../setup/write-shapefile.ts';

/* Features that the reader places get the rows that PostGIS would have made of them. */

let place: Place;
let database: Database;
beforeAll(async () => {
  place = await makePlace();
  database = await place.open();
});
afterAll(async () => {
  await database?.close();
  await place?.remove();
});

/** A repeatable number from 0 to 1 for each place in a list. */
const noise = (i: number, seed: number) => (((i * 7919 + seed * 104729) % 1009) + 0.5) / 1009;

/** Outlines in NZTM2000, most of which the reader can place, and some of each kind that it cannot. */
function features(): ShapefileLayer['features'] {
  return Array.from({ length: 3000 }, (_, i) => {
    const x = 1_550_000 + noise(i, 1) * 120_000;
    const y = 5_200_000 + noise(i, 2) * 120_000;
    const circle = (radius: number, vertices: number): Point[] => {
      const ring = Array.from({ length: vertices }, (_, j): Point => {
        const angle = (-2 * Math.PI * j) / vertices;
        return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
      });
      return [...ring, ring[0] as Point];
    };
    const kinds: Point[][][] = [
      [circle(500 + 3000 * noise(i, 3), 40)],
      [circle(2000, 90)],
      // With a hole, and one that lies in the other.
      [circle(3000, 30), circle(1000, 20).reverse()],
      // Long edges, which are bent in degrees.
      [circle(2500, 4)],
      // Too many vertices for a row, as it is and once its edges are short.
      [circle(4000, 300)],
      [circle(60_000, 5)],
      // A bow tie, two parts, no bigger than a cell, a sliver, beyond the service area.
      [
        [...circle(1000, 4)].map((point, j, all) =>
          j === 1 ? (all[2] as Point) : j === 2 ? (all[1] as Point) : point,
        ),
      ],
      [circle(800, 12), circle(500, 12).map(([px, py]): Point => [px + 5000, py])],
      [circle(20, 8)],
      [
        [
          [x, y],
          [x + 0.001, y + 400],
          [x + 0.002, y],
          [x, y],
        ],
      ],
      [circle(1000, 12).map(([px, py]): Point => [px + 1_000_000, py])],
    ];
    const rare = i % 12;
    return {
      rings: kinds[rare < kinds.length ? rare : 0] as Point[][],
      attributes: { SPEED: 10 + 100 * (i % 5) },
    };
  });
}

async function load(file: string, read: typeof readFile) {
  const manifest = parseManifest({
    provider: { name: 'Test', url: 'https://test.example/' },
    technology: 'fibre',
    attributes: { bandwidth_max_mbps: 'SPEED' },
    speeds: { bandwidth_up_max_mbps: 10 },
  });
  const { rows } = await database.query<{ id: string }>(
    `with p as (insert into provider (name) values ($1) returning id)
     insert into submission (provider_id, file_name, storage_key, size_bytes, sha256, manifest)
     select id, 'f', $1, 1, sha256('x'), '{}' from p returning id`,
    [randomUUID()],
  );
  const { config } = place;
  let canvas: Canvas | undefined;
  const loaded = await loadFile(database, {
    submissionId: rows[0]?.id as string,
    file,
    name: path.basename(file),
    manifest,
    serviceArea: config.serviceArea,
    limits: readerLimits(config),
    plausibility: config.plausibility,
    onProgress: () => undefined,
    draw: async ([dataset], canvases) => {
      canvas = canvases.get(dataset as number);
    },
    read,
  });
  const [dataset] = loaded.areas.keys();
  return { ...loaded, dataset: dataset as number, canvas };
}

/** Its rows, to a hundredth of a millimetre, in an order of their own; their areas in millionths of square degrees. */
async function rowsOf(dataset: number) {
  const { rows } = await database.query<{ area: number }>(
    `select tier.bandwidth_max_mbps::float8 as speed, st_npoints(geom) as points,
       round(st_xmin(geom)::numeric, 8) as west, round(st_ymin(geom)::numeric, 8) as south,
       round(st_xmax(geom)::numeric, 8) as east, round(st_ymax(geom)::numeric, 8) as north,
       st_area(geom) * 1e6 as area
     from coverage join tier on tier.id = tier_id where dataset_id = $1 order by speed, west, south, points, area`,
    [dataset],
  );
  return rows;
}

/** Of the most detailed tiles, by x and y. */
async function cellsOf(dataset: number): Promise<Map<string, Uint8Array>> {
  const { rows } = await database.query<{ x: number; y: number; cells: Uint8Array }>(
    'select x, y, cells from coverage_overview where dataset_id = $1 and z = $2',
    [dataset, overviewZoom],
  );
  return new Map(rows.map(({ x, y, cells }) => [`${x}/${y}`, inflateRawSync(cells)]));
}

describe('a file of every kind of feature', () => {
  test('has the same rows, report and drawing whoever places it', async () => {
    const { name, bytes } = await zippedShapefile({
      prj: nztmPrj,
      fields: [{ name: 'SPEED', type: 'N', length: 8 }],
      features: features(),
    });
    const file = path.join(place.config.dataDir, name);
    writeFileSync(file, bytes);
    const placed = { features: 0, not: 0 };
    const byReader = await load(file, async function* (...given) {
      for await (const message of readFile(...given)) {
        if (message.type === 'batch') placed[message.placed ? 'features' : 'not'] += message.ids.length;
        yield message;
      }
    });
    const byPostgis = await load(file, (work, limits, signal) => readFile(work, limits, signal));
    expect(placed).toEqual({
      features: expect.toSatisfy((count) => count > 400),
      not: expect.toSatisfy((count) => count > 400),
    });
    const { seconds: _a, text: _b, ...report } = byReader.report;
    const { seconds: _c, text: _d, ...expected } = byPostgis.report;
    expect({ ...report, area_km2: 0, tiers: 0, problems: 0, bbox: 0 }).toEqual({
      ...expected,
      area_km2: 0,
      tiers: 0,
      problems: 0,
      bbox: 0,
    });
    expect(report.area_km2).toBeCloseTo(expected.area_km2, 3);
    const rows = await rowsOf(byReader.dataset);
    const rowsExpected = await rowsOf(byPostgis.dataset);
    const withoutArea = rowsExpected.map((row) => ({ ...row, area: expect.any(Number) }));
    expect(rows).toEqual(withoutArea);
    // A number on the edge between two rounded ones may be either.
    const areasOff = rows.map(({ area }, i) => Math.abs(area - (rowsExpected[i]?.area ?? 0)));
    expect(Math.max(...areasOff)).toBeLessThan(1e-6);
    const { canvas } = byReader;
    expect(canvas?.complete).toBe(true);
    await makeOverview(database, byReader.dataset, { canvas });
    const drawn = await cellsOf(byReader.dataset);
    await makeOverview(database, byReader.dataset);
    // Of what it reads back, the database simplifies outlines by a quarter of a cell.
    let [cells, other] = [0, 0];
    for (const [tile, expected] of await cellsOf(byReader.dataset)) {
      for (const [i, cell] of expected.entries()) {
        if (cell === 0 && !drawn.get(tile)?.[i]) continue;
        cells++;
        if (drawn.get(tile)?.[i] !== cell) other++;
      }
    }
    expect(cells).toBeGreaterThan(1000);
    expect(other / cells).toBeLessThan(0.02);
  });
});

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

test.each([
  ['NZTM2000', 'EPSG:2193', true],
  ['UTM zone 60S', 'EPSG:32760', true],
  ['Mount Eden circuit, whose origin is not on the equator', 'EPSG:2105', true],
  ['an Esri definition', nztmPrj, true],
  ['degrees', 'EPSG:4167', true],
  ['another projection: NZMG', 'EPSG:27200', false],
  ['another datum: NZGD49 / North Island Grid', 'EPSG:27291', false],
  ['an ellipsoid that PROJ shifts from: UTM on International 1924', 'EPSG:23030', false],
])('%s: whether the reader may place features', async (_, definition, expected) => {
  const { serviceArea } = place.config;
  const system = await referenceSystems(database, serviceArea)(definition);
  expect((await placingOf(database, system, serviceArea)) !== undefined).toBe(expected);
});
