import type { RateLimit } from '../core/access/rate-limit/rate-limit.ts';
import type { Invoice, ListedInvoice } from '../core/billing/invoices.ts';
import { dollars } from '../core/billing/money.ts';
import type { Column } from './http/csv.ts';

/** The rate limit as it is shown; null where there is none. */
export function shownLimit({ rate }: RateLimit): { per_second: number; burst: number } | null {
  return Number.isFinite(rate.perSecond) ? { per_second: rate.perSecond, burst: rate.burst } : null;
}

/** The columns of a list of invoices. */
export const invoiceColumns: readonly Column<ListedInvoice>[] = [
  ['number', ({ number }) => number],
  ['month', ({ month }) => month],
  ['recipient_kind', ({ recipient }) => recipient.kind],
  ['recipient', ({ recipient }) => recipient.name],
  ['issued_on', ({ issued_on }) => issued_on],
  ['due_on', ({ due_on }) => due_on],
  ['subtotal', ({ subtotal_cents }) => dollars(subtotal_cents)],
  ['gst', ({ gst_cents }) => dollars(gst_cents)],
  ['total', ({ total_cents }) => dollars(total_cents)],
  ['credit_brought_forward', ({ brought_forward_cents }) => dollars(brought_forward_cents)],
  ['amount_due', ({ due_cents }) => dollars(due_cents)],
  ['credit_carried_forward', ({ carried_forward_cents }) => dollars(carried_forward_cents)],
];

/** Of what a line was worked out from that is a customer's business. */
const shownFacts = new Set([
  'plan',
  'price_cents',
  'days',
  'days_in_month',
  'queries',
  'free',
  'bundle',
  'bundled',
  'overage',
  'booked_before',
  'keys',
]);

/** An invoice as its recipient has it: with the figures of each line, and without the ledger behind it. */
export function recipientsCopy({ lines, ...invoice }: Invoice) {
  return {
    ...invoice,
    lines: lines.map(({ entry, ...line }) => ({
      ...line,
      source: Object.fromEntries(Object.entries(entry.source).filter(([name]) => shownFacts.has(name))),
    })),
  };
}
