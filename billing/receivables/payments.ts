import { z } from 'zod';
import type { Actor } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import {
  type Connection,
  type Database,
  inOneTransaction,
  type Queryable,
} from '../../platform/database/database.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { addDays, type Day, dayOf, monthOfDay } from '../../platform/nz-time.ts';
import { cents, day, named, time } from '../../platform/schemas.ts';
import {
  Account,
  type AccountId,
  accountKey,
  accountSql,
  type NewEntry,
  ofAccountSql,
  ownerOf,
  post,
  requireAccount,
} from '../ledger.ts';
import { confirmAmount } from '../manual-entries.ts';
import { dollars } from '../money.ts';
import { lockMonths } from '../months.ts';
import { requireOpenBooks, requireOwnDebtors } from '../settings.ts';
import { allocate, allocatedFrom, creditOf, settleWithCredit } from './allocations.ts';

/* Money in and out of accounts: payments, refunds, write-offs, and their reversals. Nothing is allocated unasked. Cents include GST. */

export const paymentMethods = ['bank_transfer', 'card', 'cash', 'other'] as const;

/** Begins the causes of payments that Xero's file brought. */
export const xeroCause = 'xero:';
const isOfXero = (cause: string) => cause.startsWith(xeroCause);

/** A payment dated further back has probably the wrong year. */
export const oldDays = 366;

/** The words on the bank's statement, 12 characters each as New Zealand's banks have them. */
export interface BankWords {
  particulars?: string | undefined;
  code?: string | undefined;
  reference?: string | undefined;
}

export interface InvoicePart {
  invoice: number;
  cents: number;
  /** What was seen to be left of the invoice. */
  leftCents?: number;
}

/** How a person has answered what was asked. */
export interface Confirmed {
  /** The amount, given a second time; needed from `largeFromCents` on. */
  confirmedCents?: number | undefined;
  largeFromCents: number;
  /** True: it is meant although it looks wrong. */
  confirmed?: boolean | undefined;
}

export interface NewPayment extends BankWords {
  account: AccountId;
  /** On the bank's statement. */
  day: Day;
  cents: number;
  method: (typeof paymentMethods)[number];
  /** What is left becomes the account's credit. */
  allocations: readonly InvoicePart[];
  /** Nothing is posted twice with the same cause. */
  cause: string;
}

/** @throws CovermapError `payment_day_invalid`, `period_locked` */
async function requirePostingDay(connection: Connection, on: Day, at: Date): Promise<void> {
  if (on > dayOf(at)) throw new CovermapError('payment_day_invalid', `${on} is yet to come.`);
  await requireOpenBooks(connection, on);
}

/** Posts an entry that settles, with its day and words. @returns its id @throws CovermapError `payment_exists` */
async function postSettling(
  connection: Connection,
  entry: Pick<NewEntry, 'account' | 'kind' | 'description' | 'cause' | 'source' | 'corrects'> & {
    cents: number;
  },
  {
    on,
    method,
    words = {},
    gstCents,
  }: { on: Day; method: string | null; words?: BankWords; gstCents?: number },
  actor: Actor,
  at: Date,
): Promise<number> {
  const { cents: unit_price_cents, ...rest } = entry;
  const posted = { ...rest, month: monthOfDay(on), quantity: 1, unit_price_cents, settles: true };
  const id = await post(connection, posted, actor.name, at);
  if (id === undefined) throw new CovermapError('payment_exists');
  await connection.query(sql`
    insert into payment (entry_id, on_day, method, particulars, code, reference, gst_cents)
    values (${id}, ${on}, ${method}, ${words.particulars ?? ''}, ${words.code ?? ''}, ${words.reference ?? ''}, ${gstCents})`);
  return id;
}

interface OpenInvoice {
  number: number;
  issued_on: Day;
  total_cents: number;
  gst_cents: number;
  left_cents: number;
}

