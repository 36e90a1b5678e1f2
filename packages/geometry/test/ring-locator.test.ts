import { turfOn } from '@covermap/testing/shapes.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Ring } from '../polygon.ts';
import { ringLocator } from '../ring-locator.ts';

/* The test of a point against a ring. Only rings of more than 64 points have their edges indexed. */

type Point = [x: number, y: number];

const ringOf = (points: Point[]): Ring => Float64Array.from([...points, points[0] as Point].flat());

const coordinate = fc.integer({ min: -60, max: 60 });
const point = fc.tuple(coordinate, coordinate);
const far = fc.tuple(fc.constantFrom(-1e9, 0, 1e9), fc.constantFrom(-1e9, 1e9));
const anywhere = fc.oneof(point, point, point, far).map(([x, y]): Point => [x as number, y as number]);

test.each([
  ['few points', 3, 40],
  ['about as many points as edges are indexed from', 58, 70],
  ['many points', 70, 600],
])('a ring of %s agrees with another library, crossing itself or not', (_, minLength, maxLength) => {
  const rings = fc.array(point, { minLength, maxLength, size: 'max' }).map(ringOf);
  const places = fc.array(anywhere, { minLength: 30, maxLength: 30 });
  fc.assert(
    fc.property(rings, places, (ring, points) => {
      const [locator, holds] = [ringLocator(ring), turfOn([ring])];
      for (const tried of points) {
        const inside = holds(tried);
        // On an edge, either answer will do.
        if (inside === holds(tried, true)) expect(locator(...tried), String(tried)).toBe(inside);
      }
    }),
  );
});

test('a coast line of ten thousand points agrees with another library', () => {
  const coast = ringOf(
    Array.from({ length: 10_000 }, (_, i) => {
      const angle = (2 * Math.PI * i) / 10_000;
      const radius = 1 + 0.3 * Math.sin(7 * angle) + 0.01 * Math.sin(997 * angle);
      return [174 + radius * Math.cos(angle), -37 + radius * Math.sin(angle)];
    }),
  );
  const [locator, holds] = [ringLocator(coast), turfOn([coast])];
  const found = { inside: 0, outside: 0 };
  for (let x = 172.55; x < 175.5; x += 0.07) {
    for (let y = -38.45; y < -35.5; y += 0.07) {
      const inside = holds([x, y]);
      expect(locator(x, y), `${x} ${y}`).toBe(inside);
      found[inside ? 'inside' : 'outside']++;
    }
  }
  expect(found.inside).toBeGreaterThan(500);
  expect(found.outside).toBeGreaterThan(500);
});

test('nothing is inside a ring without height', () => {
  const locator = ringLocator(ringOf(Array.from({ length: 200 }, (_, i) => [i, 5])));
  expect(locator(100, 5)).toBe(false);
  expect(locator(100, 4)).toBe(false);
});
