import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crossesItselfMoreThan, isTangle } from '../crossings.ts';

type Edge = [x1: number, y1: number, x2: number, y2: number];
const ring = (points: [number, number][]) =>
  Float64Array.from([...points, points[0] as [number, number]].flat());
/** Corners of a regular polygon, in the order of their numbers there. */
const onCircle = (corners: number, numbers: number[]) =>
  ring(numbers.map((i) => [Math.cos((2 * Math.PI * i) / corners), Math.sin((2 * Math.PI * i) / corners)]));

test('crossings are counted as comparing every pair of edges counts them', () => {
  const point = fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 1000 }));
  fc.assert(
    fc.property(fc.array(point, { minLength: 60, maxLength: 80 }), (points) => {
      const outline = ring(points);
      const edges = Array.from(
        { length: points.length },
        (_, i) => [...outline.slice(2 * i, 2 * i + 4)] as Edge,
      );
      const side = ([x1, y1, x2, y2]: Edge, x: number, y: number) =>
        Math.sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1));
      let crossings = 0;
      for (const [i, a] of edges.entries()) {
        for (const b of edges.slice(i + 1)) {
          if (side(a, b[0], b[1]) * side(a, b[2], b[3]) < 0 && side(b, a[0], a[1]) * side(b, a[2], a[3]) < 0)
            crossings++;
        }
      }
      expect(crossesItselfMoreThan([[outline]], crossings)).toBe(false);
      if (crossings > 0) expect(crossesItselfMoreThan([[outline]], crossings - 1)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('a star of 200,000 points that crosses itself at every edge is a tangle, and one that is badly drawn is not', () => {
  const points = 200_001;
  const star = Array.from({ length: points }, (_, i) => (i * 100_000) % points);
  expect(isTangle([[onCircle(points, star)]])).toBe(true);
  // Each two points are swapped: a crossing at every other edge.
  const badlyDrawn = Array.from({ length: 5_000 }, (_, i) => i ^ 1);
  expect(isTangle([[onCircle(5_000, badlyDrawn)]])).toBe(false);
});
