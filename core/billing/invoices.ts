import type { Queryable } from '../database/database.ts';
import { CovermapError } from '../errors.ts';
import { type Day, firstDay, type Month, monthOfDay } from '../nz-time.ts';
import type { MonthUsage } from './charges.ts';
import { type Contact, contactOf } from './contacts.ts';
import { type Account, type AccountId, accountOf, type EntryFigures, type EntryOrigin } from './ledger.ts';

/** Why there is an invoice: its month was closed, or a plan has started. */
export type Occasion = 'month' | 'plan_start';

/** What an invoice comes to. Cents; the subtotal without GST, all else with it. */
export interface Amounts {
  subtotal_cents: number;
  gst_cents: number;
  /** Below zero it is a credit. */
  total_cents: number;
  /** What is to be paid once the credit brought forward is used up. */
  due_cents: number;
}

/** The credit of an account before and after an invoice. Cents with GST, none below zero. */
export interface Balance {
  brought_forward_cents: number;
  carried_forward_cents: number;
}

/** An invoice in a list. */
export interface ListedInvoice extends Amounts, Balance {
  number: number;
  occasion: Occasion;
  /** The month that was closed, or in which the plan started. */
  month: Month;
  recipient: Account;
  issued_on: Day;
  /** Null where nothing is to be paid. */
  due_on: Day | null;
}

/** A line is an entry of the ledger. */
export interface InvoiceLine extends EntryFigures {
  position: number;
  entry: EntryOrigin & { id: number; booked_at: Date; booked_by: string };
}

/** An invoice with its lines. */
export interface Invoice extends ListedInvoice {
  recipient: Account & Contact;
  lines: InvoiceLine[];
  usage: MonthUsage | null;
  gst_percent: number;
}

const columns = `number, occasion, month, recipient, customer_id, provider_id, issued_on, due_on, subtotal_cents, gst_cents,
  total_cents, brought_forward_cents, due_cents, carried_forward_cents`;

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
    `select ${columns} from invoice
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
export function invoiceTotals(invoices: readonly Amounts[]): Amounts & { count: number } {
  const sum = (field: keyof Amounts) => invoices.reduce((total, invoice) => total + invoice[field], 0);
  return {
    count: invoices.length,
    subtotal_cents: sum('subtotal_cents'),
    gst_cents: sum('gst_cents'),
    total_cents: sum('total_cents'),
    due_cents: sum('due_cents'),
  };
}

/**
 * @param account whose it has to be; undefined: anybody's
 * @throws CovermapError `invoice_unknown`
 */
export async function findInvoice(db: Queryable, number: number, account?: AccountId): Promise<Invoice> {
  const { rows } = await db.query<
    InvoiceRow & {
      usage: MonthUsage | null;
      gst_percent: number;
      recipient_address: string;
      recipient_contact: string;
    }
  >(
    `select ${columns}, usage, gst_percent, recipient_address, recipient_contact
     from invoice
     where number = $1 and ($2::text is null or case $2 when 'customer' then customer_id else provider_id end = $3)`,
    [number, account?.kind ?? null, account?.id ?? null],
  );
  const row = rows[0];
  if (!row) throw new CovermapError('invoice_unknown', 'There is no such invoice.');
  const { rows: lines } = await db.query<Omit<InvoiceLine, 'entry'> & InvoiceLine['entry']>(
    `select l.position, e.kind, e.month, e.description, e.quantity, e.unit_price_cents, e.amount_cents, e.id, e.cause,
       e.booked_at, e.booked_by, e.source
     from invoice_line l join ledger_entry e on e.id = l.entry_id
     where l.invoice_number = $1
     order by l.position`,
    [number],
  );
  const {
    customer_id: _,
    provider_id: __,
    recipient,
    recipient_address: address,
    recipient_contact: contact,
    ...shown
  } = row;
  // An invoice from before the contact was known shows the present one.
  const known = address || contact ? { address, contact } : await contactOf(db, accountOf(row));
  return {
    ...shown,
    month: monthOfDay(row.month),
    recipient: { ...accountOf(row), name: recipient, ...known },
    lines: lines.map(({ id, cause, booked_at, booked_by, source, month, ...line }) => ({
      ...line,
      month: monthOfDay(month),
      entry: { id, cause, booked_at, booked_by, source },
    })),
  };
}
