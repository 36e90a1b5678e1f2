/* The change for lookups by publishing a file, in km2. Contains no components. */

import type { SubmissionDataset } from '../shared/schemas.ts';

/** Smaller losses give no warning: two programs draw the same edge slightly differently. */
export const minLossKm2 = 0.01;

type Changed = Pick<SubmissionDataset, 'change' | 'replaces' | 'area_km2'>;

/** The change by publishing a dataset; undefined if unknown. All is gained where nothing is live. */
export function lookupChange({ change, replaces, area_km2: all }: Changed) {
  if (!change) {
    const nothing = { lost: 0, unchanged: 0, uncovered: 0, downgraded: 0, elsewhere: 0, live: 0 };
    return replaces === null ? { ...nothing, gained: all ?? 0 } : undefined;
  }
  const { gained_km2: gained, lost_km2, unchanged_km2, downgraded_km2: downgraded } = change;
  /** Lost from this scope, but covered by another one. */
  const elsewhere = change.still_covered_km2;
  const uncovered = Math.max(0, lost_km2 - elsewhere);
  return {
    gained,
    /** No longer covered by any scope, or no longer available. */
    lost: uncovered + downgraded,
    unchanged: Math.max(0, unchanged_km2 - downgraded),
    ...{ uncovered, downgraded, elsewhere },
    /** The live area of this scope. */
    live: lost_km2 + unchanged_km2,
  };
}
