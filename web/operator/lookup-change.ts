/* What a file would change for lookups, in km2. No page in here. */

import type { SubmissionDataset } from '../shared/schemas.ts';

export interface LookupChange {
  gained: number;
  /** Not covered any more by any scope, or not available any more. */
  lost: number;
  unchanged: number;
  /** Parts of what is lost. */
  uncovered: number;
  downgraded: number;
  /** Lost from this scope, and covered by another one. */
  elsewhere: number;
  /** What is live of this scope. */
  live: number;
}

/** A smaller loss is no warning: it is where two programs drew the same edge. */
export const minLossKm2 = 0.01;

/** What publishing a dataset would change; undefined where that is not known. All is gained where nothing is live. */
export function lookupChange({ change, replaces, area_km2: all }: Changed): LookupChange | undefined {
  if (!change) {
    const nothing = { lost: 0, unchanged: 0, uncovered: 0, downgraded: 0, elsewhere: 0, live: 0 };
    return replaces === null ? { ...nothing, gained: all ?? 0 } : undefined;
  }
  const {
    gained_km2,
    lost_km2,
    unchanged_km2,
    still_covered_km2: elsewhere,
    downgraded_km2: downgraded,
  } = change;
  const uncovered = Math.max(0, lost_km2 - elsewhere);
  return {
    gained: gained_km2,
    lost: uncovered + downgraded,
    unchanged: Math.max(0, unchanged_km2 - downgraded),
    uncovered,
    downgraded,
    elsewhere,
    live: lost_km2 + unchanged_km2,
  };
}

type Changed = Pick<SubmissionDataset, 'change' | 'replaces' | 'area_km2'>;
