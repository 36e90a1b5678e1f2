import { z } from 'zod';
import type { Queryable } from '../platform/database/database.ts';
import { raw, type Sql, sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import { firstDay, type Month } from '../platform/nz-time.ts';
import { cents, day, month, named, time } from '../platform/schemas.ts';
import { MonthUsage } from './charges.ts';
import type { Contact } from './contacts.ts';
import { Issuer, issuerOfInvoice } from './issuer.ts';
import { Account, type AccountId, accountSql, entryFigures, entrySource, ofAccountSql } from './ledger.ts';

export const amountFields = {
  subtotal_cents: cents(),
  gst_cents: cents('The GST, in cents.'),
  total_cents: cents('Cents, including GST; negative for a credit.'),
  due_cents: cents('The amount to pay. Cents, including GST.'),
};
export type Amounts = Record<keyof typeof amountFields, number>;

/** The credit of an account before and after an invoice, none below zero. */
export const balanceFields = {
  brought_forward_cents: cents('The credit that the previous invoice carried forward. Cents, including GST.'),
  carried_forward_cents: cents('The credit left for the next invoice. Cents, including GST.'),
};

export const occasion = z
  .enum(['month', 'plan_start'])
  .describe(
    '`month`: the month was closed. `plan_start`: a plan started during the month and is billed in advance.',
  );

export const ListedInvoice = named('Invoice', {
  number: z.int(),
  occasion,
  month: month(),
  recipient: Account,
  issued_on: day(),
  due_on: day().nullable().describe('Null if nothing is due.'),
  ...amountFields,
  ...balanceFields,
});
export type ListedInvoice = z.output<typeof ListedInvoice>;

export const InvoiceTotals = named('InvoiceTotals', { count: z.int(), ...amountFields });

export const Recipient = Account.extend({ address: z.string(), contact: z.string() });

/** A line is an entry of the ledger. */
export const lineFields = {
  position: z.int(),
  ...entryFigures,
  amount_cents: cents('Cents, excluding GST; negative for waivers and credits.'),
};

/** What a draft says already. */
export const draftFields = {
  occasion,
  month: month(),
  recipient: Recipient,
  /** The queries of its month; null for operators. */
  usage: MonthUsage.nullable(),
  ...amountFields,
  ...balanceFields,
  gst_percent: z.int(),
};

export type Draft = z.output<z.ZodObject<typeof draftFields>>;

const invoiceFields = { ...ListedInvoice.shape, ...draftFields, issuer: Issuer };

/** An invoice as its recipient has it: each line with its figures. */
export const OwnInvoice = named('OwnInvoiceDetail', {
  ...invoiceFields,
  lines: z.array(z.object({ ...lineFields, source: entrySource })),
});

const LineEntry = z.object({
  id: z.int(),
  cause: z.string(),
  booked_at: time(),
  booked_by: z.string(),
  source: entrySource,
});

/** An invoice as staff have it: each line with its entry in the ledger. */
export const Invoice = named('InvoiceDetail', {
  ...invoiceFields,
  lines: z.array(z.object({ ...lineFields, entry: LineEntry })),
});
export type Invoice = z.output<typeof Invoice>;
export type InvoiceLine = Invoice['lines'][number];

/** SQL: the fields of `invoice i` that are not its columns of the same name. */
const computed: Record<string, Sql> = {
  month: raw(`to_char(i.month, 'YYYY-MM')`),
  recipient: accountSql('i', 'i.recipient'),
  issuer: issuerOfInvoice,
};
/** SQL: the columns with these fields of an invoice. */
const columnsOf = (fields: object) =>
  raw(
    Object.keys(fields)
      .map((name) => `${computed[name] ?? `i.${name}`} as ${name}`)
      .join(', '),
  );

export async function listInvoices(
  db: Queryable,
  { account, month }: { account?: AccountId | undefined; month?: Month | undefined },
): Promise<ListedInvoice[]> {
  const first = month && firstDay(month);
  const { rows } = await db.query<ListedInvoice>(sql`
    select ${columnsOf(ListedInvoice.shape)} from invoice i
    where ${ofAccountSql('i', account)} and (${first}::date is null or i.month = ${first})
    order by i.number desc`);
  return rows;
}

export function invoiceTotals(invoices: readonly Amounts[]): z.output<typeof InvoiceTotals> {
  const total = (field: keyof Amounts) => invoices.reduce((sum, invoice) => sum + invoice[field], 0);
  return {
    count: invoices.length,
    subtotal_cents: total('subtotal_cents'),
    gst_cents: total('gst_cents'),
    total_cents: total('total_cents'),
    due_cents: total('due_cents'),
  };
}

/** An invoice as it was issued. @param account its owner; undefined: anybody's @throws CovermapError `invoice_unknown` */
export async function findInvoice(db: Queryable, number: number, account?: AccountId): Promise<Invoice> {
  type Row = Omit<Invoice, 'lines' | 'recipient'> & { recipient: Account; contact: Contact };
  const { rows } = await db.query<Row>(sql`
    select ${columnsOf(invoiceFields)},
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
    lines: lines.map(({ id, cause, booked_at, booked_by, source, ...line }) => {
      return { ...line, entry: { id, cause, booked_at, booked_by, source } };
    }),
  };
}
