/* The order of speed tiers, as in a price list, for the report. Contains no components. */

import type { Tier } from '../shared/schemas.ts';

/** By technology, the fastest first; available before planned ones. */
export function inOrder(tiers: readonly Tier[]): Tier[] {
  return [...tiers].sort(
    (a, b) =>
      a.technology.localeCompare(b.technology) ||
      b.bandwidth_max_mbps - a.bandwidth_max_mbps ||
      b.bandwidth_up_max_mbps - a.bandwidth_up_max_mbps ||
      b.bandwidth_min_mbps - a.bandwidth_min_mbps ||
      b.bandwidth_up_min_mbps - a.bandwidth_up_min_mbps ||
      a.availability.localeCompare(b.availability) ||
      (a.planned_date ?? '').localeCompare(b.planned_date ?? ''),
  );
}
