import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divide } from '../../core/coverage/datasets/cells.ts';

/* The squares that versions are compared in, one by one. */

const largest = 1 / 4;
const finest = 1 / 32;
const counted = fc.array(
  fc.record({
    x: fc.integer({ min: 5_300, max: 5_700 }),
    y: fc.integer({ min: -1_500, max: -1_100 }),
    areas: fc.integer({ min: 1, max: 30 }),
    differs: fc.boolean(),
    reach: fc.double({ min: 0, max: 0.5, noNaN: true }),
  }),
  { minLength: 1, maxLength: 60 },
);
/** The counts, each with the box around those of its areas that differ. */
const boxed = counted.map((all) =>
  all.map(({ x, y, areas, reach, differs }) => {
    if (!differs) return { x, y, areas, xmin: null, ymin: null, xmax: null, ymax: null };
    return {
      ...{ x, y, areas, xmin: x * finest - reach, ymin: y * finest - reach },
      ...{ xmax: (x + 1) * finest + reach, ymax: (y + 1) * finest + reach },
    };
  }),
);

test('cells cover the ground that differs and no other, do not overlap, and are divided only where they hold too much', () => {
  fc.assert(
    fc.property(boxed, (all) => {
      const cells = divide(all, 40);
      const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
      const differing = all.flatMap(({ xmin, ymin, xmax, ymax }) =>
        xmin === null ? [] : [{ xmin, ymin, xmax, ymax }],
      );
      for (const { west, south, side, areas } of cells) {
        const within = all.filter(
          ({ x, y }) =>
            Math.floor((x * finest) / side) * side === west &&
            Math.floor((y * finest) / side) * side === south,
        );
        expect(areas).toBe(sum(within.map((one) => one.areas)));
        const [left, bottom] = [west, south].map((edge) => Math.floor(edge / largest) * largest) as [
          number,
          number,
        ];
        const reached = differing.some(
          ({ xmin, ymin, xmax, ymax }) =>
            xmin < left + largest && xmax >= left && ymin < bottom + largest && ymax >= bottom,
        );
        expect(reached).toBe(true);
      }
      // Every corner and middle of what differs lies in one cell.
      for (const { xmin, ymin, xmax, ymax } of differing) {
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
      // A cell was only divided where it held too much.
      for (const { west, south, side } of cells.filter((cell) => cell.side < largest)) {
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
