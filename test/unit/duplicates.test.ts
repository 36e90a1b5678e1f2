import type { Polygon } from '@covermap/geometry/polygon.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DuplicateFinder } from '../../ingest/rows/duplicates.ts';

const number = fc.oneof(fc.constantFrom(0, -0, 1, 2 ** -1074, 174.5), fc.double({ noNaN: true }));
const ring = fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 4 });
const polygons = fc.array(fc.array(ring, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
const feature = fc.tuple(polygons, fc.nat({ max: 2 }));

const toPolygons = (rings: [number, number][][][]): Polygon[] =>
  rings.map((polygon) => polygon.map((one) => Float64Array.from(one.flat())));

/** A text that is equal for equal bytes in equal rings. */
const textOf = (rings: Polygon[], tier: number) =>
  JSON.stringify([rings.map((polygon) => polygon.map((one) => `${new BigInt64Array(one.buffer)}`)), tier]);

test('a feature is seen again where its coordinates, rings and tier are the same, and only there', () => {
  const features = fc.sample(feature, { numRuns: 2_000, seed: 5 });
  const duplicates = new DuplicateFinder();
  const known = new Set<string>();
  const wrong: string[] = [];
  let again = 0;
  for (const [rings, tier] of [...features, ...features.slice(0, 500)]) {
    const one = toPolygons(rings);
    const text = textOf(one, tier);
    if (known.has(text)) again++;
    if (duplicates.add(one, tier) === known.has(text)) wrong.push(text);
    known.add(text);
  }
  expect(wrong).toEqual([]);
  expect(again).toBeGreaterThanOrEqual(500);
  expect(known.size).toBeGreaterThan(1_000);
});

test('outlines that differ in one bit are different', () => {
  const duplicates = new DuplicateFinder();
  const outline = Float64Array.from({ length: 194 }, (_, i) => 1_500_000 + Math.sin(i) * 1000);
  const bits = new Int32Array(outline.buffer);
  expect(duplicates.add([[outline]], 0)).toBe(true);
  const same: [word: number, bit: number][] = [];
  for (let word = 0; word < bits.length; word++) {
    for (let bit = 0; bit < 32; bit++) {
      bits[word] = (bits[word] as number) ^ (1 << bit);
      if (!duplicates.add([[outline]], 0)) same.push([word, bit]);
      bits[word] = (bits[word] as number) ^ (1 << bit);
    }
  }
  expect(same).toEqual([]);
  expect(duplicates.add([[outline]], 0)).toBe(false);
});