/** An account's invoice with what is left to pay. @throws CovermapError `allocation_invalid` where it is another account's */
async function invoiceOf(db: Queryable, account: AccountId, number: number): Promise<OpenInvoice> {
  const { rows } = await db.query<OpenInvoice>(sql`
    select i.number, i.issued_on, i.total_cents, i.gst_cents, coalesce(o.left_cents, 0) as left_cents
    from invoice i left join open_invoice o on o.number = i.number
    where i.number = ${number} and i.account = ${accountKey(account)}`);
  if (!rows[0]) throw new CovermapError('allocation_invalid', `Invoice ${number} is not of this account.`);
  return rows[0];
}

/** The invoices of parts. @throws CovermapError `preview_outdated`, `allocation_invalid` where a part is more than is left of one */
async function requireOpen(db: Queryable, account: AccountId, parts: readonly InvoicePart[]) {
  if (new Set(parts.map(({ invoice }) => invoice)).size < parts.length) {
    throw new CovermapError('allocation_invalid', 'An invoice is named twice.');
  }
  const open: (OpenInvoice & { cents: number })[] = [];
  for (const part of parts) {
    const invoice = await invoiceOf(db, account, part.invoice);
    if ((part.leftCents ?? invoice.left_cents) !== invoice.left_cents) {
      throw new CovermapError('preview_outdated');
    }
    if (part.cents > invoice.left_cents) {
      const what = invoice.left_cents === 0 ? 'Nothing' : `$${dollars(invoice.left_cents)}`;
      throw new CovermapError('allocation_invalid', `${what} is left to pay of invoice ${part.invoice}.`);
    }
    open.push({ ...invoice, cents: part.cents });
  }
  return open;
}

/** Asks about what may be a mistake. @throws CovermapError `payment_unconfirmed` */
function ask(doubts: readonly (string | false)[], { confirmed }: Confirmed): void {
  const open = doubts.filter((doubt) => doubt !== false);
  if (open.length > 0 && !confirmed) throw new CovermapError('payment_unconfirmed', open.join(' '));
}

/** True where an account has a payment, or a refund, of that day, amount and words that was not reversed. */
async function isRecorded(
  db: Queryable,
  kind: 'payment' | 'refund',
  { account, day, cents: amount, particulars, code, reference }: Omit<NewPayment, 'allocations'>,
) {
  const { rows } = await db.query(sql`
    select from ledger_entry e join payment p on p.entry_id = e.id
    where e.settles and ${ofAccountSql('e', account)} and e.kind = ${kind} and p.on_day = ${day}
      and e.amount_cents = ${kind === 'payment' ? -amount : amount}
      and (p.particulars, p.code, p.reference) = (${particulars ?? ''}, ${code ?? ''}, ${reference ?? ''})
      and entry_left(e) <> 0 limit 1`);
  return rows.length > 0;
}

/**
 * Records a payment and allocates it as given; the rest becomes the account's credit, which its next invoice uses.
 * @returns the id of its entry
 * @throws CovermapError `customer_unknown`, `provider_unknown`, `payments_in_xero`, `payment_day_invalid`, `period_locked`, `allocation_invalid`,
 * `payment_unconfirmed` also where a digit too many has made it more than is allocated, `payment_exists`
 */
export async function recordPayment(
  db: Database | Connection,
  payment: NewPayment,
  confirmed: Confirmed,
  actor: Actor,
  at: Date,
): Promise<number> {
  return inOneTransaction(db, async (connection) => {
    await lockMonths(connection);
    await requireOwnDebtors(connection);
    return postPayment(connection, payment, confirmed, actor, at);
  });
}

