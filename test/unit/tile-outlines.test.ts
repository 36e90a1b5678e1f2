import { countCorners, type OutlineRing, outline } from '@covermap/geometry/outline.ts';
import { signedArea } from '@covermap/geometry/polygon.ts';
import { positionIn, tileBox } from '@covermap/geometry/tile.ts';
import { wkbOf } from '@covermap/geometry/wkb.ts';
import { Random } from '@covermap/testing/random.ts';
import { hole, rectangle, turfOn } from '@covermap/testing/shapes.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeTile } from '../../coverage/tiles/encode.ts';
import { closeGaps, emptyGrid, enlarge, gridSide, shrinkInto } from '../../coverage/tiles/grid.ts';
import { encodeOverviews } from '../../coverage/tiles/overview.ts';
import { classAvailable, classStarts, speedClassOf } from '../../coverage/tiles/speed-classes.ts';
import { speedSteps } from '../../web/shared/map/speed-steps.ts';
import { decodeTile } from '../setup/vector-tile.ts';

/* Pixels to polygons and back: what the map shows from afar. */

const width = 12;
const cellsOfGrid = fc
  .array(fc.integer({ min: 0, max: 2 }), { minLength: width * width, maxLength: width * width })
  .map((values) => Uint8Array.from(values));

/** Positive where it goes round clockwise as seen, y being downwards. */
const area = (ring: OutlineRing) => signedArea(Float64Array.from(ring.flat()));

