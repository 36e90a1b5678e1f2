import { Random } from '@covermap/testing/random.ts';
import { describe, expect, test } from 'vitest';
import { largestLost, maxLostAreas } from '../../coverage/datasets/lost-areas.ts';
import { lookupChange } from '../../web/operator/lookup-change.ts';
import { boxOfLost, byNearestTown } from '../../web/operator/lost-places.ts';

/* Areas of live coverage that a file would lose: the largest ones, by the nearest towns, and on the map. */

const towns = [
  { name: 'Nelson', lat: -41.27, lng: 173.28 },
  { name: 'Motueka', lat: -41.12, lng: 173.01 },
];
const square = (west: number, south: number, km2: number, size = 0.05) => ({
  ...{ km2, west, south, east: west + size, north: south + size },
});

const random = new Random(1);
const somewhere = (km2: number) => square(166 + 12 * random.next(), -47 + 12 * random.next(), km2);

test('the largest lost areas are kept, the largest first', () => {
  const found = Array.from({ length: 3 * maxLostAreas }, () => ({
    ...somewhere(0),
    m2: 1e6 * random.next(),
  }));
  const kept = largestLost(found).map(({ km2 }) => km2);
  const sizes = found.map(({ m2 }) => Number((m2 / 1e6).toFixed(4))).sort((a, b) => b - a);
  expect(kept).toEqual(sizes.slice(0, maxLostAreas));
});
test('an edge that two programs drew differently is no lost area', () => {
  expect(largestLost([{ ...square(173, -41, 0), m2: 50 }])).toEqual([]);
});

describe('places', () => {
  const areas = [square(173.25, -41.3, 4), square(172.95, -41.15, 7), square(173.3, -41.25, 5)];
  test('areas are told by the town that is nearest, the largest place first', () => {
    expect(byNearestTown(areas, towns)).toEqual([
      { name: 'Nelson', km2: 9, box: [173.21, -41.34, 173.39, -41.16].map((side) => expect.closeTo(side)) },
      { name: 'Motueka', km2: 7, box: [172.93, -41.17, 173.02, -41.08].map((side) => expect.closeTo(side)) },
    ]);
  });
  test('no area is told twice, and none is left out', () => {
    const many = Array.from({ length: 500 }, () => somewhere(1));
    const sum = byNearestTown(many, towns).reduce((all, { km2 }) => all + km2, 0);
    expect(sum).toBe(500);
  });
  test('without towns, the positions', () => {
    expect(byNearestTown(areas.slice(0, 1), [])).toMatchObject([{ name: '-41.27, 173.28', km2: 4 }]);
  });
  test('the map shows what is lost, and not a sliver at the other end', () => {
    expect(boxOfLost([square(178, -38, 0.02), square(173, -41, 200)])).toEqual(
      [172.98, -41.02, 173.07, -40.93].map((side) => expect.closeTo(side)),
    );
    expect(boxOfLost([])).toBeUndefined();
  });
});

describe('what lookups lose', () => {
  const change = {
    ...{ compared_with: 1, current: true, gained_km2: 3, lost_km2: 10, unchanged_km2: 90 },
    ...{ still_covered_km2: 4, downgraded_km2: 20 },
  };
  test('is what no scope covers any more, and what is no longer available', () => {
    expect(lookupChange({ change, replaces: 1, area_km2: 93 })).toEqual({
      ...{ gained: 3, lost: 26, unchanged: 70, uncovered: 6, downgraded: 20, elsewhere: 4, live: 100 },
    });
  });
  test('a first version gains all; where the change is not known, nothing is told', () => {
    const first = { change: null, replaces: null, area_km2: 93 };
    expect(lookupChange(first)).toMatchObject({ gained: 93, lost: 0 });
    expect(lookupChange({ change: null, replaces: 1, area_km2: 93 })).toBeUndefined();
  });
});
