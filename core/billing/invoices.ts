import type { Queryable } from '../database/database.ts';
import { CovermapError } from '../errors.ts';
import { type Day, firstDay, type Month, monthOfDay } from './calendar.ts';
import type { MonthUsage } from './charges.ts';
import { type AccountId, accountOf, type EntryKind } from './ledger.ts';

/** An invoice among others. Cents; the subtotal without GST. */
export interface ListedInvoice {
  number: number;
  /** The month that was closed. */
  month: Month;
  recipient: AccountId & { name: string };
  issued_on: Day;
  due_on: Day;
  subtotal_cents: number;
  gst_cents: number;
  total_cents: number;
}

/** A line is an entry of the ledger. */
export interface InvoiceLine {
  position: number;
  kind: EntryKind;
  month: Month;
  description: string;
  quantity: number;
  unit_price_cents: number;
  amount_cents: number;
  entry: { id: number; cause: string; booked_at: Date; booked_by: string; source: object };
}

/** An invoice with its lines. */
export interface Invoice extends ListedInvoice {
  lines: InvoiceLine[];
  usage: MonthUsage | null;
  gst_percent: number;
}

interface InvoiceRow extends Omit<ListedInvoice, 'recipient'> {
  recipient: string;
  customer_id: number | null;
  provider_id: number | null;
}

/** Invoices, newest first. */
export async function listInvoices(
  db: Queryable,
  filter: { account?: AccountId | undefined; month?: Month | undefined },
): Promise<ListedInvoice[]> {
  const { rows } = await db.query<InvoiceRow>(
    `select number, month, recipient, customer_id, provider_id, issued_on, due_on, subtotal_cents, gst_cents, total_cents
     from invoice
     where ($1::text is null or case $1 when 'customer' then customer_id else provider_id end = $2)
       and ($3::date is null or month = $3)
     order by number desc`,
    [
      filter.account?.kind ?? null,
      filter.account?.id ?? null,
      filter.month === undefined ? null : firstDay(filter.month),
    ],
  );
  return rows.map(({ customer_id, provider_id, number, month, recipient, ...rest }) => ({
    number,
    month: monthOfDay(month),
    recipient: { ...accountOf({ customer_id, provider_id }), name: recipient },
    ...rest,
  }));
}

/** The sums of invoices. */
export function invoiceTotals(
  invoices: readonly Pick<ListedInvoice, 'subtotal_cents' | 'gst_cents' | 'total_cents'>[],
) {
  const sum = (field: 'subtotal_cents' | 'gst_cents' | 'total_cents') =>
    invoices.reduce((total, invoice) => total + invoice[field], 0);
  return {
    count: invoices.length,
    subtotal_cents: sum('subtotal_cents'),
    gst_cents: sum('gst_cents'),
    total_cents: sum('total_cents'),
  };
}

/**
 * @param account whose it has to be; undefined: anybody's
 * @throws CovermapError `invoice_unknown`
 */
export async function findInvoice(db: Queryable, number: number, account?: AccountId): Promise<Invoice> {
  const { rows } = await db.query<InvoiceRow & { usage: MonthUsage | null; gst_percent: number }>(
    `select number, month, recipient, customer_id, provider_id, issued_on, due_on, usage, subtotal_cents, gst_percent,
       gst_cents, total_cents
     from invoice
     where number = $1 and ($2::text is null or case $2 when 'customer' then customer_id else provider_id end = $3)`,
    [number, account?.kind ?? null, account?.id ?? null],
  );
  const row = rows[0];
  if (!row) throw new CovermapError('invoice_unknown', 'There is no such invoice.');
  const { rows: lines } = await db.query<
    Omit<InvoiceLine, 'entry'> & {
      entry_id: number;
      cause: string;
      booked_at: Date;
      booked_by: string;
      source: object;
    }
  >(
    `select l.position, e.kind, e.month, e.description, e.quantity, e.unit_price_cents, e.amount_cents, e.id as entry_id,
       e.cause, e.booked_at, e.booked_by, e.source
     from invoice_line l join ledger_entry e on e.id = l.entry_id
     where l.invoice_number = $1
     order by l.position`,
    [number],
  );
  return {
    number,
    month: monthOfDay(row.month),
    recipient: { ...accountOf(row), name: row.recipient },
    issued_on: row.issued_on,
    due_on: row.due_on,
    lines: lines.map(({ entry_id, cause, booked_at, booked_by, source, month, ...line }) => ({
      ...line,
      month: monthOfDay(month),
      entry: { id: entry_id, cause, booked_at, booked_by, source },
    })),
    usage: row.usage,
    subtotal_cents: row.subtotal_cents,
    gst_percent: row.gst_percent,
    gst_cents: row.gst_cents,
    total_cents: row.total_cents,
  };
}