/** {@link recordPayment}, whichever ledger has the debtors. Call it with the months locked. */
export async function postPayment(
  connection: Connection,
  payment: NewPayment,
  confirmed: Confirmed,
  actor: Actor,
  at: Date,
): Promise<number> {
  const { account, day: on, cents: amount, allocations } = payment;
  await requireAccount(connection, account);
  await requirePostingDay(connection, on, at);
  const open = await requireOpen(connection, account, allocations);
  const rest = amount - allocations.reduce((sum, part) => sum + part.cents, 0);
  if (rest < 0) {
    throw new CovermapError('allocation_invalid', `$${dollars(-rest)} more is allocated than was paid.`);
  }
  const doubts = [
    rest > 0 && `$${dollars(rest)} is allocated to no invoice and becomes the account's credit.`,
    on < addDays(dayOf(at), -oldDays) && `${on} is more than a year ago.`,
    (await isRecorded(connection, 'payment', payment)) &&
      `The same payment of $${dollars(amount)} on ${on} is recorded already.`,
  ];
  ask(doubts, confirmed);
  const { method, particulars, code, reference, cause } = payment;
  const invoices = allocations.map(({ invoice }) => invoice);
  const about = invoices.length > 0 ? `: invoice ${invoices.join(', ')}` : '';
  const id = await postSettling(
    connection,
    {
      account,
      kind: 'payment',
      description: `Payment${about}`,
      cents: -amount,
      cause,
      source: { invoices },
    },
    { on, method, words: { particulars, code, reference } },
    actor,
    at,
  );
  for (const invoice of open) {
    const onDay = invoice.issued_on > on ? invoice.issued_on : on;
    const part = {
      from: { from_entry: id },
      to: { to_invoice: invoice.number },
      cents: invoice.cents,
      onDay,
    };
    await allocate(connection, part, actor.name, at);
  }
  const details = { entry: id, amount_cents: amount, on_day: on, invoices };
  await record(connection, actor, { action: 'payment_recorded', ...ownerOf(account), details });
  return id;
}

/**
 * Allocates an account's credit to invoices, the oldest credit first. What was seen to be left makes it harmless to ask twice.
 * @throws CovermapError `allocation_invalid`, `preview_outdated`, `payments_in_xero`
 */
export async function applyCredit(
  db: Database | Connection,
  account: AccountId,
  parts: readonly InvoicePart[],
  actor: Actor,
  at: Date,
): Promise<void> {
  await inOneTransaction(db, async (connection) => {
    await lockMonths(connection);
    await requireOwnDebtors(connection);
    await requireAccount(connection, account);
    for (const { number, cents: amount } of await requireOpen(connection, account, parts)) {
      const wanted = { cents: amount, onDay: dayOf(at) };
      const settled = await settleWithCredit(
        connection,
        account,
        { to_invoice: number },
        wanted,
        actor.name,
        at,
      );
      if (settled < amount) {
        const credit = await creditOf(connection, account);
        throw new CovermapError(
          'allocation_invalid',
          `The account's credit is $${dollars(credit + settled)}.`,
        );
      }
    }
    const details = {
      invoices: parts.map(({ invoice, cents: amount }) => ({ invoice, amount_cents: amount })),
    };
    await record(connection, actor, { action: 'credit_applied', ...ownerOf(account), details });
  });
}

/**
 * Records that credit was paid back. @returns the id of its entry
 * @throws CovermapError as {@link recordPayment}, `credit_too_small`
 */
export async function recordRefund(
  db: Database | Connection,
  refund: Omit<NewPayment, 'allocations'>,
  confirmed: Confirmed,
  actor: Actor,
  at: Date,
): Promise<number> {
  const { account, day: on, cents: amount, method, cause, ...words } = refund;
  return inOneTransaction(db, async (connection) => {
    await lockMonths(connection);
    await requireOwnDebtors(connection);
    await requireAccount(connection, account);
    await requirePostingDay(connection, on, at);
    const credit = await creditOf(connection, account);
    if (amount > credit) {
      throw new CovermapError(
        'credit_too_small',
        `The account's credit is $${dollars(credit)}: no more can be refunded.`,
      );
    }
    confirmAmount(amount, confirmed.confirmedCents, confirmed.largeFromCents);
    const doubts = [
      on < addDays(dayOf(at), -oldDays) && `${on} is more than a year ago.`,
      (await isRecorded(connection, 'refund', refund)) &&
        `The same refund of $${dollars(amount)} on ${on} is recorded already.`,
    ];
    ask(doubts, confirmed);
    const entry = {
      account,
      kind: 'refund' as const,
      description: 'Refund of credit',
      cents: amount,
      cause,
      source: {},
    };
    const id = await postSettling(connection, entry, { on, method, words }, actor, at);
    await settleWithCredit(
      connection,
      account,
      { to_entry: id },
      { cents: amount, onDay: on },
      actor.name,
      at,
    );
    const { rows } = await connection.query(
      sql`select from allocation where to_entry = ${id} and on_day > ${on}::date limit 1`,
    );
    if (rows.length > 0) {
      const hint = 'Give a day on which the account had this credit.';
      throw new CovermapError('credit_too_small', `On ${on} the account's credit was less.`, hint);
    }
    const details = { entry: id, amount_cents: amount, on_day: on };
    await record(connection, actor, { action: 'refund_recorded', ...ownerOf(account), details });
    return id;
  });
}

