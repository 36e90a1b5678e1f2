import { pairsOf, regularRing, turfOn } from '@covermap/testing/shapes.ts';
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { type Geos, startGeos } from '../geos.ts';
import { type Area, type Difference, differenceWithin } from '../overlay.ts';
import type { Box, Polygon } from '../polygon.ts';

/* Overlays of areas agree with each area at single positions. */

let geos: Geos;
beforeAll(async () => {
  geos = await startGeos(256 * 1024 * 1024);
});

const box: Box = [175, -39, 175.25, -38.75];

type Disc = Record<'lng' | 'lat' | 'radius' | 'corners', number> &
  Omit<Area, 'polygon'> & { hasHole: boolean };
const within = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const discs = (...sides: Area['side'][]) =>
  fc.array(
    fc.record<Disc>({
      ...{ lng: within(174.95, 175.3), lat: within(-39.05, -38.7), radius: within(0.005, 0.1) },
      ...{ corners: fc.integer({ min: 3, max: 30 }), hasHole: fc.boolean() },
      ...{ side: fc.constantFrom(...sides), isAvailable: fc.boolean() },
    }),
    { maxLength: 60 },
  );
function polygonOf({ lng, lat, radius, corners, hasHole }: Disc): Polygon {
  return [radius, ...(hasHole ? [radius / 3] : [])].map((size) => regularRing(lng, lat, size, corners));
}

function areaOf(disc: Disc): Area {
  return { polygon: polygonOf(disc), side: disc.side, isAvailable: disc.isAvailable };
}

type Position = [lng: number, lat: number];
const isIn = (position: Position, polygons: readonly Polygon[]) =>
  polygons.some((polygon) => turfOn(polygon)(position));
const edgesExcluded = { noNaN: true, minExcluded: true, maxExcluded: true };
const positions = fc.array(
  fc.tuple(
    fc.double({ min: 175, max: 175.25, ...edgesExcluded }),
    fc.double({ min: -39, max: -38.75, ...edgesExcluded }),
  ),
  { minLength: 100, maxLength: 100 },
);

test('each position is gained, lost, still covered or downgraded as lookups would answer there', () => {
  fc.assert(
    fc.property(discs('came', 'went', 'stays', 'beside'), positions, (given, asked) => {
      const found = differenceWithin(geos, box, given.map(areaOf));
      for (const position of asked) {
        const at = given.filter((disc) => isIn(position, [polygonOf(disc)]));
        const has = (...sides: Area['side'][]) => at.some(({ side }) => sides.includes(side));
        const hasAvailable = (...sides: Area['side'][]) =>
          at.some(({ side, isAvailable }) => isAvailable && sides.includes(side));
        const lost = has('went') && !has('came', 'stays');
        const kept = hasAvailable('went') ? hasAvailable('beside') : has('beside');
        const expected: Record<keyof Difference, boolean> = {
          gained: has('came') && !has('went', 'stays'),
          lost,
          stillCovered: lost && kept,
          uncovered: lost && !kept,
          downgraded: hasAvailable('went') && !lost && !hasAvailable('came', 'stays', 'beside'),
        };
        const is = Object.fromEntries(
          Object.entries(found).map(([part, polygons]) => [part, isIn(position, polygons)]),
        );
        expect(is).toEqual(expected);
      }
    }),
    { numRuns: 50 },
  );
});

test('quarters that one long edge passes are not taken for covered or free', () => {
  const triangle = { lng: 175.1, lat: -38.87, radius: 0.1, corners: 3, hasHole: false, isAvailable: true };
  // So many that the ground is divided.
  const given = Array.from(
    { length: 60 },
    (_, i): Disc => ({ ...triangle, lng: triangle.lng + i * 1e-3, side: 'came' }),
  );
  const { gained } = differenceWithin(geos, box, given.map(areaOf));
  for (let row = 0.5; row < 40; row++) {
    for (let column = 0.5; column < 40; column++) {
      const position: Position = [box[0] + column / 160, box[1] + row / 160];
      expect(isIn(position, gained), String(position)).toBe(
        given.some((one) => isIn(position, [polygonOf(one)])),
      );
    }
  }
});

test('nothing reaches beyond the box', () => {
  fc.assert(
    fc.property(discs('came', 'went'), (given) => {
      const rings = Object.values(differenceWithin(geos, box, given.map(areaOf))).flat(2) as Float64Array[];
      for (const [lng, lat] of rings.flatMap(pairsOf))
        expect(lng >= box[0] && lng <= box[2] && lat >= box[1] && lat <= box[3]).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test.each([
  // GEOS gets each area at most once for each of the 64 parts after three divisions into quarters.
  ['outlines that lie upon one another are not divided for ever', 0.1, 1e-9, 64 * 100 - 1],
  ['ground that one area of each version covers is not handed to GEOS', 0.3, 1e-4, 0],
])('%s', (_, radius, apart, maxReads) => {
  const disc = { lat: -38.88, radius, corners: 96, hasHole: false, isAvailable: true };
  const areas = Array.from({ length: 100 }, (_, i) =>
    areaOf({ ...disc, lng: 175.12 + i * apart, side: i % 2 ? 'came' : 'went' }),
  );
  const read = vi.spyOn(geos, 'read');
  const difference = differenceWithin(geos, box, areas);
  if (maxReads === 0) expect(Object.values(difference).flat()).toEqual([]);
  expect(read.mock.calls.length).toBeLessThanOrEqual(maxReads);
  read.mockRestore();
});