test('the outlines of cells hold the middles of the cells of their value alone, in closed rings, the first clockwise and the others the other way', () => {
  fc.assert(
    fc.property(cellsOfGrid, (cells) => {
      const shapes = outline(cells, width);
      const holders = [...shapes].flatMap(([value, all]) =>
        all.map((rings) => ({ value, holds: turfOn(rings.map((ring) => Float64Array.from(ring.flat()))) })),
      );
      for (const [at, value] of cells.entries()) {
        const middle = [2 * (at % width) + 1, 2 * Math.floor(at / width) + 1];
        const holding = holders.filter(({ holds }) => holds(middle)).map((one) => one.value);
        if (String(holding) !== (value === 0 ? '' : String(value)))
          throw new Error(`${value} at ${middle} is in ${holding}`);
      }
      for (const rings of [...shapes.values()].flat()) {
        for (const [i, ring] of rings.entries()) {
          expect(ring[0]).toEqual(ring.at(-1));
          expect(area(ring) > 0).toBe(i === 0);
          // No two points are in one place.
          expect(new Set(ring.map(String)).size).toBe(ring.length - 1);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('the outlines of one cell are a square, and straight edges have no points between their ends', () => {
  const square = [[2, 2], [4, 2], [4, 4], [2, 4], [2, 2]]; // biome-ignore format: points
  expect(outline(Uint8Array.from([0, 0, 0, 0, 5, 0, 0, 0, 0]), 3)).toEqual(new Map([[5, [[square]]]]));
  const [rings] = outline(new Uint8Array(100).fill(1), 10).get(1) as OutlineRing[][];
  expect(rings?.[0]?.length).toBeLessThanOrEqual(10);
  // Stairs of single cells are one slope.
  const stairs = Uint8Array.from({ length: 100 }, (_, at) => Number(at % 10 <= Math.floor(at / 10)));
  expect(outline(stairs, 10).get(1)?.[0]?.[0]?.length).toBeLessThanOrEqual(12);
  expect(countCorners(new Uint8Array(100).fill(1), 10)).toBe(0);
});

test('in the grid of the tile above, a cell has the best of the four that it stands for', () => {
  const [child, parent] = [emptyGrid(), emptyGrid()];
  child.set([2, 7]);
  shrinkInto(parent, child, 1, 0);
  expect(parent[gridSide / 2]).toBe(7);
  expect(parent.reduce((sum, value) => sum + value, 0)).toBe(7);
});

test('in the grid of a tile below, what is enlarged is that part of the grid', () => {
  const grid = emptyGrid();
  grid[(gridSide / 4) * gridSide + gridSide / 2] = 9;
  const larger = enlarge(grid, 2, 2, 1);
  expect(larger.filter((value) => value === 9)).toHaveLength(16);
  expect([larger[0], larger[3 * gridSide + 3], larger[4 * gridSide]]).toEqual([9, 9, 0]);
  expect(enlarge(grid, 2, 1, 1).every((value) => value === 0)).toBe(true);
});

test('what is available shows before what is not yet, then what is faster', () => {
  const speeds = { planned: [5, 2000], underway: [29.9], available: [29.9, 30, 100, 999, 1000] };
  const values = Object.entries(speeds).flatMap(([availability, all]) =>
    all.map((bandwidthMax) => speedClassOf({ availability: availability as 'planned', bandwidthMax })),
  );
  expect(values).toEqual([1, 5, 6, 11, 12, 13, 14, 15]);
  expect(values.map(classAvailable)).toEqual([0, 0, 0, 1, 2, 3, 4, 5]);
});

test('a gap of one cell in an area is closed; what is larger, or an edge, stays', () => {
  const grid = emptyGrid();
  for (let row = 10; row < 20; row++) grid.fill(3, row * gridSide + 10, row * gridSide + 20);
  const [alone, slower, wide] = [12 * gridSide + 12, 14 * gridSide + 14, 17 * gridSide + 16];
  grid[alone] = 0;
  grid[slower] = 1;
  grid.fill(0, wide, wide + 2);
  // Two cells of a gap, one above the other, each with a lower neighbour.
  const tall = 15 * gridSide + 12;
  for (const cell of [tall, tall + gridSide]) grid[cell] = 0;
  const edges = grid.slice();
  closeGaps(grid);
  expect([grid[alone], grid[slower], grid[wide], grid[wide + 1]]).toEqual([3, 3, 0, 0]);
  edges[alone] = 3;
  edges[slower] = 3;
  expect(Buffer.compare(grid, edges)).toBe(0);
});

test.each([
  ['clockwise', rectangle],
  ['counter-clockwise', hole],
])('rings drawn %s are on a tile as it asks for, and those without an area are not', (_, made) => {
  const tile = { z: 0, x: 0, y: 0 };
  const ring = (half: number) => Float64Array.from(made(-half, -half, half, half).flat());
  const drawn = (wkb: Uint8Array) =>
    encodeTile('coverage', tile, [{ properties: { id: 'a', speed: null }, wkb, cells: null }]);
  const bytes = drawn(wkbOf([[ring(50), ring(0.01), ring(20)]])) as Uint8Array;
  const [feature] = decodeTile(bytes, 'coverage', tile);
  expect(feature?.properties).toEqual({ id: 'a' });
  expect(feature?.rings.map((one) => area(one.map(({ x, y }) => [x, y])) > 0)).toEqual([true, false]);
  expect(drawn(wkbOf([[ring(0.01), ring(20)]]))).toBeUndefined();
});

test('the box of a tile goes 64 units beyond its edges', () => {
  const tile = { z: 7, x: 126, y: 79 };
  const { west, south, east, north } = tileBox(tile);
  const place = positionIn(tile);
  expect([place(west, north), place(east, south)]).toEqual([
    [-64, -64],
    [4160, 4160],
  ]);
});

test('the classes of the tiles are those of the legend', () => {
  expect(speedSteps).toEqual(classStarts);
});

test('however ragged coverage is, and however many providers there are, a tile from afar stays small', () => {
  const random = new Random(1);
  const ragged = () => emptyGrid().map(() => random.below(16));
  const overviews = [1, 2, 3].map((key) => ({ key, cells: ragged() }));
  const bytes = encodeOverviews('coverage', overviews, (id, value) => ({ provider: `${id}`, value }));
  expect(bytes?.length).toBeGreaterThan(1000);
  expect(bytes?.length).toBeLessThanOrEqual(120_000);
});
