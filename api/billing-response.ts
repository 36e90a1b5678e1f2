import type { RateLimit } from '../core/access/rate-limit.ts';
import type { ClosePreview, DraftInvoice } from '../core/billing/close.ts';
import { invoiceTotals, type ListedInvoice } from '../core/billing/invoices.ts';
import type { Column } from './csv.ts';
import { dollars } from './csv.ts';

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
];

/** A preview in the words of the interface. */
export function previewBody({ month, state, months, invoices }: ClosePreview): object {
  const shown = invoices.map(draftBody);
  return { month, state, months, invoices: shown, totals: invoiceTotals(shown) };
}

function draftBody({ account, lines, usage, subtotalCents, gstPercent, gstCents, totalCents }: DraftInvoice) {
  return {
    recipient: account,
    lines: lines.map((line, index) => ({
      position: index + 1,
      kind: line.kind,
      month: line.month,
      description: line.description,
      quantity: line.quantity,
      unit_price_cents: line.unitPriceCents,
      amount_cents: line.quantity * line.unitPriceCents,
      cause: line.cause,
      source: line.source,
      // Where it is booked already.
      entry_id: line.entryId ?? null,
    })),
    usage,
    subtotal_cents: subtotalCents,
    gst_percent: gstPercent,
    gst_cents: gstCents,
    total_cents: totalCents,
  };
}
