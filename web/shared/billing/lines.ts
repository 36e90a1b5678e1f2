import { h } from '../dom.ts';
import { table } from '../table.ts';
import { number } from '../words.ts';
import { sourceFacts } from './source.ts';
import type { Amounts, Balance, EntrySource, InvoiceLine } from './types.ts';
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
        title: 'Description',
        heading: true,
        cell: (line) => {
          const { source, more } = origin(line);
          const isKnown = more || Object.keys(source).length > 0;
          return h('div', {}, line.description, isKnown ? fold(source, more) : null);
        },
      },
      { title: 'Type', cell: ({ kind }) => h('span', { class: 'muted' }, kindWords[kind]) },
      { title: 'Quantity', numeric: true, cell: ({ quantity }) => number(quantity) },
      { title: 'Unit price', numeric: true, cell: ({ unit_price_cents: cents }) => money(cents) },
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
    h('summary', {}, 'Calculation details'),
    sourceFacts(source),
    more,
  );
}

/** Without GST, GST, and both together; and where there is a credit, what of it is used up and left. */
export function sums(
  {
    subtotal_cents: subtotal,
    gst_cents: gst,
    total_cents: total,
    due_cents: due,
    ...balance
  }: Amounts & Partial<Balance>,
  percent: number,
): HTMLElement {
  const { brought_forward_cents: brought = 0, carried_forward_cents: carried = 0 } = balance;
  const row = (name: string, cents: number, kind = '') =>
    h('div', { class: kind }, h('dt', {}, name), h('dd', {}, money(cents)));
  const isPlain = brought === 0 && carried === 0;
  return h(
    'dl',
    { class: 'sums' },
    row('Subtotal (excl. GST)', subtotal),
    row(`GST (${percent}%)`, gst),
    row('Total (incl. GST)', total, isPlain ? 'sum' : ''),
    brought > 0 ? row('Credit brought forward', -brought) : null,
    isPlain
      ? null
      : carried > 0
        ? row('Credit carried forward', carried, 'sum')
        : row('Amount due', due, 'sum'),
  );
}
