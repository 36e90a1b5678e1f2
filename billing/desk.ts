import { z } from 'zod';
import type { Queryable } from '../platform/database/database.ts';
import { nzTimeSql } from '../platform/database/nz-time.ts';
import { raw, type Sql, sql } from '../platform/database/sql.ts';
import { dayOf, firstDay, monthOf, monthsBetween } from '../platform/nz-time.ts';
import { day, named } from '../platform/schemas.ts';
import { unmatchedLines } from './bank/lines.ts';
import { refusedAtCap } from './cap-use.ts';
import { heldBack } from './held-back.ts';
import { isOver, nextToClose } from './months.ts';
import { firstMonthOf } from './usage.ts';

/* What of billing waits for staff. Each question reads rows that wait, by an index, however long the history is. */

export const deskKinds = [
  ...(['months_to_close', 'invoices_held_back', 'invoices_overdue', 'bank_lines_unmatched'] as const),
  ...(['fees_not_invoiced', 'caps_reached'] as const),
  ...(['emails_failed', 'emails_uncertain', 'emails_without_address'] as const),
  ...(['towers_waiting', 'reviews_waiting', 'work_failed'] as const),
] as const;

export const DeskItem = named('DeskItem', {
  kind: z.enum(deskKinds),
  count: z.int(),
  oldest: day()
    .nullable()
    .describe('The day since which the oldest waits: due, accrued, received, failed; of a month its first.'),
  amount_cents: z.int().nullable().describe('What all of them come to, with GST; of fees without.'),
});
export type DeskItem = z.output<typeof DeskItem>;
type Waiting = Omit<DeskItem, 'kind'>;

/** What waits in billing at an instant, kinds of which nothing waits included. */
export async function billingDesk(db: Queryable, at: Date): Promise<DeskItem[]> {
  const today = dayOf(at);
  const waiting: Partial<Record<DeskItem['kind'], Promise<Waiting>>> = {
    months_to_close: monthsToClose(db, at),
    invoices_overdue: counted(
      db,
      sql`select i.due_on as day, o.left_cents as cents from open_invoice o join invoice i on i.number = o.number where i.due_on < ${today}::date`,
    ),
    invoices_held_back: heldBack(db).then((held) => ({
      count: held.length,
      oldest: held[0]?.since ?? null,
      amount_cents: held.length > 0 ? held.reduce((sum, { total_cents }) => sum + total_cents, 0) : null,
    })),
    bank_lines_unmatched: unmatchedLines(db),
    // Of earlier months: this month's are invoiced when it closes.
    fees_not_invoiced: counted(
      db,
      sql`select ${raw(nzTimeSql('e.booked_at'))} as day, e.amount_cents as cents
        from open_entry o join ledger_entry e on e.id = o.entry_id
        where e.kind = 'processing_fee' and e.month < ${firstDay(monthOf(at))}::date`,
    ),
    caps_reached: refusedAtCap(db, at).then(({ length }) => ({
      count: length,
      oldest: null,
      amount_cents: null,
    })),
  };
  return Promise.all(
    Object.entries(waiting).map(async ([kind, one]) => ({ kind: kind as DeskItem['kind'], ...(await one) })),
  );
}

/** @param rows SQL: `day` and `cents` of each thing that waits */
async function counted(db: Queryable, rows: Sql): Promise<Waiting> {
  const { rows: found } = await db.query<Waiting>(sql`
    select count(*)::integer as count, min(day)::date as oldest, sum(cents)::bigint as amount_cents from (${rows}) as waiting`);
  return found[0] as Waiting;
}

async function monthsToClose(db: Queryable, at: Date): Promise<Waiting> {
  const next = await nextToClose(db, at);
  // Before there was anything to bill, there is nothing to close.
  if (!isOver(next, at) || next < (await firstMonthOf(db, undefined, at)))
    return { count: 0, oldest: null, amount_cents: null };
  const months = monthsBetween(next, monthOf(at)).filter((month) => isOver(month, at));
  return { count: months.length, oldest: firstDay(next), amount_cents: null };
}
