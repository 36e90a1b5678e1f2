import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerPoint, type TechnologyAnswer } from '../../coverage/lookup/answer.ts';
import type { CatalogSnapshot, Provider, Technology, Tier } from '../../coverage/lookup/catalog.ts';

/* The rules of the answer, on any coverage: each property is a row of docs/specification.md, "Coverage: answers". */

const technologies: Technology[] = ['fibre', 'cable', 'vdsl', 'wireless', 'adsl'].map((name, i) => ({
  ...{ id: i + 1, name, label: name, nominalRank: i + 1, setId: i + 1 },
}));
const providers: Provider[] = ['Alpha', 'Beta', 'Charlie', 'Delta'].map((name, i) => ({
  ...{ id: i + 1, name, url: '', wholesaleNetwork: 'No', description: '', areaServed: [] },
}));
const catalog: CatalogSnapshot = { version: 1, technologies, tiers: new Map(), publishedAt: new Map() };

const speed = fc.constantFrom(0, 10, 50, 100);
const tier: fc.Arbitrary<Omit<Tier, 'id'>> = fc
  .record({
    technology: fc.constantFrom(...technologies.slice(0, 3)),
    provider: fc.constantFrom(...providers),
    availability: fc.constantFrom('available' as const, 'underway' as const, 'planned' as const),
    down: fc.tuple(speed, speed),
    up: fc.tuple(speed, speed),
    plannedDate: fc.constantFrom(null, '2027-01-01', '2027-06-30'),
  })
  .map(({ technology, provider, availability, down, up, plannedDate }) => ({
    datasetId: provider.id * 10 + technology.id,
    technology,
    provider,
    availability,
    bandwidthMin: Math.min(...down),
    bandwidthMax: Math.max(...down),
    bandwidthUpMin: Math.min(...up),
    bandwidthUpMax: Math.max(...up),
    plannedDate: availability === 'available' ? null : plannedDate,
  }));
const somewhere = fc
  .array(tier, { maxLength: 12 })
  .map((tiers): Tier[] => tiers.map((each, i) => ({ ...each, id: i + 1 })));

/** Tiers of one provider and technology, so that many differ in one speed alone. */
const rivals = somewhere.map((tiers): Tier[] =>
  tiers.map((each) => ({ ...each, technology: technologies[0], provider: providers[0] }) as Tier),
);

/** Those of equal speeds that are to come, so that many differ in what is built and in the date alone. */
const toCome = rivals.map((tiers): Tier[] =>
  tiers.flatMap((each) => {
    const speeds = { bandwidthMin: 10, bandwidthMax: 10, bandwidthUpMin: 10, bandwidthUpMax: 10 };
    return each.availability === 'available' ? [] : [{ ...each, ...speeds }];
  }),
);

function holds(property: (answers: TechnologyAnswer[], tiers: Tier[], joinUnderway: boolean) => void): void {
  fc.assert(
    fc.property(fc.oneof(somewhere, rivals, toCome), fc.boolean(), (tiers, joinUnderway) => {
      property(answerPoint(catalog, tiers, joinUnderway), tiers, joinUnderway);
    }),
  );
}

test('every technology is listed exactly once', () => {
  holds((answers) => {
    expect(answers.map(({ technology }) => technology.id).sort()).toEqual([1, 2, 3, 4, 5]);
  });
});

test('technologies run from the fastest listed provider down, those without providers last, ties by nominal rank', () => {
  holds((answers) => {
    const key = (answer: TechnologyAnswer) =>
      Math.max(-1, ...answer.entries.map((entry) => entry.bandwidthMax));
    for (const [i, answer] of answers.entries()) {
      const next = answers[i + 1];
      if (!next) break;
      expect(key(answer)).toBeGreaterThanOrEqual(key(next));
      if (key(answer) === key(next))
        expect(answer.technology.nominalRank).toBeLessThan(next.technology.nominalRank);
    }
  });
});

test('available comes before underway, underway before planned, and version 2.0 joins the two', () => {
  holds((answers, tiers, joinUnderway) => {
    for (const { technology, availability } of answers) {
      const here = new Set(
        tiers.filter((each) => each.technology === technology).map((each) => each.availability),
      );
      const best = (['available', 'underway', 'planned'] as const).find((one) => here.has(one));
      expect(availability).toBe(joinUnderway && best === 'underway' ? 'planned' : (best ?? 'unavailable'));
    }
  });
});

test('a provider is listed once, with the fastest and soonest of its tiers that have the availability shown', () => {
  holds((answers, tiers, joinUnderway) => {
    for (const { technology, availability, entries } of answers) {
      const listed = tiers.filter(
        (each) =>
          each.technology === technology &&
          (each.availability === availability ||
            (joinUnderway && availability === 'planned' && each.availability === 'underway')),
      );
      const named = new Set(entries.map((entry) => entry.provider));
      expect(named).toEqual(new Set(listed.map((each) => each.provider)));
      expect(named.size).toBe(entries.length);
      for (const entry of entries) {
        const inOrder = ['bandwidthMax', 'bandwidthMin', 'bandwidthUpMin', 'bandwidthUpMax'] as const;
        // Of equal speeds what is being built, then what has the earlier date.
        const rank = (one: Tier) => [
          ...inOrder.map((name) => one[name]),
          Number(one.availability === 'underway'),
          -Date.parse(one.plannedDate ?? '9999-12-31'),
        ];
        for (const other of listed.filter((each) => each.provider === entry.provider)) {
          const [mine, theirs] = [rank(entry), rank(other)];
          const at = mine.findIndex((value, i) => value !== theirs[i]);
          if (at >= 0) expect(mine[at]).toBeGreaterThan(theirs[at] as number);
        }
      }
    }
  });
});

test('the date of a technology is the earliest of all tiers that have the availability shown, whichever is fastest', () => {
  holds((answers, tiers, joinUnderway) => {
    for (const { technology, availability, earliestDate } of answers) {
      const shown = [availability, ...(joinUnderway && availability === 'planned' ? ['underway'] : [])];
      const dates = tiers
        .filter((each) => each.technology === technology && shown.includes(each.availability))
        .flatMap(({ plannedDate }) => plannedDate ?? []);
      expect(earliestDate).toBe(dates.sort()[0]);
    }
  });
});

test('providers run from the fastest down, then by name', () => {
  holds((answers) => {
    for (const { entries } of answers) {
      const sorted = [...entries].sort(
        (a, b) => b.bandwidthMax - a.bandwidthMax || (a.provider.name < b.provider.name ? -1 : 1),
      );
      expect(entries).toEqual(sorted);
    }
  });
});

test('the answer does not depend on the order in which areas were found', () => {
  fc.assert(
    fc.property(somewhere, fc.boolean(), (tiers, joinUnderway) => {
      expect(answerPoint(catalog, [...tiers].reverse(), joinUnderway)).toEqual(
        answerPoint(catalog, tiers, joinUnderway),
      );
    }),
  );
});
