import type { Connection, Queryable } from '../database/database.ts';
import { addDays, dayOf, firstDay, type Month } from '../nz-time.ts';
import { gstOn, type MonthUsage } from './charges.ts';
import { type ContactedAccount, contactsOf } from './contacts.ts';
import { type AccountId, accountName, book, type Draft, type EntryKind } from './ledger.ts';
import type { BillingTerms } from './terms.ts';

/* How an invoice is put together and written: its sums, the credit that it uses up or leaves, its number. */

/** Why there is an invoice: its month was closed, or a plan has started. */
export type Occasion = 'month' | 'plan_start';

/** A line of an invoice that is yet to be made: an entry that is booked already has its number. */
export interface DraftLine extends Omit<Draft, 'account'> {
  entryId: number | undefined;
}

/** An invoice that is yet to be made. Cents; the lines and the subtotal without GST, all else with it. */
export interface DraftInvoice extends Balance {
  occasion: Occasion;
  account: ContactedAccount;
  month: Month;
  lines: DraftLine[];
  usage: MonthUsage | null;
  subtotalCents: number;
  gstPercent: number;
  gstCents: number;
  totalCents: number;
}

/** What an invoice does to an account. Cents with GST, none below zero. */
export interface Balance {
  /** The credit that the invoice before it has left. */
  broughtForwardCents: number;
  /** What is to be paid, once that is used up. */
  dueCents: number;
  /** What is left for the next invoice. */
  carriedForwardCents: number;
}

/**
 * Above this, with GST, an invoice has to name an address or another identifier of its recipient: Goods and Services Tax Act
 * 1985, section 19K.
 */
export const identifiedFromCents = 100_000;

/** Whether the law asks for more about the recipient than there is. */
export function lacksIdentifier({ totalCents, account }: DraftInvoice): boolean {
  return totalCents > identifiedFromCents && account.address === '' && account.contact === '';
}

/** The order of lines: what was used, what is to come, and what is put right. */
const lineOrder: EntryKind[] = [
  'adjustment',
  'overage',
  'plan_fee',
  'processing_fee',
  'charge',
  'waiver',
  'credit',
  'reversal',
];

/** What becomes of a credit when there is an invoice of so much. */
export function balance(broughtForwardCents: number, totalCents: number): Balance {
  const open = totalCents - broughtForwardCents;
  return {
    broughtForwardCents,
    dueCents: Math.max(0, open),
    carriedForwardCents: Math.max(0, 0 - open),
  };
}

/** What an invoice is made of. */
export type Content = Pick<DraftInvoice, 'occasion' | 'month' | 'lines' | 'usage'> & {
  account: AccountId & { name: string };
};

/** Puts invoices together, in the order in which they will be issued: what one leaves to an account's credit, the next uses up. */
export async function draft(
  db: Queryable,
  contents: Content[],
  terms: BillingTerms,
): Promise<DraftInvoice[]> {
  const accounts = contents.map(({ account }) => account);
  const contacts = await contactsOf(db, accounts);
  const credits = new Map<string, number>();
  for (const { account, carried } of await lastInvoices(db, accounts)) credits.set(account, carried);
  return contents.map(({ account, occasion, month, lines, usage }) => {
    const name = accountName(account);
    const subtotalCents = lines.reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0);
    const gstCents = gstOn(subtotalCents, terms.gstPercent);
    const totalCents = subtotalCents + gstCents;
    const carried = balance(credits.get(name) ?? 0, totalCents);
    credits.set(name, carried.carriedForwardCents);
    return {
      occasion,
      account: { ...account, address: '', contact: '', ...contacts.get(name) },
      month,
      lines: lines.sort((a, b) => lineOrder.indexOf(a.kind) - lineOrder.indexOf(b.kind)),
      usage,
      subtotalCents,
      gstPercent: terms.gstPercent,
      gstCents,
      totalCents,
      ...carried,
    };
  });
}

/** The newest invoice of each account that has any, and the credit that it leaves. */
async function lastInvoices(
  db: Queryable,
  accounts: readonly AccountId[],
): Promise<{ account: string; number: number; carried: number }[]> {
  const { rows } = await db.query<{ account: string; number: number; carried: number }>(
    `select a.account, last.number, last.carried
     from unnest($1::text[]) as a (account)
     cross join lateral (
       select i.number, i.carried_forward_cents as carried from invoice i
       where i.account = a.account order by i.number desc limit 1) as last`,
    [[...new Set(accounts.map(accountName))]],
  );
  return rows;
}

/** The credit that an account has, in cents with GST. */
export async function creditOf(db: Queryable, account: AccountId): Promise<number> {
  const [last] = await lastInvoices(db, [account]);
  return last?.carried ?? 0;
}

/** Books the lines that are not booked yet. @returns the entries of all, in their order */
export async function bookLines(
  connection: Connection,
  account: AccountId,
  lines: readonly DraftLine[],
  by: string,
  at: Date,
): Promise<number[]> {
  const entries: number[] = [];
  for (const { entryId, ...line } of lines) {
    const id = entryId ?? (await book(connection, { account, ...line }, by, at));
    if (id === undefined) throw new Error(`${line.cause} has been booked before`);
    entries.push(id);
  }
  return entries;
}

/** Books what is not booked yet, and makes the invoice. @returns its number */
export async function issue(
  connection: Connection,
  invoice: DraftInvoice,
  terms: BillingTerms,
  by: string,
  at: Date,
): Promise<number> {
  const { account } = invoice;
  const entries = await bookLines(connection, account, invoice.lines, by, at);
  // From here on nobody else makes an invoice until this one is there.
  const { rows } = await connection.query<{ number: number }>(
    'update invoice_counter set last = last + 1 returning last as number',
  );
  const number = rows[0]?.number as number;
  const [last] = await lastInvoices(connection, [account]);
  const { broughtForwardCents, dueCents, carriedForwardCents } = balance(
    last?.carried ?? 0,
    invoice.totalCents,
  );
  const issuedOn = dayOf(at);
  await connection.query(
    `insert into invoice (number, occasion, customer_id, provider_id, month, recipient, recipient_address, recipient_contact,
       issued_on, due_on, usage, subtotal_cents, gst_percent, gst_cents, total_cents, previous, brought_forward_cents,
       due_cents, carried_forward_cents, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
    [
      number,
      invoice.occasion,
      account.kind === 'customer' ? account.id : null,
      account.kind === 'operator' ? account.id : null,
      firstDay(invoice.month),
      account.name,
      account.address,
      account.contact,
      issuedOn,
      dueCents > 0 ? addDays(issuedOn, terms.dueDays) : null,
      invoice.usage && JSON.stringify(invoice.usage),
      invoice.subtotalCents,
      invoice.gstPercent,
      invoice.gstCents,
      invoice.totalCents,
      last?.number ?? null,
      broughtForwardCents,
      dueCents,
      carriedForwardCents,
      at,
    ],
  );
  await connection.query(
    `insert into invoice_line (invoice_number, position, entry_id)
     select $1, position, entry_id from unnest($2::bigint[]) with ordinality as line (entry_id, position)`,
    [number, entries],
  );
  return number;
}
