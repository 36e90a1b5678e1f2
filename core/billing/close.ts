import type { Actor } from '../access/actor.ts';
import { record } from '../audit.ts';
import type { Connection, Database, Queryable } from '../database/database.ts';
import { CovermapError } from '../errors.ts';
import {
  addMonths,
  type Day,
  firstDay,
  instantAt,
  type Month,
  monthName,
  monthOf,
  monthOfDay,
  monthsBetween,
  startOfMonth,
} from '../nz-time.ts';
import { type MonthUsage, nothingAsked, planFees, usageOf } from './charges.ts';
import { bookLines, type Content, type DraftInvoice, type DraftLine, draft, issue } from './issue.ts';
import { accountName, openEntries } from './ledger.ts';
import { draftPlanStarts, feeLine, invoicePlanStartsWithin } from './plan-start.ts';
import { closedThrough, lockMonths, planPeriods, termsOf } from './terms.ts';
import { askedQueries, queriesByKey } from './usage.ts';

/** What closing a month would do now. */
export interface ClosePreview {
  month: Month;
  /** `open`: it is not over. `waiting`: others have to be closed before. */
  state: 'open' | 'closable' | 'waiting' | 'closed';
  /** The months that have to be closed before. Of a month that waits for others it is not known what it would make. */
  before: Month[];
  /** Those of plans that have started and are on none yet, which it makes, too, and those of the month. */
  invoices: DraftInvoice[];
}

/** What becomes of a month that is to be closed. */
export interface Closing {
  month: Month;
  /** Whether it was closed now, and not before. */
  closed: boolean;
}

/** What closing a month would make if it happened now. Nothing is changed; a month that is not over is told so far. */
export async function previewClose(db: Database, month: Month, at: Date): Promise<ClosePreview> {
  return db.transaction(async (connection) => {
    const closed = await closedThrough(connection);
    if (closed !== undefined && month <= closed) return { month, state: 'closed', before: [], invoices: [] };
    const before = await openMonthsBefore(connection, month, closed);
    if (before.length > 0) return { month, state: 'waiting', before, invoices: [] };
    const over = startOfMonth(addMonths(month, 1)) <= at;
    const starts = await draftPlanStarts(connection, at);
    const { contents } = await monthContents(connection, month, closed);
    // In one list, as those of one account follow each other.
    const invoices = await draft(
      connection,
      [...starts, ...contents.filter(comesToSomething)],
      await termsOf(connection, month),
    );
    return { month, state: over ? 'closable' : 'open', before, invoices };
  }, 'repeatable read, read only');
}

/**
 * Closes a month: books what was asked past the plans and what they cost in the next month, and makes an invoice for each
 * account of all that is on none yet. It happens once, whoever asks for it, and all of it or nothing; one month after the other.
 * @param expectedCents the total of the invoices, GST included, that somebody has seen in a preview
 * @throws CovermapError `month_not_over`, `month_not_next`, `preview_outdated`
 */
export async function closeMonth(
  db: Database,
  month: Month,
  actor: Actor,
  at: Date,
  expectedCents?: number,
): Promise<Closing> {
  if (startOfMonth(addMonths(month, 1)) > at) {
    throw new CovermapError(
      'month_not_over',
      `${monthName(month)} is not over yet.`,
      'It can be closed from the first of the next month on, New Zealand time.',
    );
  }
  return db.transaction(async (connection) => {
    await lockMonths(connection);
    const closed = await closedThrough(connection);
    if (closed !== undefined && month <= closed) return { month, closed: false };
    const [next] = await openMonthsBefore(connection, month, closed);
    if (next !== undefined) {
      throw new CovermapError(
        'month_not_next',
        `${monthName(next)} has to be closed before ${monthName(month)}.`,
        'Months are closed in their order, so that each has invoices of its own.',
      );
    }
    const terms = await termsOf(connection, month);
    const starts = await draftPlanStarts(connection, at);
    await invoicePlanStartsWithin(connection, actor, at);
    const { contents, reckoned } = await monthContents(connection, month, closed);
    const drafts = await draft(connection, contents.filter(comesToSomething), terms);
    const total = [...starts, ...drafts].reduce((sum, { totalCents }) => sum + totalCents, 0);
    if (expectedCents !== undefined && expectedCents !== total) {
      throw new CovermapError(
        'preview_outdated',
        'The total has changed since the preview.',
        'Look at the preview again: late counts or something that was booked meanwhile are in it now.',
      );
    }
    await connection.query('insert into month_close (month, closed_at, closed_by) values ($1, $2, $3)', [
      firstDay(month),
      at,
      actor.name,
    ]);
    const numbers: number[] = [];
    for (const invoice of drafts) numbers.push(await issue(connection, invoice, terms, actor.name, at));
    // What comes to nothing is booked, and waits for the next invoice that is about something.
    for (const { account, lines } of contents.filter((content) => !comesToSomething(content))) {
      await bookLines(connection, account, lines, actor.name, at);
    }
    await noteReckoned(connection, reckoned);
    await record(connection, actor, {
      action: 'month_closed',
      details: {
        month,
        invoices: numbers.length,
        total_cents: total,
        first: numbers[0],
        last: numbers.at(-1),
      },
    });
    return { month, closed: true };
  });
}

