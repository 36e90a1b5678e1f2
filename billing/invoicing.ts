import { z } from 'zod';
import type { Connection, Queryable } from '../platform/database/database.ts';
import { raw, sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import { dayOf, firstDay, type Month } from '../platform/nz-time.ts';
import { gstOn, type MonthUsage } from './charges.ts';
import { contactsOf } from './contacts.ts';
import type { Amounts, Draft, ListedInvoice } from './invoices.ts';
import { issuerNow, presentIssuerId } from './issuer.ts';
import {
  type Account,
  type AccountId,
  accountKey,
  entryKinds,
  type LedgerEntry,
  type NewEntry,
  ownerColumn,
  post,
} from './ledger.ts';
import { mailInvoice } from './mailing.ts';
import { creditOf, creditsOf, settleWithCredit } from './receivables/allocations.ts';
import { dueOn, type Terms, termsByMonth } from './terms.ts';

/** A line of a draft; `entry_id` where its entry is posted already. */
export interface DraftLine extends Omit<NewEntry, 'account'> {
  entry_id: number | null;
}

/** An entry that is on no invoice yet, as a line. */
export function entryLine(entry: LedgerEntry): DraftLine {
  const { id: entry_id, kind, month, description, quantity, unit_price_cents, cause, source } = entry;
  return { entry_id, kind, month, description, quantity, unit_price_cents, cause, source };
}

/** An invoice's account and lines. */
export interface InvoiceContent {
  occasion: ListedInvoice['occasion'];
  account: Account;
  month: Month;
  lines: DraftLine[];
  usage: MonthUsage | null;
}

export interface DraftInvoice extends Draft {
  lines: DraftLine[];
  /** What the law asks for and is not known: until it is, the invoice is held back. */
  lacks: Lack[];
}

/* Goods and Services Tax Act 1985, section 19K: what an invoice above these totals, with GST, has to say. */
/** The issuer's GST number. */
const numberedFromCents = 20_000;
/** The recipient's address, or how else it is reached. */
const identifiedFromCents = 100_000;

export const Lack = z
  .enum(['gst_number', 'contact'])
  .describe(
    '`gst_number`: of the issuer, above $200. `contact`: an address or other contact of the recipient, above $1,000.',
  );
export type Lack = z.output<typeof Lack>;

/** True where the law asks for more about the recipient than the name. */
export const needsIdentifier = ({ total_cents }: Pick<Amounts, 'total_cents'>): boolean =>
  total_cents > identifiedFromCents;

/** True where the law asks for the issuer's GST number. */
export const needsGstNumber = ({
  gst_cents,
  total_cents,
}: Pick<Amounts, 'gst_cents' | 'total_cents'>): boolean => gst_cents > 0 && total_cents > numberedFromCents;

function lacksOf(invoice: Omit<DraftInvoice, 'lacks'>, gstNumber: string): Lack[] {
  const { recipient } = invoice;
  const lacks: Lack[] = [];
  if (needsGstNumber(invoice) && gstNumber === '') lacks.push('gst_number');
  if (needsIdentifier(invoice) && recipient.address === '' && recipient.contact === '') lacks.push('contact');
  return lacks;
}

const supplied: Record<Lack, string> = {
  gst_number: 'Set INVOICE_GST_NUMBER: an invoice above $200 names its issuer’s GST number.',
  contact: 'Give an address or a contact of the recipient: an invoice above $1,000 names one.',
};

/** @throws CovermapError `invoice_held_back` where an invoice lacks what the law asks for */
export function requireComplete({ recipient, lacks }: Pick<DraftInvoice, 'recipient' | 'lacks'>): void {
  if (lacks.length === 0) return;
  const message = `The invoice to ${recipient.name} lacks what the law asks for, so it is not issued.`;
  throw new CovermapError('invoice_held_back', message, lacks.map((lack) => supplied[lack]).join(' '));
}

/** The amount of a line. Cents without GST. */
export const amountOf = (line: Pick<DraftLine, 'quantity' | 'unit_price_cents'>): number =>
  line.quantity * line.unit_price_cents;

export const subtotalOf = (lines: readonly DraftLine[]): number =>
  lines.reduce((sum, line) => sum + amountOf(line), 0);

/** The balance of an account's credit and an invoice's total. */
function balance(brought_forward_cents: number, total_cents: number) {
  const open = total_cents - brought_forward_cents;
  return {
    brought_forward_cents,
    due_cents: Math.max(0, open),
    carried_forward_cents: Math.max(0, 0 - open),
  };
}

/**
 * Drafts invoices in the order of issue: each uses up the credit that the account has, and that the one before it leaves. The GST is that of the invoice's own
 * month: invoices of started plans are for a later month than those of a close.
 */
export async function draft(db: Queryable, contents: readonly InvoiceContent[]): Promise<DraftInvoice[]> {
  const terms = await termsByMonth(
    db,
    contents.map(({ month }) => month),
  );
  const accounts = contents.map(({ account }) => account);
  const contacts = await contactsOf(db, accounts);
  const credits = await creditsOf(db, accounts);
  const { gst_number } = await issuerNow(db);
  return contents.map(({ account, lines, ...content }) => {
    const key = accountKey(account);
    const { gst_percent } = terms.get(content.month) as Terms;
    const subtotal_cents = subtotalOf(lines);
    const gst_cents = gstOn(subtotal_cents, gst_percent);
    const total_cents = subtotal_cents + gst_cents;
    const balanced = balance(credits.get(key) ?? 0, total_cents);
    const drafted = {
      ...content,
      recipient: { ...account, address: '', contact: '', ...contacts.get(key) },
      lines: lines.toSorted((a, b) => entryKinds.indexOf(a.kind) - entryKinds.indexOf(b.kind)),
      subtotal_cents,
      gst_percent,
      gst_cents,
      total_cents,
      ...balanced,
    };
    const lacks = lacksOf(drafted, gst_number);
    if (lacks.length === 0) credits.set(key, balanced.carried_forward_cents);
    return { ...drafted, lacks };
  });
}

/** The number of the newest invoice of an account. */
async function lastInvoice(db: Queryable, account: AccountId): Promise<number | undefined> {
  const { rows } = await db.query<{ number: number }>(sql`
    select number from invoice where account = ${accountKey(account)} order by number desc limit 1`);
  return rows[0]?.number;
}

/** Posts the lines that are not posted yet. @returns the entries of all lines, in order */
export async function postLines(
  connection: Connection,
  account: AccountId,
  lines: readonly DraftLine[],
  by: string,
  at: Date,
): Promise<number[]> {
  const entries: number[] = [];
  for (const { entry_id, ...line } of lines) {
    const id = entry_id ?? (await post(connection, { account, ...line }, by, at));
    if (id === undefined) throw new Error(`${line.cause} has been posted before`);
    entries.push(id);
  }
  return entries;
}

/** Posts unposted lines, and issues the invoice, which uses up the account's credit. @returns its number */
export async function issue(
  connection: Connection,
  invoice: DraftInvoice,
  terms: Terms,
  by: string,
  at: Date,
): Promise<number> {
  const { recipient } = invoice;
  const entries = await postLines(connection, recipient, invoice.lines, by, at);
  // Nobody else issues an invoice until this transaction ends.
  const { rows } = await connection.query<{ number: number }>(
    'update invoice_counter set last = last + 1 returning last as number',
  );
  const number = rows[0]?.number as number;
  const balanced = balance(await creditOf(connection, recipient), invoice.total_cents);
  const issuedOn = dayOf(at);
  await connection.query(sql`
    insert into invoice (number, occasion, ${raw(ownerColumn(recipient))}, month, recipient, recipient_address,
      recipient_contact, issued_on, due_on, usage, subtotal_cents, gst_percent, gst_cents, total_cents, previous,
      brought_forward_cents, due_cents, carried_forward_cents, created_at, issuer_id)
    values (${number}, ${invoice.occasion}, ${recipient.id}, ${firstDay(invoice.month)}, ${recipient.name},
      ${recipient.address}, ${recipient.contact}, ${issuedOn},
      ${invoice.total_cents > 0 ? dueOn(issuedOn, terms) : null},
      ${invoice.usage && JSON.stringify(invoice.usage)}::jsonb, ${invoice.subtotal_cents}, ${invoice.gst_percent},
      ${invoice.gst_cents}, ${invoice.total_cents}, ${await lastInvoice(connection, recipient)}, ${balanced.brought_forward_cents},
      ${balanced.due_cents}, ${balanced.carried_forward_cents}, ${at}, ${presentIssuerId})`);
  await connection.query(sql`
    insert into invoice_line (invoice_number, position, entry_id)
    select ${number}, position, entry_id from unnest(${entries}::bigint[]) with ordinality as line (entry_id, position)`);
  const fromCredit = { cents: invoice.total_cents - balanced.due_cents, onDay: issuedOn };
  await settleWithCredit(connection, recipient, { to_invoice: number }, fromCredit, by, at);
  await mailInvoice(connection, number, at);
  return number;
}