/** The GST in a part of an invoice, in cents. */
const gstIn = (part: number, { gst_cents, total_cents }: OpenInvoice): number =>
  Math.round((part * gst_cents) / total_cents);

/**
 * Writes off what is left to pay of an invoice, as a bad debt of today. Its GST is apart: Goods and Services Tax Act 1985, section 26.
 * @param expectedCents what was seen to be left @returns the id of its entry
 * @throws CovermapError `invoice_unknown`, `payments_in_xero`, `invoice_settled`, `preview_outdated`, `amount_unconfirmed`, `payment_exists`
 */
export async function writeOff(
  db: Database | Connection,
  number: number,
  { reason, expectedCents, cause }: { reason: string; expectedCents?: number | undefined; cause: string },
  confirmed: Confirmed,
  actor: Actor,
  at: Date,
): Promise<number> {
  return inOneTransaction(db, async (connection) => {
    await lockMonths(connection);
    await requireOwnDebtors(connection);
    const on = dayOf(at);
    const { rows } = await connection.query<AccountId>(sql`
      select case when customer_id is null then 'operator' else 'customer' end as kind, coalesce(customer_id, provider_id) as id
      from invoice where number = ${number}`);
    const account = rows[0];
    if (!account) throw new CovermapError('invoice_unknown');
    const invoice = await invoiceOf(connection, account, number);
    const amount = invoice.left_cents;
    if (amount === 0)
      throw new CovermapError('invoice_settled', `Nothing is left to pay of invoice ${number}.`);
    if (expectedCents !== undefined && expectedCents !== amount) throw new CovermapError('preview_outdated');
    confirmAmount(amount, confirmed.confirmedCents, confirmed.largeFromCents);
    const entry = {
      account,
      kind: 'write_off' as const,
      description: `Invoice ${number} written off: ${reason}`,
      cents: -amount,
      cause,
      source: { invoice: number, reason },
    };
    const gstCents = gstIn(invoice.total_cents, invoice) - gstIn(invoice.total_cents - amount, invoice);
    const id = await postSettling(connection, entry, { on, method: null, gstCents }, actor, at);
    const part = { from: { from_entry: id }, to: { to_invoice: number }, cents: amount, onDay: on };
    await allocate(connection, part, actor.name, at);
    const details = { entry: id, invoice: number, amount_cents: amount, gst_cents: gstCents, reason };
    await record(connection, actor, { action: 'invoice_written_off', ...ownerOf(account), details });
    return id;
  });
}

/**
 * Reverses a payment, a refund or a write-off as of today, as a whole: the invoices that it settled are open again, and refunded credit is back.
 * @returns the id of the reversal
 * @throws CovermapError `entry_unknown`, `entry_not_reversible`, `payments_in_xero`, `payment_exists`
 */
