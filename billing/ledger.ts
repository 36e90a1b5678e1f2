import { z } from 'zod';
import type { Queryable } from '../platform/database/database.ts';
import { raw, type Sql, sql } from '../platform/database/sql.ts';
import { CovermapError, storableJson } from '../platform/errors.ts';
import { type Day, dayName, firstDay, type Month } from '../platform/nz-time.ts';
import { anyObject, cents, month, named, time } from '../platform/schemas.ts';

/* The debts of customers and operators. Entries are never changed: a correction is an entry that names the one it corrects. */

/** In the order of the lines of an invoice. */
export const entryKinds = [
  'adjustment',
  'overage',
  'plan_fee',
  'processing_fee',
  // `credit` and `charge` are posted by staff, a waiver offsets a processing fee, a reversal another entry or a part of it.
  'charge',
  'waiver',
  'credit',
  'reversal',
  // These settle invoices, are on none, and include GST.
  'payment',
  'refund',
  'write_off',
] as const;

/** A customer's account, or that of an operator, which is a provider. */
export const Account = z.object({ kind: z.enum(['customer', 'operator']), id: z.int(), name: z.string() });
export type Account = z.output<typeof Account>;
export type AccountId = Omit<Account, 'name'>;

/** The figures of an entry, and of its line on the invoice. */
export const entryFigures = {
  kind: z.enum(entryKinds),
  month: month(),
  description: z.string(),
  quantity: z.number(),
  unit_price_cents: cents(),
};

export const entrySource = anyObject().describe(
  'The figures behind the amount; the fields depend on the kind.',
);

/** An entry as its account has it. Credits are negative. */
export const OwnLedgerEntry = named('OwnLedgerEntry', {
  id: z.int(),
  account: Account,
  ...entryFigures,
  amount_cents: cents('Cents, excluding GST; including it where the entry settles.'),
  settles: z
    .boolean()
    .describe('Whether it settles invoices, as payments, refunds and write-offs do, and is on none.'),
  booked_at: time(),
  corrects: z.int().nullable().describe('The entry that this one reverses.'),
  left_cents: cents('The amount that can still be reversed. Cents, as `amount_cents`.'),
  invoice: z.int().nullable().describe('The number of its invoice.'),
  credit_note: z.int().nullable().describe('The number of its credit note.'),
  state: z
    .enum(['unbilled', 'invoiced', 'credited', 'settled'])
    .describe(
      '`unbilled`: it goes on the next invoice. `credited`: it is on a credit note. `settled`: it was reversed before it was invoiced, or settles invoices.',
    ),
});

export const LedgerEntry = named(
  'LedgerEntry',
  OwnLedgerEntry.extend({ cause: z.string(), source: anyObject(), booked_by: z.string() }),
);
export type LedgerEntry = z.output<typeof LedgerEntry>;

export type EntryFigures = Pick<LedgerEntry, keyof typeof entryFigures | 'amount_cents'>;

/** An entry to post. A cause has one entry. */
export interface NewEntry extends Omit<EntryFigures, 'amount_cents'>, Pick<LedgerEntry, 'cause' | 'source'> {
  account: AccountId;
  customer_plan_id?: number | undefined;
  processing_fee_id?: number | undefined;
  /** The entry that a waiver or a reversal offsets. */
  corrects?: number | undefined;
  /** True for payments, refunds, write-offs and their reversals. */
  settles?: boolean | undefined;
  /** True for the reversals that a credit note has. */
  onCreditNote?: boolean | undefined;
}

/** SQL: the account of a row with `customer_id` and `provider_id`, as an {@link Account}. */
export const accountSql = (row: string, name: string) =>
  raw(`json_build_object('kind', case when ${row}.customer_id is null then 'operator' else 'customer' end,
     'id', coalesce(${row}.customer_id, ${row}.provider_id), 'name', ${name})`);

/** SQL: true for a row of an account. @param account undefined: any */
export const ofAccountSql = (row: string, account: AccountId | undefined) =>
  account ? sql`${raw(row)}.${raw(ownerColumn(account))} = ${account.id}` : raw('true');

/** The column of a row's owner. */
export const ownerColumn = ({ kind }: AccountId): 'customer_id' | 'provider_id' =>
  kind === 'customer' ? 'customer_id' : 'provider_id';

/** An account as an audit entry names it. */
export const ownerOf = ({ kind, id }: AccountId) =>
  kind === 'customer' ? { customerId: id } : { providerId: id };

