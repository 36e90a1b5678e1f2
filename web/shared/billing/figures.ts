import { h } from '../dom.ts';
import { number } from '../words.ts';

export interface Figure {
  label: string;
  value: string;
  /** What it comes from, or goes on to. */
  note?: string | undefined;
}

/** The figures that matter most, side by side. */
export function figures(list: readonly Figure[]): HTMLElement {
  return h(
    'dl',
    { class: 'figures' },
    ...list.map(({ label, value, note }) =>
      h(
        'div',
        {},
        h('dt', {}, label),
        h('dd', { class: 'figure-value' }, value),
        note ? h('dd', { class: 'hint' }, note) : null,
      ),
    ),
  );
}

/** Facts about one thing, each a term and what it is. Those without anything are left out. @param across side by side */
export function facts(
  list: readonly (readonly [term: string, what: Node | string | null])[],
  across = false,
): HTMLElement {
  return h(
    'dl',
    { class: across ? 'facts across' : 'facts' },
    ...list.flatMap(([term, what]) =>
      what === null || what === '' ? [] : [h('div', {}, h('dt', {}, term), h('dd', {}, what))],
    ),
  );
}

export interface Bundle {
  used: number;
  size: number;
  /** How much of it will be used at the month's end, where that can be said. */
  expected?: number | undefined;
}

/** What the parts of a bundle's bar stand for. */
export function bundleLegend({ used, size, expected }: Bundle): HTMLElement {
  const entries: [mark: string, text: string, isThere: boolean][] = [
    ['', 'used', true],
    ['past', 'past the bundle', used > size],
    ['end', 'end of the bundle', Math.max(used, expected ?? 0) > size],
    ['expected', 'expected at the month’s end', expected !== undefined && expected > used],
  ];
  return h(
    'ul',
    { class: 'legend', 'aria-hidden': 'true' },
    ...entries
      .filter(([, , isThere]) => isThere)
      .map(([mark, text]) => h('li', {}, h('span', { class: `legend-mark ${mark}` }), text)),
  );
}

/** How much of a bundle has been used, as a bar; a line shows where it will be at the month's end. */
export function bundleBar({ used, size, expected }: Bundle, label: string): HTMLElement {
  // Some room after the last mark, so that it is seen to be one.
  const whole = Math.max(size, used, 1.04 * (expected ?? 0), 1);
  const share = (queries: number) => `${(100 * queries) / whole}%`;
  const fill = h('div', { class: 'bundle-used' });
  fill.style.width = share(Math.min(used, size));
  const past = h('div', { class: 'bundle-past' });
  past.style.width = share(Math.max(0, used - size));
  const bar = h(
    'div',
    {
      class: 'bundle',
      role: 'meter',
      'aria-label': label,
      'aria-valuemin': 0,
      'aria-valuemax': Math.max(size, used),
      'aria-valuenow': used,
      'aria-valuetext': `${number(used)} of ${number(size)} queries`,
    },
    fill,
    past,
  );
  if (whole > size && size > 0) bar.append(markAt(share(size), 'bundle-end'));
  if (expected !== undefined && expected > used) bar.append(markAt(share(expected), 'bundle-expected'));
  return bar;
}

function markAt(left: string, kind: string): HTMLElement {
  const mark = h('div', { class: kind });
  mark.style.left = left;
  return mark;
}
