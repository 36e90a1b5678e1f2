import { onceForEach } from '../../platform/once-for-each.ts';
import { answerPoint, type ShownAvailability } from './answer.ts';
import type { Tier } from './catalog.ts';
import type { PointCoverage } from './lookup.ts';

/* `results` of both versions, in their names and shapes. */

/**
 * `results` of version 2.0 as JSON. Written by hand, as most positions of a country with many providers have a set of tiers of their own.
 * @param more further fields of each provider
 */
export function results2({ catalog, tiers }: PointCoverage, more?: (tier: Tier) => object): string {
  const offerJson = more ? (tier: Tier) => JSON.stringify({ ...offer2(tier), ...more(tier) }) : offer2Json;
  const results = answerPoint(catalog, tiers, true).map(({ technology, availability, entries }) => {
    const providers = entries.length > 0 ? `,"providers":[${entries.map(offerJson).join()}]` : '';
    return `{"technology":${JSON.stringify(technology.name)},"availability":"${availability}"${providers}}`;
  });
  return `[${results.join()}]`;
}

/** JSON of a tier never changes. */
const offer2Json = onceForEach((tier: Tier) => JSON.stringify(offer2(tier)));

/** `nearby` of version 2.0 as JSON. */
export function nearbyJson(nearby: readonly { tier: Tier; distanceMetres: number }[]): string {
  const offers = nearby.map(({ tier, distanceMetres }) => ({
    technology: tier.technology.name,
    availability: tier.availability === 'underway' ? 'planned' : tier.availability,
    ...offer2(tier),
    distance_m: Math.round(distanceMetres),
  }));
  return JSON.stringify(offers);
}

const names1: Record<ShownAvailability, string> = {
  available: 'Available',
  underway: 'Underway',
  planned: 'Planned',
  unavailable: 'Not Available',
};

/** `results` of version 1.0. @param more further fields of each provider */
export function results1({ catalog, tiers }: PointCoverage, more?: (tier: Tier) => object): object[] {
  return answerPoint(catalog, tiers, false).map(({ technology, availability, entries, earliestDate }) => ({
    technology: technology.label,
    availability: names1[availability],
    ...(earliestDate === undefined ? {} : { completion: dateText(earliestDate) }),
    set_id: technology.setId,
    ...(entries.length > 0 && {
      providers: entries.map((tier) => ({ ...offer(tier), timing_id: tier.datasetId, ...more?.(tier) })),
    }),
  }));
}

/** The fields of a provider in version 2.0. */
export function offer2(tier: Tier) {
  return { ...offer(tier), planned_date: tier.plannedDate === null ? null : dateText(tier.plannedDate) };
}

function offer({ provider, ...tier }: Tier) {
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

/** A date as both documents write it: `Sun, 22 Nov 2026 00:00:00 GMT`. @param date YYYY-MM-DD */
const dateText = (date: string): string => new Date(`${date}T00:00:00Z`).toUTCString();
