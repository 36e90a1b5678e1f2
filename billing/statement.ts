import { z } from 'zod';
import type { Connection, Database, Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { addMonths, type Day, dayOf, firstDay, monthOf } from '../platform/nz-time.ts';
import { cents, day, named } from '../platform/schemas.ts';
import { type AccountId, accountKey, requireAccount, unbilledEntries } from './ledger.ts';
import { creditOf } from './receivables/allocations.ts';

/** The months that a statement goes back by default, the current one included. */
const defaultMonths = 6;

/** A paper, or money in or out, with the balance after it. Cents, including GST. */
export const StatementLine = named('StatementLine', {
  on_day: day(),
  kind: z.enum(['invoice', 'credit_note', 'payment', 'refund', 'write_off', 'reversal']),
  number: z.int().describe('Of the invoice or credit note; of others the ID of the entry.'),
  description: z.string(),
  amount_cents: cents(
    'What it adds to what is owed; below zero where it takes from it. Cents, including GST.',
  ),
  balance_cents: cents('What is owed after it; below zero for a credit. Cents, including GST.'),
});
export type StatementLine = z.output<typeof StatementLine>;

/** Days, both included. */
export interface StatementPeriod {
  from?: Day | undefined;
  to?: Day | undefined;
}

/**
 * An account from day to day: what was owed, the papers and payments in order, what is owed; and today's credit, what is due, and unbilled
 * entries, oldest first. Cents, including GST but for unbilled entries. @throws as {@link requireAccount}
 */
export function statementOf(
  db: Database | Connection,
  account: AccountId,
  { from, to }: StatementPeriod,
  at: Date,
) {
  const today = dayOf(at);
  const last = to ?? today;
  const first = from ?? firstDay(addMonths(monthOf(at), 1 - defaultMonths));
  const read = async (connection: Connection) => {
    const { name, code } = await requireAccount(connection, account);
    const entries = await unbilledEntries(connection, { account });
    const { opening_cents, lines } = await linesOf(connection, account, first, last);
    return {
      account: { ...account, name },
      code,
      as_of: at,
      from: first,
      to: last,
      opening_cents,
      lines,
      closing_cents: lines.at(-1)?.balance_cents ?? opening_cents,
      credit_cents: await creditOf(connection, account),
      ...(await dueOf(connection, account, today)),
      unbilled: { entries, subtotal_cents: entries.reduce((sum, entry) => sum + entry.amount_cents, 0) },
    };
  };
  // One snapshot: an entry that is invoiced meanwhile is either on an invoice or among the entries.
  return 'transaction' in db ? db.transaction(read, 'repeatable read, read only') : read(db);
}

/** What was owed before the first day, and the lines until the last one, each with its balance. */
async function linesOf(db: Queryable, account: AccountId, first: Day, last: Day) {
  const key = accountKey(account);
  const { rows } = await db.query<Omit<StatementLine, 'on_day'> & { on_day: Day | null }>(sql`
    with moved as (
      select issued_on as on_day, 'invoice' as kind, number::bigint as number, 1 as place, total_cents as amount_cents,
        'Invoice ' || number || to_char(month, ', FMMonth YYYY') || case occasion when 'plan_start' then ', start of the plan' else '' end
          as description
      from invoice where account = ${key} and issued_on <= ${last}::date
      union all
      select issued_on, 'credit_note', number, 2, -total_cents,
        'Credit note ' || number || ', invoice ' || invoice_number || ': ' || reason
      from credit_note where account = ${key} and issued_on <= ${last}::date
      union all
      select p.on_day, e.kind, e.id, 3, e.amount_cents,
        e.description || coalesce(' (' || nullif(concat_ws(' ', nullif(p.particulars, ''), nullif(p.code, ''), nullif(p.reference, '')), '') || ')', '')
      from ledger_entry e join payment p on p.entry_id = e.id
      -- As the index of entries that settle has it.
      where e.settles and p.on_day <= ${last}::date and
        (case when e.customer_id is null then 'operator:' || e.provider_id::text else 'customer:' || e.customer_id::text end) = ${key}
    ), before as (
      select coalesce(sum(amount_cents), 0)::bigint as cents from moved where on_day < ${first}::date
    )
    select null::date as on_day, 'opening' as kind, 0::bigint as number, '' as description, 0::bigint as amount_cents, cents as balance_cents, 0 as place
    from before
    union all
    select m.on_day, m.kind, m.number, m.description, m.amount_cents,
      ((select cents from before) + sum(m.amount_cents) over (order by m.on_day, m.place, m.number))::bigint, m.place
    from moved m where m.on_day >= ${first}::date
    order by on_day nulls first, place, number`);
  const [opening, ...lines] = rows.map(
    ({ on_day, kind, number, description, amount_cents, balance_cents }) => {
      return { on_day: on_day as Day, kind, number, description, amount_cents, balance_cents };
    },
  );
  return { opening_cents: opening?.balance_cents ?? 0, lines };
}

/** What is left to pay of an account's invoices today, and the part of it that is overdue. */
async function dueOf(db: Queryable, account: AccountId, today: Day) {
  const { rows } = await db.query<Record<'due_cents' | 'overdue_cents', number>>(sql`
    select coalesce(sum(o.left_cents), 0)::bigint as due_cents,
      coalesce(sum(o.left_cents) filter (where i.due_on < ${today}::date), 0)::bigint as overdue_cents
    from open_invoice o join invoice i on i.number = o.number where i.account = ${accountKey(account)}`);
  return rows[0] as (typeof rows)[0];
}
