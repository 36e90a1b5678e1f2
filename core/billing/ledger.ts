import type { Queryable } from '../database/database.ts';
import { CovermapError, storableJson } from '../errors.ts';
import { firstDay, type Month } from '../nz-time.ts';

/* What customers and operators owe. Entries are never changed: a correction is an entry that names the one it corrects. */

export type EntryKind =
  | 'plan_fee'
  | 'overage'
  | 'adjustment'
  | 'processing_fee'
  /** Offsets a processing fee. */
  | 'waiver'
  /** Posted by staff. */
  | 'credit'
  | 'charge'
  /** Offsets another entry, or a part of it. */
  | 'reversal';

/** Whose account: a customer's, or that of an operator, which is a provider. */
export interface AccountId {
  kind: 'customer' | 'operator';
  id: number;
}

export interface Account extends AccountId {
  name: string;
}

/** What an entry is about, and with it the line of an invoice. Cents without GST; credits are negative. */
export interface EntryFigures {
  kind: EntryKind;
  /** The billing period. */
  month: Month;
  description: string;
  quantity: number;
  unit_price_cents: number;
  amount_cents: number;
}

/** Where an entry comes from. */
export interface EntryOrigin {
  /** There is one entry of a cause. */
  cause: string;
  /** The figures that it was calculated from. */
  source: Record<string, unknown>;
}

export interface NewEntry extends Omit<EntryFigures, 'amount_cents'>, EntryOrigin {
  account: AccountId;
  customer_plan_id?: number | undefined;
  processing_fee_id?: number | undefined;
  /** The entry that a waiver or a reversal offsets. */
  corrects?: number | undefined;
}

export interface LedgerEntry extends EntryFigures, EntryOrigin {
  id: number;
  account: Account;
  booked_at: Date;
  booked_by: string;
  /** The entry that it offsets. */
  corrects: number | null;
  /** What of it can still be reversed. */
  left_cents: number;
  invoice: number | null;
  /** `settled`: reversed before it was on an invoice, so it will be on none. */
  state: 'unbilled' | 'invoiced' | 'settled';
}

/** SQL: the account of a row with `customer_id` and `provider_id`, as an {@link Account}. */
export const accountSql = (row: string, name: string) =>
  `json_build_object('kind', case when ${row}.customer_id is null then 'operator' else 'customer' end,
     'id', coalesce(${row}.customer_id, ${row}.provider_id), 'name', ${name})`;

/** SQL: whether a row is of an account. @param at the parameters with its kind, which may be null for any, and its id */
export const ofAccountSql = (row: string, at: [kind: string, id: string]) =>
  `(${at[0]}::text is null or case ${at[0]} when 'customer' then ${row}.customer_id else ${row}.provider_id end = ${at[1]})`;

/** @param rest SQL: which entries `e`, and in which order */
async function readEntries(db: Queryable, rest: string, values: readonly unknown[]): Promise<LedgerEntry[]> {
  const { rows } = await db.query<LedgerEntry>(
    `select e.id, ${accountSql('e', 'coalesce(c.name, p.name)')} as account, e.kind, to_char(e.month, 'YYYY-MM') as month,
       e.description, e.quantity, e.unit_price_cents, e.amount_cents, e.cause, e.source, e.booked_at, e.booked_by, e.corrects,
       entry_left(e) as left_cents, l.invoice_number as invoice,
       case when l.entry_id is not null then 'invoiced' when o.entry_id is not null then 'unbilled' else 'settled' end as state
     from ledger_entry e
     left join customer c on c.id = e.customer_id
     left join provider p on p.id = e.provider_id
     left join invoice_line l on l.entry_id = e.id
     left join open_entry o on o.entry_id = e.id
     ${rest}`,
    values,
  );
  return rows;
}

/** An account as a text, as in the column `account` of invoices: `customer:17`. */
export function accountKey({ kind, id }: AccountId): string {
  return `${kind}:${id}`;
}

/**
 * Posts an entry.
 * @returns its id; undefined where there is an entry of this cause
 */
export async function post(db: Queryable, entry: NewEntry, by: string, at?: Date | undefined) {
  const { account } = entry;
  const { rows } = await db.query<{ id: number }>(
    `insert into ledger_entry (customer_id, provider_id, kind, month, description, quantity, unit_price_cents, amount_cents,
       cause, source, customer_plan_id, processing_fee_id, corrects, booked_at, booked_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11, $12, $13, coalesce($14::timestamptz, clock_timestamp()), $15)
     on conflict (cause) do nothing
     returning id`,
    [
      account.kind === 'customer' ? account.id : null,
      account.kind === 'operator' ? account.id : null,
      entry.kind,
      firstDay(entry.month),
      entry.description,
      entry.quantity,
      entry.unit_price_cents,
      entry.quantity * entry.unit_price_cents,
      entry.cause,
      storableJson(entry.source),
      entry.customer_plan_id ?? null,
      entry.processing_fee_id ?? null,
      entry.corrects ?? null,
      at ?? null,
      by,
    ],
  );
  return rows[0]?.id;
}

/** The ledger, newest first. @param filter `before`: only entries with a smaller id */
export async function listEntries(
  db: Queryable,
  filter: {
    account?: AccountId | undefined;
    month?: Month | undefined;
    before?: number | undefined;
    limit: number;
  },
): Promise<LedgerEntry[]> {
  const { account, month, before, limit } = filter;
  return readEntries(
    db,
    `where ${ofAccountSql('e', ['$1', '$2'])} and ($3::date is null or e.month = $3)
       and ($4::bigint is null or e.id < $4)
     order by e.id desc limit $5`,
    [account?.kind ?? null, account?.id ?? null, month ? firstDay(month) : null, before ?? null, limit],
  );
}

export async function findEntry(db: Queryable, id: number): Promise<LedgerEntry | undefined> {
  return (await readEntries(db, 'where e.id = $1', [id]))[0];
}

/** The entries that are on no invoice yet, oldest first: of one account, or posted before an instant. */
export async function unbilledEntries(db: Queryable, filter: { account: AccountId } | { before: Date }) {
  return 'before' in filter
    ? readEntries(db, 'where o.entry_id is not null and e.booked_at < $1 order by e.id', [filter.before])
    : readEntries(db, `where o.entry_id is not null and ${ofAccountSql('e', ['$1', '$2'])} order by e.id`, [
        filter.account.kind,
        filter.account.id,
      ]);
}

/** @returns the account's name @throws CovermapError `customer_unknown`, `provider_unknown` */
export async function requireAccount(db: Queryable, { kind, id }: AccountId): Promise<string> {
  const table = kind === 'customer' ? 'customer' : 'provider';
  const { rows } = await db.query<{ name: string }>(`select name from ${table} where id = $1`, [id]);
  if (!rows[0]) throw new CovermapError(`${table}_unknown`, `There is no such ${table}.`);
  return rows[0].name;
}
