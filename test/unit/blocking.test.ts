import { expect, test } from 'vitest';
import { blockingOf } from '../../core/coverage/datasets/blocking.ts';

const lossOf = (lost_km2: number, unchanged_km2: number, lostPercent: number) =>
  blockingOf(
    {
      change: [
        {
          technology: 'fibre',
          ...{ gained_km2: 0, lost_km2, unchanged_km2, still_covered_km2: 0, downgraded_km2: 0 },
        },
      ],
      warnings: [],
    },
    { lostPercent, warnings: [] },
  ).map(({ code }) => code);

test('a loss blocks where it is more than the percentage', () => {
  expect(lossOf(20, 80, 20)).toEqual([]);
  expect(lossOf(21, 79, 20)).toEqual(['area_lost']);
});
test('with 100 %, nothing that is lost blocks, whatever the numbers', () => {
  // 100 * 343.729 / 343.729 is more than 100.
  const blocked = [];
  for (let metres = 29; metres < 1_000_000; metres += 100)
    if (lossOf(metres / 1000, 0, 100).length > 0) blocked.push(metres);
  expect(blocked).toEqual([]);
});
