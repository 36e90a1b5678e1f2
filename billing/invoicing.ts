import type { Connection, Queryable } from '../platform/database/database.ts';
import { raw, sql } from '../platform/database/sql.ts';
import { dayOf, firstDay, type Month } from '../platform/nz-time.ts';
import { gstOn, type MonthUsage } from './charges.ts';
import { contactsOf } from './contacts.ts';
import type { Amounts, Draft, ListedInvoice } from './invoices.ts';
import { presentIssuerId } from './issuer.ts';
import {
  type Account,
  type AccountId,
  accountKey,
  entryKinds,
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
}

/** Above this, with GST, an invoice has to identify its recipient: Goods and Services Tax Act 1985, section 19K. */
const identifiedFromCents = 100_000;

/** True where the law asks for more about the recipient than the name. */
export const needsIdentifier = ({ total_cents }: Pick<Amounts, 'total_cents'>): boolean =>
  total_cents > identifiedFromCents;

/** True where the law asks for more about the recipient than is known. */
export function lacksIdentifier(invoice: DraftInvoice): boolean {
  const { address, contact } = invoice.recipient;
  return needsIdentifier(invoice) && address === '' && contact === '';
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
export async function draft(db: Queryable, contents: readonly InvoiceContent[]) {
  const terms = await termsByMonth(
    db,
    contents.map(({ month }) => month),
  );
  const accounts = contents.map(({ account }) => account);
  const contacts = await contactsOf(db, accounts);
  const credits = await creditsOf(db, accounts);
  return contents.map(({ account, lines, ...content }) => {
    const key = accountKey(account);
    const { gst_percent } = terms.get(content.month) as Terms;
    const subtotal_cents = subtotalOf(lines);
    const gst_cents = gstOn(subtotal_cents, gst_percent);
    const total_cents = subtotal_cents + gst_cents;
    const balanced = balance(credits.get(key) ?? 0, total_cents);
    credits.set(key, balanced.carried_forward_cents);
    return {
      ...content,
      recipient: { ...account, address: '', contact: '', ...contacts.get(key) },
      lines: lines.toSorted((a, b) => entryKinds.indexOf(a.kind) - entryKinds.indexOf(b.kind)),
      subtotal_cents,
      gst_percent,
      gst_cents,
      total_cents,
      ...balanced,
    };
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
