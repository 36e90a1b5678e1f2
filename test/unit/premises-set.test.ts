import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addTo,
  count,
  difference,
  eachNumber,
  emptySet,
  has,
  intersection,
  numbersOf,
  packed,
  packedPremises,
  setFor,
  setOf,
  union,
  unpacked,
} from '../../coverage/premises/premises-set.ts';

/* Sets of premises say what JavaScript's own sets of numbers say. */

const numbers = fc.uniqueArray(fc.nat(300), { maxLength: 60 });
const ascending = (all: Iterable<number>) => [...all].sort((a, b) => a - b);

describe('a set of premises', () => {
  test('has the numbers that it was made of, ascending, each once', () => {
    fc.assert(
      fc.property(numbers, (given) => {
        const set = setOf([...given, ...given]);
        expect([...numbersOf(set)]).toEqual(ascending(given));
        const visited: number[] = [];
        eachNumber(set, (number) => visited.push(number));
        expect(visited).toEqual(ascending(given));
        expect(count(set)).toBe(given.length);
        for (let number = 0; number < 330; number++) expect(has(set, number)).toBe(given.includes(number));
      }),
    );
  });

  test('is united, intersected and subtracted with another, however long both are', () => {
    fc.assert(
      fc.property(numbers, numbers, numbers, (a, b, c) => {
        const [x, y, z] = [setOf(a), setOf(b), setOf(c)];
        const before = [...numbersOf(x)];
        expect([...numbersOf(union(x, y, z))]).toEqual(ascending(new Set([...a, ...b, ...c])));
        expect([...numbersOf(intersection(x, y))]).toEqual(ascending(a.filter((one) => b.includes(one))));
        expect([...numbersOf(difference(x, y))]).toEqual(ascending(a.filter((one) => !b.includes(one))));
        expect([...numbersOf(x)]).toEqual(before);
      }),
    );
  });

  test('is stored small and comes back as it was', () => {
    fc.assert(
      fc.property(numbers, (given) => {
        const set = setOf(given);
        expect([...numbersOf(unpacked(packed(set)))]).toEqual(ascending(given));
        expect(packedPremises(set)).toEqual({ covered: given.length, premises: packed(set) });
      }),
    );
    const country = setFor(2_400_000);
    for (let number = 600_000; number < 700_000; number++) addTo(country, number);
    expect(packed(country).length).toBeLessThan(2_000);
    expect(count(unpacked(packed(country)))).toBe(100_000);
  });

  test('may be empty, and its highest bits are bits as any', () => {
    expect([count(emptySet()), [...numbersOf(union())], count(unpacked(packed(emptySet())))]).toEqual([
      0,
      [],
      0,
    ]);
    const set = setFor(64);
    for (const number of [31, 63]) addTo(set, number);
    expect([...numbersOf(set)]).toEqual([31, 63]);
    expect(count(set)).toBe(2);
  });
});
