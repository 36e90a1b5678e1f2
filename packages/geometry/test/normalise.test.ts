import { pairsOf, rectangle, regularRing } from '@covermap/testing/shapes.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutIntoPieces } from '../cut.ts';
import { GeosError, startGeos } from '../geos.ts';
import { normalise } from '../normalise.ts';
import type { Box, Polygon } from '../polygon.ts';
import { measure } from '../spheroid-area.ts';

/* Features in degrees are repaired, clipped or dropped. */

const geos = await startGeos(512 * 1024 * 1024);
const area: Box = [166, -48, 180, -34];
const box = (...corners: [number, number, number, number]): Polygon => [
  Float64Array.from(rectangle(...corners).flat()),
];
const made = (...polygons: Polygon[]) => normalise(geos, polygons, area, 120);
const sum = (polygons: readonly Polygon[]) => polygons.reduce((all, one) => all + measure(one).area, 0);
const turned = ([ring = new Float64Array()]: Polygon): Polygon => [
  Float64Array.from(pairsOf(ring).reverse().flat()),
];
const bowTie = (): Polygon => [Float64Array.of(173, -41, 173.1, -40.9, 173.1, -41, 173, -40.9, 173, -41)];

test.each([
  ['nowhere on earth', [box(500, 10, 501, 11)], 'not_on_earth'],
  ['elsewhere', [box(10, 10, 11, 11)], 'outside_service_area'],
  ['east of 180', [box(180, -41, 181, -40)], 'outside_service_area'],
  ['east of -180', [box(-180, -41, -179, -40)], 'outside_service_area'],
  ['narrower than a centimetre', [box(174, -41, 174 + 1e-9, -40.9)], 'sliver'],
  ['without an area', [[Float64Array.of(174, -41, 175, -40, 174, -41, 174, -41)]], 'no_area'],
])('what is %s is dropped', (_, polygons, reason) => {
  expect(made(...polygons)).toMatchObject({ dropped: reason, pieces: [], crossing: false });
});

test('of several areas the slivers alone are dropped', () => {
  const [sliver] = box(176, -41, 176 + 1e-9, -40.9);
  const found = made(box(174, -41, 175, -40), [sliver as Float64Array]);
  expect(found).toMatchObject({ hadSlivers: true, pieces: [{}] });
  expect(found.dropped).toBeUndefined();
});

test('what crosses itself is repaired, and GEOS says why and where', () => {
  const { flaw, pieces, clipped } = made(bowTie());
  expect(flaw?.reason).toBe('Self-intersection');
  expect(flaw?.position.map((value) => Math.round(value * 1e6) / 1e6)).toEqual([173.05, -40.95]);
  expect(pieces).toHaveLength(2);
  expect(clipped).toBe(false);
  expect(() => geos.read(Uint8Array.of(1))).toThrow(/ParseException/);
});

test('a hole outside its outer ring is dropped, and no other', () => {
  const outer = box(174, -41, 175, -40);
  const within = box(174.2, -40.8, 174.4, -40.6);
  const areaOf = (holes: Polygon) => {
    const { hadStrayHoles, pieces } = made([...outer, ...holes]);
    return [hadStrayHoles, Number(sum(pieces.map(({ polygon }) => polygon)).toFixed(9))];
  };
  expect(areaOf([...within, ...turned(box(176, -41, 177, -40))])).toEqual([true, 0.96]);
  const flat = Float64Array.of(174.5, -40.5, 174.6, -40.5, 174.5, -40.5);
  expect(areaOf([...within, flat])).toEqual([false, 0.96]);
  // It crosses the outer ring.
  expect(areaOf(box(174.5, -41.5, 174.6, -40.5))).toEqual([false, 0.95]);
});

test.each<[string, Polygon[], area: number, lost: number, further: boolean]>([
  ['beside it and runs as it does is an area', [box(176, -41, 177, -40)], 2, 0, true],
  ['beside it and runs the other way is dropped', [turned(box(176, -41, 177, -40))], 1, 1, false],
  [
    'in such an area and runs the other way is its hole',
    [box(176, -41, 177, -40), turned(box(176.2, -40.8, 176.4, -40.6))],
    1.96,
    0,
    true,
  ],
  [
    'in a hole and runs as the outer one is an area',
    [turned(box(174.2, -40.8, 174.8, -40.2)), box(174.4, -40.6, 174.6, -40.4)],
    0.68,
    0,
    true,
  ],
  [
    'in a hole, where all run one way, may be an area',
    [box(174.2, -40.8, 174.8, -40.2), box(174.4, -40.6, 174.6, -40.4)],
    0.64,
    0.04,
    false,
  ],
  ['where the first does, is that', [box(174, -41, 175, -40)], 1, 0, false],
  ['there and runs the other way is that, too', [turned(box(174, -41, 175, -40))], 1, 0, false],
  [
    'where another hole does is that one',
    [box(174.4, -40.6, 174.6, -40.4), box(174.4, -40.6, 174.6, -40.4)],
    0.96,
    0,
    false,
  ],
])('a further ring that lies %s', (_, further, expected, lost, isFurther) => {
  const { pieces, lostM2, validM2, hadFurtherAreas } = made([...box(174, -41, 175, -40), ...further.flat()]);
  expect(sum(pieces.map(({ polygon }) => polygon))).toBeCloseTo(expected, 9);
  expect(hadFurtherAreas).toBe(isFurther);
  // Squares of a degree differ by a few hundredths, as they lie north or south.
  expect(lostM2 / validM2).toBeCloseTo(lost / expected, 2);
});

