import { request } from '../api.ts';
import { h, icon, icons } from '../dom.ts';
import { part } from '../part.ts';
import type { View } from '../router.ts';
import { when } from '../words.ts';
import { csvLink } from './csv-link.ts';
import { facts } from './figures.ts';
import { lineTable, sums } from './lines.ts';
import type { EntrySource, Invoice } from './types.ts';
import { dateName, money, monthName } from './words.ts';

export interface InvoiceView {
  /** Where invoices are asked for: `/api/account/invoices`. */
  address: string;
  number: string;
  /** Whether it is always one's own. */
  isOwn: boolean;
  /** Of a customer, where staff look at it. */
  recipientHref?: (invoice: Invoice) => string | undefined;
}

/** One invoice: its lines with what each was worked out from; for staff the entry of the ledger, too. */
export function invoiceView({ address, number: invoiceNumber, isOwn, recipientHref }: InvoiceView): View {
  const path = `${address}/${encodeURIComponent(invoiceNumber)}`;
  const shown = part(
    () => request<Invoice>('GET', path),
    (invoice) => {
      const { recipient } = invoice;
      const href = recipientHref?.(invoice);
      return [
        h(
          'section',
          { class: 'card', 'aria-label': 'About this invoice' },
          facts(
            [
              ['For', isOwn ? null : href ? h('a', { href }, recipient.name) : recipient.name],
              ['Billing period', monthName(invoice.month)],
              ['Issued', dateName(invoice.issued_on)],
              ['Due', invoice.due_on ? dateName(invoice.due_on) : 'Nothing to pay'],
              invoice.total_cents < 0
                ? ['Credit (incl. GST)', money(-invoice.total_cents)]
                : ['Amount due (incl. GST)', money(invoice.due_cents)],
            ],
            true,
          ),
        ),
        h(
          'section',
          { class: 'card stack', 'aria-label': 'Lines' },
          h('h2', {}, 'Lines'),
          lineTable('Lines of the invoice', invoice.lines, entryOf),
          sums(invoice, invoice.gst_percent),
        ),
      ];
    },
  );
  void shown.load();
  return {
    title: `Invoice ${invoiceNumber}`,
    element: h(
      'div',
      { class: 'stack large' },
      h(
        'div',
        { class: 'page-head' },
        h('a', { class: 'back', href: '#/invoices' }, icon(icons.back, 18), 'Invoices'),
        h(
          'div',
          { class: 'title-row' },
          h('h1', {}, `Invoice ${invoiceNumber}`),
          h(
            'div',
            { class: 'actions' },
            h(
              'a',
              { class: 'button', href: `${path}?format=html`, target: '_blank', rel: 'noopener' },
              icon(icons.print, 18),
              'Print / PDF',
            ),
            csvLink(`${path}?format=csv`),
          ),
        ),
      ),
      shown.element,
    ),
  };
}

/** The entry of the ledger that a line is made from. */
function entryOf({ entry, source = {} }: Invoice['lines'][number]): { source: EntrySource; more?: Node } {
  if (!entry) return { source };
  return {
    source: entry.source,
    more: h(
      'p',
      { class: 'small muted break' },
      `Entry ${entry.id} of the ledger, booked ${when(entry.booked_at)} by ${entry.booked_by}, for `,
      h('code', {}, entry.cause),
      '.',
    ),
  };
}
