import type { Connection, Queryable } from '../../platform/database/database.ts';
import { raw, type Sql, sql } from '../../platform/database/sql.ts';
import type { Day } from '../../platform/nz-time.ts';
import { type AccountId, accountKey } from '../ledger.ts';

/* Which money settles what. A source is a payment or a write-off (their entry), a credit note, or an invoice with a total below zero. What is left of an
   account's sources is its credit. A target is an invoice; or what takes money out again: a refund, a reversal, a credit note that undoes another. */

type Column<Prefix extends string> = `${Prefix}_${'entry' | 'credit_note' | 'invoice'}`;
export type Source = { [key in Column<'from'>]?: number | null };
export type Target = { [key in Column<'to'>]?: number | null };

/** What is left of a source. Cents, including GST. */
export interface CreditLeft extends Required<Source> {
  account: string;
  on_day: Day;
  left_cents: number;
}

/** What is left of the sources of accounts, the oldest first. @param accounts as of {@link accountKey} */
async function creditsLeft(db: Queryable, accounts: readonly string[]): Promise<CreditLeft[]> {
  const { rows } = await db.query<CreditLeft>(sql`
    select * from credit_left where account = any(${accounts})
    order by on_day, from_entry, from_credit_note, from_invoice`);
  return rows;
}

/** The credit of each account that has any, in cents with GST, by {@link accountKey}. */
export async function creditsOf(db: Queryable, accounts: readonly AccountId[]): Promise<Map<string, number>> {
  const credits = new Map<string, number>();
  for (const { account, left_cents } of await creditsLeft(db, [...new Set(accounts.map(accountKey))])) {
    credits.set(account, (credits.get(account) ?? 0) + left_cents);
  }
  return credits;
}

/** An account's credit in cents with GST. */
export const creditOf = async (db: Queryable, account: AccountId): Promise<number> =>
  (await creditsOf(db, [account])).get(accountKey(account)) ?? 0;

/** The column that names a source or a target, and its number. */
const namedBy = (one: Source & Target, prefix: 'from' | 'to') =>
  Object.entries(one).find(([key, value]) => key.startsWith(`${prefix}_`) && value != null) as [
    string,
    number,
  ];

/**
 * SQL: the day from which a source or a target always has room for more; null: it always had. What is back-dated may fall into days on which something
 * that was taken back since had settled as much.
 */
function roomFrom(
  [column, id]: [string, number],
  view: 'receivable_source' | 'receivable_target',
  cents: number,
): Sql {
  const own = raw(column);
  return sql`(
    select min(on_day) from allocation where ${own} = ${id} and on_day > (
      select max(on_day) from (
        select on_day, sum(sum(amount_cents)) over (order by on_day) as used from allocation where ${own} = ${id} group by on_day) as c
      where used + ${cents} > (select amount_cents from ${raw(view)} where ${own} = ${id})))`;
}

/**
 * Settles a part of a target with a part of a source; takes back where the cents are below zero. Triggers refuse more than either has left.
 * @param onDay the day from which it counts: not before those of both, nor before both have room @param at undefined: now
 */
export async function allocate(
  connection: Connection,
  { from, to, cents, onDay }: { from: Source; to: Target; cents: number; onDay: Day },
  by: string,
  at?: Date,
): Promise<void> {
  const counts =
    cents < 0
      ? sql`${onDay}::date`
      : sql`greatest(${onDay}::date, ${roomFrom(namedBy(from, 'from'), 'receivable_source', cents)},
          ${roomFrom(namedBy(to, 'to'), 'receivable_target', cents)})`;
  await connection.query(sql`
    insert into allocation (from_entry, from_credit_note, from_invoice, to_invoice, to_entry, to_credit_note, amount_cents, on_day, at, by_name)
    values (${from.from_entry}, ${from.from_credit_note}, ${from.from_invoice}, ${to.to_invoice}, ${to.to_entry}, ${to.to_credit_note},
      ${cents}, ${counts}, coalesce(${at}::timestamptz, clock_timestamp()), ${by})`);
}

/** Settles a target with the account's credit, the oldest first. @param cents at most; call it with the months locked @returns the cents that were settled */
export async function settleWithCredit(
  connection: Connection,
  account: AccountId,
  to: Target,
  { cents, onDay }: { cents: number; onDay: Day },
  by: string,
  at?: Date,
): Promise<number> {
  let missing = cents;
  for (const { left_cents, ...credit } of await creditsLeft(connection, [accountKey(account)])) {
    if (missing <= 0) break;
    const part = Math.min(missing, left_cents);
    const counts = credit.on_day > onDay ? credit.on_day : onDay;
    await allocate(connection, { from: credit, to, cents: part, onDay: counts }, by, at);
    missing -= part;
  }
  return cents - missing;
}

/** An allocation of a source, its taking back deducted. */
export interface Allocated extends Required<Target> {
  amount_cents: number;
}

/** What a source settles. */
export async function allocatedFrom(db: Queryable, from: Source): Promise<Allocated[]> {
  const [column, id] = namedBy(from, 'from');
  const { rows } = await db.query<Allocated>(sql`
    select to_invoice, to_entry, to_credit_note, sum(amount_cents)::bigint as amount_cents
    from allocation where ${raw(column)} = ${id} group by 1, 2, 3 having sum(amount_cents) <> 0
    order by 1, 2, 3`);
  return rows;
}
