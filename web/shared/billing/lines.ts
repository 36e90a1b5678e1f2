import { h } from '../dom.ts';
import { table } from '../table.ts';
import { number } from '../words.ts';
import { sourceFacts } from './source.ts';
import type { Amounts, EntrySource, InvoiceLine } from './types.ts';
import { kindWords, money } from './words.ts';

/**
 * The lines of an invoice; what each was worked out from is folded away below it.
 * @param origin what else there is to say of where a line comes from
 */
export function lineTable<Line extends InvoiceLine>(
  caption: string,
  lines: readonly Line[],
  origin: (line: Line) => { source: EntrySource; more?: Node },
): HTMLElement {
  return table<Line>(
    caption,
    [
      {
        title: 'What',
        heading: true,
        cell: (line) => {
          const { source, more } = origin(line);
          return h('div', {}, line.description, fold(source, more));
        },
      },
      { title: 'Kind', cell: ({ kind }) => h('span', { class: 'muted' }, kindWords[kind]) },
      { title: 'Quantity', numeric: true, cell: ({ quantity }) => number(quantity) },
      { title: 'Each', numeric: true, cell: ({ unit_price_cents: cents }) => money(cents) },
      { title: 'Amount', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
    ],
    lines,
  );
}

/** What a figure was worked out from, folded away until somebody asks. */
export function fold(source: EntrySource, more?: Node): HTMLElement {
  return h(
    'details',
    { class: 'origin' },
    h('summary', {}, 'Where this comes from'),
    sourceFacts(source),
    more,
  );
}

/** Without GST, GST, and both together. */
export function sums(
  { subtotal_cents: subtotal, gst_cents: gst, total_cents: total }: Amounts,
  percent: number,
): HTMLElement {
  return h(
    'dl',
    { class: 'sums' },
    h('div', {}, h('dt', {}, 'Without GST'), h('dd', {}, money(subtotal))),
    h('div', {}, h('dt', {}, `GST, ${percent}%`), h('dd', {}, money(gst))),
    h('div', { class: 'sum' }, h('dt', {}, 'Total'), h('dd', {}, money(total))),
  );
}
