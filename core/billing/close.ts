import type { Actor } from '../access/actor.ts';
import { record } from '../audit.ts';
import type { Connection, Database, Queryable } from '../database/database.ts';
import { CovermapError } from '../errors.ts';
import {
  addDays,
  addMonths,
  billingTimeZone,
  type Day,
  dayOf,
  firstDay,
  type Month,
  monthName,
  monthOf,
  monthOfDay,
  monthsBetween,
  startOfMonth,
} from './calendar.ts';
import { gstOn, type MonthUsage, nothingAsked, planFees, usageOf } from './charges.ts';
import { type AccountId, book, type Draft, type EntryKind, openEntries } from './ledger.ts';
import { closedThrough, lockMonths, planPeriods, termsOf } from './plans.ts';
import { askedQueries, queriesByKey } from './usage.ts';

/** Days from an invoice to when it is due. */
export const dueDays = 20;

/** A line of an invoice that is yet to be made: an entry that is booked already has its number. */
export interface DraftLine extends Omit<Draft, 'account'> {
  entryId: number | undefined;
}

/** An invoice that is yet to be made. Cents; the lines and the subtotal without GST. */
export interface DraftInvoice {
  account: AccountId & { name: string };
  lines: DraftLine[];
  usage: MonthUsage | null;
  subtotalCents: number;
  gstPercent: number;
  gstCents: number;
  totalCents: number;
}

/** What closing a month would do now. */
export interface ClosePreview {
  month: Month;
  /** `open`: it is not over. */
  state: 'open' | 'closable' | 'closed';
  /** The months that are closed by it: those before it that are not closed yet, and itself. */
  months: Month[];
  invoices: DraftInvoice[];
}

/** What becomes of a month that is to be closed. */
export interface Closing {
  month: Month;
  /** Whether it was closed now, and not before. */
  closed: boolean;
}

/** The order of lines: what was used, what is to come, and what is given back. */
const lineOrder: EntryKind[] = ['adjustment', 'overage', 'plan_fee', 'processing_fee', 'waiver', 'credit'];

/** What closing a month would make if it happened now. Nothing is changed; a month that is not over is told so far. */
export async function previewClose(db: Database, month: Month, at: Date): Promise<ClosePreview> {
  return db.transaction(async (connection) => {
    const closed = await closedThrough(connection);
    if (closed !== undefined && month <= closed) return { month, state: 'closed', months: [], invoices: [] };
    const over = startOfMonth(addMonths(month, 1)) <= at;
    return {
      month,
      state: over ? 'closable' : 'open',
      months: monthsBetween(closed === undefined ? month : addMonths(closed, 1), month),
      invoices: (await draftInvoices(connection, month, closed)).invoices,
    };
  }, 'repeatable read, read only');
}

/**
 * Closes a month, and every one before it: books what the plans cost and what was asked past them, and makes an invoice for
 * each account of all that is on none yet. It happens once, whoever asks for it, and all of it or nothing.
 * @param expectedCents the total of the invoices, GST included, that somebody has seen in a preview
 * @throws CovermapError `month_not_over`, `preview_outdated`
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
    const { invoices: drafts, reckoned } = await draftInvoices(connection, month, closed);
    const total = drafts.reduce((sum, { totalCents }) => sum + totalCents, 0);
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
    for (const draft of drafts) numbers.push(await issue(connection, draft, month, actor.name, at));
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

/** The instant at which the month before this one is to be closed. @param time HH:MM:SS in New Zealand */
export function closingTime(month: Month, time: string): Date {
  const next = startOfMonth(addMonths(month, 1));
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  // On the first of April 2029 the clocks are put back after it has begun: the time of day is asked for, not a duration.
  const instant = new Date(next.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1000);
  const shown = instant.toLocaleTimeString('en-GB', { timeZone: billingTimeZone });
  return shown === time ? instant : new Date(instant.getTime() + 3_600_000);
}

/**
 * The months that the schedule should have closed by now, oldest first. None where nothing was ever owed: months before the
 * first customer are not worth closing.
 */
export async function monthsDue(db: Queryable, at: Date, time: string): Promise<Month[]> {
  const last = addMonths(monthOf(at), -1);
  const due = closingTime(last, time) <= at ? last : addMonths(last, -1);
  const closed = await closedThrough(db);
  if (closed !== undefined) return monthsBetween(addMonths(closed, 1), due);
  const { rows } = await db.query<{ hour: Date | null; begins: Day | null; booked: Date | null }>(
    `select (select min(hour) from usage_hour) as hour, (select min(begins) from customer_plan) as begins,
       (select min(booked_at) from ledger_entry) as booked`,
  );
  const { hour, begins, booked } = rows[0] ?? { hour: null, begins: null, booked: null };
  const months = [hour && monthOf(hour), begins && monthOfDay(begins), booked && monthOf(booked)];
  const first = months.filter((month) => month !== null).sort()[0];
  return first ? monthsBetween(first, due) : [];
}

/**
 * The invoices that a month would bring, in the order of names: for who owes something, and for customers who asked
 * something, as the invoice is where usage is reported.
 */
