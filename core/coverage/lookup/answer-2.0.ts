import { answerPoint } from './answer-1.0.ts';
import type { Tier } from './catalog.ts';
import type { PointCoverage } from './lookup.ts';
import { plannedDateText } from './planned-date.ts';

/**
 * `results` of version 2.0.
 * @param more what is told of each provider besides
 */
export function results2({ catalog, tiers }: PointCoverage, more?: (tier: Tier) => object): object[] {
  return answerPoint(catalog, tiers, true).map(({ technology, availability, entries }) => ({
    technology: technology.name,
    availability,
    ...(availability === 'unavailable'
      ? {}
      : { providers: entries.map((tier) => ({ ...provider2(tier), ...more?.(tier) })) }),
  }));
}

function provider2(tier: Tier): object {
  const planned_date = tier.plannedDate === null ? null : plannedDateText(tier.plannedDate);
  return { ...providerFields(tier), planned_date };
}

/** What both versions say of a provider. */
export function providerFields({ provider, ...tier }: Tier): object {
  return {
    name: provider.name,
    wholesale_network: provider.wholesaleNetwork,
    url: provider.url,
    bandwidth_min_mbps: tier.bandwidthMin,
    bandwidth_max_mbps: tier.bandwidthMax,
    bandwidth_up_min_mbps: tier.bandwidthUpMin,
    bandwidth_up_max_mbps: tier.bandwidthUpMax,
  };
}
