import {
  count,
  difference,
  eachNumber,
  emptySet,
  intersection,
  type PremisesSet,
  union,
} from './premises-set.ts';

/* What premises gain and lose from one set of tiers to another. Knows neither database nor files. */

/** The premises of a tier, with what decides how good it is. */
export interface ServiceTier {
  availability: 'available' | 'underway' | 'planned';
  /** Mbps down. */
  bandwidthMax: number;
  set: PremisesSet;
}

/** `faster` and `slower`: in service before and after, by the Mbps down of the best tier that is available there. */
export const changeKinds = ['gained', 'lost', 'faster', 'slower'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Premises whose best tier that is available changes from one speed to another. Mbps down; null: none. */
export interface Move {
  from: number | null;
  to: number | null;
  premises: number;
}

export interface PremisesDifference {
  /** The premises in service, by tiers that are available. */
  before: PremisesSet;
  after: PremisesSet;
  changed: Record<ChangeKind, PremisesSet>;
  /** The premises of `changed.lost` that are planned or underway afterwards. */
  postponed: PremisesSet;
  /** The premises that were planned or underway without being in service, and of these the ones that nothing reaches afterwards. */
  awaited: PremisesSet;
  dropped: PremisesSet;
  /** The largest first. */
  moves: Move[];
  /** The Mbps before and after of each changed premises of a kind, in the order of their numbers: two elements each, in kbit/s; 0: none. */
  speedsOf(kind: ChangeKind): Uint32Array<ArrayBuffer>;
}

/** Compares all that is offered at premises before with all that is offered afterwards. */
export function comparePremises(
  tiersBefore: readonly ServiceTier[],
  tiersAfter: readonly ServiceTier[],
): PremisesDifference {
  const classesBefore = bySpeed(tiersBefore);
  const classesAfter = bySpeed(tiersAfter);
  const before = union(...classesBefore.map(({ set }) => set));
  const after = union(...classesAfter.map(({ set }) => set));
  const laterBefore = laterOf(tiersBefore);
  const laterAfter = laterOf(tiersAfter);
  const changed = {
    gained: difference(after, before),
    lost: difference(before, after),
    faster: betterIn(classesAfter, classesBefore),
    slower: betterIn(classesBefore, classesAfter),
  };
  const awaited = difference(laterBefore, before);
  const all = union(...Object.values(changed));
  const [ranksBefore, ranksAfter] = [ranksIn(classesBefore, all), ranksIn(classesAfter, all)];
  const speed = (classes: readonly SpeedClass[], rank: number | undefined) =>
    rank ? (classes[rank - 1] as SpeedClass).mbps : null;
  return {
    ...{ before, after, changed, awaited },
    postponed: intersection(changed.lost, laterAfter),
    dropped: difference(awaited, union(after, laterAfter)),
    moves: pairsOf(all, ranksBefore, ranksAfter).map(([from, to, premises]) => ({
      ...{ from: speed(classesBefore, from), to: speed(classesAfter, to), premises },
    })),
    speedsOf(kind) {
      const speeds = new Uint32Array(2 * count(changed[kind]));
      let at = 0;
      eachNumber(changed[kind], (number) => {
        speeds[at++] = kbps(speed(classesBefore, ranksBefore[number]));
        speeds[at++] = kbps(speed(classesAfter, ranksAfter[number]));
      });
      return speeds;
    },
  };
}

const kbps = (mbps: number | null) => Math.round(1000 * (mbps ?? 0));

/** Premises whose best speed is the same. */
interface SpeedClass {
  mbps: number;
  set: PremisesSet;
}

/** The premises in service, each in the class of its best speed. The fastest class first; no two share premises. */
function bySpeed(tiers: readonly ServiceTier[]): SpeedClass[] {
  const sets = new Map<number, PremisesSet[]>();
  for (const { availability, bandwidthMax, set } of tiers) {
    if (availability !== 'available') continue;
    sets.set(bandwidthMax, [...(sets.get(bandwidthMax) ?? []), set]);
  }
  let faster = emptySet();
  return [...sets]
    .sort(([a], [b]) => b - a)
    .map(([mbps, alike]) => {
      const all = union(...alike);
      const set = difference(all, faster);
      faster = union(faster, all);
      return { mbps, set };
    });
}

/** The premises of tiers that are planned or underway. */
const laterOf = (tiers: readonly ServiceTier[]) =>
  union(...tiers.flatMap(({ availability, set }) => (availability === 'available' ? [] : [set])));

/** The premises in service in both whose class in `there` is faster than in `here`. */
function betterIn(there: readonly SpeedClass[], here: readonly SpeedClass[]): PremisesSet {
  let better = emptySet();
  let next = 0;
  const found = here.map(({ mbps, set }) => {
    for (let one = there[next]; one && one.mbps > mbps; one = there[++next]) better = union(better, one.set);
    return intersection(set, better);
  });
  return union(...found);
}

/** For each number the place of its class, from 1; 0: in none. @param among other premises are left out */
function ranksIn(classes: readonly SpeedClass[], among: PremisesSet): Uint16Array {
  const ranks = new Uint16Array(32 * among.length);
  for (const [i, { set }] of classes.entries())
    eachNumber(intersection(set, among), (number) => {
      ranks[number] = i + 1;
    });
  return ranks;
}

/** How many premises have each pair of ranks, the most frequent first. */
function pairsOf(premises: PremisesSet, before: Uint16Array, after: Uint16Array) {
  const counts = new Map<number, number>();
  let [pair, many] = [-1, 0];
  const add = () => many > 0 && counts.set(pair, (counts.get(pair) ?? 0) + many);
  // Neighbours mostly share their pair.
  eachNumber(premises, (number) => {
    const next = 65_536 * (before[number] as number) + (after[number] as number);
    if (next !== pair) {
      add();
      [pair, many] = [next, 0];
    }
    many++;
  });
  add();
  return [...counts]
    .map(([pair, many]) => [pair >>> 16, pair & 65_535, many] as const)
    .sort((a, b) => b[2] - a[2] || a[0] - b[0] || a[1] - b[1]);
}
