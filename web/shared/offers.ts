import type { Availability } from '../../client/schema.ts';
import { calendarDay, speed } from './words.ts';

type TechnologyAnswer = Availability['results'][number];
type ApiOffer = NonNullable<TechnologyAnswer['providers']>[number];

/** An offer at a place: a provider's best of a technology. */
export interface Offer extends ApiOffer {
  /** Its label: "Fibre". */
  technology: string;
  isAvailable: boolean;
}

export const nothingHere = 'No operator reports broadband here.';

/** The offers of an answer in format 2.0: available before planned ones, each fastest first. */
export function offersOf<Entry extends ApiOffer>(
  results: readonly (Omit<TechnologyAnswer, 'providers'> & { providers?: Entry[] })[],
  labels: ReadonlyMap<string, string>,
): (Entry & Offer)[] {
  const offers = results.flatMap(({ technology, availability, providers = [] }) =>
    providers.map((offer) => ({
      ...offer,
      technology: labels.get(technology) ?? technology,
      isAvailable: availability === 'available',
    })),
  );
  return offers.sort(
    (a, b) => Number(b.isAvailable) - Number(a.isAvailable) || b.bandwidth_max_mbps - a.bandwidth_max_mbps,
  );
}

/** "Fibre up to 950 Mbps from Kauri Fibre, available now." */
export function offerSentence(offer: Offer): string {
  return `${offer.technology} up to ${speed(offer.bandwidth_max_mbps)} from ${offer.name}, ${offerTime(offer)}.`;
}

/** When the offer is there: "available now", "available, not orderable until 12 March 2027", "planned for 31 March 2031". */
export function offerTime({
  isAvailable,
  planned_date: planned,
  orderable,
  orderable_from: from,
}: Offer): string {
  if (isAvailable && orderable === false)
    return `available, ${from ? `not orderable until ${calendarDay(from)}` : 'not orderable at present'}`;
  if (isAvailable) return 'available now';
  return planned ? `planned for ${dayOfHttpDate(planned)}` : 'planned, without a date yet';
}

/** An HTTP date at midnight GMT is a calendar day. */
function dayOfHttpDate(httpDate: string): string {
  const date = new Date(httpDate);
  return Number.isNaN(date.getTime()) ? httpDate : calendarDay(date.toISOString().slice(0, 10));
}
