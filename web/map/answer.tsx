import { icons } from '../shared/icons.ts';
import type { MapLookup } from '../shared/schemas.ts';
import { Badge } from '../shared/ui/badge.tsx';
import { Button } from '../shared/ui/button.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { calendarDay, speedRange } from '../shared/words.ts';

type TechnologyAnswer = MapLookup['results'][number];
type Availability = TechnologyAnswer['availability'];
type Offer = NonNullable<TechnologyAnswer['providers']>[number];
/** Of technologies, by name. */
type Labels = ReadonlyMap<string, string>;

const badges = {
  available: ['Available', 'good', icons.check],
  planned: ['Planned', 'info', 'M12 7v5l3 2m6-2a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z'],
  unavailable: ['Not available', undefined, 'M6 12h12'],
} as const;

export interface AnswerCardProps {
  answer: MapLookup;
  labels: Labels;
  onClose(): void;
}

/** What there is at a position. */
export function AnswerCard({ answer: { location, results }, labels, onClose }: AnswerCardProps) {
  const offered = results.filter(({ availability }) => availability !== 'unavailable');
  const others = results.filter(({ availability }) => availability === 'unavailable');
  const label = ({ technology }: TechnologyAnswer) => labels.get(technology) ?? technology;
  return (
    <div class="stack small-gap">
      <div class="between answer-head">
        <h2>
          {location.lat}, {location.lng}
        </h2>
        <Button kind="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      {offered.length === 0 && <p>No operator reports broadband here.</p>}
      {offered.map((one) => (
        <section class="technology" aria-label={label(one)} key={one.technology}>
          <div class="between">
            <h3>{label(one)}</h3>
            <AvailabilityBadge of={one.availability} />
          </div>
          <ul class="bare-list offers">
            {one.providers?.map((offer, i) => (
              <OfferItem key={`${offer.name} ${i}`} {...offer} />
            ))}
          </ul>
        </section>
      ))}
      {others.length > 0 && (
        <p class="row muted small">
          <AvailabilityBadge of="unavailable" />
          <span>{others.map(label).join(', ')}</span>
        </p>
      )}
    </div>
  );
}

function AvailabilityBadge({ of }: { of: Availability }) {
  const [name, tone, mark] = badges[of];
  return (
    <Badge tone={tone}>
      <Icon path={mark} size={14} />
      {name}
    </Badge>
  );
}

function OfferItem({ name, url, wholesale_network: wholesale, planned_date: planned, ...speeds }: Offer) {
  // The addresses are what operators have submitted. One that ends in .invalid stands for none.
  const isWeb = /^https?:\/\//i.test(url) && !/^https?:\/\/[^/]*\.invalid\//.test(url);
  return (
    <li>
      {isWeb ? (
        <a href={url} rel="noopener noreferrer nofollow" class="offer-name">
          {name}
        </a>
      ) : (
        <span class="offer-name">{name}</span>
      )}
      <dl class="speeds">
        <div>
          <dt>Download</dt>
          <dd>{speedRange(speeds.bandwidth_min_mbps, speeds.bandwidth_max_mbps)}</dd>
        </div>
        <div>
          <dt>Upload</dt>
          <dd>{speedRange(speeds.bandwidth_up_min_mbps, speeds.bandwidth_up_max_mbps)}</dd>
        </div>
      </dl>
      {planned && <p class="small">Planned for {dayOf(planned)}</p>}
      {wholesale === 'Yes' && <p class="muted small">Sold by internet providers that use this network</p>}
    </li>
  );
}

/** An HTTP date at midnight GMT is a calendar day. */
function dayOf(httpDate: string): string {
  const date = new Date(httpDate);
  return Number.isNaN(date.getTime()) ? httpDate : calendarDay(date.toISOString().slice(0, 10));
}

/** The answer as a sentence, for those who listen to the page. */
export function inShort({ results }: MapLookup, labels: Labels): string {
  const named = (availability: Availability) =>
    results
      .filter((one) => one.availability === availability)
      .map(({ technology }) => labels.get(technology) ?? technology);
  const [there, planned] = [named('available'), named('planned')];
  const parts = [
    there.length > 0 && `Available: ${there.join(', ')}.`,
    planned.length > 0 && `Planned: ${planned.join(', ')}.`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : 'No operator reports broadband here.';
}
