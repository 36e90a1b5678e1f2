import { randomNumbers } from '@covermap/testing/random.ts';
import { describe, expect, test } from 'vitest';
import {
  type ChangeKind,
  changeKinds,
  comparePremises,
  type ServiceTier,
} from '../../coverage/premises/change.ts';
import { numbersOf, setOf } from '../../coverage/premises/premises-set.ts';

const premises = 200;
const speeds = [10, 50, 50, 100.5, 300];

describe('a change in premises', () => {
  test.each([1, 2, 3, 4, 5])('is that of each premises by itself, of random tiers (%i)', (seed) => {
    const random = randomNumbers(seed);
    const [before, after] = [someTiers(random), someTiers(random)];
    const found = comparePremises(before, after);
    const all = Array.from({ length: premises }, (_, number) => number);
    const kinds = all.map((number) => kindOf(best(before, number), best(after, number)));
    for (const kind of changeKinds) {
      const those = all.filter((number) => kinds[number] === kind);
      expect([...numbersOf(found.changed[kind])], kind).toEqual(those);
      const pairs = those.flatMap((number) => [best(before, number) * 1000, best(after, number) * 1000]);
      expect([...found.speedsOf(kind)], kind).toEqual(pairs);
    }
    const where = (is: (number: number) => boolean) => all.filter(is);
    const served = (tiers: readonly ServiceTier[]) => (number: number) => best(tiers, number) > 0;
    expect([...numbersOf(found.before)]).toEqual(where(served(before)));
    expect([...numbersOf(found.after)]).toEqual(where(served(after)));
    const isAwaited = (number: number) => !served(before)(number) && isReached(before, number);
    expect([...numbersOf(found.awaited)]).toEqual(where(isAwaited));
    expect([...numbersOf(found.dropped)]).toEqual(where((n) => isAwaited(n) && !isReached(after, n)));
    expect([...numbersOf(found.postponed)]).toEqual(where((n) => kinds[n] === 'lost' && isReached(after, n)));
    for (const { from, to, premises: many } of found.moves) {
      const alike = where((n) => best(before, n) === (from ?? 0) && best(after, n) === (to ?? 0));
      expect(many).toBe(alike.length);
    }
    const moved = found.moves.reduce((sum, move) => sum + move.premises, 0);
    expect(moved).toBe(kinds.filter((kind) => kind !== undefined).length);
  });

  test('counts the most frequent move first, and one of speed only where the best one changes', () => {
    const slow = { availability: 'available', bandwidthMax: 50, set: setOf([1, 2, 3, 40]) } as const;
    const fast = { availability: 'available', bandwidthMax: 300, set: setOf([1, 2, 100]) } as const;
    const { moves } = comparePremises([slow, fast], [slow]);
    expect(moves).toEqual([
      { from: 300, to: 50, premises: 2 },
      { from: 300, to: null, premises: 1 },
    ]);
    expect(comparePremises([slow, fast], [fast, slow]).moves).toEqual([]);
  });
});

const best = (tiers: readonly ServiceTier[], number: number) =>
  Math.max(
    0,
    ...tiers
      .filter(({ availability, set }) => availability === 'available' && [...numbersOf(set)].includes(number))
      .map(({ bandwidthMax }) => bandwidthMax),
  );

const isReached = (tiers: readonly ServiceTier[], number: number) =>
  tiers.some(({ set }) => [...numbersOf(set)].includes(number));

function kindOf(before: number, after: number): ChangeKind | undefined {
  if (before === after) return undefined;
  if (before === 0 || after === 0) return before === 0 ? 'gained' : 'lost';
  return after > before ? 'faster' : 'slower';
}

function someTiers(random: () => number): ServiceTier[] {
  return speeds.map((bandwidthMax, i) => {
    const from = Math.floor(random() * premises);
    const numbers = Array.from({ length: premises }, (_, n) => n).filter((n) => n >= from && random() < 0.6);
    return {
      availability: i === 1 || random() < 0.2 ? 'planned' : 'available',
      bandwidthMax,
      set: setOf(numbers),
    };
  });
}
