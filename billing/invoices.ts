import { z } from 'zod';
import type { Queryable } from '../platform/database/database.ts';
import { raw, type Sql, sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import { dayOf, firstDay, type Month } from '../platform/nz-time.ts';
import { cents, day, month, named, time } from '../platform/schemas.ts';
import { MonthUsage } from './charges.ts';
import type { Contact } from './contacts.ts';
import { Issuer, issuerOf } from './issuer.ts';
import { Account, type AccountId, accountSql, entryFigures, entrySource, ofAccountSql } from './ledger.ts';
import { balanceSql, type InvoiceState, invoiceStates } from './receivables/balances.ts';

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
  .enum(['month', 'plan_start', 'held_back'])
  .describe(
    '`month`: the month was closed. `plan_start`: a plan started during the month and is billed in advance. `held_back`: it was issued later, as it had lacked what the law asks for.',
  );

/** What is left to pay of an invoice as of a day, and what has settled the rest: {@link balanceSql}. */
const settledFields = {
  state: z.enum(invoiceStates),
  balance_cents: cents('What is left to pay. Cents, including GST.'),
  paid_cents: cents('Paid, also with the account’s credit. Cents, including GST.'),
  credited_cents: cents('Credited by credit notes of this invoice. Cents, including GST.'),
  written_off_cents: cents('Written off as a bad debt. Cents, including GST.'),
};

export const ListedInvoice = named('Invoice', {
  number: z.int(),
  occasion,
  month: month(),
  recipient: Account,
  issued_on: day(),
  due_on: day().nullable().describe('Null where the total is below zero.'),
  ...amountFields,
  ...balanceFields,
  ...settledFields,
});
export type ListedInvoice = z.output<typeof ListedInvoice>;

export const InvoiceTotals = named('InvoiceTotals', {
  count: z.int(),
  ...amountFields,
  balance_cents: cents('What is left to pay of all. Cents, including GST.'),
});

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

const invoiceFields = {
  ...ListedInvoice.shape,
  ...draftFields,
  issuer: Issuer,
  account_code: z.string().describe('The code of its account, by which payments are known.'),
};

const settlements = z
  .array(
    z.object({
      kind: z.enum(['payment', 'write_off', 'credit_note', 'credit']),
      on_day: day(),
      number: z
        .int()
        .describe(
          'Of the credit note, or of the invoice whose credit it was; of others the ID of the entry.',
        ),
      words: z.string().describe('Particulars, code and reference of a payment; empty for others.'),
      amount_cents: cents('Cents, including GST.'),
    }),
  )
  .describe('What has settled the invoice, in the order of days.');

/** An invoice as its recipient has it: each line with its figures. */
export const OwnInvoice = named('OwnInvoiceDetail', {
  ...invoiceFields,
  settlements,
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
  settlements,
  lines: z.array(z.object({ ...lineFields, entry: LineEntry })),
});
export type Invoice = z.output<typeof Invoice>;
export type InvoiceLine = Invoice['lines'][number];

/** SQL: the fields of `invoice i` that are not its columns of the same name. */
const computed: Record<string, Sql> = {
  month: raw(`to_char(i.month, 'YYYY-MM')`),
  recipient: accountSql('i', 'i.recipient'),
  issuer: issuerOf('i'),
  account_code: raw(`case when i.customer_id is null then (select code from provider where id = i.provider_id)
    else (select code from customer where id = i.customer_id) end`),
  ...Object.fromEntries(Object.keys(settledFields).map((name) => [name, raw(`b.${name}`)])),
};
/** SQL: the columns with these fields of an invoice. */
const columnsOf = (fields: object) =>
  raw(
    Object.keys(fields)
      .map((name) => `${computed[name] ?? `i.${name}`} as ${name}`)
      .join(', '),
  );

/** Invoices, newest first, each with its state at the end of the day. */
export async function listInvoices(
  db: Queryable,
  filter: { account?: AccountId | undefined; month?: Month | undefined; state?: InvoiceState | undefined },
  at: Date,
): Promise<ListedInvoice[]> {
  const first = filter.month && firstDay(filter.month);
  const { rows } = await db.query<ListedInvoice>(sql`
    select ${columnsOf(ListedInvoice.shape)} from invoice i cross join lateral ${balanceSql('i', dayOf(at))} as b
    where ${ofAccountSql('i', filter.account)} and (${first}::date is null or i.month = ${first})
      and (${filter.state}::text is null or b.state = ${filter.state})
    order by i.number desc`);
  return rows;
}

/** @param invoices a draft is owed as a whole */
export function invoiceTotals(
  invoices: readonly (Amounts & { balance_cents?: number })[],
): z.output<typeof InvoiceTotals> {
  const total = (field: keyof Amounts) => invoices.reduce((sum, invoice) => sum + invoice[field], 0);
  return {
    count: invoices.length,
    subtotal_cents: total('subtotal_cents'),
    gst_cents: total('gst_cents'),
    total_cents: total('total_cents'),
    due_cents: total('due_cents'),
    balance_cents: invoices.reduce(
      (sum, { balance_cents, due_cents }) => sum + (balance_cents ?? due_cents),
      0,
    ),
  };
}

/** An invoice as it was issued, and its state at the end of the day. @param account its owner; undefined: anybody's @throws CovermapError `invoice_unknown` */
export async function findInvoice(
  db: Queryable,
  number: number,
  at: Date,
  account?: AccountId,
): Promise<Invoice> {
  type Row = Omit<Invoice, 'lines' | 'recipient'> & { recipient: Account; contact: Contact };
  const { rows } = await db.query<Row>(sql`
    select ${columnsOf(invoiceFields)},
      json_build_object('address', i.recipient_address, 'contact', i.recipient_contact) as contact
    from invoice i cross join lateral ${balanceSql('i', dayOf(at))} as b where i.number = ${number} and ${ofAccountSql('i', account)}`);
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
    settlements: await settlementsOf(db, number),
    lines: lines.map(({ id, cause, booked_at, booked_by, source, ...line }) => {
      return { ...line, entry: { id, cause, booked_at, booked_by, source } };
    }),
  };
}

/** What has settled an invoice. What was taken back again is left out. */
async function settlementsOf(db: Queryable, number: number): Promise<Invoice['settlements']> {
  const { rows } = await db.query<Invoice['settlements'][number]>(sql`
    select case when e.kind in ('payment', 'write_off') then e.kind when a.from_credit_note is not null then 'credit_note'
        else 'credit' end as kind,
      min(a.on_day) as on_day, coalesce(a.from_entry, a.from_credit_note, a.from_invoice)::bigint as number,
      coalesce(min(concat_ws(' ', nullif(p.particulars, ''), nullif(p.code, ''), nullif(p.reference, ''))), '') as words,
      sum(a.amount_cents)::bigint as amount_cents
    from allocation a left join ledger_entry e on e.id = a.from_entry left join payment p on p.entry_id = a.from_entry
    where a.to_invoice = ${number}
    group by e.kind, a.from_entry, a.from_credit_note, a.from_invoice having sum(a.amount_cents) <> 0
    order by 2, 3`);
  return rows;
}
