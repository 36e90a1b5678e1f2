import type { MapLookup } from '../shared/map/lookup.ts';
import { loadTowns, type Town } from '../shared/map/places.ts';
import { nothingHere, offerSentence, offersOf } from '../shared/offers.ts';
import { type Area, isWithin, nearestOf, outsideArea, type Position } from '../shared/position.ts';
import { distance } from '../shared/words.ts';

/** Towns farther away give a place no title. */
const nearMetres = 30_000;

export const someTitle = 'This place';

/** The offers at a position, or the nearest. */
export type Place = Awaited<ReturnType<typeof findPlace>>;

/** @param labels of technologies by name */
export async function findPlace(
  at: Position,
  { area, lookUp, labels }: { area: Area; lookUp: MapLookup; labels: ReadonlyMap<string, string> },
) {
  const isInside = isWithin(at, area);
  const [{ results }, towns] = await Promise.all([
    isInside ? lookUp.coverage(at) : { results: [] },
    loadTowns(),
  ]);
  const label = (technology: string) => labels.get(technology) ?? technology;
  const isServed = results.some(({ availability }) => availability === 'available');
  const { nearest } = isServed || !isInside ? { nearest: null } : await lookUp.nearest(at);
  const offers = offersOf(results, labels);
  return {
    at,
    title: titleOf(at, towns),
    offers,
    /** The sentence where there are no offers. */
    nothing: offers.length > 0 ? undefined : isInside ? nothingHere : outsideArea,
    others: results
      .filter(({ availability }) => availability === 'unavailable')
      .map(({ technology }) => label(technology)),
    /** A sentence about the nearest coverage, where nothing is available. */
    nearest: nearest
      ? `The nearest available coverage is ${label(nearest.technology)}, ${distance(nearest.distance_m)} away.`
      : undefined,
  };
}

/** Names a place by a town nearby, if there is one. */
function titleOf(at: Position, towns: readonly Town[]): string {
  const nearest = nearestOf(towns, at);
  return nearest && nearest.metres < nearMetres ? `Near ${nearest.place.name}` : someTitle;
}

/** The place as sentences, for screen readers. */
export function inShort({ title, offers, nothing, nearest }: Place): string {
  return [`${title}:`, ...offers.map(offerSentence), nothing, nearest].filter(Boolean).join(' ');
}
