import { expect, test } from 'vitest';
import { overlap } from '../bounds.ts';

/* Boxes that overlap, wherever their longitudes begin to count. */

const box = (west: number, east: number, south = -41, north = -40) => ({ west, south, east, north });

test.each([
  [box(174, 175), box(174.5, 176), true],
  [box(174, 175), box(175.5, 176), false],
  [box(174, 175), box(174, 175, -40.5, -39), true],
  [box(174, 175), box(174, 175, -39, -38), false],
  [box(179, 181), box(-179.5, -179), true],
  [box(179, 181), box(-178, -177), false],
  [box(-176, -175), box(184.5, 190), true],
  [box(-176, -175), box(186, 190), false],
])('%j and %j: %s', (one, other, expected) => {
  expect([overlap(one, other), overlap(other, one)]).toEqual([expected, expected]);
});
