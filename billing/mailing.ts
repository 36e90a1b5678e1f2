import { enqueue } from '../mail/outbox.ts';
import type { Connection, Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Day } from '../platform/nz-time.ts';
import { issuerNow } from './issuer.ts';
import { type AccountId, accountKey, accountSql } from './ledger.ts';
import type { Receipt } from './papers/receipt-paper.ts';

/* What billing tells its accounts by e-mail about their invoices. */

/** Does the work of one invoice or account, and goes on where it fails. @param what is named in the log */
export type Alone = (what: object, work: () => Promise<unknown>) => Promise<void>;

interface ToldInvoice {
  number: number;
  recipient: AccountId & { name: string };
  issuedOn: Day;
  dueOn: Day | null;
  totalCents: number;
  dueCents: number;
}

/** The page on which an account sees an invoice. */
export const invoiceLink = ({ kind }: AccountId, number: number): string =>
  `${kind === 'customer' ? '/account' : '/operator'}#/invoices/${number}`;

/** The page on which an account sees a credit note. */
const creditNoteLink = ({ kind }: AccountId, number: number): string =>
  `/${kind === 'customer' ? 'account' : 'operator'}#/credit-notes/${number}`;

/** Who writes, and how invoices are paid. */
export async function letterhead(db: Queryable): Promise<{ from: string; payment: string }> {
  const { name, payment } = await issuerNow(db);
  return { from: name, payment };
}

/** The page on which an account sees all its invoices. */
export const invoicesLink = ({ kind }: AccountId): string =>
  kind === 'customer' ? '/account#/invoices' : '/operator#/fees';

/** Queues the receipt of a payment, once. @returns the ID of the e-mail */
export async function mailReceipt(connection: Connection, receipt: Receipt, at: Date): Promise<number> {
  const { id, account, onDay, cents, invoices } = receipt;
  const { from } = await letterhead(connection);
  const event = `receipt:${id}`;
  const data = { from, recipient: account.name, onDay, cents, invoices, link: invoicesLink(account) };
  await enqueue(connection, { account, event, template: 'receipt', data }, at);
  const { rows } = await connection.query<{ id: number }>(sql`
    select id from mail_message where account = ${accountKey(account)} and event = ${event}`);
  return (rows[0] as { id: number }).id;
}

/** Queues the message of an invoice, in the transaction that issues it. */
export async function mailInvoice(connection: Connection, number: number, at: Date): Promise<void> {
  const { rows } = await connection.query<ToldInvoice>(sql`
    select number, ${accountSql('i', 'i.recipient')} as recipient, issued_on as "issuedOn", case when due_cents > 0 then due_on end as "dueOn",
      total_cents as "totalCents", due_cents as "dueCents"
    from invoice i where number = ${number}`);
  const { recipient, ...invoice } = rows[0] as ToldInvoice;
  const data = {
    ...{ ...invoice, ...(await letterhead(connection)), recipient: recipient.name },
    link: invoiceLink(recipient, number),
  };
  await enqueue(
    connection,
    { account: recipient, event: `invoice:${number}`, template: 'invoice', data, invoice: number },
    at,
  );
}

interface ToldCreditNote {
  number: number;
  recipient: AccountId & { name: string };
  invoice: number;
  undoes: number | null;
  reason: string;
  issuedOn: Day;
  totalCents: number;
  leftCents: number;
}

/** Queues the message of a credit note, in the transaction that issues it. */
export async function mailCreditNote(connection: Connection, number: number, at: Date): Promise<void> {
  const { rows } = await connection.query<ToldCreditNote>(sql`
    select n.number, ${accountSql('n', 'n.recipient')} as recipient, n.invoice_number as invoice, n.undoes, n.reason, n.issued_on as "issuedOn",
      n.total_cents as "totalCents", coalesce(o.left_cents, 0) as "leftCents"
    from credit_note n left join open_invoice o on o.number = n.invoice_number where n.number = ${number}`);
  const { recipient: account, ...note } = rows[0] as ToldCreditNote;
  const { from } = await letterhead(connection);
  const data = { ...note, from, recipient: account.name, link: creditNoteLink(account, number) };
  await enqueue(connection, { account, event: `credit_note:${number}`, template: 'credit_note', data }, at);
}
