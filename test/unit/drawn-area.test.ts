import { expect, test } from 'vitest';
import { areaCovers, areaOf, type DrawnArea, drawnArea } from '../../coverage/drawn-area.ts';
import type { CovermapError } from '../../platform/errors.ts';
import { cornersOf } from '../../web/shared/map/corners.ts';

/* Areas that people draw: what is one, and which places it has. */

const serviceArea = { west: 166, south: -48, east: 179, north: -34 };
const codeOf = (drawn: DrawnArea) => {
  try {
    areaOf(drawn, serviceArea);
    return 'an area';
  } catch (error) {
    return (error as CovermapError).code;
  }
};
const square: [number, number][] = [
  [174, -37],
  [175, -37],
  [175, -36],
  [174, -36],
];

test('a circle has the area of its radius, and the places within it', () => {
  const { km2, ...area } = areaOf({ circle: { lat: -41, lng: 175, radius_m: 1_000 } }, serviceArea);
  expect(km2).toBeCloseTo(Math.PI, 1);
  const metres = 1 / 111_053;
  expect(areaCovers(area, 175, -41 + 995 * metres)).toBe(true);
  expect(areaCovers(area, 175, -41 + 1_005 * metres)).toBe(false);
});

test('a polygon has its boundary, corners and that of its holes, but not what is in them', () => {
  const hole = square.map(([lng, lat]): [number, number] => [
    174.5 + (lng - 174.5) / 2,
    -36.5 + (lat + 36.5) / 2,
  ]);
  const area = areaOf({ polygon: [square, hole] }, serviceArea);
  const places: [number, number, boolean][] = [
    [174, -36.5, true],
    [174, -37, true],
    [174.1, -36.5, true],
    [174.25, -36.5, true],
    [174.3, -36.5, false],
    [173.999, -36.5, false],
  ];
  for (const [lng, lat, isIn] of places) expect(areaCovers(area, lng, lat), `${lng} ${lat}`).toBe(isIn);
});

test.each([
  ['closed as in GeoJSON', [...square, square[0]], 'an area'],
  ['a corner twice', [square[0], ...square], 'an area'],
  ['crossing itself', [square[0], square[2], square[1], square[3]], 'area_invalid'],
  ['without an area', [square[0], square[1], square[0]], 'area_invalid'],
  [
    'elsewhere',
    [
      [10, 50],
      [11, 50],
      [11, 51],
    ],
    'area_invalid',
  ],
] as [string, [number, number][], string][])('a polygon %s', (_, ring, outcome) => {
  expect(codeOf({ polygon: [ring] })).toBe(outcome);
});

test('larger circles and more corners than anybody draws are not read', () => {
  const refused = [
    { circle: { lat: -41, lng: 175, radius_m: 100_001 } },
    { polygon: [Array.from({ length: 251 }, (_, i) => [174 + i / 1_000, -41])] },
    { polygon: [square.slice(0, 2)] },
    { polygon: [[[174, Number.NaN], ...square]] },
    {},
  ];
  for (const one of refused) expect(drawnArea.safeParse(one).success, JSON.stringify(one)).toBe(false);
});

test('a polygon has as many corners as it shows, closed or not', () => {
  const open = [
    [174.7, -36.9],
    [174.8, -36.9],
    [174.8, -36.8],
  ];
  expect([cornersOf(open), cornersOf([...open, [174.7, -36.9]]), cornersOf([])]).toEqual([3, 3, 0]);
});
