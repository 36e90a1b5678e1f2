import { parentPort, workerData } from 'node:worker_threads';
import { type ChangeKind, changeKinds, comparePremises, type Move } from '../premises/change.ts';
import type { StoredTier } from '../premises/counted.ts';
import { count, difference, packed, union, unpacked } from '../premises/premises-set.ts';
import type { PremisesChange } from './premises-change.ts';

/* A thread that compares the premises of versions: millions in hundreds of tiers would hold up its process for some hundred milliseconds. */

const maxMoves = 100;

/** The tiers of a dataset, of the one that it replaces and of those beside it. */
export interface ComparedTiers {
  mine: readonly StoredTier[];
  theirs: readonly StoredTier[];
  beside: readonly StoredTier[];
}

/** The changed premises of a kind as they are stored. */
export interface StoredChange {
  premises: Uint8Array;
  speeds: Uint8Array;
}

export interface FoundChange {
  counts: Omit<PremisesChange, 'others'>;
  changed: Record<ChangeKind, StoredChange>;
}

function changeOfPremises({ mine, theirs, beside }: ComparedTiers): FoundChange {
  const setsOf = (tiers: readonly StoredTier[]) =>
    tiers.map(({ availability, bandwidthMax, premises }) => ({
      ...{ availability, bandwidthMax, set: unpacked(premises) },
    }));
  const [own, live, others] = [setsOf(mine), setsOf(theirs), setsOf(beside)];
  const inService = (tiers: typeof own) =>
    union(...tiers.filter(({ availability }) => availability === 'available').map(({ set }) => set));
  const found = comparePremises([...live, ...others], [...own, ...others]);
  const before = inService(live);
  const stored = changeKinds.map((kind): [ChangeKind, StoredChange] => [
    kind,
    { premises: packed(found.changed[kind]), speeds: packed(found.speedsOf(kind)) },
  ]);
  return {
    counts: {
      before: count(before),
      covered: count(inService(own)),
      gained: count(found.changed.gained),
      lost: count(found.changed.lost),
      postponed: count(found.postponed),
      faster: count(found.changed.faster),
      slower: count(found.changed.slower),
      planned_before: count(difference(union(...live.map(({ set }) => set)), before)),
      planned_lost: count(found.dropped),
      moves: found.moves.slice(0, maxMoves).map(shown),
    },
    changed: Object.fromEntries(stored) as FoundChange['changed'],
  };
}

const shown = ({ from, to, premises }: Move) => ({ from_mbps: from, to_mbps: to, premises });

parentPort?.postMessage(changeOfPremises(workerData));
