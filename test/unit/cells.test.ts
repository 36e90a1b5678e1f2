import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divide } from '../../core/coverage/datasets/cells.ts';

/* The squares that versions are compared in, one by one. */

const finest = 1 / 64;
const counted = fc.array(
  fc.record({
    x: fc.integer({ min: 10_600, max: 11_400 }),
    y: fc.integer({ min: -3_000, max: -2_200 }),
    areas: fc.integer({ min: 1, max: 30 }),
    reach: fc.double({ min: 0, max: 0.5, noNaN: true }),
  }),
  { minLength: 1, maxLength: 60 },
);
/** What was counted, with the box around its areas. */
const boxed = counted.map((all) =>
  all.map(({ x, y, areas, reach }) => ({
    ...{ x, y, areas, xmin: x * finest - reach, ymin: y * finest - reach },
    ...{ xmax: (x + 1) * finest + reach, ymax: (y + 1) * finest + reach },
  })),
);

test('cells hold every area once, cover the ground of all, do not overlap, and are divided only where they hold too much', () => {
  fc.assert(
    fc.property(boxed, (all) => {
      const cells = divide(all, 40);
      const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
      expect(sum(cells.map(({ areas }) => areas))).toBe(sum(all.map(({ areas }) => areas)));
      // Every corner and middle of what is counted lies in one cell.
      for (const { xmin, ymin, xmax, ymax } of all) {
        for (const [lng, lat] of [
          [xmin, ymin],
          [xmax, ymax],
          [xmin, ymax],
          [(xmin + xmax) / 2, (ymin + ymax) / 2],
        ] as const) {
          const within = cells.filter(
            ({ west, south, side }) => west <= lng && lng < west + side && south <= lat && lat < south + side,
          );
          expect(within).toHaveLength(1);
        }
      }
      for (const { side, areas } of cells) expect(areas <= 40 || side === finest).toBe(true);
      // A cell is not one of four for nothing: with its parent it would hold too much.
      for (const { west, south, side } of cells.filter((cell) => cell.side < 0.25)) {
        const [left, bottom] = [west, south].map((edge) => Math.floor(edge / (2 * side)) * 2 * side) as [
          number,
          number,
        ];
        const inParent = all.filter(
          ({ x, y }) =>
            Math.floor((x * finest) / (2 * side)) * 2 * side === left &&
            Math.floor((y * finest) / (2 * side)) * 2 * side === bottom,
        );
        expect(sum(inParent.map(({ areas }) => areas))).toBeGreaterThan(40);
      }
    }),
    { numRuns: 50 },
  );
});
