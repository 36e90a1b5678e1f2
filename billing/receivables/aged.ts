import type { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { Day } from '../../platform/nz-time.ts';
import { cents, named } from '../../platform/schemas.ts';
import { Account, accountSql } from '../ledger.ts';

/* Aged receivables: what is owed by how long it has been due, and credit apart. Cents, including GST. */

const ages = {
  current_cents: cents('Not due yet. Cents, including GST.'),
  days_30_cents: cents('1 to 30 days past the due date.'),
  days_60_cents: cents('31 to 60 days past the due date.'),
  days_90_cents: cents('61 to 90 days past the due date.'),
  older_cents: cents('More than 90 days past the due date.'),
  owed_cents: cents('The sum of these.'),
  credit_cents: cents('Credit that no invoice has used.'),
};
export type Ages = Record<keyof typeof ages, number>;

/** What an account owes, or its credit. */
export const AgedAccount = named('AgedAccount', { account: Account, ...ages });
export type AgedAccount = z.output<typeof AgedAccount>;
export const AgedTotals = named('AgedTotals', ages);

/** SQL: `number` and `left_cents` of invoices that were not settled at the end of a day. */
const openOn = (on: Day): Sql => sql`
  select i.number, i.total_cents - coalesce(sum(a.amount_cents), 0) as left_cents
  from invoice i left join allocation a on a.to_invoice = i.number and a.on_day <= ${on}::date
  where i.issued_on <= ${on}::date and i.total_cents > 0
  group by i.number having i.total_cents > coalesce(sum(a.amount_cents), 0)`;

/** SQL: `account` and `left_cents` of credit at the end of a day: what came in by then, without what was settled with it by then. */
const creditOn = (on: Day): Sql => sql`
  select s.account, s.amount_cents - coalesce(sum(a.amount_cents), 0) as left_cents
  from receivable_source s
  left join allocation a on a.on_day <= ${on}::date
    and (a.from_entry = s.from_entry or a.from_credit_note = s.from_credit_note or a.from_invoice = s.from_invoice)
  where s.on_day <= ${on}::date
  group by s.account, s.from_entry, s.from_credit_note, s.from_invoice, s.amount_cents`;

/**
 * The accounts that owed anything, or had credit, at the end of a day, by name. Of today only open rows are read, however long the history.
 * @param on today or earlier @param today in New Zealand
 */
export async function agedReceivables(db: Queryable, on: Day, today: Day): Promise<AgedAccount[]> {
  const isPast = on < today;
  const { rows } = await db.query<AgedAccount>(sql`
    with owed as (
      select i.account, o.left_cents, coalesce(${on}::date - i.due_on, 0) as late
      from (${isPast ? openOn(on) : sql`select number, left_cents from open_invoice`}) as o join invoice i on i.number = o.number
    ), credit as (
      select account, sum(left_cents) as cents
      from (${isPast ? creditOn(on) : sql`select account, left_cents from credit_left`}) as c group by account
    ), aged as (
      select account,
        coalesce(sum(left_cents) filter (where late <= 0), 0)::bigint as current_cents,
        coalesce(sum(left_cents) filter (where late between 1 and 30), 0)::bigint as days_30_cents,
        coalesce(sum(left_cents) filter (where late between 31 and 60), 0)::bigint as days_60_cents,
        coalesce(sum(left_cents) filter (where late between 61 and 90), 0)::bigint as days_90_cents,
        coalesce(sum(left_cents) filter (where late > 90), 0)::bigint as older_cents,
        sum(left_cents)::bigint as owed_cents
      from owed group by account
    )
    select ${accountSql('o', 'coalesce(c.name, p.name)')} as account,
      coalesce(a.current_cents, 0) as current_cents, coalesce(a.days_30_cents, 0) as days_30_cents,
      coalesce(a.days_60_cents, 0) as days_60_cents, coalesce(a.days_90_cents, 0) as days_90_cents,
      coalesce(a.older_cents, 0) as older_cents, coalesce(a.owed_cents, 0) as owed_cents, coalesce(k.cents, 0)::bigint as credit_cents
    from aged a full join credit k using (account)
    cross join lateral (
      select case when account like 'customer:%' then split_part(account, ':', 2)::integer end as customer_id,
        case when account like 'operator:%' then split_part(account, ':', 2)::integer end as provider_id) as o
    left join customer c on c.id = o.customer_id
    left join provider p on p.id = o.provider_id
    where coalesce(a.owed_cents, 0) <> 0 or coalesce(k.cents, 0) <> 0
    order by lower(coalesce(c.name, p.name)), o.customer_id, o.provider_id`);
  return rows;
}

export function agedTotals(accounts: readonly AgedAccount[]): Ages {
  const names = Object.keys(ages) as (keyof Ages)[];
  return Object.fromEntries(
    names.map((name) => [name, accounts.reduce((sum, account) => sum + account[name], 0)]),
  ) as Ages;
}
