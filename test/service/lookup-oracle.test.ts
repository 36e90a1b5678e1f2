import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCatalog } from '../../core/coverage/lookup/catalog.ts';
import { nearestCoverage } from '../../core/coverage/lookup/nearest.ts';
import { sql } from '../../core/database/sql.ts';
import { sampled } from '../setup/rounds.ts';
import { useService } from '../setup/service.ts';
import { zippedShapefile } from '../setup/shapes.ts';
import type { Point } from '../setup/write-shapefile.ts';

/*
 * Random coverage goes in as a real shapefile, random points are looked up, and an independent point-in-polygon says
 * what the answer has to be: for every technology whether it is there, and its speed.
 */

/** How many coverages. */
const runs = sampled(6, 12);

const service = await useService();

const west = 174;
const south = -38;
const size = 1;
/** Corners lie on this grid, so that areas touch each other, and holes their shells, in corners and along edges. */
const cells = 40;
const toDegrees = (column: number, row: number): Point => [
  west + (column * size) / cells,
  south + (row * size) / cells,
];

/** A star around a centre: a simple polygon, so that "inside" is unambiguous. Clockwise. */
const star = fc
  .record({
    column: fc.integer({ min: 8, max: 32 }),
    row: fc.integer({ min: 8, max: 32 }),
    radii: fc.array(fc.integer({ min: 3, max: 8 }), { minLength: 3, maxLength: 40 }),
    onGrid: fc.boolean(),
  })
  .map(({ column, row, radii, onGrid }): Point[] => {
    const ring = radii.map((radius, i): Point => {
      const angle = (-2 * Math.PI * i) / radii.length;
      const [c, r] = [column + radius * Math.cos(angle), row + radius * Math.sin(angle)];
      return toDegrees(onGrid ? c : c + 0.1234, onGrid ? r : r - 0.4321);
    });
    return [...ring, ring[0] as Point];
  });

/** A block with a hole in it, which may touch the block's edge in corners (a diamond) or share grid lines with it. */
const blockWithHole = fc
  .record({
    column: fc.integer({ min: 0, max: 30 }),
    row: fc.integer({ min: 0, max: 30 }),
    half: fc.integer({ min: 2, max: 5 }),
    diamond: fc.boolean(),
    island: fc.boolean(),
  })
  .map(({ column, row, half, diamond, island }): Point[][] => {
    const [left, right, bottom, top] = [column, column + 2 * half, row, row + 2 * half];
    const shell: Point[] = [
      toDegrees(left, bottom),
      toDegrees(left, top),
      toDegrees(right, top),
      toDegrees(right, bottom),
      toDegrees(left, bottom),
    ];
    const middle = (n: number) => n + half;
    const inner: Point[] = diamond
      ? [
          toDegrees(middle(left), bottom),
          toDegrees(right, middle(bottom)),
          toDegrees(middle(left), top),
          toDegrees(left, middle(bottom)),
          toDegrees(middle(left), bottom),
        ]
      : [
          toDegrees(left + 1, bottom + 1),
          toDegrees(right - 1, bottom + 1),
          toDegrees(right - 1, top - 1),
          toDegrees(left + 1, top - 1),
          toDegrees(left + 1, bottom + 1),
        ];
    const [c, r] = [middle(left), middle(bottom)];
    const speck: Point[] = [
      toDegrees(c - 0.5, r - 0.5),
      toDegrees(c - 0.5, r + 0.5),
      toDegrees(c + 0.5, r + 0.5),
      toDegrees(c + 0.5, r - 0.5),
      toDegrees(c - 0.5, r - 0.5),
    ];
    return island ? [shell, inner, speck] : [shell, inner];
  });

const feature = fc.record({
  // Parts of one feature lie apart from each other: side by side in strips of their own.
  rings: fc.oneof(
    star.map((ring) => [ring]),
    blockWithHole,
    fc.tuple(blockWithHole, blockWithHole).map(([a, b]) => [...shifted(a, -0.5), ...shifted(b, 0.75)]),
  ),
  speed: fc.constantFrom(10, 50, 100, 300, 950),
});

function shifted(rings: Point[][], by: number): Point[][] {
  return rings.map((ring) => ring.map(([x, y]): Point => [x + by * size, y]));
}

const technologies = ['fibre', 'wireless'] as const;
type Coverage = { rings: Point[][]; speed: number }[];

