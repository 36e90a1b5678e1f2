import { type ReadonlySignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { announce } from '../shared/announce.ts';
import { loadTowns, type Town } from '../shared/map/places.ts';
import { nothingHere, OfferItem, offerSentence, offersOf } from '../shared/offers.tsx';
import { type Area, isWithin, nearestOf, outsideArea, type Position } from '../shared/position.ts';
import { Button } from '../shared/ui/button.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { distance, moment } from '../shared/words.ts';
import type { MapLookup } from './lookup.ts';

/** Towns farther away give a place no title. */
const nearMetres = 30_000;

type Found = Awaited<ReturnType<typeof find>>;

interface PlaceCardProps {
  at: ReadonlySignal<Position | undefined>;
  area: Area;
  lookUp: MapLookup;
  /** Names of technologies. */
  labels: ReadonlyMap<string, string>;
  onClose(): void;
  children?: ComponentChildren;
}

/** A place: its offers, fastest first, or the distance to the nearest. Also announced to screen readers. */
export function PlaceCard({ at, area, lookUp, labels, onClose, children }: PlaceCardProps) {
  const answer = useResource(async () => (at.value ? find(at.value, area, lookUp, labels) : undefined));
  useSignalEffect(() => {
    if (answer.data.value) announce(inShort(answer.data.value));
  });
  const position = at.value;
  return (
    <section class="place-card" aria-label="At this place">
      <div class="between">
        <h2>{answer.data.value?.title ?? someTitle}</h2>
        <Button kind="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      <p class="muted small coordinates">{position && coordinates(position)}</p>
      <Loaded of={answer}>
        {(found) =>
          found && (
            <div class="stack small-gap">
              {found.nothing && <p>{found.nothing}</p>}
              {found.nearest && <p>{found.nearest}</p>}
              <ul class="bare-list offers">
                {found.offers.map((offer, i) => (
                  <OfferItem offer={offer} key={`${offer.name} ${i}`}>
                    <p class="muted small">Published on {moment(offer.published_at)}.</p>
                  </OfferItem>
                ))}
              </ul>
              {found.others.length > 0 && (
                <p class="muted small">Not available: {found.others.join(', ')}.</p>
              )}
            </div>
          )
        }
      </Loaded>
      {children && <div class="actions">{children}</div>}
    </section>
  );
}

const someTitle = 'This place';

async function find(at: Position, area: Area, lookUp: MapLookup, labels: PlaceCardProps['labels']) {
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
    title: titleOf(at, towns),
    offers,
    /** Said where there are no offers. */
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

function inShort({ title, offers, nothing, nearest }: Found): string {
  return [`${title}:`, ...offers.map(offerSentence), nothing, nearest].filter(Boolean).join(' ');
}

const coordinates = ({ lat, lng }: Position) => `${lat}, ${lng}`;
