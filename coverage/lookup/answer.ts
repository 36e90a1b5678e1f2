import type { CatalogSnapshot, Technology, Tier } from './catalog.ts';

/** The answer for one technology at a point, common to both versions of the API. */
export interface TechnologyAnswer {
  technology: Technology;
  availability: ShownAvailability;
  /** One entry a provider, fastest first. Empty where the technology is unavailable. */
  entries: Tier[];
  /** The earliest known date of all coverage with the shown availability, YYYY-MM-DD. */
  earliestDate: string | undefined;
}

export type ShownAvailability = 'available' | 'underway' | 'planned' | 'unavailable';

/**
 * The answer for one point: every technology once, fastest first, by the rules of docs/specification.md, "Coverage: answers".
 * @param tiers the published tiers at the point @param joinUnderway version 2.0: underway coverage is shown as planned, together with planned
 */
export function answerPoint(catalog: CatalogSnapshot, tiers: readonly Tier[], joinUnderway: boolean) {
  const shown = (tier: Tier) =>
    joinUnderway && tier.availability === 'underway' ? 'planned' : tier.availability;
  const answers = catalog.technologies.map((technology): TechnologyAnswer => {
    const here = tiers.filter((tier) => tier.technology.id === technology.id);
    const availability = (['available', 'underway', 'planned'] as const).find((candidate) =>
      here.some((tier) => shown(tier) === candidate),
    );
    if (!availability) {
      return { technology, availability: 'unavailable', entries: [], earliestDate: undefined };
    }
    const listed = here.filter((tier) => shown(tier) === availability);
    return {
      technology,
      availability,
      entries: fastestByProvider(listed).sort(byBandwidthThenName),
      earliestDate: earliest(listed.map((tier) => tier.plannedDate)),
    };
  });
  return answers.sort(
    (a, b) => fastest(b) - fastest(a) || a.technology.nominalRank - b.technology.nominalRank,
  );
}

/** The highest speed listed. A technology without any comes last, also after 0 Mbps. */
const fastest = (answer: TechnologyAnswer): number => answer.entries[0]?.bandwidthMax ?? -1;

function fastestByProvider(tiers: readonly Tier[]): Tier[] {
  const best = new Map<number, Tier>();
  for (const tier of tiers) {
    const other = best.get(tier.provider.id);
    if (!other || bySpeed(tier, other) < 0) best.set(tier.provider.id, tier);
  }
  return [...best.values()];
}

/** Fastest first: by the maximum, then by the other speeds. */
function bySpeed(a: Tier, b: Tier): number {
  return (
    b.bandwidthMax - a.bandwidthMax ||
    b.bandwidthMin - a.bandwidthMin ||
    b.bandwidthUpMin - a.bandwidthUpMin ||
    b.bandwidthUpMax - a.bandwidthUpMax ||
    // For equal speeds: underway before planned, an early date before a late one, a known one before none.
    Number(b.availability === 'underway') - Number(a.availability === 'underway') ||
    compare(a.plannedDate ?? '9999-12-31', b.plannedDate ?? '9999-12-31') ||
    a.id - b.id
  );
}

function byBandwidthThenName(a: Tier, b: Tier): number {
  return b.bandwidthMax - a.bandwidthMax || compare(a.provider.name, b.provider.name);
}

function earliest(dates: readonly (string | null)[]): string | undefined {
  return dates.filter((date) => date !== null).sort()[0];
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