async function draftInvoices(
  connection: Connection,
  month: Month,
  closed: Month | undefined,
): Promise<{ invoices: DraftInvoice[]; reckoned: CustomerMonth[] }> {
  const end = startOfMonth(addMonths(month, 1));
  const { gstPercent } = await termsOf(connection, month);
  const lines = new Map<string, { account: DraftInvoice['account']; lines: DraftLine[] }>();
  const linesOf = (account: DraftInvoice['account']) => {
    const key = `${account.kind} ${account.id}`;
    const known = lines.get(key) ?? { account, lines: [] };
    lines.set(key, known);
    return known.lines;
  };
  for (const entry of await openEntries(connection, end)) {
    linesOf(entry.account).push({
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
  const usages = new Map<number, MonthUsage>();
  const { customers, reckoned } = await customerDrafts(connection, month, closed);
  for (const { account, usage, drafts } of customers) {
    usages.set(account.id, usage);
    if (drafts.length === 0 && usage.queries === 0) continue;
    linesOf(account).push(...drafts.map((draft) => ({ ...draft, entryId: undefined })));
  }
  const invoices = [...lines.values()]
    .map(({ account, lines: own }) => {
      const subtotalCents = own.reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0);
      const gstCents = gstOn(subtotalCents, gstPercent);
      return {
        account,
        lines: own.sort((a, b) => lineOrder.indexOf(a.kind) - lineOrder.indexOf(b.kind)),
        usage: account.kind === 'customer' ? (usages.get(account.id) ?? null) : null,
        subtotalCents,
        gstPercent,
        gstCents,
        totalCents: subtotalCents + gstCents,
      };
    })
    .sort(
      (a, b) =>
        a.account.kind.localeCompare(b.account.kind) ||
        a.account.name.localeCompare(b.account.name, 'en-NZ') ||
        a.account.id - b.account.id,
    );
  return { invoices, reckoned };
}

/** The queries of a customer in a month, as a close has seen them. */
interface CustomerMonth {
  customerId: number;
  month: Month;
  queries: number;
}

interface CustomerDrafts {
  account: DraftInvoice['account'];
  usage: MonthUsage;
  drafts: Omit<Draft, 'account'>[];
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
  }>(
    `select t.customer_id, t.queries as total, m.month, m.queries
     from usage_total t
     cross join lateral (
       select least($1::date, min(c.month)) as month from usage_month c
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
    const { before, months: asked } = queries.get(id) ?? nothingAsked;
    const drafts: CustomerDrafts['drafts'] = [];
    const looked = [...new Set([...asked.keys(), month])].filter((of) => of <= month).sort();
    const usages = usageOf(asked, own, Math.max(0, free_queries - before), looked);
    for (const usage of usages) {
      const bookedBefore = booked.get(`${id} ${usage.month}`) ?? 0;
      const quantity = usage.overage - bookedBefore;
      if (quantity === 0) continue;
      const late = closed !== undefined && usage.month <= closed;
      const { month: _, ...figures } = usage;
      drafts.push({
        kind: late ? 'adjustment' : 'overage',
        month: usage.month,
        description: late
          ? `Queries counted after the invoice, ${monthName(usage.month)}`
          : `Queries past the bundle, ${monthName(usage.month)}`,
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
      const { period, feeCents, days, daysInMonth } = fee;
      if (feesBooked.has(`${period.id} ${fee.month}`)) continue;
      const part = days === daysInMonth ? '' : ` (${days} of ${daysInMonth} days)`;
      drafts.push({
        kind: 'plan_fee',
        month: fee.month,
        description: `${period.plan.label} plan, ${monthName(fee.month)}${part}`,
        quantity: 1,
        unitPriceCents: feeCents,
        cause: `plan_fee:${period.id}:${fee.month}`,
        source: {
          plan: period.plan.name,
          price_cents: period.plan.priceCents,
          days,
          days_in_month: daysInMonth,
        },
        customerPlanId: period.id,
      });
    }
    all.push({
      account: { kind: 'customer', id, name },
      usage: usages.find((usage) => usage.month === month) as MonthUsage,
      drafts,
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

/** Books what is not booked yet, and makes the invoice. @returns its number */
async function issue(
  connection: Connection,
  draft: DraftInvoice,
  month: Month,
  by: string,
  at: Date,
): Promise<number> {
  const { account } = draft;
  const entries: number[] = [];
  for (const { entryId, ...line } of draft.lines) {
    const id = entryId ?? (await book(connection, { account, ...line }, by, at));
    if (id === undefined) throw new Error(`${line.cause} has been booked before`);
    entries.push(id);
  }
  const { rows } = await connection.query<{ number: number }>(
    'update invoice_counter set last = last + 1 returning last as number',
  );
  const number = rows[0]?.number as number;
  const issuedOn = dayOf(at);
  await connection.query(
    `insert into invoice (number, customer_id, provider_id, month, recipient, issued_on, due_on, usage, subtotal_cents,
       gst_percent, gst_cents, total_cents, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11, $12, $13)`,
    [
      number,
      account.kind === 'customer' ? account.id : null,
      account.kind === 'operator' ? account.id : null,
      firstDay(month),
      account.name,
      issuedOn,
      addDays(issuedOn, dueDays),
      draft.usage && JSON.stringify(draft.usage),
      draft.subtotalCents,
      draft.gstPercent,
      draft.gstCents,
      draft.totalCents,
      at,
    ],
  );
  await connection.query(
    `insert into invoice_line (invoice_number, position, entry_id)
     select $1, position, entry_id from unnest($2::bigint[]) with ordinality as line (entry_id, position)`,
    [number, entries],
  );
  return number;
}