/** True if a point is inside an odd number of a feature's rings. Undefined on an edge. */
function covers(rings: Point[][], point: [number, number]): boolean | undefined {
  let inside = 0;
  for (const ring of rings) {
    const polygon = { type: 'Polygon' as const, coordinates: [ring.map(([x, y]) => [x, y])] };
    const within = booleanPointInPolygon(point, polygon, { ignoreBoundary: true });
    if (!within && booleanPointInPolygon(point, polygon)) return undefined;
    if (within) inside++;
  }
  return inside % 2 === 1;
}

test('thousands of random points in random coverage answer as the oracle says', async () => {
  let asked = 0;
  let covered = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(feature, { minLength: 1, maxLength: 25 }),
      fc.array(feature, { minLength: 1, maxLength: 25 }),
      fc.array(
        fc.tuple(
          fc.double({ min: -0.6, max: 1.9, noNaN: true }),
          fc.double({ min: -0.1, max: 1.1, noNaN: true }),
        ),
        {
          minLength: 300,
          maxLength: 300,
        },
      ),
      async (fibre, wireless, offsets) => {
        const coverage: Record<(typeof technologies)[number], Coverage> = { fibre, wireless };
        for (const technology of technologies) await publish(technology, coverage[technology]);
        // Random places, and corners of areas, which are covered.
        const corners = [...fibre, ...wireless].flatMap(({ rings }) => rings.flat().slice(0, 6));
        const random = offsets.map(([dx, dy]): Point => [west + dx * size, south + dy * size]);
        const points = [...random, ...corners];
        const answers = await service.atAll(points.map(([lng, lat]) => [plain(lat), plain(lng)]));
        for (const [i, { results }] of answers.entries()) {
          const [lng, lat] = points[i] as Point;
          for (const technology of technologies) {
            const expected = expectedSpeed(coverage[technology], [lng, lat]);
            const result = results.find((candidate) => candidate.technology === technology);
            const found = result?.providers?.[0]?.bandwidth_max_mbps;
            asked++;
            if (found !== undefined) covered++;
            expect({ technology, lng, lat, found }).toEqual({ technology, lng, lat, found: expected });
          }
        }
      },
    ),
    { numRuns: runs, endOnFailure: true, seed: 20260101 },
  );
  expect(asked).toBeGreaterThan(600 * runs);
  expect(covered / asked).toBeGreaterThan(0.1);
});

test('the nearest coverage is the available one at the least distance, whatever else lies nearer', async () => {
  // Every other tier of the run before becomes planned.
  await service.database.query("update tier set availability = 'planned' where id % 2 = 0");
  const catalog = await readCatalog(service.database);
  const places = fc.sample(
    fc.tuple(fc.double({ min: -5, max: 5, noNaN: true }), fc.double({ min: -4, max: 4, noNaN: true })),
    { numRuns: 100, seed: 1 },
  );
  for (const [dx, dy] of places) {
    const [lat, lng] = [south + dy, west + dx];
    const found = await nearestCoverage(service.database, catalog, lat, lng);
    const { rows } = await service.database.query<{ name: string; distance: number }>(sql`
      select technology.name, st_distance(geom::geography, st_point(${lng}, ${lat}, 4326)::geography) as distance
      from coverage join tier t on t.id = tier_id join dataset d on d.id = t.dataset_id
        join technology on technology.id = d.technology_id
      where d.state = 'published' and t.availability = 'available' order by distance, t.id limit 1`);
    expect([lat, lng, found?.technology.name, found?.distanceMetres]).toEqual([
      lat,
      lng,
      rows[0]?.name,
      rows[0]?.distance,
    ]);
  }
  expect(places.length).toBe(100);
});

/** The highest speed of the features that the point is in or on the edge of. */
function expectedSpeed(coverage: Coverage, point: [number, number]): number | undefined {
  const speeds = coverage.filter(({ rings }) => covers(rings, point) !== false).map(({ speed }) => speed);
  return speeds.length > 0 ? Math.max(...speeds) : undefined;
}

/** Coordinates are asked for without an exponent. */
function plain(value: number): string {
  return value.toFixed(15);
}

async function publish(technology: string, coverage: Coverage): Promise<void> {
  const file = await zippedShapefile({
    fields: [{ name: 'SPEED', type: 'N', length: 8 }],
    features: coverage.map(({ rings, speed }) => ({ rings, attributes: { SPEED: speed } })),
  });
  const submission = await service.ingest(file, {
    technology,
    attributes: { bandwidth_max_mbps: 'SPEED' },
    speeds: { bandwidth_up_max_mbps: 1 },
  });
  expect(submission.error).toBeNull();
  expect(submission.report?.features).toMatchObject({
    read: coverage.length,
    loaded: coverage.length,
    dropped: {},
  });
}
