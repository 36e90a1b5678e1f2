import { raw, type Sql, sql } from '../../platform/database/sql.ts';
import type { Day } from '../../platform/nz-time.ts';

/* What is owed of an invoice, as of a day: its total without what is allocated to it. Cents, including GST. */

export const invoiceStates = ['open', 'part_paid', 'paid', 'overdue', 'credited', 'written_off'] as const;
export type InvoiceState = (typeof invoiceStates)[number];

/**
 * SQL, to join laterally: `balance_cents`, `paid_cents`, `credited_cents` and `written_off_cents` of an invoice, and its `state`.
 * `paid`: with payments and credit that was left over. `credited`: with credit notes of its own. An invoice with a total below zero is `credited`.
 * @param invoice the name of a row of `invoice` @param day as it was at the end of this day
 */
export const balanceSql = (invoice: string, day: Day): Sql => sql`(
  select b.*, case
    when ${raw(invoice)}.total_cents < 0 then 'credited'
    when b.balance_cents > 0 and ${raw(invoice)}.due_on < ${day}::date then 'overdue'
    when b.balance_cents > 0 and b.balance_cents < ${raw(invoice)}.total_cents then 'part_paid'
    when b.balance_cents > 0 then 'open'
    when b.written_off_cents > 0 then 'written_off'
    when b.credited_cents > 0 and b.paid_cents = 0 then 'credited'
    else 'paid' end as state
  from (
    select greatest(${raw(invoice)}.total_cents, 0) - coalesce(sum(a.amount_cents), 0)::bigint as balance_cents,
      coalesce(sum(a.amount_cents) filter (where e.kind is distinct from 'write_off' and c.number is null), 0)::bigint as paid_cents,
      coalesce(sum(a.amount_cents) filter (where c.number is not null), 0)::bigint as credited_cents,
      coalesce(sum(a.amount_cents) filter (where e.kind = 'write_off'), 0)::bigint as written_off_cents
    from allocation a
    left join ledger_entry e on e.id = a.from_entry
    left join credit_note c on c.number = a.from_credit_note and c.invoice_number = a.to_invoice
    where a.to_invoice = ${raw(invoice)}.number and a.on_day <= ${day}::date
  ) as b)`;