test('parts that overlap are covered once', () => {
  const { pieces } = made(box(175, -41, 175.2, -40.9), box(175.1, -41, 175.3, -40.9));
  expect(sum(pieces.map(({ polygon }) => polygon))).toBeCloseTo(0.03, 9);
});

test('what reaches out of the service area is clipped, and what is outside is measured', () => {
  const { pieces, clipped, outsideM2, middle } = made(box(165, -41, 167, -40));
  expect([clipped, middle]).toEqual([true, [166, -40.5]]);
  expect(sum(pieces.map(({ polygon }) => polygon))).toBeCloseTo(1, 9);
  expect(outsideM2 / (pieces[0]?.areaM2 ?? 0)).toBeCloseTo(1, 6);
});

test.each([
  ['counted on past 180', box(179, -40, 181, -39), true],
  ['jumping from 180 to -180', [Float64Array.of(179, -40, 179, -39, -179, -39, -179, -40, 179, -40)], true],
  ['counted back past -180', box(-181, -40, -179, -39), true],
  ['counted up to 180', box(179, -40, 180, -39), false],
  ['counted up to -180', box(-181, -40, -180, -39), false],
] as [string, Polygon, boolean][])('longitudes %s end at 180', (_, polygon, crossing) => {
  const found = made(polygon);
  expect(found.crossing).toBe(crossing);
  expect(sum(found.pieces.map((one) => one.polygon))).toBeCloseTo(1, 9);
  expect(found.clipped).toBe(crossing);
});

describe('large areas are cut into small pieces that cover the same', () => {
  const cells = Array.from({ length: 32 * 32 }, (_, i): [number, number] => [i % 32, Math.floor(i / 32)]);

  const filled = cells.filter(([x, y]) => (x * 7 + y * 13 + x * y) % 5 > 1);
  const circles = Array.from(
    { length: 144 },
    (_, i): Polygon => [
      regularRing((i % 12) * 3 + ((i / 12) % 5), Math.floor(i / 12) * 2.5, 1 + (i % 3), 32),
    ],
  );
  const holes = cells.flatMap(([x, y]) => box(3 * x, 3 * y, 3 * x + 1 + (x % 2), 3 * y + 1));
  test.each<[string, Polygon[]]>([
    // With round coordinates cuts could run along outlines; and these outlines touch at corners.
    ['cells', geos.union(filled.map(([x, y]) => box(x, y, x + 1, y + 1)))],
    ['circles', geos.union(circles)],
    ['holes', [[...box(-1, -1, 97, 97), ...holes]]],
    ['a star', [[regularRing(0, 0, 1, 50_000)]]],
  ])('%s', (_, polygons) => {
    for (const polygon of polygons) {
      const pieces = cutIntoPieces(geos, polygon, 120);
      expect(Math.abs(sum(pieces) / sum([polygon]) - 1)).toBeLessThan(1e-9);
      expect(Math.abs(sum(geos.union(pieces)) / sum([polygon]) - 1)).toBeLessThan(1e-9);
      for (const piece of pieces) {
        expect(piece.reduce((count, { length }) => count + length / 2, 0)).toBeLessThanOrEqual(120);
        expect(geos.flawOf([piece])).toBeUndefined();
      }
    }
  });

  test('of any outline, the same at any time', () => {
    const corner = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 }));
    fc.assert(
      fc.property(fc.array(corner, { minLength: 3, maxLength: 60 }), (corners) => {
        const outline = Float64Array.from([...corners, corners[0] as [number, number]].flat());
        for (const polygon of geos.madeValid([[outline]])) {
          const pieces = cutIntoPieces(geos, polygon, 12);
          expect(Math.abs(sum(pieces) / sum([polygon]) - 1)).toBeLessThan(1e-8);
          for (const piece of pieces) expect(geos.flawOf([piece])).toBeUndefined();
          expect(cutIntoPieces(geos, polygon, 12)).toEqual(pieces);
        }
      }),
      { numRuns: 100 },
    );
  });
});

test('GEOS has no more memory than it is given, and goes on after that', async () => {
  const ring = regularRing(174, -41, 1, 1_000_000);
  // The last test, as it is for the whole thread.
  const limited = await startGeos(24 * 1024 * 1024);
  expect(() => limited.madeValid([[ring]])).toThrow(GeosError);
  expect(limited.flawOf([bowTie()])?.reason).toBe('Self-intersection');
});
