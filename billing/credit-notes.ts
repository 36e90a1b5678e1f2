import { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import {
  type Connection,
  type Database,
  inOneTransaction,
  type Queryable,
} from '../platform/database/database.ts';
import { raw, sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import { dayOf, monthOf } from '../platform/nz-time.ts';
import { cents, day, named, time } from '../platform/schemas.ts';
import { gstOn } from './charges.ts';
import type { Contact } from './contacts.ts';
import { findInvoice, type Invoice, Recipient } from './invoices.ts';
import { Issuer, issuerOf, presentIssuerId } from './issuer.ts';
import {
  Account,
  type AccountId,
  accountSql,
  type NewEntry,
  ofAccountSql,
  ownerColumn,
  ownerOf,
  post,
} from './ledger.ts';
import { mailCreditNote } from './mailing.ts';
import { confirmAmount } from './manual-entries.ts';
import { dollars } from './money.ts';
import { lockMonths } from './months.ts';
import { type Allocated, allocate, allocatedFrom } from './receivables/allocations.ts';
import { requireOpenBooks } from './settings.ts';

/*
 * Credit notes correct issued invoices, with the supply correction information of the Goods and Services Tax Act 1985, section 19N. Their entries
 * reverse those on the invoice, so that nothing is credited twice. A credit note settles what is left to pay of its invoice; the rest is the
 * account's credit. It does so also where Xero is the debtors' ledger: the paper names its invoice, and staff allocate it there to the same one.
 */

/** A part of a line. Cents without GST, above zero. */
export interface CreditedLine {
  position: number;
  cents: number;
}

const creditedAmounts = {
  subtotal_cents: cents('Cents, excluding GST; below zero where it undoes another.'),
  gst_percent: z.int(),
  gst_cents: cents('The GST, in cents. That of all credit notes of an invoice is rounded once.'),
  total_cents: cents('Cents, including GST; below zero where it undoes another.'),
};

/** What a credit note of an invoice would be. */
export const CreditNotePreview = named('CreditNotePreview', {
  invoice: z.int(),
  lines: z.array(
    z.object({
      position: z.int(),
      description: z.string(),
      amount_cents: cents('The line as it was invoiced.'),
      left_cents: cents('What can be credited of it.'),
      credited_cents: cents('What this credit note credits of it.'),
    }),
  ),
  left_cents: cents('What can be credited of the invoice. Cents, excluding GST.'),
  ...creditedAmounts,
  settled_cents: cents('What it takes from what is left to pay of the invoice. Cents, including GST.'),
  credit_cents: cents('What becomes the account’s credit. Cents, including GST.'),
});
export type CreditNotePreview = z.output<typeof CreditNotePreview>;

const listedFields = {
  number: z.int(),
  recipient: Account,
  invoice: z.int().describe('The number of the invoice that it corrects.'),
  undoes: z.int().nullable().describe('The credit note that it undoes.'),
  undone_by: z.int().nullable().describe('The credit note that undoes it.'),
  reason: z.string(),
  issued_on: day(),
  ...creditedAmounts,
  left_cents: cents('What is left of it as the account’s credit. Cents, including GST.'),
};

/** A credit note as its account has it. */
export const OwnCreditNote = named('OwnCreditNote', listedFields);
const byStaff = { created_at: time(), created_by: z.string() };
export const ListedCreditNote = named('CreditNote', { ...listedFields, ...byStaff });
export type ListedCreditNote = z.output<typeof ListedCreditNote>;

const detailFields = {
  recipient: Recipient,
  issuer: Issuer,
  invoice_issued_on: day(),
  invoice_total_cents: cents('The total of the invoice as it was issued. Cents, including GST.'),
  corrected_total_cents: cents(
    'The total of the invoice after this and earlier credit notes. Cents, including GST.',
  ),
  lines: z.array(
    z.object({
      position: z.int().describe('Of the line of the invoice.'),
      description: z.string(),
      invoiced_cents: cents(),
      amount_cents: cents('What is credited. Cents, excluding GST.'),
      entry: z.int().describe('Its entry in the ledger.'),
    }),
  ),
};
export const OwnCreditNoteDetail = named('OwnCreditNoteDetail', { ...listedFields, ...detailFields });
export const CreditNote = named('CreditNoteDetail', { ...listedFields, ...byStaff, ...detailFields });
export type CreditNote = z.output<typeof CreditNote>;

/** An invoice with what is left to credit of it. */
interface Correctable {
  invoice: Invoice;
  lines: (Omit<CreditNotePreview['lines'][number], 'credited_cents'> & { entry: number })[];
  left_cents: number;
  /** By earlier credit notes, without GST, and their GST. */
  credited_cents: number;
  gst_cents: number;
}

/** @throws CovermapError `invoice_unknown` */
async function correctable(db: Queryable, number: number, at: Date): Promise<Correctable> {
  const invoice = await findInvoice(db, number, at);
  // A line that corrects an entry, or is below zero, is the correction of another: that one is credited.
  const { rows: lines } = await db.query<Correctable['lines'][number]>(sql`
    select l.position, e.id as entry, e.description, e.amount_cents,
      case when e.corrects is null and e.amount_cents > 0 then entry_left(e) else 0 end as left_cents
    from invoice_line l join ledger_entry e on e.id = l.entry_id where l.invoice_number = ${number} order by l.position`);
  const { rows } = await db.query<Pick<Correctable, 'credited_cents' | 'gst_cents'>>(sql`
    select coalesce(sum(subtotal_cents), 0)::bigint as credited_cents, coalesce(sum(gst_cents), 0)::bigint as gst_cents
    from credit_note where invoice_number = ${number}`);
  const before = rows[0] as (typeof rows)[0];
  const ofLines = lines.reduce((sum, line) => sum + line.left_cents, 0);
  const left_cents = Math.max(0, Math.min(ofLines, invoice.subtotal_cents - before.credited_cents));
  return { invoice, lines, left_cents, ...before };
}

/** Credits what is asked. @param asked undefined: all that is left */
function creditedOf({ invoice, lines, left_cents }: Correctable, asked: readonly CreditedLine[] | undefined) {
  const { number } = invoice;
  if (left_cents === 0) {
    throw new CovermapError('amount_too_large', `Nothing is left to credit of invoice ${number}.`, '');
  }
  if (asked) {
    const parts = new Map(asked.map((part) => [part.position, part.cents]));
    const unknown = asked.find(({ position }) => !lines.some((line) => line.position === position));
    if (unknown || parts.size < asked.length) {
      const what = unknown ? `has no line ${unknown.position}` : 'has each line once';
      throw new CovermapError('request_invalid', `Invoice ${number} ${what}.`, 'Name each line once.');
    }
    return lines.map((line) => ({ ...line, credited_cents: parts.get(line.position) ?? 0 }));
  }
  let missing = left_cents;
  return lines.map((line) => {
    const credited_cents = Math.min(missing, line.left_cents);
    missing -= credited_cents;
    return { ...line, credited_cents };
  });
}

function draftCreditNote(from: Correctable, asked: readonly CreditedLine[] | undefined) {
  const { invoice, left_cents } = from;
  const lines = creditedOf(from, asked);
  const tooMuch = lines.find((line) => line.credited_cents > line.left_cents);
  if (tooMuch) {
    const message = `${dollars(tooMuch.left_cents)} of line ${tooMuch.position} is left: no more can be credited.`;
    throw new CovermapError('amount_too_large', message, 'Credit at most this amount.');
  }
  const subtotal_cents = lines.reduce((sum, line) => sum + line.credited_cents, 0);
  if (subtotal_cents > left_cents) {
    const message = `${dollars(left_cents)} (excl. GST) of invoice ${invoice.number} is left: no more can be credited.`;
    throw new CovermapError('amount_too_large', message, 'Credit at most this amount.');
  }
  // Rounded once over all credit notes of the invoice: whole, they have its GST to the cent. One that was undone may leave a cent more.
  const gst = gstOn(from.credited_cents + subtotal_cents, invoice.gst_percent) - from.gst_cents;
  const gst_cents = Math.max(0, gst);
  const total_cents = subtotal_cents + gst_cents;
  const most = invoice.total_cents - invoice.written_off_cents - from.credited_cents - from.gst_cents;
  if (invoice.written_off_cents > 0 && total_cents > most) {
    const message = `${dollars(invoice.written_off_cents)} of invoice ${invoice.number} is written off.`;
    const hint = `Credit at most ${dollars(Math.max(0, most))} (incl. GST), or reverse the write-off first.`;
    throw new CovermapError('amount_too_large', message, hint);
  }
  const settled_cents = Math.min(total_cents, invoice.balance_cents);
  const credit_cents = total_cents - settled_cents;
  return {
    lines: lines.filter((line) => line.credited_cents > 0),
    shown: {
      invoice: invoice.number,
      lines: lines.map(({ entry: _, ...line }) => line),
      ...{ left_cents, subtotal_cents, gst_percent: invoice.gst_percent, gst_cents, total_cents },
      ...{ settled_cents, credit_cents },
    } satisfies CreditNotePreview,
  };
}

/**
 * What a credit note would be, and what it does. @param asked undefined: all that is left of the invoice
 * @throws CovermapError `invoice_unknown`, `request_invalid` for an unknown line, `amount_too_large`
 */
export async function previewCreditNote(
  db: Queryable,
  number: number,
  asked: readonly CreditedLine[] | undefined,
  at: Date,
): Promise<CreditNotePreview> {
  return draftCreditNote(await correctable(db, number, at), asked).shown;
}

/** Takes the next number, and writes the credit note of entries, with issuer and recipient as now and as of its invoice. */
async function write(
  connection: Connection,
  note: { invoice: Invoice; undoes?: number; reason: string; entries: readonly number[] } & Pick<
    CreditNotePreview,
    'subtotal_cents' | 'gst_cents' | 'total_cents'
  >,
  actor: Actor,
  at: Date,
): Promise<number> {
  const { recipient } = note.invoice;
  const { rows } = await connection.query<{ number: number }>(
    'update credit_note_counter set last = last + 1 returning last as number',
  );
  const number = rows[0]?.number as number;
  await connection.query(sql`
    insert into credit_note (number, ${raw(ownerColumn(recipient))}, invoice_number, undoes, reason, issuer_id, recipient,
      recipient_address, recipient_contact, issued_on, gst_percent, subtotal_cents, gst_cents, total_cents, created_at, created_by)
    values (${number}, ${recipient.id}, ${note.invoice.number}, ${note.undoes}, ${note.reason}, ${presentIssuerId}, ${recipient.name},
      ${recipient.address}, ${recipient.contact}, ${dayOf(at)}, ${note.invoice.gst_percent}, ${note.subtotal_cents},
      ${note.gst_cents}, ${note.total_cents}, ${at}, ${actor.name})`);
  await connection.query(sql`
    insert into credit_note_line (credit_note_number, position, entry_id)
    select ${number}, position, entry_id from unnest(${note.entries}::bigint[]) with ordinality as line (entry_id, position)`);
  return number;
}

interface Reversed {
  entry: number;
  description: string;
  /** What the reversal adds to the ledger. */
  cents: number;
}

/** Posts the entries of a credit note. @throws CovermapError `entry_exists` */
async function postReversals(
  connection: Connection,
  account: AccountId,
  lines: readonly Reversed[],
  { cause, source }: Pick<NewEntry, 'cause' | 'source'>,
  actor: Actor,
  at: Date,
): Promise<number[]> {
  const entries: number[] = [];
  for (const [index, { entry, description, cents: unit_price_cents }] of lines.entries()) {
    const reversal = {
      ...{
        account,
        kind: 'reversal' as const,
        month: monthOf(at),
        description,
        quantity: 1,
        unit_price_cents,
      },
      ...{ cause: `${cause}:${index + 1}`, source, corrects: entry, onCreditNote: true },
    } as const;
    const id = await post(connection, reversal, actor.name, at);
    if (id === undefined) throw new CovermapError('entry_exists', 'This credit note was issued before.');
    entries.push(id);
  }
  return entries;
}

export interface NewCreditNote {
  invoice: number;
  /** Undefined: all that is left of the invoice. */
  lines: readonly CreditedLine[] | undefined;
  reason: string;
  /** The total of the preview. */
  expectedCents?: number | undefined;
  /** No credit note is issued twice with the same one. */
  cause: string;
}

/**
 * Issues a credit note of an invoice, which settles what is left to pay of it; the rest is the account's credit. @returns its number
 * @throws CovermapError `invoice_unknown`, `request_invalid` for an unknown line, `amount_too_large`, `preview_outdated`, `amount_unconfirmed`,
 * `period_locked`, `entry_exists`
 */
export async function issueCreditNote(
  db: Database | Connection,
  { invoice: corrected, lines: asked, reason, expectedCents, cause }: NewCreditNote,
  { confirmedCents, largeFromCents }: { confirmedCents?: number | undefined; largeFromCents: number },
  actor: Actor,
  at: Date,
): Promise<number> {
  return inOneTransaction(db, async (connection) => {
    await lockMonths(connection);
    const { rows } = await connection.query(
      sql`select from ledger_entry where cause = ${`credit_note:${cause}:1`}`,
    );
    if (rows.length > 0) throw new CovermapError('entry_exists', 'This credit note was issued before.');
    const from = await correctable(connection, corrected, at);
    const { lines, shown } = draftCreditNote(from, asked);
    const { subtotal_cents, gst_cents, total_cents, settled_cents } = shown;
    if (expectedCents !== undefined && expectedCents !== total_cents) {
      throw new CovermapError('preview_outdated');
    }
    confirmAmount(total_cents, confirmedCents, largeFromCents);
    await requireOpenBooks(connection, dayOf(at));
    const { recipient } = from.invoice;
    const reversals = lines.map(({ entry, description, credited_cents }) => {
      return { entry, description: `Credited: ${description}. ${reason}`, cents: -credited_cents };
    });
    const source = { invoice: corrected, reason };
    const entries = await postReversals(
      connection,
      recipient,
      reversals,
      { cause: `credit_note:${cause}`, source },
      actor,
      at,
    );
    const note = { invoice: from.invoice, reason, entries, subtotal_cents, gst_cents, total_cents };
    const number = await write(connection, note, actor, at);
    if (settled_cents > 0) {
      const part = { from: { from_credit_note: number }, to: { to_invoice: corrected } };
      await allocate(connection, { ...part, cents: settled_cents, onDay: dayOf(at) }, actor.name, at);
    }
    const details = { credit_note: number, invoice: corrected, amount_cents: total_cents, reason };
    await record(connection, actor, { action: 'credit_note_issued', ...ownerOf(recipient), details });
    await mailCreditNote(connection, number, at);
    return number;
  });
}

/** @throws CovermapError `credit_note_not_undoable` where another invoice or a refund has used it */
function requireUnused(number: number, corrected: number, used: readonly Allocated[]): void {
  for (const { to_invoice, to_entry, amount_cents } of used) {
    if (to_invoice === corrected) continue;
    const amount = `${dollars(amount_cents)} of credit note ${number}`;
    if (to_entry !== null) {
      const hint = `Reverse the refund first: entry ${to_entry}.`;
      throw new CovermapError('credit_note_not_undoable', `${amount} was refunded.`, hint);
    }
    const hint = 'Post a charge for the next invoice instead.';
    throw new CovermapError('credit_note_not_undoable', `${amount} has paid invoice ${to_invoice}.`, hint);
  }
}

/**
 * Undoes a credit note by its opposite: its invoice is owed again as it was. @returns the number of the credit note that undoes it
 * @throws CovermapError `credit_note_unknown`, `credit_note_not_undoable`, `period_locked`
 */
export async function undoCreditNote(
  db: Database | Connection,
  undone: number,
  reason: string,
  actor: Actor,
  at: Date,
): Promise<number> {
  return inOneTransaction(db, async (connection) => {
    await lockMonths(connection);
    const original = await findCreditNote(connection, undone);
    if (original.undoes !== null || original.undone_by !== null) {
      const why = original.undoes !== null ? 'undoes another' : `is undone by ${original.undone_by}`;
      const message = `Credit note ${undone} ${why}.`;
      throw new CovermapError('credit_note_not_undoable', message, 'Issue a new credit note of the invoice.');
    }
    const used = await allocatedFrom(connection, { from_credit_note: undone });
    requireUnused(undone, original.invoice, used);
    const onDay = dayOf(at);
    await requireOpenBooks(connection, onDay);
    const invoice = await findInvoice(connection, original.invoice, at);
    const reversals = original.lines.map(({ entry, description, amount_cents }) => {
      return { entry, description: `Credit undone: ${description}. ${reason}`, cents: amount_cents };
    });
    const source = { invoice: original.invoice, undoes: undone, reason };
    const cause = `credit_note_undone:${undone}`;
    const { recipient } = invoice;
    const entries = await postReversals(connection, recipient, reversals, { cause, source }, actor, at);
    const number = await write(
      connection,
      {
        ...{ invoice, undoes: undone, reason, entries },
        subtotal_cents: -original.subtotal_cents,
        gst_cents: 0 - original.gst_cents,
        total_cents: -original.total_cents,
      },
      actor,
      at,
    );
    const from = { from_credit_note: undone };
    for (const { amount_cents, ...to } of used) {
      await allocate(connection, { from, to, cents: -amount_cents, onDay }, actor.name, at);
    }
    const back = { from, to: { to_credit_note: number }, cents: original.total_cents, onDay };
    await allocate(connection, back, actor.name, at);
    const details = { credit_note: number, undoes: undone, invoice: original.invoice, reason };
    await record(connection, actor, { action: 'credit_note_undone', ...ownerOf(recipient), details });
    await mailCreditNote(connection, number, at);
    return number;
  });
}

const listed = sql`
  select n.number, ${accountSql('n', 'n.recipient')} as recipient, n.invoice_number as invoice, n.undoes,
    (select u.number from credit_note u where u.undoes = n.number) as undone_by, n.reason, n.issued_on, n.gst_percent, n.subtotal_cents,
    n.gst_cents, n.total_cents, coalesce(l.left_cents, 0) as left_cents, n.created_at, n.created_by`;
const joined = raw('credit_note n left join credit_left l on l.from_credit_note = n.number');

/** Credit notes, newest first. @param filter `before`: only smaller numbers */
export async function listCreditNotes(
  db: Queryable,
  filter: {
    account?: AccountId | undefined;
    invoice?: number | undefined;
    before?: number | undefined;
    limit: number;
  },
): Promise<ListedCreditNote[]> {
  const { rows } = await db.query<ListedCreditNote>(sql`
    ${listed} from ${joined}
    where ${ofAccountSql('n', filter.account)} and (${filter.invoice}::integer is null or n.invoice_number = ${filter.invoice})
      and (${filter.before}::integer is null or n.number < ${filter.before})
    order by n.number desc limit ${filter.limit}`);
  return rows;
}

/** A credit note as it was issued. @param account its owner; undefined: anybody's @throws CovermapError `credit_note_unknown` */
export async function findCreditNote(
  db: Queryable,
  number: number,
  account?: AccountId,
): Promise<CreditNote> {
  type Row = Omit<CreditNote, 'lines' | 'recipient'> & { recipient: Account; contact: Contact };
  const { rows } = await db.query<Row>(sql`
    ${listed}, ${issuerOf('n')} as issuer, i.issued_on as invoice_issued_on, i.total_cents as invoice_total_cents,
      (i.total_cents - (select sum(b.total_cents) from credit_note b where b.invoice_number = i.number and b.number <= n.number))::bigint
        as corrected_total_cents,
      json_build_object('address', n.recipient_address, 'contact', n.recipient_contact) as contact
    from ${joined} join invoice i on i.number = n.invoice_number
    where n.number = ${number} and ${ofAccountSql('n', account)}`);
  if (!rows[0]) throw new CovermapError('credit_note_unknown');
  const { contact, ...note } = rows[0];
  // The entry of an undone one reverses the reversal of the line.
  const { rows: lines } = await db.query<CreditNote['lines'][number]>(sql`
    select i.position, r.description, r.amount_cents as invoiced_cents, -e.amount_cents as amount_cents, e.id as entry
    from credit_note_line l join ledger_entry e on e.id = l.entry_id
    join ledger_entry o on o.id = e.corrects
    join ledger_entry r on r.id = coalesce(o.corrects, o.id)
    join invoice_line i on i.entry_id = r.id
    where l.credit_note_number = ${number} order by l.position`);
  return { ...note, recipient: { ...note.recipient, ...contact }, lines };
}
