import { expect, test } from 'vitest';
import { blockingOf, type Candidate, judge } from '../../coverage/datasets/blocking.ts';

const lossOf = (lost_km2: number, unchanged_km2: number, lostPercent: number) => {
  const others = { technology: 'fibre', gained_km2: 0, still_covered_km2: 0, downgraded_km2: 0 };
  const found = { change: [{ ...others, lost_km2, unchanged_km2 }], warnings: [] };
  return blockingOf(found, { lostPercent, warnings: [] });
};

test('with 100 %, nothing that is lost blocks, whatever the numbers', () => {
  // 100 * 343.729 / 343.729 is more than 100.
  const blocked = [];
  for (let metres = 29; metres < 1_000_000; metres += 100)
    if (lossOf(metres / 1000, 0, 100).length > 0) blocked.push(metres);
  expect(blocked).toEqual([]);
});

const same = { gained_km2: 5, lost_km2: 0, unchanged_km2: 100, still_covered_km2: 0, downgraded_km2: 0 };
const candidate = (change: object | null = {}, more: Partial<Candidate> = {}): Candidate => ({
  ...{ id: 1, technology: 'Fibre', scope: '', is_compared: true, compared_with: 7, excluded_km2: null },
  ...{ premises_state: 'none' as const, premises_change: null },
  ...{ change: change && { ...same, ...change }, ...more },
});
const rules = { lostPercent: 5, warnings: ['speeds_absent'] };
const messagesOf = (change: object, scope = '') =>
  judge([candidate(change, { scope })], [], rules).blocking.map(({ message }) => message);

test('what is lost is the ground without coverage, and the ground that is no longer available', () => {
  expect(messagesOf({ lost_km2: 6, unchanged_km2: 94, still_covered_km2: 1 })).toEqual([]);
  expect(messagesOf({ lost_km2: 0, unchanged_km2: 0 })).toEqual([]);
  expect(messagesOf({ lost_km2: 6, unchanged_km2: 94 }, 'north')).toEqual([
    '6.0% of the published Fibre (north) would be lost (6 km2): more than the 5% allowed without review.',
  ]);
  expect(messagesOf({ downgraded_km2: 9.96, still_covered_km2: 3 })).toEqual([
    '10.0% of the published Fibre would be lost (9.96 km2): more than the 5% allowed without review.',
  ]);
  expect(messagesOf({ lost_km2: 1234.5678, unchanged_km2: 8_765.4322, still_covered_km2: 0.1 })).toEqual([
    '12% of the published Fibre would be lost (1,234.47 km2): more than the 5% allowed without review.',
  ]);
});

test('a verdict has the warnings that block, and names the changes that are not known', () => {
  const codes = ['speeds_absent', 'much_clipped', 'change_unknown', 'harmless'];
  const warnings = codes.map((code) => ({ code, message: code }));
  const unknown = candidate(null, { id: 2, technology: 'Cable' });
  const first = candidate(null, { id: 3, compared_with: null });
  const { blocking, comparison } = judge([unknown, first], warnings, rules);
  expect(blocking).toEqual([
    { code: 'speeds_absent', message: 'speeds_absent' },
    { code: 'much_clipped', message: 'much_clipped' },
    { code: 'change_unknown', message: 'The changes from the published Cable could not be determined.' },
  ]);
  expect(comparison).toHaveLength(22);
  expect(judge([unknown, candidate({ lost_km2: 50 }, { is_compared: false })], [], rules)).toEqual({
    ...{ comparison: null, blocking: [blocking[2]] },
  });
});

const inPremises = (given: object) =>
  candidate(
    { lost_km2: 50, unchanged_km2: 50 },
    {
      premises_state: 'counted',
      premises_change: {
        ...{ before: 24_305, covered: 1, gained: 7, lost: 0, postponed: 0, faster: 0, slower: 312 },
        ...{ planned_before: 0, planned_lost: 0, moves: [], others: null, ...given },
      },
    },
  );
const blockingIn = (given: object) => judge([inPremises(given)], [], rules).blocking;

test('where the published coverage has premises, these decide, whatever the ground', () => {
  const rule = 'more than the 5% allowed without review';
  expect(blockingIn({ lost: 1_215 })).toEqual([]);
  expect(blockingIn({ lost: 1_216 })).toEqual([
    {
      code: 'premises_lost',
      message: `1,216 of 24,305 premises (5.0%) of the published Fibre would lose service (50 km2): ${rule}.`,
    },
  ]);
  // What is planned is reached, too.
  expect(blockingIn({ lost: 1_200, planned_before: 695 })).toEqual([]);
  expect(blockingIn({ lost: 1_200, planned_before: 695, planned_lost: 600 })).toMatchObject([
    {
      message: `1,800 of 25,000 premises (7.2%) of the published Fibre would lose service, or be planned no longer (50 km2): ${rule}.`,
    },
  ]);
  // Nobody lives there.
  expect(blockingIn({ before: 0 })).toMatchObject([
    { code: 'area_lost', message: `50% of the published Fibre would be lost (50 km2): ${rule}.` },
  ]);
});

test('a change in premises that is not known blocks, and one that is not of now is not judged', () => {
  const unknown = { ...inPremises({ lost: 24_305 }), premises_state: 'unknown' as const };
  expect(judge([unknown], [], rules).blocking.map(({ code }) => code)).toEqual([
    'area_lost',
    'change_unknown',
  ]);
  const counting = {
    ...inPremises({ lost: 24_305 }),
    premises_state: 'counting' as const,
    is_compared: false,
  };
  expect(judge([counting], [], rules)).toEqual({ comparison: null, blocking: [] });
});

test('another loss of premises is another comparison', () => {
  const losses = [{}, { lost: 1 }, { planned_lost: 1 }, { before: 24_304 }];
  const ids = losses.map((loss) => judge([inPremises(loss)], [], rules).comparison);
  expect(
    new Set([...ids, judge([candidate({ lost_km2: 50, unchanged_km2: 50 })], [], rules).comparison]).size,
  ).toBe(5);
  expect(judge([inPremises({ gained: 8 })], [], rules).comparison).toBe(ids[0]);
});

test('a comparison has another id where another dataset, loss or message would be confirmed, in any order of datasets', () => {
  const other = candidate({}, { id: 2, scope: 'north' });
  const comparisonOf = (...datasets: Candidate[]) => judge(datasets, [], rules).comparison;
  const own = comparisonOf(candidate(), other);
  expect(comparisonOf(other, candidate({ gained_km2: 90 }))).toBe(own);
  const others = [
    comparisonOf(candidate()),
    comparisonOf(candidate({}, { compared_with: 8 }), other),
    comparisonOf(candidate({ lost_km2: 1 }), other),
    comparisonOf(candidate({}, { id: 4 }), other),
    judge([candidate(), other], [{ code: 'much_clipped', message: '' }], rules).comparison,
  ];
  expect(new Set([own, ...others]).size).toBe(6);
});
