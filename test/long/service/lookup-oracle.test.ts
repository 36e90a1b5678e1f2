import { hole, points, rectangle, turfOn, zippedShapefile } from '@covermap/testing/shapes.ts';
import type { Point } from '@covermap/testing/write-shapefile.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCatalog } from '../../../coverage/lookup/catalog.ts';
import { nearestCoverage } from '../../../coverage/lookup/nearest.ts';
import { sql } from '../../../platform/database/sql.ts';
import { sampled } from '../../setup/rounds.ts';
import { useService } from '../../setup/service.ts';

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
const toDegrees = ([column, row]: Point): Point => [
  west + ((column as number) * size) / cells,
  south + ((row as number) * size) / cells,
];
const whole = (min: number, max: number) => fc.integer({ min, max });

/** A star around a centre: a simple polygon, so that "inside" is unambiguous. Clockwise. */
const star = fc
  .record({
    ...{ column: whole(8, 32), row: whole(8, 32) },
    radii: fc.array(whole(3, 8), { minLength: 3, maxLength: 40 }),
    onGrid: fc.boolean(),
  })
  .map(({ column, row, radii, onGrid }): Point[][] => {
    const ring = radii.map((radius, i): Point => {
      const angle = (-2 * Math.PI * i) / radii.length;
      const [c, r] = [column + radius * Math.cos(angle), row + radius * Math.sin(angle)];
      return toDegrees(onGrid ? [c, r] : [c + 0.1234, r - 0.4321]);
    });
    return [[...ring, ring[0] as Point]];
  });

/** A block with a hole in it, which may touch the block's edge in corners (a diamond) or share grid lines with it. */
const blockWithHole = fc
  .record({
    ...{ column: whole(0, 30), row: whole(0, 30), half: whole(2, 5) },
    ...{ diamond: fc.boolean(), island: fc.boolean() },
  })
  .map(({ column, row, half, diamond, island }) => {
    const [x, y] = [column + half, row + half];
    const [right, top] = [x + half, y + half];
    const inner = diamond
      ? points(`${x} ${row}, ${right} ${y}, ${x} ${top}, ${column} ${y}, ${x} ${row}`)
      : hole(column + 1, row + 1, right - 1, top - 1);
    const speck = island ? [rectangle(x - 0.5, y - 0.5, x + 0.5, y + 0.5)] : [];
    return [rectangle(column, row, right, top), inner, ...speck].map((ring) => ring.map(toDegrees));
  });

const feature = fc.record({
  // Parts of one feature lie apart from each other: side by side in strips of their own.
  rings: fc.oneof(
    star,
    blockWithHole,
    fc.tuple(blockWithHole, blockWithHole).map(([a, b]) => [...shifted(a, -0.5), ...shifted(b, 0.75)]),
  ),
  speed: fc.constantFrom(10, 50, 100, 300, 950),
});

function shifted(rings: Point[][], by: number): Point[][] {
  return rings.map((ring) => ring.map(([x, y]): Point => [x + by * size, y]));
}

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const technologies = ['fibre', 'wireless'] as const;
type Coverage = { rings: Point[][]; speed: number }[];

/** Tells the highest speed of the features that a point is in or on the edge of: those of which an odd number of rings hold it. */
function speedsOf(coverage: Coverage): (point: Point) => number | undefined {
  const features = coverage.map(({ rings, speed }) => ({
    rings: rings.map((ring) => turfOn([Float64Array.from(ring.flat())])),
    speed,
  }));
  return (point) => {
    const covering = features.filter(({ rings }) => {
      const around = rings.filter((holds) => holds(point));
      return around.length % 2 === 1 || around.some((holds) => !holds(point, true));
    });
    return covering.length > 0 ? Math.max(...covering.map(({ speed }) => speed)) : undefined;
  };
}

test('thousands of random points in random coverage answer as the oracle says', async () => {
  let asked = 0;
  let covered = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(feature, { minLength: 1, maxLength: 25 }),
      fc.array(feature, { minLength: 1, maxLength: 25 }),
      fc.array(fc.tuple(degrees(-0.6, 1.9), degrees(-0.1, 1.1)), { minLength: 300, maxLength: 300 }),
      async (fibre, wireless, offsets) => {
        const coverage: Record<(typeof technologies)[number], Coverage> = { fibre, wireless };
        for (const technology of technologies) await publish(technology, coverage[technology]);
        // Random places, and corners of areas, which are covered.
        const corners = [...fibre, ...wireless].flatMap(({ rings }) => rings.flat().slice(0, 6));
        const random = offsets.map(([dx, dy]): Point => [west + dx * size, south + dy * size]);
        const places = [...random, ...corners];
        const answers = await service.atAll(places.map(([lng, lat]) => [plain(lat), plain(lng)]));
        for (const technology of technologies) {
          const speedAt = speedsOf(coverage[technology]);
          for (const [i, { results }] of answers.entries()) {
            const result = results.find((candidate) => candidate.technology === technology);
            const found = result?.providers?.[0]?.bandwidth_max_mbps;
            asked++;
            if (found !== undefined) covered++;
            expect(found, `${technology} at ${places[i]}`).toBe(speedAt(places[i] as Point));
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
  // Two of three tiers of the run before are yet to come.
  await service.database.query(
    "update tier set availability = (array['available', 'underway', 'planned'])[1 + id % 3]",
  );
  const catalog = await readCatalog(service.database);
  const places = fc.sample(fc.tuple(degrees(-5, 5), degrees(-4, 4)), { numRuns: 100, seed: 1 });
  for (const [dx, dy] of places) {
    const [lat, lng] = [south + dy, west + dx];
    const found = await nearestCoverage(service.database, catalog, lat, lng);
    const { rows } = await service.database.query<{ name: string; distance: number }>(sql`
      select technology.name, st_distance(geom::geography, st_point(${lng}, ${lat}, 4326)::geography) as distance
      from coverage join tier t on t.id = tier_id join dataset d on d.id = t.dataset_id
        join technology on technology.id = d.technology_id
      where d.state = 'published' and t.availability = 'available' order by distance, t.id limit 1`);
    const nearest = found && { name: found.technology.name, distance: found.distanceMetres };
    expect(nearest, `${lat}, ${lng}`).toEqual(rows[0]);
  }
});

/** Coordinates are asked for without an exponent. */
const plain = (value: number) => value.toFixed(15);

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
  const { length } = coverage;
  expect(submission.report?.features).toMatchObject({ read: length, loaded: length, dropped: {} });
}
