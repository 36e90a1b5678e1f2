import { rectangle, turfOn } from '@covermap/testing/shapes.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Polygon } from '../polygon.ts';
import { isSurelyValid } from '../valid.ts';

/* coverage-rows.test.ts holds the proof against PostGIS; here is every edge held against every other, in whole numbers. */

type Point = [x: number, y: number];
type Edge = [Point, Point];

const edgesOf = (ring: Point[]) =>
  ring.map((point, i): Edge => [point, ring[(i + 1) % ring.length] as Point]);
const turn = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point) =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));

/** Exact, as coordinates are small whole numbers. */
function touch([a, b]: Edge, [c, d]: Edge): boolean {
  const between = (p: Point, q: Point, r: Point) =>
    turn(p, q, r) === 0 &&
    Math.min(p[0], q[0]) <= r[0] &&
    r[0] <= Math.max(p[0], q[0]) &&
    Math.min(p[1], q[1]) <= r[1] &&
    r[1] <= Math.max(p[1], q[1]);
  if (between(a, b, c) || between(a, b, d) || between(c, d, a) || between(c, d, b)) return true;
  return turn(a, b, c) !== turn(a, b, d) && turn(c, d, a) !== turn(c, d, b);
}

const toPolygon = (rings: Point[][]): Polygon =>
  rings.map((one) => Float64Array.from([...one, one[0] as Point].flat()));

/** True if edges meet at corners only, no ring turns back on itself, and holes lie inside the outer ring and apart. */
function isClearlyValid(rings: Point[][]): boolean {
  const edges = rings.flatMap((ring, r) =>
    edgesOf(ring).map((edge, i) => ({ edge, r, i, count: ring.length })),
  );
  for (const [n, one] of edges.entries()) {
    if (`${one.edge[0]}` === `${one.edge[1]}`) return false;
    for (const other of edges.slice(n + 1)) {
      const isNext = one.r === other.r && other.i === one.i + 1;
      const areNeighbours = isNext || (one.r === other.r && one.i === 0 && other.i === one.count - 1);
      if (!areNeighbours && touch(one.edge, other.edge)) return false;
      if (!areNeighbours) continue;
      const [[a, b], [, c]] = isNext ? [one.edge, other.edge] : [other.edge, one.edge];
      const along = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
      if (turn(a, b, c) === 0 && along <= 0) return false;
    }
  }
  return rings.every((hole, i) =>
    i === 0
      ? true
      : rings.every((ring, j) => i === j || turfOn(toPolygon([ring]))(hole[0] as Point) === (j === 0)),
  );
}

const point = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }));
/** With corners sorted around a middle most rings are simple; with some out of order they cross themselves. */
const aroundMiddle = (points: Point[]) =>
  [...points].sort((a, b) => Math.atan2(a[1] - 15.3, a[0] - 14.7) - Math.atan2(b[1] - 15.3, b[0] - 14.7));
const ring = fc
  .tuple(fc.array(point, { minLength: 3, maxLength: 40 }), fc.nat({ max: 9 }))
  .map(([points, disorder]) => {
    const sorted = disorder < 8 ? aroundMiddle(points) : points;
    if (disorder > 5 && sorted.length > 4) sorted.splice(2, 0, ...sorted.splice(0, 1));
    return sorted;
  });

test('a polygon is surely valid where no edge meets another, by comparing all of them', () => {
  const rings = fc.tuple(ring, fc.array(ring, { maxLength: 2 })).map(([outer, holes]) => {
    // Holes a quarter of the size, around the middle.
    const small = holes.map((hole, i) => hole.map(([x, y]): Point => [50 + x + 35 * i, 55 + y]));
    return [outer.map(([x, y]): Point => [4 * x, 4 * y]), ...small];
  });
  let valid = 0;
  for (const one of fc.sample(rings, { numRuns: 1500, seed: 3 })) {
    const expected = isClearlyValid(one);
    // Rounding may leave it in doubt; in these numbers there is none.
    expect(isSurelyValid(toPolygon(one)), JSON.stringify(one)).toBe(expected);
    if (expected) valid++;
  }
  expect(valid).toBeGreaterThan(90);
});

test('a hole beside another is one, a hole within another is none', () => {
  const isValid = (...boxes: [from: number, to: number][]) =>
    isSurelyValid(boxes.map(([from, to]) => Float64Array.from(rectangle(from, from, to, to).flat())));
  expect(isValid([0, 100], [10, 40], [50, 90])).toBe(true);
  expect(isValid([0, 100], [10, 40], [20, 30])).toBe(false);
  expect(isValid([0, 100], [20, 30], [10, 40])).toBe(false);
});
