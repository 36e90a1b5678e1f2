import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { Day } from '../../platform/nz-time.ts';
import { cents, day, named } from '../../platform/schemas.ts';

/*
 * GST on sales by period, as the boxes of Inland Revenue's GST101A and GST103B have it. Invoice basis: what was invoiced and credited. Payments
 * basis: what was paid of invoices. Debts written off, and those recovered, are adjustments, and on the invoice basis alone, as what was never paid
 * is in no return on the payments basis: https://ird.govt.nz/gst/gst-adjustments/other-gst-credit-adjustments
 */

export type GstBasis = 'invoice' | 'payments';

export const GstItem = named('GstItem', {
  kind: z
    .enum(['invoice', 'credit_note', 'payment', 'refund', 'write_off', 'recovery'])
    .describe(
      '`payment`: paid of the invoice in the period. `refund`: credit of the invoice or credit note that was paid out. `recovery`: a write-off that was reversed.',
    ),
  number: z.int().describe('Of the invoice or the credit note; of a write-off the ID of its entry.'),
  on_day: day().describe('Of several payments the last.'),
  recipient: z.string(),
  gst_percent: z.int(),
  total_cents: cents('Cents, including GST; below zero for what takes from the GST.'),
  gst_cents: cents('The GST in it, as its paper has it.'),
});
export type GstItem = z.output<typeof GstItem>;

export const GstReturn = named('GstReturn', {
  box_5_cents: cents('Total sales and income. Cents, including GST.'),
  box_6_cents: cents('Zero-rated supplies in box 5.'),
  box_7_cents: cents('Box 5 less box 6.'),
  box_8_cents: cents('Box 7 times 3, divided by 23.'),
  box_9_cents: cents('Debit adjustments: the GST of written-off debts that were recovered.'),
  box_10_cents: cents('The GST collected: box 8 and box 9.'),
  box_13_cents: cents('Credit adjustments: the GST of debts written off. Add those of your purchases.'),
  exact_gst_cents: cents(
    'The sum of the GST on the papers behind boxes 10 and 13; the boxes differ from it by rounding.',
  ),
});
export type GstReturn = z.output<typeof GstReturn>;

const invoiced = (from: Day, to: Day): Sql => sql`
  select 'invoice' as kind, number, issued_on as on_day, recipient, gst_percent, total_cents, gst_cents
  from invoice where issued_on between ${from} and ${to}
  union all
  select 'credit_note', number, issued_on, recipient, gst_percent, -total_cents, -gst_cents
  from credit_note where issued_on between ${from} and ${to}
  union all
  select case when e.kind = 'write_off' then 'write_off' else 'recovery' end, e.id, p.on_day, coalesce(c.name, o.name),
    round(100.0 * p.gst_cents / nullif(-e.amount_cents - p.gst_cents, 0))::integer, e.amount_cents, -p.gst_cents
  from payment p join ledger_entry e on e.id = p.entry_id
  left join customer c on c.id = e.customer_id left join provider o on o.id = e.provider_id
  where p.gst_cents is not null and p.on_day between ${from} and ${to}`;

/**
 * The GST of each invoice is that of all that was paid until the end of the period less that of all before it: over all periods it is the GST of the
 * invoice to the cent.
 */
const paid = (from: Day, to: Day): Sql => sql`
  with moved as (
    select 'payment' as kind, a.to_invoice as invoice, null::integer as credit_note, a.amount_cents, a.on_day
    from allocation a join ledger_entry e on e.id = a.from_entry
    where e.kind = 'payment' and a.to_invoice is not null and a.on_day <= ${to}
    union all
    select 'refund', a.from_invoice, a.from_credit_note, -a.amount_cents, a.on_day
    from allocation a join ledger_entry e on e.id = a.to_entry
    where e.kind = 'refund' and a.from_entry is null and a.on_day <= ${to}
  ), summed as (
    select kind, invoice, credit_note, max(on_day) as on_day, sum(amount_cents) as through,
      coalesce(sum(amount_cents) filter (where on_day < ${from}), 0) as before
    from moved group by kind, invoice, credit_note having max(on_day) >= ${from}
  )
  select s.kind, coalesce(s.invoice, s.credit_note) as number, s.on_day, coalesce(i.recipient, n.recipient) as recipient,
    coalesce(i.gst_percent, n.gst_percent) as gst_percent, (s.through - s.before)::bigint as total_cents,
    (round(s.through * f.part) - round(s.before * f.part))::bigint as gst_cents
  from summed s left join invoice i on i.number = s.invoice left join credit_note n on n.number = s.credit_note
  cross join lateral (select coalesce(i.gst_cents, n.gst_cents)::numeric / coalesce(i.total_cents, n.total_cents) as part) as f`;

/** What makes the GST of a period, by day. @param from its first day @param to its last */
export async function gstItems(db: Queryable, from: Day, to: Day, basis: GstBasis): Promise<GstItem[]> {
  const items = basis === 'invoice' ? invoiced(from, to) : paid(from, to);
  const { rows } = await db.query<GstItem>(sql`select * from (${items}) as x order by on_day, kind, number`);
  return rows;
}

/** The tax fraction of 15 % GST. */
const fraction = (amount: number): number => Math.sign(amount) * Math.round((Math.abs(amount) * 3) / 23);

export function gstReturn(items: readonly GstItem[]): GstReturn {
  const total = (which: (item: GstItem) => boolean) =>
    items.reduce((sum, item) => sum + (which(item) ? item.total_cents : 0), 0);
  const isAdjustment = ({ kind }: GstItem) => kind === 'write_off' || kind === 'recovery';
  const sales = total((item) => !isAdjustment(item));
  const zeroRated = total((item) => !isAdjustment(item) && item.gst_percent === 0);
  const collected = fraction(sales - zeroRated);
  const recovered = fraction(total((item) => item.kind === 'recovery' && item.gst_percent !== 0));
  return {
    box_5_cents: sales,
    box_6_cents: zeroRated,
    box_7_cents: sales - zeroRated,
    box_8_cents: collected,
    box_9_cents: recovered,
    box_10_cents: collected + recovered,
    box_13_cents: fraction(-total((item) => item.kind === 'write_off' && item.gst_percent !== 0)),
    exact_gst_cents: items.reduce((sum, item) => sum + item.gst_cents, 0),
  };
}
