import { button } from '../shared/button.ts';
import { h, icon, icons } from '../shared/dom.ts';
import { calendarDay, speedRange } from '../shared/words.ts';

/** What the lookup answers: version 2.0's. */
export interface Answer {
  location: { lat: string; lng: string };
  results: TechnologyAnswer[];
}

interface TechnologyAnswer {
  technology: string;
  availability: 'available' | 'planned' | 'unavailable';
  providers?: Offer[];
}

interface Offer {
  name: string;
  wholesale_network: 'Yes' | 'No' | 'Both';
  url: string;
  bandwidth_min_mbps: number;
  bandwidth_max_mbps: number;
  bandwidth_up_min_mbps: number;
  bandwidth_up_max_mbps: number;
  planned_date: string | null;
}

const words = { available: 'Available', planned: 'Planned', unavailable: 'Not available' } as const;
const tones = { available: 'good', planned: 'info', unavailable: '' } as const;
const marks = {
  available: icons.check,
  planned: 'M12 7v5l3 2m6-2a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  unavailable: 'M6 12h12',
} as const;

/** What there is at a position. @param labels of technologies, by name */
export function answerCard(
  { location: { lat, lng }, results }: Answer,
  labels: ReadonlyMap<string, string>,
  close: () => void,
): HTMLElement {
  const offered = results.filter(({ availability }) => availability !== 'unavailable');
  const others = results.filter(({ availability }) => availability === 'unavailable');
  const label = ({ technology }: TechnologyAnswer) => labels.get(technology) ?? technology;
  return h(
    'div',
    { class: 'stack small-gap' },
    h(
      'div',
      { class: 'answer-head' },
      h('h2', {}, `${lat}, ${lng}`),
      button('Close', close, { kind: 'quiet' }),
    ),
    offered.length === 0 && h('p', {}, 'No operator has told of broadband at this place.'),
    ...offered.map((one) =>
      h(
        'section',
        { class: 'technology', 'aria-label': label(one) },
        h('div', { class: 'technology-head' }, h('h3', {}, label(one)), badge(one.availability)),
        h('ul', { class: 'offers' }, ...(one.providers ?? []).map(offer)),
      ),
    ),
    others.length > 0 &&
      h(
        'p',
        { class: 'muted small not-there' },
        badge('unavailable'),
        h('span', {}, others.map(label).join(', ')),
      ),
  );
}

function badge(availability: TechnologyAnswer['availability']): HTMLElement {
  return h(
    'span',
    { class: `badge ${tones[availability]}` },
    icon(marks[availability], 14),
    words[availability],
  );
}

function offer(one: Offer): HTMLElement {
  const { name, url, wholesale_network: wholesale, planned_date: planned } = one;
  // The addresses are what operators have submitted.
  // One that ends in .invalid stands for none.
  const isWeb = /^https?:\/\//i.test(url) && !/^https?:\/\/[^/]*\.invalid\//.test(url);
  return h(
    'li',
    {},
    isWeb
      ? h('a', { href: url, rel: 'noopener noreferrer nofollow', class: 'offer-name' }, name)
      : h('span', { class: 'offer-name' }, name),
    h(
      'dl',
      { class: 'speeds' },
      h(
        'div',
        {},
        h('dt', {}, 'Download'),
        h('dd', {}, speedRange(one.bandwidth_min_mbps, one.bandwidth_max_mbps)),
      ),
      h(
        'div',
        {},
        h('dt', {}, 'Upload'),
        h('dd', {}, speedRange(one.bandwidth_up_min_mbps, one.bandwidth_up_max_mbps)),
      ),
    ),
    planned && h('p', { class: 'small' }, `Planned for ${dayOf(planned)}`),
    wholesale === 'Yes' &&
      h('p', { class: 'muted small' }, 'Sold by internet providers that use this network'),
  );
}

/** An HTTP date at midnight GMT is a calendar day. */
function dayOf(httpDate: string): string {
  const date = new Date(httpDate);
  return Number.isNaN(date.getTime()) ? httpDate : calendarDay(date.toISOString().slice(0, 10));
}

/** The answer as a sentence, for those who listen to the page. */
export function inShort({ results }: Answer, labels: ReadonlyMap<string, string>): string {
  const named = (availability: TechnologyAnswer['availability']) =>
    results
      .filter((one) => one.availability === availability)
      .map(({ technology }) => labels.get(technology) ?? technology);
  const [there, planned] = [named('available'), named('planned')];
  const parts = [
    there.length > 0 && `Available: ${there.join(', ')}.`,
    planned.length > 0 && `Planned: ${planned.join(', ')}.`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : 'No broadband is known of at this place.';
}
