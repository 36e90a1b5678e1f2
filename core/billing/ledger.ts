import type { Queryable } from '../database/database.ts';
import { CovermapError, storableJson } from '../errors.ts';
import { type Day, firstDay, type Month, monthOfDay } from '../nz-time.ts';

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

/** An account with its name. */
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

/** An entry to post. */
export interface NewEntry extends Omit<EntryFigures, 'amount_cents'>, EntryOrigin {
  account: AccountId;
  customer_plan_id?: number | undefined;
  processing_fee_id?: number | undefined;
  /** The entry that a waiver or a reversal offsets. */
  corrects?: number | undefined;
}

/** A row of the ledger. */
export interface LedgerEntry extends EntryFigures, EntryOrigin {
  id: number;
  account: Account;
  booked_at: Date;
  booked_by: string;
  /** The entry that it offsets. */
  corrects: number | null;
  /** What of it can still be reversed. */
  left_cents: number;
  /** The invoice that it is on. */
  invoice: number | null;
  /** `settled`: reversed before it was on an invoice, so it will be on none. */
  state: 'unbilled' | 'invoiced' | 'settled';
}

/** The columns of {@link EntryRow}, of `ledger_entry e` and {@link entryJoins}. */
const entryColumns = `e.id, e.customer_id, e.provider_id, coalesce(c.name, p.name) as account_name, e.kind, e.month,
  e.description, e.quantity, e.unit_price_cents, e.amount_cents, e.cause, e.source, e.booked_at, e.booked_by, e.corrects,
  entry_left(e) as left_cents, l.invoice_number as invoice,
  case when l.entry_id is not null then 'invoiced'
    when exists (select from open_entry o where o.entry_id = e.id) then 'unbilled' else 'settled' end as state`;
const entryJoins = `left join customer c on c.id = e.customer_id left join provider p on p.id = e.provider_id
  left join invoice_line l on l.entry_id = e.id`;

interface EntryRow extends Omit<LedgerEntry, 'account' | 'month'> {
  customer_id: number | null;
  provider_id: number | null;
  account_name: string;
  month: Day;
}

function entryOf({ customer_id, provider_id, account_name, month, ...row }: EntryRow): LedgerEntry {
  const { id, ...rest } = row;
  return {
    id,
    account: { ...accountOf({ customer_id, provider_id }), name: account_name },
    ...rest,
    month: monthOfDay(month),
  };
}

export function accountOf(row: { customer_id: number | null; provider_id: number | null }): AccountId {
  return row.customer_id === null
    ? { kind: 'operator', id: row.provider_id as number }
    : { kind: 'customer', id: row.customer_id };
}

/** An account as a text, as in the column `account` of invoices: `customer:17`. */
export function accountKey({ kind, id }: AccountId): string {
  return `${kind}:${id}`;
}

/**
 * Posts an entry.
 * @returns its id; undefined where there is an entry of this cause
 */
export async function post(
  db: Queryable,
  entry: NewEntry,
  by: string,
  at?: Date | undefined,
): Promise<number | undefined> {
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

/** The ledger, newest first. */
export async function listEntries(
  db: Queryable,
  filter: {
    account?: AccountId | undefined;
    month?: Month | undefined;
    /** Only those with a smaller id. */
    before?: number | undefined;
    limit: number;
  },
): Promise<LedgerEntry[]> {
  const { rows } = await db.query<EntryRow>(
    `select ${entryColumns} from ledger_entry e ${entryJoins}
     where ($1::text is null or case $1 when 'customer' then e.customer_id else e.provider_id end = $2)
       and ($3::date is null or e.month = $3)
       and ($4::bigint is null or e.id < $4)
     order by e.id desc
     limit $5`,
    [
      filter.account?.kind ?? null,
      filter.account?.id ?? null,
      filter.month === undefined ? null : firstDay(filter.month),
      filter.before ?? null,
      filter.limit,
    ],
  );
  return rows.map(entryOf);
}

/** An entry by id. */
export async function findEntry(db: Queryable, id: number): Promise<LedgerEntry | undefined> {
  const { rows } = await db.query<EntryRow>(
    `select ${entryColumns} from ledger_entry e ${entryJoins} where e.id = $1`,
    [id],
  );
  return rows[0] && entryOf(rows[0]);
}

/** The entries that are on no invoice yet, oldest first: of one account, or posted before an instant. */
export async function unbilledEntries(
  db: Queryable,
  filter: { account: AccountId } | { before: Date },
): Promise<LedgerEntry[]> {
  const [where, values] =
    'before' in filter
      ? ['e.booked_at < $1', [filter.before]]
      : [
          `case $1 when 'customer' then e.customer_id else e.provider_id end = $2`,
          [filter.account.kind, filter.account.id],
        ];
  const { rows } = await db.query<EntryRow>(
    `select ${entryColumns} from open_entry o join ledger_entry e on e.id = o.entry_id ${entryJoins}
     where ${where} order by e.id`,
    values,
  );
  return rows.map(entryOf);
}

/** @returns the account's name @throws CovermapError `customer_unknown`, `provider_unknown` */
export async function requireAccount(db: Queryable, { kind, id }: AccountId): Promise<string> {
  const table = kind === 'customer' ? 'customer' : 'provider';
  const { rows } = await db.query<{ name: string }>(`select name from ${table} where id = $1`, [id]);
  if (!rows[0]) throw new CovermapError(`${table}_unknown`, `There is no such ${table}.`);
  return rows[0].name;
}
