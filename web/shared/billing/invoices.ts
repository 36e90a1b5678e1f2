import { h } from '../dom.ts';
import { type Column, table } from '../table.ts';
import { count } from '../words.ts';
import type { Invoices, ListedInvoice } from './types.ts';
import { dateName, money, monthName } from './words.ts';

/**
 * Invoices as a table, and their totals.
 * @param base where one is shown: `#/invoices/`
 * @param showsRecipient whether they are of more than one; those of one are a statement, with GST
 */
export function invoiceTable(
  { invoices, totals }: Invoices,
  base: string,
  showsRecipient: boolean,
): HTMLElement {
  const columns: Column<ListedInvoice>[] = [
    {
      title: 'Invoice',
      heading: true,
      cell: ({ number }) => h('a', { href: `${base}${number}` }, `Invoice ${number}`),
    },
    ...(showsRecipient
      ? [
          {
            title: 'For',
            cell: ({ recipient }: ListedInvoice) =>
              h(
                'span',
                {},
                recipient.name,
                recipient.kind === 'operator' ? h('span', { class: 'muted' }, ', operator') : null,
              ),
          },
        ]
      : []),
    {
      title: 'Billing period',
      cell: ({ month, occasion }) =>
        occasion === 'month'
          ? monthName(month)
          : h('span', {}, monthName(month), h('span', { class: 'small muted below' }, 'start of the plan')),
    },
    { title: 'Issued', cell: ({ issued_on: on }) => dateName(on) },
    { title: 'Due', cell: ({ due_on: on }) => (on ? dateName(on) : h('span', { class: 'muted' }, '–')) },
    ...(showsRecipient
      ? [
          {
            title: 'Excl. GST',
            numeric: true,
            cell: ({ subtotal_cents: cents }: ListedInvoice) => money(cents),
          },
          { title: 'GST', numeric: true, cell: ({ gst_cents: cents }: ListedInvoice) => money(cents) },
        ]
      : []),
    { title: 'Total', numeric: true, cell: ({ total_cents: cents }) => money(cents) },
    { title: 'Amount due', numeric: true, cell: ({ due_cents: cents }) => h('strong', {}, money(cents)) },
    // Of an account, each begins with what the one below has left.
    {
      title: 'Credit carried forward',
      numeric: true,
      cell: ({ carried_forward_cents: cents }) =>
        cents > 0 ? money(cents) : h('span', { class: 'muted' }, '–'),
    },
  ];
  return table('Invoices, newest first', columns, invoices, {
    title: count(totals.count, 'invoice'),
    cells: {
      'Excl. GST': money(totals.subtotal_cents),
      GST: money(totals.gst_cents),
      Total: money(totals.total_cents),
      'Amount due': money(totals.due_cents),
    },
  });
}