export async function reverseSettling(
  db: Database | Connection,
  id: number,
  { reason, cause }: { reason: string; cause: string },
  actor: Actor,
  at: Date,
): Promise<number> {
  return inOneTransaction(db, async (connection) => {
    await lockMonths(connection);
    const on = dayOf(at);
    type Original = AccountId & {
      entry_kind: string;
      cause: string;
      amount_cents: number;
      left: number;
      gst_cents: number | null;
    };
    const { rows } = await connection.query<{ original: Original; on_day: Day }>(sql`
      select json_build_object('kind', case when e.customer_id is null then 'operator' else 'customer' end,
        'id', coalesce(e.customer_id, e.provider_id), 'entry_kind', e.kind, 'cause', e.cause, 'amount_cents', e.amount_cents, 'left', entry_left(e),
        'gst_cents', p.gst_cents) as original, p.on_day
      from ledger_entry e join payment p on p.entry_id = e.id where e.id = ${id} and e.settles`);
    if (!rows[0]) throw new CovermapError('entry_unknown');
    const { kind, id: accountId, entry_kind, cause: ofOriginal, ...figures } = rows[0].original;
    const { amount_cents, left, gst_cents } = figures;
    // What Xero's file brought is undone here once it is undone there.
    if (!isOfXero(ofOriginal)) await requireOwnDebtors(connection);
    const account = { kind, id: accountId };
    const name = entry_kind.replace('_', '-');
    if (entry_kind === 'reversal' || left === 0) {
      const hint = 'Record a new payment.';
      throw new CovermapError(
        'entry_not_reversible',
        `This ${name} is ${left === 0 && entry_kind !== 'reversal' ? 'reversed' : 'itself a reversal'}.`,
        hint,
      );
    }
    // A reversal counts from its own day; an entry of a day to come does not exist.
    const entry = {
      account,
      kind: 'reversal' as const,
      description: `Reversed ${name}: ${reason}`,
      cents: -amount_cents,
      cause,
      source: { reason },
      corrects: id,
    };
    const gstCents = gst_cents === null ? {} : { gstCents: -gst_cents };
    const reversal = await postSettling(connection, entry, { on, method: null, ...gstCents }, actor, at);
    if (amount_cents < 0) {
      for (const { amount_cents: part, ...to } of await allocatedFrom(connection, { from_entry: id })) {
        if (to.to_entry !== null) {
          const hint = `Reverse the refund first: entry ${to.to_entry}.`;
          throw new CovermapError('entry_not_reversible', `A part of this ${name} was refunded.`, hint);
        }
        await allocate(connection, { from: { from_entry: id }, to, cents: -part, onDay: on }, actor.name, at);
      }
      const back = { from: { from_entry: id }, to: { to_entry: reversal }, cents: -amount_cents, onDay: on };
      await allocate(connection, back, actor.name, at);
    } else {
      const { rows: parts } = await connection.query<
        Record<'from_entry' | 'from_credit_note' | 'from_invoice', number | null> & { part: number }
      >(sql`
        select from_entry, from_credit_note, from_invoice, sum(amount_cents)::bigint as part from allocation
        where to_entry = ${id} group by 1, 2, 3`);
      for (const { part, ...from } of parts) {
        await allocate(connection, { from, to: { to_entry: id }, cents: -part, onDay: on }, actor.name, at);
      }
      const back = { from: { from_entry: reversal }, to: { to_entry: id }, cents: amount_cents, onDay: on };
      await allocate(connection, back, actor.name, at);
    }
    const details = { entry: reversal, corrects: id, amount_cents: -amount_cents, reason };
    await record(connection, actor, { action: 'payment_reversed', ...ownerOf(account), details });
    return reversal;
  });
}

