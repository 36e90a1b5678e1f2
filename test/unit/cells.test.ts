import { cornersOf } from '@covermap/geometry/polygon.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divide } from '../../coverage/datasets/cells.ts';

/* The squares that versions are compared in, one by one. */

const largest = 1 / 4;
const finest = 1 / 32;
const max = 40;
const whole = (from: number, to: number) => fc.integer({ min: from, max: to });
/** Counts, each with the box around those of its areas that differ. */
const counted = fc.array(
  fc
    .record({
      ...{ x: whole(5_300, 5_700), y: whole(-1_500, -1_100), areas: whole(1, 30) },
      ...{ differs: fc.boolean(), reach: fc.double({ min: 0, max: 0.5, noNaN: true }) },
    })
    .map(({ x, y, areas, reach, differs }) => {
      if (!differs) return { x, y, areas, xmin: null, ymin: null, xmax: null, ymax: null };
      return {
        ...{ x, y, areas, xmin: x * finest - reach, ymin: y * finest - reach },
        ...{ xmax: (x + 1) * finest + reach, ymax: (y + 1) * finest + reach },
      };
    }),
  { minLength: 1, maxLength: 60 },
);
/** The corner of the square of this side in which a position is. */
const cornerOf = (side: number, ...position: [x: number, y: number]) =>
  position.map((at) => Math.floor(at / side) * side) as [west: number, south: number];

test('cells cover the ground that differs and no other, do not overlap, and are divided only where they hold too much', () => {
  fc.assert(
    fc.property(counted, (all) => {
      const cells = divide(all, max);
      /** The areas in the square of this side around a position. */
      const areasIn = (side: number, west: number, south: number) =>
        all
          .filter(
            ({ x, y }) => `${cornerOf(side, x * finest, y * finest)}` === `${cornerOf(side, west, south)}`,
          )
          .reduce((sum, { areas }) => sum + areas, 0);
      const differing = all.flatMap(({ xmin, ymin, xmax, ymax }) =>
        xmin === null ? [] : [{ xmin, ymin, xmax, ymax }],
      );
      for (const { west, south, side, areas } of cells) {
        expect(areas).toBe(areasIn(side, west, south));
        expect(areas <= max || side === finest).toBe(true);
        // A cell was only divided where it held too much.
        if (side < largest) expect(areasIn(2 * side, west, south)).toBeGreaterThan(max);
        const [left, bottom] = cornerOf(largest, west, south);
        const reached = differing.some(
          ({ xmin, ymin, xmax, ymax }) =>
            xmin < left + largest && xmax >= left && ymin < bottom + largest && ymax >= bottom,
        );
        expect(reached).toBe(true);
      }
      // Every corner and middle of what differs lies in one cell.
      for (const { xmin, ymin, xmax, ymax } of differing) {
        for (const [lng, lat] of [
          ...cornersOf([xmin, ymin, xmax, ymax]),
          [(xmin + xmax) / 2, (ymin + ymax) / 2] as const,
        ]) {
          const within = cells.filter(
            ({ west, south, side }) => west <= lng && lng < west + side && south <= lat && lat < south + side,
          );
          expect(within).toHaveLength(1);
        }
      }
    }),
    { numRuns: 50 },
  );
});