/** There is no invoice over nothing. */
function comesToSomething({ lines }: Content): boolean {
  return lines.reduce((sum, { quantity, unitPriceCents }) => sum + quantity * unitPriceCents, 0) !== 0;
}

/** The months that have to be closed before one, oldest first. @param closed the last one that is */
async function openMonthsBefore(db: Queryable, month: Month, closed: Month | undefined): Promise<Month[]> {
  const next = closed === undefined ? await firstOwedMonth(db) : addMonths(closed, 1);
  return next === undefined ? [] : monthsBetween(next, addMonths(month, -1));
}

/** The month that is to be closed next. */
export async function nextToClose(db: Queryable, at: Date): Promise<Month> {
  const closed = await closedThrough(db);
  if (closed !== undefined) return addMonths(closed, 1);
  return (await firstOwedMonth(db)) ?? addMonths(monthOf(at), -1);
}

/** The first month in which there was something to bill; months before the first customer are not worth closing. */
async function firstOwedMonth(db: Queryable): Promise<Month | undefined> {
  const { rows } = await db.query<{ asked: Day | null; begins: Day | null; booked: Day | null }>(
    `select (select min(month) from usage_month) as asked, (select min(begins) from customer_plan) as begins,
       (select min(month) from ledger_entry) as booked`,
  );
  const { asked, begins, booked } = rows[0] ?? { asked: null, begins: null, booked: null };
  return [asked, begins, booked]
    .filter((day) => day !== null)
    .map(monthOfDay)
    .sort()[0];
}

/** The instant at which the month before this one is to be closed. @param time HH:MM:SS in New Zealand */
export function closingTime(month: Month, time: string): Date {
  return instantAt(firstDay(addMonths(month, 1)), time);
}

/** The months that the schedule should have closed by now, oldest first. None where nothing was ever owed. */
export async function monthsDue(db: Queryable, at: Date, time: string): Promise<Month[]> {
  const last = addMonths(monthOf(at), -1);
  const due = closingTime(last, time) <= at ? last : addMonths(last, -1);
  const closed = await closedThrough(db);
  const first = closed === undefined ? await firstOwedMonth(db) : addMonths(closed, 1);
  return first ? monthsBetween(first, due) : [];
}

/** What a month has for each account's invoice, in the order of names: what is booked and on none yet, and what is owed besides. */
async function monthContents(
  connection: Connection,
  month: Month,
  closed: Month | undefined,
): Promise<{ contents: Content[]; reckoned: CustomerMonth[] }> {
  const end = startOfMonth(addMonths(month, 1));
  const contents = new Map<string, Content>();
  const contentOf = (account: Content['account']) => {
    const known: Content = contents.get(accountName(account)) ?? {
      occasion: 'month',
      account,
      month,
      lines: [],
      usage: null,
    };
    contents.set(accountName(account), known);
    return known;
  };
  for (const entry of await openEntries(connection, end)) {
    contentOf(entry.account).lines.push({
      entryId: entry.id,
      kind: entry.kind,
      month: entry.month,
      description: entry.description,
      quantity: entry.quantity,
      unitPriceCents: entry.unit_price_cents,
      cause: entry.cause,
      source: entry.source,
    });
  }
  const { customers, reckoned } = await customerDrafts(connection, month, closed);
  for (const { account, usage, lines } of customers) {
    if (lines.length > 0) contentOf(account).lines.push(...lines);
    const content = contents.get(accountName(account));
    if (content) content.usage = usage;
  }
  const sorted = [...contents.values()].sort(
    (a, b) =>
      a.account.kind.localeCompare(b.account.kind) ||
      a.account.name.localeCompare(b.account.name, 'en-NZ') ||
      a.account.id - b.account.id,
  );
  return { contents: sorted, reckoned };
}

/** The queries of a customer in a month, as a close has seen them. */
interface CustomerMonth {
  customerId: number;
  month: Month;
  queries: number;
}

interface CustomerDrafts {
  account: Content['account'];
  usage: MonthUsage;
  lines: DraftLine[];
}

/**
 * What customers owe besides what is booked: plan fees up to the month after the one that is closed, and queries past the
 * bundle. Those of a month that was closed before came late, and are an adjustment. Looked at are a customer's months from
 * the first whose queries are not those that it was closed with: nothing before that can have changed, as the free queries
 * go to the oldest.
 */
