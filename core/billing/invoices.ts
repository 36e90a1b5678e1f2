import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { CovermapError } from '../errors.ts';
import { type Day, firstDay, type Month } from '../nz-time.ts';
import type { MonthUsage } from './charges.ts';
import type { Contact } from './contacts.ts';
import { type Issuer, issuerOfInvoice } from './issuer.ts';
import {
  type Account,
  type AccountId,
  accountSql,
  type EntryFigures,
  type EntryOrigin,
  ofAccountSql,
} from './ledger.ts';

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

export interface Invoice extends ListedInvoice {
  recipient: Account & Contact;
  issuer: Issuer;
  lines: InvoiceLine[];
  usage: MonthUsage | null;
  gst_percent: number;
}

/** SQL: the columns of a {@link ListedInvoice}, of `invoice i`. */
const columns = sql`i.number, i.occasion, to_char(i.month, 'YYYY-MM') as month, ${accountSql('i', 'i.recipient')} as recipient,
  i.issued_on, i.due_on, i.subtotal_cents, i.gst_cents, i.total_cents, i.brought_forward_cents, i.due_cents, i.carried_forward_cents`;

/** Invoices, newest first. */
export async function listInvoices(
  db: Queryable,
  { account, month }: { account?: AccountId | undefined; month?: Month | undefined },
): Promise<ListedInvoice[]> {
  const first = month && firstDay(month);
  const { rows } = await db.query<ListedInvoice>(sql`
    select ${columns} from invoice i
    where ${ofAccountSql('i', account)} and (${first}::date is null or i.month = ${first})
    order by i.number desc`);
  return rows;
}

export function invoiceTotals(invoices: readonly Amounts[]): Amounts & { count: number } {
  const totals = { count: invoices.length, subtotal_cents: 0, gst_cents: 0, total_cents: 0, due_cents: 0 };
  for (const invoice of invoices) {
    for (const field of ['subtotal_cents', 'gst_cents', 'total_cents', 'due_cents'] as const) {
      totals[field] += invoice[field];
    }
  }
  return totals;
}

/**
 * An invoice as it was issued: nothing of it depends on what holds now.
 * @param account whose it has to be; undefined: anybody's
 * @throws CovermapError `invoice_unknown`
 */
export async function findInvoice(db: Queryable, number: number, account?: AccountId): Promise<Invoice> {
  const { rows } = await db.query<
    Omit<Invoice, 'lines' | 'recipient'> & { recipient: Account; contact: Contact }
  >(sql`
    select ${columns}, i.usage, i.gst_percent, ${issuerOfInvoice} as issuer,
      json_build_object('address', i.recipient_address, 'contact', i.recipient_contact) as contact
    from invoice i where i.number = ${number} and ${ofAccountSql('i', account)}`);
  if (!rows[0]) throw new CovermapError('invoice_unknown');
  const { contact, ...invoice } = rows[0];
  const { rows: lines } = await db.query<Omit<InvoiceLine, 'entry'> & InvoiceLine['entry']>(sql`
    select l.position, e.kind, to_char(e.month, 'YYYY-MM') as month, e.description, e.quantity, e.unit_price_cents,
      e.amount_cents, e.id, e.cause, e.booked_at, e.booked_by, e.source
    from invoice_line l join ledger_entry e on e.id = l.entry_id
    where l.invoice_number = ${number}
    order by l.position`);
  return {
    ...invoice,
    recipient: { ...invoice.recipient, ...contact },
    lines: lines.map(({ id, cause, booked_at, booked_by, source, ...line }) => ({
      ...line,
      entry: { id, cause, booked_at, booked_by, source },
    })),
  };
}
