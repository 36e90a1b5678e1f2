import { pairsOf, turfOn } from '@covermap/testing/shapes.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Polygon, signedArea } from '../polygon.ts';
import { type PolygonizeOptions, Polygonizer } from '../polygonize.ts';

/* The oracle is Turf's point in polygon, asked at the middle of every pixel. */

type Labelled = { width: number; height: number; labels: Uint8Array };
type Piece = { label: number; polygon: Polygon };

const none = 0;
const corners: PolygonizeOptions['place'] = (x, y, out, at) => {
  out[at] = x;
  out[at + 1] = y;
};

/** One for all images, whatever their sizes. */
const polygonizer = new Polygonizer();

function polygonize(image: Labelled, smoothing = false, place = corners): Piece[] {
  const pieces: Piece[] = [];
  const emit = (label: number, polygon: Polygon) => pieces.push({ label, polygon });
  polygonizer.polygonize({ ...image, none }, { place, smoothing, emit });
  return pieces;
}

/** For the middle of each pixel, the labels of all polygons that hold it. */
function answers(pieces: Piece[], { width, height }: Labelled, at = (x: number, y: number) => [x, y]) {
  const shapes = pieces.map(({ label, polygon }) => ({ label, holds: turfOn(polygon) }));
  return Array.from({ length: width * height }, (_, i) => {
    const middle = at((i % width) + 0.5, Math.floor(i / width) + 0.5);
    return shapes.filter(({ holds }) => holds(middle, true)).map(({ label }) => label);
  });
}

const expected = ({ labels }: Labelled) => [...labels].map((label) => (label === none ? [] : [label]));

function checkRings(pieces: Piece[]): void {
  const broken = pieces.flatMap(({ polygon }) => {
    const [shell, ...holes] = polygon as [Float64Array, ...Float64Array[]];
    const [corners, ...others] = polygon.map((ring) => pairsOf(ring).slice(1).map(String));
    const inShell = turfOn([shell]);
    const direction = Math.sign(signedArea(shell));
    const rules = {
      'more than 96 vertices': polygon.reduce((sum, ring) => sum + ring.length / 2, 0) <= 96,
      open: polygon.every((ring) => String(ring.slice(0, 2)) === String(ring.slice(-2))),
      'a corner twice': [corners, ...others].every((list) => new Set(list).size === list?.length),
      'a hole goes round as its shell': holes.every((hole) => Math.sign(signedArea(hole)) === -direction),
      'a hole touches its shell twice': others.every(
        (hole) => hole.filter((corner) => corners?.includes(corner)).length <= 1,
      ),
      'a hole outside': holes.every((hole) => pairsOf(hole).every((at) => inShell(at))),
    };
    return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]));
  });
  expect(broken).toEqual([]);
}

/** By label, the sum of sizes. */
function sums(sizes: [label: number, size: number][]): number[] {
  const found: number[] = [];
  for (const [label, size] of sizes) found[label] = (found[label] ?? 0) + size;
  return found;
}
const areas = (pieces: Piece[]) =>
  sums(
    pieces.map(({ label, polygon }) => [
      label,
      polygon.reduce((sum, ring, i) => sum + (i === 0 ? 1 : -1) * Math.abs(signedArea(ring)), 0),
    ]),
  );
const counts = ({ labels }: Labelled) =>
  sums([...labels].filter((label) => label !== none).map((label) => [label, 1]));

function paint(width: number, height: number, label: (x: number, y: number) => number): Labelled {
  return {
    width,
    height,
    labels: Uint8Array.from({ length: width * height }, (_, i) => label(i % width, Math.floor(i / width))),
  };
}

function picture(...rows: string[]): Labelled {
  return paint(rows[0]?.length ?? 0, rows.length, (x, y) => Number(rows[y]?.[x]));
}

