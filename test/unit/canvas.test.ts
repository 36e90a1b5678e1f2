import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Canvas } from '../../core/coverage/tiles/canvas.ts';
import { emptyGrid, fillPolygon, gridSide } from '../../core/coverage/tiles/grid.ts';
import { placeInTile } from '../../core/coverage/tiles/tile.ts';
import { wkbSize, writeWkb } from '../../ingest/geometry/wkb.ts';

/* What is drawn shape by shape onto many tiles is what each tile would show that is drawn by itself. */

const zoom = 6;
/** Around a corner of four tiles of New Zealand; a tile is 5.6 degrees wide. */
const place = fc.tuple(
  fc.double({ min: 170, max: 178, noNaN: true }),
  fc.double({ min: -45, max: -36, noNaN: true }),
);
const shape = fc.record({
  points: fc.array(place, { minLength: 3, maxLength: 12 }),
  hole: fc.boolean(),
  value: fc.integer({ min: 1, max: 5 }),
});

function ringsOf({ points, hole }: { points: [number, number][]; hole: boolean }): Float64Array[] {
  const outer = Float64Array.from([...points, points[0] as [number, number]].flat());
  const [x, y] = points[0] as [number, number];
  return hole ? [outer, Float64Array.of(x, y, x + 0.5, y, x, y + 0.5, x, y)] : [outer];
}

test('is the same on every tile, with the middle of each shape', () => {
  let [cells, others] = [0, 0];
  for (const shapes of fc.sample(fc.array(shape, { minLength: 1, maxLength: 6 }), { numRuns: 60, seed: 4 })) {
    const canvas = new Canvas(zoom, { bitmaps: 0 });
    for (const one of shapes) {
      const rings = ringsOf(one);
      const wkb = new Uint8Array(wkbSize([rings]));
      writeWkb([rings], wkb, 0);
      canvas.draw(wkb, one.value);
    }
    for (let x = 61; x <= 63; x++) {
      for (let y = 38; y <= 41; y++) {
        const tile = { z: zoom, x, y };
        const expected = emptyGrid();
        for (const one of shapes) {
          const rings = ringsOf(one);
          for (const ring of rings) placeInTile(tile, ring, gridSide);
          fillPolygon(expected, rings, one.value);
        }
        const drawn = canvas.grid(tile) ?? emptyGrid();
        expect(canvas.reaches(tile)).toBe(canvas.grid(tile) !== undefined);
        for (const [i, cell] of expected.entries()) {
          if (cell > 0 || drawn[i] !== 0) cells++;
          if (cell !== drawn[i]) others++;
        }
      }
    }
  }
  expect(cells).toBeGreaterThan(100_000);
  // The cell at the middle of each shape, and no more than a few whose middle is on an outline.
  expect(others).toBeLessThan(60 * 6 + 20);
});
