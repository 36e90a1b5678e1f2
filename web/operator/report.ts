import { h, icon, icons } from '../shared/dom.ts';
import { swatch } from '../shared/map/legend.ts';
import { type ProblemPlace, problemPlaces } from '../shared/map/overlays.ts';
import { notice } from '../shared/notice.ts';
import { table } from '../shared/table.ts';
import type { Problem, Report, Tier } from '../shared/types.ts';
import { area, availabilityWords, calendarDay, count, number, speedRange } from '../shared/words.ts';

/** Tiers that are listed at first. */
const fewTiers = 8;

export interface ReportView {
  element: HTMLElement;
  /** Marks the entry of a place, and brings it into view. */
  select(place: ProblemPlace): void;
}

/** What was found in a file, in words. @param goTo shows a place on the map */
export function reportView(
  report: Report,
  technologyLabel: (name: string) => string,
  goTo: (place: ProblemPlace) => void,
): ReportView {
  const { features } = report;
  const entries = new Map<string, HTMLElement>();
  const keyOf = (place: Pick<ProblemPlace, 'problem' | 'example'>) => `${place.problem}-${place.example}`;
  const select = (place: ProblemPlace) => {
    for (const [key, entry] of entries) {
      if (key === keyOf(place)) entry.setAttribute('aria-current', 'true');
      else entry.removeAttribute('aria-current');
    }
    const entry = entries.get(keyOf(place));
    const details = entry?.closest('details');
    if (details) details.open = true;
    entry?.scrollIntoView({ block: 'nearest' });
  };

  const problemItem = (problem: Problem, index: number) => {
    const places = problemPlaces([problem]).map((place) => ({ ...place, problem: index }));
    const placed = places.length > 0;
    const summary = [swatch(problem.kind), h('span', {}, sentence(problem))];
    if (!placed) return h('li', {}, h('div', { class: 'problem-head' }, ...summary));
    return h(
      'li',
      {},
      h(
        'details',
        { open: index === 0 && problem.kind !== 'clipped' },
        h('summary', { class: 'problem-head' }, ...summary),
        h(
          'ul',
          { class: 'problem-places' },
          ...places.map((place) => {
            const what = place.name ? `“${place.name}”` : `Feature ${number(place.feature)}`;
            const entry = h(
              'button',
              {
                type: 'button',
                class: 'place',
                onclick: () => {
                  select(place);
                  goTo(place);
                },
              },
              icon(icons.pin, 16),
              h('span', { class: 'break' }, what, report.layers.length > 1 ? ` in ${place.layer}` : ''),
              h('span', { class: 'visually-hidden' }, ', show on the map'),
            );
            entries.set(keyOf(place), entry);
            return h('li', {}, entry);
          }),
        ),
        problem.count > places.length &&
          h('p', { class: 'hint' }, `The first ${places.length} of ${number(problem.count)}.`),
      ),
    );
  };

  const left = features.read - features.loaded;
  const element = h(
    'div',
    { class: 'stack' },
    ...report.warnings.map(({ message }) => notice('warning', message)),
    h(
      'dl',
      { class: 'figures' },
      figure('Area covered', area(report.area_km2)),
      figure('Features', number(features.read)),
      figure('Loaded', number(features.loaded), left > 0 ? `${number(left)} dropped` : 'all'),
    ),
    h('h3', {}, 'Speed tiers'),
    tierTable(report.tiers, technologyLabel),
    h('h3', {}, 'Issues'),
    report.problems.length === 0
      ? h('p', { class: 'row done' }, icon(icons.check), 'No issues found.')
      : h('ul', { class: 'problems' }, ...report.problems.map(problemItem)),
    report.text &&
      h(
        'details',
        {},
        h('summary', {}, 'Full report'),
        h(
          'ul',
          { class: 'report-lines small' },
          ...report.text.map((line) => h('li', { class: 'break' }, line)),
        ),
      ),
  );
  return { element, select };
}

function sentence({ text, kind, count: many, reason }: Problem): string {
  if (text) return text;
  const verb = {
    dropped: 'dropped',
    repaired: 'repaired',
    clipped: 'clipped at the edge of the service area',
  }[kind];
  return `${count(many, 'feature')} ${verb}${kind === 'clipped' ? '' : `: ${reason}`}`;
}

function figure(name: string, value: string, more?: string): HTMLElement {
  return h('div', {}, h('dt', {}, name), h('dd', {}, value, more && h('small', {}, more)));
}

function tierTable(tiers: readonly Tier[], technologyLabel: (name: string) => string): HTMLElement {
  const sorted = [...tiers].sort((a, b) => b.area_km2 - a.area_km2);
  const oneTechnology = new Set(tiers.map(({ technology }) => technology)).size === 1;
  const columns = [
    ...(oneTechnology
      ? []
      : [{ title: 'Technology', cell: (tier: Tier) => technologyLabel(tier.technology), heading: true }]),
    {
      title: 'Download',
      cell: (tier: Tier) => speedRange(tier.bandwidth_min_mbps, tier.bandwidth_max_mbps),
      heading: oneTechnology,
    },
    {
      title: 'Upload',
      cell: (tier: Tier) => speedRange(tier.bandwidth_up_min_mbps, tier.bandwidth_up_max_mbps),
    },
    {
      title: 'Availability',
      cell: (tier: Tier) =>
        tier.planned_date
          ? `${availabilityWords[tier.availability]}, ${calendarDay(tier.planned_date)}`
          : availabilityWords[tier.availability],
    },
    { title: 'Area', cell: (tier: Tier) => area(tier.area_km2), numeric: true },
  ];
  const first = table('Speeds and their area', columns, sorted.slice(0, fewTiers));
  if (sorted.length <= fewTiers) return first;
  return h(
    'div',
    {},
    first,
    h(
      'details',
      {},
      h('summary', {}, `${count(sorted.length - fewTiers, 'more combination')} of speeds`),
      table('More speeds and their area', columns, sorted.slice(fewTiers)),
    ),
  );
}