/** @param rest SQL: the conditions and the order of entries `e` */
async function readEntries(db: Queryable, rest: Sql): Promise<LedgerEntry[]> {
  const { rows } = await db.query<LedgerEntry>(sql`
    select e.id, ${accountSql('e', 'coalesce(c.name, p.name)')} as account, e.kind, to_char(e.month, 'YYYY-MM') as month,
      e.description, e.quantity, e.unit_price_cents, e.amount_cents, e.cause, e.source, e.settles, e.booked_at, e.booked_by, e.corrects,
      entry_left(e) as left_cents, l.invoice_number as invoice, n.credit_note_number as credit_note,
      case when l.entry_id is not null then 'invoiced' when n.entry_id is not null then 'credited' when o.entry_id is not null then 'unbilled' else 'settled' end as state
    from ledger_entry e
    left join customer c on c.id = e.customer_id
    left join provider p on p.id = e.provider_id
    left join invoice_line l on l.entry_id = e.id
    left join credit_note_line n on n.entry_id = e.id
    left join open_entry o on o.entry_id = e.id
    ${rest}`);
  return rows;
}

/** As in the column `account` of invoices: `customer:17`. */
export const accountKey = ({ kind, id }: AccountId): string => `${kind}:${id}`;

/** Posts an entry. @returns its id; undefined where its cause has an entry */
export async function post(db: Queryable, entry: NewEntry, by: string, at?: Date | undefined) {
  const { account } = entry;
  const { rows } = await db.query<{ id: number }>(sql`
    insert into ledger_entry (${raw(ownerColumn(account))}, kind, month, description, quantity, unit_price_cents,
      amount_cents, cause, source, customer_plan_id, processing_fee_id, corrects, settles, on_credit_note,
      booked_at, booked_by)
    values (${account.id}, ${entry.kind}, ${firstDay(entry.month)}, ${entry.description}, ${entry.quantity},
      ${entry.unit_price_cents}, ${entry.quantity * entry.unit_price_cents}, ${entry.cause},
      ${storableJson(entry.source)}::jsonb, ${entry.customer_plan_id}, ${entry.processing_fee_id}, ${entry.corrects},
      ${entry.settles ?? false}, ${entry.onCreditNote ?? false}, coalesce(${at}::timestamptz, clock_timestamp()), ${by})
    on conflict (cause) do nothing
    returning id`);
  return rows[0]?.id;
}

/** The ledger, newest first. @param options `before`: only entries with a smaller id */
export async function listEntries(
  db: Queryable,
  {
    account,
    month,
    before,
    limit,
  }: {
    account?: AccountId | undefined;
    month?: Month | undefined;
    before?: number | undefined;
    limit: number;
  },
) {
  const first = month && firstDay(month);
  const which = sql`where ${ofAccountSql('e', account)} and (${first}::date is null or e.month = ${first})
    and (${before}::bigint is null or e.id < ${before}) order by e.id desc limit ${limit}`;
  return readEntries(db, which);
}

export const findEntry = async (db: Queryable, id: number): Promise<LedgerEntry | undefined> =>
  (await readEntries(db, sql`where e.id = ${id}`))[0];

/** The entries that are on no invoice yet, oldest first: of one account, or posted before an instant. */
export async function unbilledEntries(db: Queryable, filter: { account: AccountId } | { before: Date }) {
  const which = 'before' in filter ? sql`e.booked_at < ${filter.before}` : ofAccountSql('e', filter.account);
  return readEntries(db, sql`where o.entry_id is not null and ${which} order by e.id`);
}

/** The invoice of an entry, as a correction of it has to name it: ", invoice 12 of 1 November 2026". Empty where it is on none. */
export async function onInvoice(db: Queryable, entry: number): Promise<string> {
  const { rows } = await db.query<{ number: number; issued_on: Day }>(sql`
    select i.number, i.issued_on from invoice_line l join invoice i on i.number = l.invoice_number where l.entry_id = ${entry}`);
  return rows[0] ? `, invoice ${rows[0].number} of ${dayName(rows[0].issued_on)}` : '';
}

/** @returns the account's name, and the code that its invoices have @throws CovermapError `customer_unknown`, `provider_unknown` */
export async function requireAccount(
  db: Queryable,
  { kind, id }: AccountId,
): Promise<{ name: string; code: string }> {
  const table = kind === 'customer' ? 'customer' : 'provider';
  const { rows } = await db.query<{ name: string; code: string }>(
    sql`select name, code from ${raw(table)} where id = ${id}`,
  );
  if (!rows[0]) throw new CovermapError(`${table}_unknown`);
  return rows[0];
}
