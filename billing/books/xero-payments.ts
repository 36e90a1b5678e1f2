import { z } from 'zod';
import type { Actor } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { addDays, type Day, dayOf } from '../../platform/nz-time.ts';
import { cents, named } from '../../platform/schemas.ts';
import { type CsvRow, centsOf, csvRows, maxFileRows } from '../bank/csv-rows.ts';
import { oneLine, plainHeading } from '../bank/texts.ts';
import type { AccountId } from '../ledger.ts';
import { lockMonths } from '../months.ts';
import { oldDays, postPayment, xeroCause } from '../receivables/payments.ts';
import { requireXeroDebtors } from '../settings.ts';
import { invoiceOfXero } from './xero-rows.ts';

/*
 * Payments that were recorded in Xero, by its export of sales invoices: a line a line of an invoice, each with what was paid of all of it so far. What
 * was paid more than is known here is a payment. What cannot be so is a question for a person.
 */

const xeroQuestions = [
  'unknown',
  'total_differs',
  'other_currency',
  'voided',
  'paid_less',
  'paid_too_much',
  'due_differs',
] as const;

const XeroInvoice = z.object({
  line: z.int().describe('Its first line in the file.'),
  invoice: z.int(),
  contact: z.string(),
  question: z
    .enum(xeroQuestions)
    .nullable()
    .describe(
      'Why nothing is recorded; null: its payment is. `paid_less`: Xero has less paid than was recorded here. `paid_too_much`: more than is left here. `due_differs`: as much is paid, and another amount due.',
    ),
  total_cents: cents('In Xero. Cents, including GST.'),
  paid_cents: cents('What was paid in Xero so far.'),
  due_cents: cents('What is due in Xero.'),
  known_cents: cents('What was paid so far as is known here.'),
  left_cents: cents('What is left to pay here.'),
  payment_cents: cents('The payment that is recorded; 0 for a question.'),
});
type XeroInvoice = z.output<typeof XeroInvoice>;

export const XeroPayments = named('XeroPayments', {
  invoices: z.array(XeroInvoice).describe('Those with a payment or a question, as in the file.'),
  payments: z.int().describe('The payments.'),
  amount_cents: cents('Of the payments. Cents, including GST.'),
  known: z.int().describe('Invoices of which nothing is new.'),
  others: z
    .int()
    .describe('Numbers of Xero that are none of covermap’s invoices: its own, credit notes, bills.'),
});
export type XeroPayments = z.output<typeof XeroPayments>;

export interface XeroPaymentsFile {
  name: string;
  bytes: Uint8Array;
}

interface ReadInvoice {
  line: number;
  number: string;
  contact: string;
  /** Undefined: it is none of covermap's. */
  invoice: number | undefined;
  currency: string;
  isVoided: boolean;
  total_cents: number;
  paid_cents: number;
  due_cents: number;
}

/** The max payments that are taken at once: whatever else moves money waits for them. */
const maxPayments = 1_000;

const unreadable = (message: string) => new CovermapError('xero_file_unreadable', message);

/** The invoices of Xero's file. @throws CovermapError `xero_file_unreadable` */
async function readInvoices(bytes: Uint8Array): Promise<ReadInvoice[]> {
  const rows = await csvRows(bytes).catch((error) => {
    throw error instanceof CovermapError ? unreadable(error.message) : error;
  });
  const [headings, ...body] = rows as [CsvRow, ...CsvRow[]];
  const at = new Map(headings.fields.map((heading, i) => [plainHeading(heading).replace(/^\*/, ''), i]));
  for (const heading of ['InvoiceNumber', 'Total', 'InvoiceAmountPaid', 'InvoiceAmountDue'])
    if (!at.has(heading.toLowerCase())) throw unreadable(`The file has no column ${heading}.`);
  if (body.length > maxFileRows)
    throw unreadable(`The file has more than ${maxFileRows.toLocaleString('en-NZ')} lines.`);
  const invoices = new Map<string, ReadInvoice>();
  for (const { line, fields } of body) {
    const value = (heading: string) => oneLine(fields[at.get(heading) ?? -1] ?? '', 200);
    const amount = (heading: string) => {
      const found = centsOf(value(heading) || '0');
      if (found === undefined)
        throw unreadable(`Line ${line}: “${value(heading).slice(0, 40)}” is no amount.`);
      return found;
    };
    const number = value('invoicenumber');
    const isSale = /^(sales invoice|accrec|)$/i.test(value('type'));
    const read = {
      ...{ line, number, contact: value('contactname') },
      invoice: isSale ? invoiceOfXero(number) : undefined,
      currency: value('currency').toUpperCase(),
      isVoided: /^(voided|deleted)$/i.test(value('status')),
      total_cents: amount('total'),
      paid_cents: amount('invoiceamountpaid'),
      due_cents: amount('invoiceamountdue'),
    };
    // Xero gives the number of a voided invoice to another, too.
    const key = `${read.number}${read.isVoided ? ' voided' : ''}`;
    const first = invoices.get(key);
    invoices.set(key, first ?? read);
    const isSame = (['total_cents', 'paid_cents', 'due_cents'] as const).every(
      (name) => !first || first[name] === read[name],
    );
    if (!isSame && read.invoice !== undefined)
      throw unreadable(`Lines ${first?.line} and ${line} differ in the amounts of ${read.number}.`);
  }
  return [...invoices.values()].filter(({ number, isVoided }) => !isVoided || !invoices.has(number));
}

