import { turfOn } from '@covermap/testing/shapes.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bandOf, eachCovered, pointGrid } from '../point-grid.ts';
import { boxOf, type Polygon, type Ring, rectangle } from '../polygon.ts';

/* Points that a polygon covers. That PostGIS says the same of 500 versions is test/service/premises-oracle.test.ts. */

type Point = [x: number, y: number];

const bandHeight = 10;
const unit = 10;

/** The grid of whole numbers, and the points that it finds, as they were given. */
function covered(points: readonly Point[], polygon: Polygon): Point[] {
  const sorted = [...points].sort(
    ([ax, ay], [bx, by]) => bandOf(ay, bandHeight) - bandOf(by, bandHeight) || ax - bx,
  );
  const [xs, ys] = [0, 1].map((axis) => Int32Array.from(sorted, (point) => point[axis] as number));
  const found: Point[] = [];
  const grid = pointGrid(xs as Int32Array, ys as Int32Array, unit, bandHeight);
  eachCovered(grid, polygon, boxOf([polygon]), (from, to) => found.push(...sorted.slice(from, to)));
  return found;
}

/** Every whole number of a square. */
const square = (side: number): Point[] =>
  Array.from({ length: side * side }, (_, i) => [(i % side) - side / 2, Math.floor(i / side) - side / 2]);

test.each<[what: string, polygon: Polygon, points: number]>([
  ['a rectangle, with its edges and corners', rectangle([-1, -1, 1, 1]), 21 * 21],
  [
    'a rectangle with a hole, whose edges belong to it',
    [...rectangle([-1, -1, 1, 1]), ...rectangle([-0.5, -0.5, 0.5, 0.5])],
    21 * 21 - 9 * 9,
  ],
  ['a rectangle between the points', rectangle([-0.99, -0.99, 0.99, 0.99]), 19 * 19],
  ['a rectangle of no width, as wide as a point', [Float64Array.of(0, 0, 0, 1, 0.001, 1, 0, 0)], 11],
  // An edge without a length. On its slope the doubles of coordinates are exact.
  ['a triangle with corners twice', [Float64Array.of(0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 0, 0)], 66],
  ['what lies beside all points', rectangle([100, 100, 101, 101]), 0],
])('%s', (_, polygon, points) => {
  expect(covered(square(60), polygon)).toHaveLength(points);
  const turned = polygon.map((ring) => reversed(ring));
  expect(covered(square(60), turned)).toHaveLength(points);
});

function reversed(ring: Ring): Ring {
  const points = Array.from({ length: ring.length / 2 }, (_, i) => ring.subarray(2 * i, 2 * i + 2));
  return Float64Array.from(points.reverse().flatMap((point) => [...point]));
}

test('there may be no points', () => {
  expect(covered([], rectangle([0, 0, 1, 1]))).toEqual([]);
});

/** Around a place near the middle, with a corner for each radius. */
const starOf = (radii: number[]): Ring =>
  Float64Array.from(
    [...radii, radii[0] as number].flatMap((radius, i) => {
      const angle = (2 * Math.PI * (i % radii.length)) / radii.length;
      return [radius * Math.cos(angle) + 0.03, radius * Math.sin(angle) - 0.04];
    }),
  );

test.each([
  ['few corners', 3, 30],
  ['more edges than any before', 600, 700],
])(
  'any star of %s with a hole agrees with another library, but for points on its edges',
  (_, minLength, maxLength) => {
    const radii = (min: number, max: number) =>
      fc.array(fc.double({ min, max, noNaN: true }), { minLength, maxLength, size: 'max' });
    const points = square(90);
    fc.assert(
      fc.property(radii(1.6, 4), fc.option(radii(0.1, 0.7), { nil: undefined }), (outer, hole) => {
        const polygon = hole ? [starOf(outer), starOf(hole)] : [starOf(outer)];
        const holds = turfOn(polygon);
        const found = covered(points, polygon);
        const isFound = new Set(found.map(String));
        expect(isFound.size).toBe(found.length);
        const wrong = points.filter((point) => {
          const place = point.map((value) => value / unit);
          return holds(place) === holds(place, true) && holds(place) !== isFound.has(String(point));
        });
        expect(wrong).toEqual([]);
      }),
      { numRuns: 30 },
    );
  },
);