async function customerDrafts(
  connection: Connection,
  month: Month,
  closed: Month | undefined,
): Promise<{ customers: CustomerDrafts[]; reckoned: CustomerMonth[] }> {
  const { rows: customers } = await connection.query<{ id: number; name: string; free_queries: number }>(
    'select id, name, free_queries from customer order by id',
  );
  const periods = await planPeriods(connection);
  const { rows: months } = await connection.query<{
    customer_id: number;
    total: number;
    month: Day | null;
    queries: number | null;
    uncharged: number | null;
  }>(
    `select t.customer_id, t.queries - t.uncharged as total, m.month, m.queries, m.uncharged
     from usage_total t
     cross join lateral (
       -- Not by the order of months: the index of those that have changed has a row or two.
       select least($1::date, min(c.month + 0)) as month from usage_month c
       where c.customer_id = t.customer_id and c.closed_queries <> c.queries) as first
     left join usage_month m on m.customer_id = t.customer_id and m.month >= first.month
     order by 1, 3`,
    [firstDay(month)],
  );
  const queries = askedQueries(months);
  const reckoned = [...queries].flatMap(([customerId, asked]) =>
    [...asked.months]
      .filter(([of]) => of <= month)
      .map(([of, count]) => ({ customerId, month: of, queries: count })),
  );
  const booked = await bookedQueries(connection, reckoned);
  // Every fee of a closed month was booked when it was closed: no plan begins in one.
  const firstFees = closed && addMonths(closed, 1);
  const feesBooked = await bookedFees(connection, firstFees);
  const keys = await queriesByKey(connection, month);
  const prices = new Map<Month, number>();
  const priceOf = async (of: Month) => {
    const price = prices.get(of) ?? (await termsOf(connection, of)).overageCents;
    prices.set(of, price);
    return price;
  };
  const all: CustomerDrafts[] = [];
  for (const { id, name, free_queries } of customers) {
    const own = periods.get(id) ?? [];
    const { before, months: asked, uncharged } = queries.get(id) ?? nothingAsked;
    const lines: DraftLine[] = [];
    const looked = [...new Set([...asked.keys(), month])].filter((of) => of <= month).sort();
    const usages = usageOf(asked, own, Math.max(0, free_queries - before), looked, uncharged);
    for (const usage of usages) {
      const bookedBefore = booked.get(`${id} ${usage.month}`) ?? 0;
      const quantity = usage.overage - bookedBefore;
      if (quantity === 0) continue;
      const late = closed !== undefined && usage.month <= closed;
      const { month: _, ...figures } = usage;
      lines.push({
        entryId: undefined,
        kind: late ? 'adjustment' : 'overage',
        month: usage.month,
        description: late
          ? `Late usage adjustment, ${monthName(usage.month)}`
          : `Overage queries, ${monthName(usage.month)}`,
        quantity,
        unitPriceCents: await priceOf(usage.month),
        cause: late ? `adjustment:${id}:${usage.month}:${month}` : `overage:${id}:${usage.month}`,
        source: {
          ...figures,
          ...(late ? { booked_before: bookedBefore } : {}),
          ...(usage.month === month
            ? {
                keys: keys
                  .filter((key) => key.customer_id === id)
                  .map(({ id: key, hint, queries: count }) => ({ id: key, hint, queries: count })),
              }
            : {}),
        },
      });
    }
    for (const fee of planFees(own, addMonths(month, 1), firstFees)) {
      if (!feesBooked.has(`${fee.period.id} ${fee.month}`)) lines.push(feeLine(fee));
    }
    all.push({
      account: { kind: 'customer', id, name },
      usage: usages.find((usage) => usage.month === month) as MonthUsage,
      lines,
    });
  }
  return { customers: all, reckoned };
}

/** Queries past the bundle that have been booked for months of customers, by customer and month. */
async function bookedQueries(
  connection: Connection,
  months: readonly CustomerMonth[],
): Promise<Map<string, number>> {
  const { rows } = await connection.query<{ customer_id: number; month: Day; quantity: number }>(
    `select e.customer_id, e.month, sum(e.quantity)::bigint as quantity
     from unnest($1::integer[], $2::date[]) as m (customer_id, month)
     join ledger_entry e on e.customer_id = m.customer_id and e.month = m.month
       and e.kind in ('overage', 'adjustment')
     group by 1, 2`,
    [months.map(({ customerId }) => customerId), months.map(({ month }) => firstDay(month))],
  );
  return new Map(rows.map((row) => [`${row.customer_id} ${monthOfDay(row.month)}`, row.quantity]));
}

/** Months of a plan whose fee has been booked, from one on. */
async function bookedFees(connection: Connection, from: Month | undefined): Promise<Set<string>> {
  const { rows } = await connection.query<{ id: number; month: Day }>(
    `select customer_plan_id as id, month from ledger_entry
     where kind = 'plan_fee' and ($1::date is null or month >= $1)`,
    [from === undefined ? null : firstDay(from)],
  );
  return new Set(rows.map(({ id, month }) => `${id} ${monthOfDay(month)}`));
}

/** Notes with how many queries months were closed: not with how many there are by now. */
async function noteReckoned(connection: Connection, months: readonly CustomerMonth[]): Promise<void> {
  await connection.query(
    `update usage_month m set closed_queries = r.queries
     from unnest($1::integer[], $2::date[], $3::bigint[]) as r (customer_id, month, queries)
     where m.customer_id = r.customer_id and m.month = r.month and m.closed_queries <> r.queries`,
    [
      months.map(({ customerId }) => customerId),
      months.map(({ month }) => firstDay(month)),
      months.map(({ queries }) => queries),
    ],
  );
}