interface Known {
  number: number;
  account: AccountId;
  total_cents: number;
  left_cents: number;
  paid_cents: number;
  /** The payments that files of Xero brought of it, reversed ones too. */
  taken: number;
}

async function knownOf(db: Queryable, numbers: readonly number[]): Promise<Map<number, Known>> {
  const { rows } = await db.query<Known>(sql`
    select i.number, i.total_cents, coalesce(o.left_cents, 0) as left_cents, p.paid_cents, p.taken,
      json_build_object('kind', case when i.customer_id is null then 'operator' else 'customer' end,
        'id', coalesce(i.customer_id, i.provider_id)) as account
    from invoice i left join open_invoice o on o.number = i.number
    cross join lateral (
      select coalesce(sum(a.amount_cents), 0)::bigint as paid_cents,
        (count(distinct e.id) filter (where starts_with(e.cause, ${xeroCause})))::integer as taken
      from allocation a join ledger_entry e on e.id = a.from_entry where a.to_invoice = i.number and e.kind = 'payment') as p
    where i.number = any(${numbers})`);
  return new Map(rows.map((row) => [row.number, row]));
}

function questionOf(read: ReadInvoice, known: Known | undefined): XeroInvoice['question'] {
  if (!known) return 'unknown';
  if (read.currency !== '' && read.currency !== 'NZD') return 'other_currency';
  if (read.isVoided) return 'voided';
  if (read.total_cents !== known.total_cents) return 'total_differs';
  const more = read.paid_cents - known.paid_cents;
  if (more < 0) return 'paid_less';
  if (more === 0) return 'due_differs';
  return more > known.left_cents ? 'paid_too_much' : null;
}

interface ToTake extends XeroInvoice {
  known: Known | undefined;
}

async function compare(db: Queryable, read: readonly ReadInvoice[]) {
  const own = read.flatMap(({ invoice, ...one }) => (invoice === undefined ? [] : [{ ...one, invoice }]));
  const all = await knownOf(
    db,
    own.map(({ invoice }) => invoice),
  );
  const invoices: ToTake[] = [];
  for (const one of own) {
    const known = all.get(one.invoice);
    const { line, invoice, contact, total_cents, paid_cents, due_cents } = one;
    const question = questionOf(one, known);
    // Credit settles here and there, in whatever order: where as much is left, nothing is new.
    const isSettledAlike = known?.left_cents === due_cents && known.total_cents === total_cents;
    if (isSettledAlike && question !== 'other_currency' && question !== 'voided') continue;
    invoices.push({
      ...{ line, invoice, contact, question, total_cents, paid_cents, due_cents, known },
      known_cents: known?.paid_cents ?? 0,
      left_cents: known?.left_cents ?? 0,
      payment_cents: question === null ? paid_cents - (known?.paid_cents ?? 0) : 0,
    });
  }
  const payments = invoices.filter(({ question }) => question === null);
  if (payments.length > maxPayments)
    throw unreadable(`The file has more than ${maxPayments.toLocaleString('en-NZ')} new payments.`);
  return {
    invoices,
    payments: payments.length,
    amount_cents: payments.reduce((sum, { payment_cents }) => sum + payment_cents, 0),
    known: own.length - invoices.length,
    others: read.length - own.length,
  };
}

const shown = ({ invoices, ...rest }: Awaited<ReturnType<typeof compare>>): XeroPayments => ({
  ...rest,
  invoices: invoices.map(({ known: _, ...one }) => one),
});

/** What taking Xero's file would record. Changes nothing. @throws CovermapError `payments_in_covermap`, `xero_file_unreadable` */
export async function previewXeroPayments(db: Queryable, { bytes }: XeroPaymentsFile): Promise<XeroPayments> {
  await requireXeroDebtors(db);
  return shown(await compare(db, await readInvoices(bytes)));
}

/**
 * Records the payments of Xero's file, all or none. The file has no days: all are of one.
 * @param seen what its preview came to
 * @throws CovermapError as {@link previewXeroPayments}, `preview_outdated`, `payment_day_invalid`, `period_locked`
 */
export async function takeXeroPayments(
  db: Database,
  file: XeroPaymentsFile,
  on: Day,
  seen: Pick<XeroPayments, 'payments' | 'amount_cents'>,
  actor: Actor,
  at: Date,
): Promise<XeroPayments> {
  if (on < addDays(dayOf(at), -oldDays))
    throw new CovermapError('payment_day_invalid', `${on} is more than a year ago.`);
  const read = await readInvoices(file.bytes);
  return db.transaction(async (connection) => {
    await lockMonths(connection);
    await requireXeroDebtors(connection);
    const found = await compare(connection, read);
    if (found.payments !== seen.payments || found.amount_cents !== seen.amount_cents)
      throw new CovermapError('preview_outdated');
    for (const { known, invoice, paid_cents, payment_cents } of found.invoices) {
      if (payment_cents === 0 || !known) continue;
      const payment = {
        ...{
          account: known.account,
          day: on,
          cents: payment_cents,
          method: 'bank_transfer' as const,
          reference: 'Xero',
        },
        allocations: [{ invoice, cents: payment_cents }],
        cause: `${xeroCause}${invoice}:${paid_cents}:${known.taken}`,
      };
      const meant = { confirmed: true, largeFromCents: Number.POSITIVE_INFINITY };
      await postPayment(connection, payment, meant, actor, at);
    }
    const { payments, amount_cents } = found;
    const details = { name: file.name, payments, amount_cents, on_day: on };
    await record(connection, actor, { action: 'xero_payments_taken', details });
    return shown(found);
  });
}
