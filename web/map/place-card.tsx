import type { ComponentChildren } from 'preact';
import { OfferItem } from '../shared/offer-item.tsx';
import type { Position } from '../shared/position.ts';
import { Button } from '../shared/ui/button.tsx';
import { Badge } from '../shared/ui/notice.tsx';
import { Loaded, type Resource } from '../shared/use-resource.tsx';
import { moment } from '../shared/words.ts';
import { writeLink } from './address.ts';
import type { KnownAddress } from './choices.ts';
import type { Letter } from './differences.ts';
import { type Place, someTitle } from './place.ts';

interface PlaceCardProps {
  at: Position;
  place: Resource<Place | undefined>;
  /** Its title, if it was found by an address, or a link gives one. */
  known?: KnownAddress | undefined;
  /** Its letter on the map, of a place beside another one. */
  letter?: Letter | undefined;
  /** The advantages of each of its offers over the other place. */
  notes?: readonly (readonly string[])[] | undefined;
  onClose(): void;
  children?: ComponentChildren;
}

/** A place: its offers, fastest first, or the distance to the nearest. */
export function PlaceCard({ at, place, known, letter, notes, onClose, children }: PlaceCardProps) {
  return (
    <section class="place-card" aria-label={letter ? `At ${letter}` : 'At this place'}>
      <div class="between">
        <h2>
          {letter && <span class="map-letter">{letter}</span>}{' '}
          {known?.id ? (
            <a href={writeLink({ address: known.id, called: undefined })}>{known.text}</a>
          ) : (
            (known?.text ?? place.data.value?.title ?? someTitle)
          )}
        </h2>
        <Button kind="quiet" label={letter && `Close ${letter}`} onClick={onClose}>
          Close
        </Button>
      </div>
      <p class="muted small coordinates">
        {`${at.lat}, ${at.lng}`}
        {known && !known.id && ', named by the link'}
      </p>
      <Loaded of={place}>
        {(found) =>
          found && (
            <div class="stack small-gap">
              {found.nothing && <p>{found.nothing}</p>}
              {found.nearest && <p>{found.nearest}</p>}
              <ul class="bare-list offers">
                {found.offers.map((offer, i) => (
                  <OfferItem offer={offer} key={`${offer.name} ${i}`}>
                    <p class="muted small">Published on {moment(offer.published_at)}.</p>
                    {notes?.[i]?.map((note) => (
                      <p key={note}>
                        <Badge tone="good">{note}</Badge>
                      </p>
                    ))}
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
      {children}
    </section>
  );
}
