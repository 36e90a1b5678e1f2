import { h } from '../dom.ts';
import { notice } from '../notice.ts';
import { type Column, table } from '../table.ts';
import { count, when } from '../words.ts';
import { figures } from './figures.ts';
import { invoiceTable } from './invoices.ts';
import type { OwnLedgerEntry, Statement } from './types.ts';
import { kindWords, money } from './words.ts';

/**
 * How an account stands: its credit, its invoices with what they left of it, and what is on none yet.
 * @param base where an invoice is shown: `#/invoices/`
 * @param nothing what is said where there is no invoice
 */
export function showStatement(
  { credit_cents: credit, invoices, unbilled }: Statement,
  base: string,
  nothing: string,
): (Node | null)[] {
  const { entries, subtotal_cents: open } = unbilled;
  const sum = (field: 'subtotal_cents' | 'gst_cents' | 'total_cents' | 'due_cents') =>
    invoices.reduce((total, invoice) => total + invoice[field], 0);
  const totals = {
    count: invoices.length,
    subtotal_cents: sum('subtotal_cents'),
    gst_cents: sum('gst_cents'),
    total_cents: sum('total_cents'),
    due_cents: sum('due_cents'),
  };
  return [
    credit > 0
      ? notice('good', `Credit: ${money(credit)} (incl. GST)`, 'The next invoices use it up.')
      : null,
    entries.length > 0
      ? figures([
          {
            label: 'Unbilled (excl. GST)',
            value: money(open),
            note: `${count(entries.length, 'entry', 'entries')} for the next invoice`,
          },
        ])
      : null,
    entries.length > 0 ? table('Unbilled entries, oldest first', columns, entries) : null,
    invoices.length === 0
      ? h('p', { class: 'muted' }, nothing)
      : invoiceTable({ invoices, totals }, base, false),
  ];
}

const columns: Column<OwnLedgerEntry>[] = [
  { title: 'Description', heading: true, cell: ({ description }) => description },
  { title: 'Type', cell: ({ kind }) => h('span', { class: 'muted' }, kindWords[kind]) },
  { title: 'Posted', cell: ({ booked_at: at }) => when(at) },
  { title: 'Amount (excl. GST)', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
];
