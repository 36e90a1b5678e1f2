import { type Connection, lockUntilCommit, type Queryable } from '../platform/database/database.ts';
import {
  addMonths,
  firstDay,
  instantAt,
  type Month,
  monthOf,
  monthsBetween,
  startOfMonth,
} from '../platform/nz-time.ts';

/** The last month that is closed; undefined where none is. Every month before it is closed, too. */
export async function closedThrough(db: Queryable): Promise<Month | undefined> {
  const { rows } = await db.query<{ month: Month | null }>(
    "select to_char(max(month), 'YYYY-MM') as month from month_close",
  );
  return rows[0]?.month ?? undefined;
}

export const isClosed = (closed: Month | undefined, month: Month): boolean =>
  closed !== undefined && month <= closed;

export const isOver = (month: Month, at: Date): boolean => startOfMonth(addMonths(month, 1)) <= at;

/** Closes of months and changes of plans, which a close reads, take turns. */
export const lockMonths = (connection: Connection): Promise<void> =>
  lockUntilCommit(connection, 'covermap billing months');

export const nextToClose = async (db: Queryable, at: Date): Promise<Month> =>
  (await firstOpenMonth(db, await closedThrough(db))) ?? addMonths(monthOf(at), -1);

/** The first month that is not closed; undefined where there never was anything to bill. */
export async function firstOpenMonth(db: Queryable, closed: Month | undefined): Promise<Month | undefined> {
  if (closed !== undefined) return addMonths(closed, 1);
  const { rows } = await db.query<{ month: Month | null }>(
    `select to_char(least((select min(month) from usage_month), (select min(begins) from customer_plan),
       (select min(month) from ledger_entry where not settles)), 'YYYY-MM') as month`,
  );
  return rows[0]?.month ?? undefined;
}

/** When the schedule closes a month. @param time HH:MM:SS in New Zealand, on the first of the month after */
export const closingTime = (month: Month, time: string): Date =>
  instantAt(firstDay(addMonths(month, 1)), time);

/** The months that the schedule should have closed by now, oldest first. */
export async function monthsDue(db: Queryable, at: Date, time: string): Promise<Month[]> {
  const last = addMonths(monthOf(at), -1);
  const due = closingTime(last, time) <= at ? last : addMonths(last, -1);
  const first = await firstOpenMonth(db, await closedThrough(db));
  return first ? monthsBetween(first, due) : [];
}