/** Noise, and patches of noise; few labels make large regions with many holes. */
const images: fc.Arbitrary<Labelled> = fc
  .record({
    width: fc.integer({ min: 1, max: 40 }),
    height: fc.integer({ min: 1, max: 40 }),
    patch: fc.constantFrom(1, 1, 2, 5),
    weights: fc.constantFrom([1, 1], [1, 3], [1, 9], [1, 1, 1, 1], [0, 1, 4]),
    seed: fc.integer({ min: 1, max: 0x7fffffff }),
  })
  .map(({ width, height, patch, weights, seed }) => {
    const bag = weights.flatMap((weight, label) => Array<number>(weight).fill(label));
    return paint(width, height, (x, y) => {
      let hash =
        Math.imul(Math.floor(x / patch) + 1, 374761393) ^
        Math.imul(Math.floor(y / patch) + 1, 668265263) ^
        seed;
      hash = Math.imul(hash ^ (hash >>> 13), 1274126177);
      hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
      return bag[((hash ^ (hash >>> 16)) >>> 0) % bag.length] as number;
    });
  });

const named: [string, Labelled][] = [
  ['one pixel', picture('1')],
  ['nothing', picture('00', '00')],
  ['a ring in a ring in a ring', paint(15, 15, (x, y) => Math.max(Math.abs(x - 7), Math.abs(y - 7)) % 2)],
  ['a checkerboard', paint(12, 9, (x, y) => (x + y) % 2)],
  ['a checkerboard of two labels', paint(12, 9, (x, y) => 1 + ((x + y) % 2))],
  ['a region that touches itself around a hole', picture('1110', '1010', '1101', '0111')],
  ['holes that touch each other and the outside', picture('11111', '10111', '11011', '11101', '11110')],
  ['a comb', paint(80, 20, (x, y) => (y === 0 || x % 2 === 0 ? 1 : 0))],
  ['a sieve', paint(61, 61, (x, y) => (x % 2 === 1 && y % 2 === 1 ? 0 : 3))],
  [
    'a spiral',
    paint(31, 31, (x, y) => {
      const ring = Math.max(Math.abs(x - 15), Math.abs(y - 15));
      return (ring % 2 === 0) !== (x - 15 === -ring && y === 15 - ring + 1) ? 1 : 2;
    }),
  ],
];

function check(image: Labelled): void {
  for (const smoothing of [false, true]) {
    const pieces = polygonize(image, smoothing);
    expect(answers(pieces, image)).toEqual(expected(image));
    checkRings(pieces);
    if (!smoothing) expect(areas(pieces)).toEqual(counts(image));
    // One label gains what another loses: without "none", the sum of all areas stays.
    else if (!image.labels.includes(none))
      expect(areas(pieces).reduce((a, b) => a + b, 0)).toBe(image.width * image.height);
  }
}

const title = 'smooth or not, every middle of a pixel is in one polygon of its label, and rings are simple';
test.each(named)(`${title}: %s`, (_, image) => check(image));
test(`${title}: any image`, () => {
  fc.assert(fc.property(images, check), { seed: 20, numRuns: 60 });
});

test('smoothing makes a diamond of a pixel', () => {
  const [piece] = polygonize(picture('000', '010', '000'), true);
  const corners = pairsOf(piece?.polygon[0] as Float64Array)
    .slice(1)
    .sort();
  expect(corners).toEqual([[1, 1.5], [1.5, 1], [1.5, 2], [2, 1.5]]); // biome-ignore format: points
});

test('a rectangle has its four corners', () => {
  const pieces = polygonize(paint(300, 200, () => 1));
  expect(pieces).toHaveLength(1);
  expect(pairsOf(pieces[0]?.polygon[0] as Float64Array)).toHaveLength(5);
});

test('columns and rows may be of any width', () => {
  const xs = [10, 10.25, 14, 15, 31];
  const ys = [5, 4, 3.5, -2];
  const image = picture('1121', '1022', '2211');
  const pieces = polygonize(image, false, (x, y, out, at) => {
    out[at] = xs[x] as number;
    out[at + 1] = ys[y] as number;
  });
  const middle = (list: number[], i: number) => ((list[i - 0.5] as number) + (list[i + 0.5] as number)) / 2;
  expect(answers(pieces, image, (x, y) => [middle(xs, x), middle(ys, y)])).toEqual(expected(image));
});