/** A payment, a refund, a write-off or a reversal, and what it settles. */
export const Payment = named('Payment', {
  id: z.int().describe('The ID of its entry in the ledger.'),
  account: Account,
  kind: z.enum(['payment', 'refund', 'write_off', 'reversal']),
  on_day: day(),
  amount_cents: cents('Cents, including GST. Below zero: money out, or a reversed payment.'),
  gst_cents: cents('The GST in what is written off.').nullable(),
  method: z.enum(paymentMethods).nullable(),
  particulars: z.string(),
  code: z.string(),
  reference: z.string(),
  description: z.string(),
  allocations: z.array(z.object({ invoice: z.int(), amount_cents: cents('Cents, including GST.') })),
  credits: z
    .array(
      z.object({
        kind: z.enum(['payment', 'refund', 'credit_note', 'invoice']),
        number: z.int().describe('Of the paper; of a payment or refund the ID of its entry.'),
        amount_cents: cents('Cents, including GST.'),
      }),
    )
    .describe('Of a payment the refunds of what was left of it; of a refund the credit that it paid back.'),
  left_cents: cents('What is left of it as the account’s credit. Cents, including GST.'),
  bank_line: z
    .object({ file: z.string(), line: z.int(), payer: z.string(), details: z.string() })
    .nullable()
    .describe('The line of a bank’s file that it is.'),
  corrects: z.int().nullable().describe('The entry that this one reverses.'),
  reversed_by: z.int().nullable(),
  booked_at: time(),
  booked_by: z.string(),
});
export type Payment = z.output<typeof Payment>;

/** Payments and what else settles, newest first. @param filter `before`: only entries with a smaller id */
export async function listPayments(
  db: Queryable,
  filter: {
    account?: AccountId | undefined;
    id?: number | undefined;
    before?: number | undefined;
    limit: number;
  },
): Promise<Payment[]> {
  const { rows } = await db.query<Payment>(sql`
    select e.id, ${accountSql('e', 'coalesce(c.name, p.name)')} as account, e.kind, y.on_day, -e.amount_cents as amount_cents, y.gst_cents,
      y.method, y.particulars, y.code, y.reference, e.description,
      coalesce((
        select json_agg(json_build_object('invoice', s.to_invoice, 'amount_cents', s.cents) order by s.to_invoice)
        from (select to_invoice, sum(amount_cents) as cents from allocation
          where from_entry = e.id and to_invoice is not null group by 1 having sum(amount_cents) <> 0) as s), '[]') as allocations,
      coalesce((
        select json_agg(json_build_object('kind', kind, 'number', number, 'amount_cents', cents) order by kind, number)
        from (
          select 'refund' as kind, a.to_entry as number, sum(a.amount_cents) as cents
          from allocation a join ledger_entry t on t.id = a.to_entry and t.kind = 'refund'
          where a.from_entry = e.id and e.kind = 'payment' group by 2 having sum(a.amount_cents) <> 0
          union all
          select case when a.from_entry is not null then 'payment' when a.from_invoice is null then 'credit_note' else 'invoice' end,
            coalesce(a.from_entry, a.from_credit_note, a.from_invoice), sum(a.amount_cents)
          from allocation a left join ledger_entry f on f.id = a.from_entry
          where a.to_entry = e.id and e.kind = 'refund' and f.kind is distinct from 'reversal' group by 1, 2 having sum(a.amount_cents) <> 0
        ) as c), '[]') as credits,
      (select json_build_object('file', f.name, 'line', b.line, 'payer', b.payer, 'details', b.details)
        from bank_match m join bank_line b on b.id = m.line_id join bank_file f on f.id = b.file_id where m.entry_id = e.id) as bank_line,
      coalesce(l.left_cents, 0) as left_cents, e.corrects, r.id as reversed_by, e.booked_at, e.booked_by
    from ledger_entry e
    join payment y on y.entry_id = e.id
    left join customer c on c.id = e.customer_id
    left join provider p on p.id = e.provider_id
    left join credit_left l on l.from_entry = e.id
    left join ledger_entry r on r.corrects = e.id
    where e.settles and ${filter.account ? ofAccountSql('e', filter.account) : raw('true')}
      and (${filter.id}::bigint is null or e.id = ${filter.id}) and (${filter.before}::bigint is null or e.id < ${filter.before})
    order by e.id desc limit ${filter.limit}`);
  return rows;
}

/** @throws CovermapError `entry_unknown` */
export async function findPayment(db: Queryable, id: number): Promise<Payment> {
  const [found] = await listPayments(db, { id, limit: 1 });
  if (!found) throw new CovermapError('entry_unknown');
  return found;
}
