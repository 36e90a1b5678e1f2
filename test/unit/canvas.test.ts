import { heightAt, latitudeAt } from '@covermap/geometry/tile.ts';
import { wkbOf } from '@covermap/geometry/wkb.ts';
import { hole, pairsOf, rectangle } from '@covermap/testing/shapes.ts';
import type { Point } from '@covermap/testing/write-shapefile.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Canvas } from '../../coverage/tiles/canvas.ts';
import { emptyGrid, type Grid, gridSide } from '../../coverage/tiles/grid.ts';

/* Shapes drawn onto many tiles at once look the same as on each tile drawn by itself. */

const zoom = 6;
const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** Around a corner of four tiles of New Zealand; a tile is 5.6 degrees wide. */
const place = fc.tuple(degrees(170, 178), degrees(-45, -36));
const shape = fc.record({
  points: fc.array(place, { minLength: 3, maxLength: 12 }),
  hole: fc.boolean(),
  value: fc.integer({ min: 1, max: 5 }),
});

const ringOf = (points: Point[]) => Float64Array.from(points.flat() as number[]);
function ringsOf({ points, hole }: { points: [number, number][]; hole: boolean }): Float64Array[] {
  const [x, y] = points[0] as [number, number];
  const outer = ringOf([...points, [x, y]]);
  return hole ? [outer, Float64Array.of(x, y, x + 0.5, y, x, y + 0.5, x, y)] : [outer];
}

/** Sets the cells whose middle is between the first crossing of their row and the second, the third and the fourth, and so on. */
function fillPolygon(grid: Grid, rings: readonly Float64Array[], value: number): void {
  for (let row = 0; row < gridSide; row++) {
    const y = row + 0.5;
    const crossings = rings.flatMap((ring) =>
      pairsOf(ring).flatMap(([x1, y1], i, all) => {
        const [x2, y2] = all[i + 1] ?? [x1, y1];
        return y1 <= y !== y2 <= y ? [x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)] : [];
      }),
    );
    crossings.sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const [from, to] = [crossings[i] as number, crossings[i + 1] as number];
      for (let column = Math.max(0, Math.ceil(from - 0.5)); column < Math.min(gridSide, to - 0.5); column++) {
        const at = row * gridSide + column;
        grid[at] = Math.max(grid[at] as number, value);
      }
    }
  }
}

test('is the same on every tile, and shows shapes that cover no cell', () => {
  let [cells, others] = [0, 0];
  for (const shapes of fc.sample(fc.array(shape, { minLength: 1, maxLength: 6 }), { numRuns: 5, seed: 4 })) {
    const canvas = new Canvas(zoom, { bitmaps: 0 });
    const drawings = shapes.map((one) => ({ wkb: wkbOf([ringsOf(one)]), value: one.value }));
    for (const one of drawings) canvas.draw(one.wkb, one.value);
    for (const x of [61, 62, 63]) {
      for (const y of [38, 39, 40, 41]) {
        const tile = { z: zoom, x, y };
        const expected = emptyGrid();
        const onGrid = (degrees: number, i: number) =>
          i % 2 === 0
            ? (((degrees + 180) / 360) * 2 ** zoom - x) * gridSide
            : (heightAt(degrees) * 2 ** zoom - y) * gridSide;
        for (const one of shapes) {
          const rings = ringsOf(one).map((ring) => ring.map(onGrid));
          fillPolygon(expected, rings, one.value);
        }
        const drawn = canvas.grid(tile) ?? emptyGrid();
        const alone = new Canvas(zoom, { bitmaps: 0 }, tile);
        for (const one of drawings) alone.draw(one.wkb, one.value);
        expect(Buffer.compare(alone.grid(tile) ?? emptyGrid(), drawn)).toBe(0);
        expect(canvas.reaches(tile)).toBe(canvas.grid(tile) !== undefined);
        for (const [i, cell] of expected.entries()) {
          if (cell > 0 || drawn[i] !== 0) cells++;
          if (cell !== drawn[i]) others++;
        }
      }
    }
  }
  expect(cells).toBeGreaterThan(7_000);
  // Differences: the one cell of a shape that covers none, and a few cells with their middle on an outline.
  expect(others).toBeLessThan(6);
});

test('shows nothing in the middle of a hole', () => {
  const rings = [rectangle(-0.1, -0.1, 0.1, 0.1), hole(-0.05, -0.05, 0.05, 0.05)].map(ringOf);
  const canvas = new Canvas(9, { bitmaps: 0 });
  canvas.draw(wkbOf([rings]), 1);
  const cells = canvas.grid({ x: 256, y: 256 }) as Grid;
  expect([cells[0], cells[3 * gridSide + 3]]).toEqual([0, 0]);
  expect(cells.some((value) => value === 1)).toBe(true);
});

test('a shape that covers the middle of no cell is the cell that it lies in, also beyond the square of Mercator', () => {
  const side = 4 * gridSide;
  const cell = fc.integer({ min: 0, max: side - 1 });
  fc.assert(
    fc.property(cell, fc.integer({ min: -1, max: side }), (column, row) => {
      const lng = ((column + 0.3) / side) * 360 - 180;
      const lat = latitudeAt((row + 0.3) / side);
      const canvas = new Canvas(2, { bitmaps: 0 });
      canvas.draw(wkbOf([[Float64Array.of(lng, lat, lng, lat + 1e-9, lng + 1e-9, lat, lng, lat)]]), 7);
      const found: number[][] = [];
      for (const [x, y] of Array.from({ length: 16 }, (_, i) => [i % 4, i >> 2] as const))
        canvas.grid({ x, y })?.forEach((value, at) => {
          if (value !== 0)
            found.push([x * gridSide + (at % gridSide), y * gridSide + Math.floor(at / gridSide), value]);
        });
      expect(found).toEqual([[column, Math.min(side - 1, Math.max(0, row)), 7]]);
    }),
    { numRuns: 30 },
  );
});

test('canvases share the room for bitmaps, and one for which there is none gives its own back', () => {
  const count = { bitmaps: 2_997 };
  const [one, other] = [new Canvas(9, count), new Canvas(9, count)];
  const wkb = wkbOf([[ringOf(rectangle(0.1, -0.1, 0.3, 0.1))]]);
  one.draw(wkb, 1);
  one.draw(wkb, 1);
  // The square lies on two tiles, one above the other.
  expect(count.bitmaps).toBe(2_999);
  other.draw(wkb, 1);
  expect([one.complete, other.complete, count.bitmaps]).toEqual([true, false, 2_999]);
  other.draw(wkb, 1);
  expect([other.grid({ x: 256, y: 256 }), count.bitmaps]).toEqual([undefined, 2_999]);
});
