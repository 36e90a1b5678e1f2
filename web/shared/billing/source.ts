import { h } from '../dom.ts';
import { number, when } from '../words.ts';
import type { EntrySource } from './types.ts';
import { dateName, money, monthName } from './words.ts';

/** Fields that are said otherwise than they are written, in the order in which a figure is worked out. */
const labels: Record<string, string> = {
  queries: 'Queries counted',
  free: 'Free',
  bundle: 'Included in the plan',
  bundled: 'In the bundle',
  overage: 'Past the bundle',
  keys: 'By key',
  plan: 'Plan',
  price_cents: 'Price of a month',
  days: 'Days',
  days_in_month: 'Days in the month',
};
const order = Object.keys(labels);

/** What a figure on an invoice was worked out from, field by field, whatever the fields are. */
export function sourceFacts(source: EntrySource): HTMLElement {
  return h(
    'dl',
    { class: 'facts compact' },
    ...Object.entries(source)
      .sort(([a], [b]) => placeOf(a) - placeOf(b))
      .map(([name, value]) =>
        h('div', {}, h('dt', {}, labelOf(name)), h('dd', { class: 'break' }, shown(name, value))),
      ),
  );
}

/** Fields that are not known come last. */
function placeOf(name: string): number {
  const place = order.indexOf(name);
  return place < 0 ? order.length : place;
}

function labelOf(name: string): string {
  const words = name.replace(/_cents$/, '').replaceAll('_', ' ');
  return labels[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

function shown(name: string, value: unknown): Node | string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'number') {
    if (name.endsWith('_cents')) return money(value);
    // An id is a name: no separators in it.
    return /(^|_)id$/.test(name) ? String(value) : number(value);
  }
  if (typeof value === 'string') {
    if (/^\d{4}-\d{2}$/.test(value)) return monthName(value);
    if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return dateName(value);
    if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return when(value);
    return value;
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return '–';
    return h('ul', { class: 'plain-list' }, ...value.map((one) => h('li', {}, shown(name, one))));
  }
  if (typeof value === 'object') {
    if ('hint' in value && 'queries' in value) return `${value.hint}: ${textOf('queries', value.queries)}`;
    return h(
      'span',
      {},
      Object.entries(value)
        .filter(([, inner]) => inner !== null && inner !== '')
        .map(([key, inner]) => `${labelOf(key).toLowerCase()} ${textOf(key, inner)}`)
        .join(', '),
    );
  }
  return String(value);
}

function textOf(name: string, value: unknown): string {
  const inner = shown(name, value);
  return typeof inner === 'string' ? inner : (inner.textContent ?? '');
}
