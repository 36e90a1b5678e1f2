import type { Actor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import { type Connection, type Database, inOneTransaction } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import { addMonths, firstDay, type Month, monthName, monthsBetween } from '../platform/nz-time.ts';
import { holdBack } from './held-back.ts';
import { invoiceTotals } from './invoices.ts';
import {
  amountOf,
  type DraftInvoice,
  draft,
  type InvoiceContent,
  issue,
  postLines,
  subtotalOf,
} from './invoicing.ts';
import { monthContents } from './month-contents.ts';
import { closedThrough, firstOpenMonth, isClosed, isOver, lockMonths } from './months.ts';
import { invoicePlanStarts, planStartContents } from './plan-start.ts';
import { termsOf } from './terms.ts';

/** `open`: the month has not ended. `waiting`: earlier months have to be closed first. */
type CloseState = 'open' | 'closable' | 'waiting' | 'closed';

/** The invoices that closing a month would issue now, or hold back, with those of started plans; and the open months `before` it. */
export async function previewClose(db: Database, month: Month, at: Date) {
  return db.transaction(async (connection) => {
    const preview = (state: CloseState, before: Month[], drafts: DraftInvoice[]) => ({
      month,
      state,
      before,
      invoices: drafts.filter(isComplete).map(previewOf),
      totals: invoiceTotals(drafts.filter(isComplete)),
      held_back: drafts.filter((invoice) => !isComplete(invoice)).map(previewOf),
    });
    const closed = await closedThrough(connection);
    const next = (await firstOpenMonth(connection, closed)) ?? month;
    // Months before the first that has anything to bill can never be closed by themselves.
    if (month < next) return preview('closed', [], []);
    const before = monthsBetween(next, addMonths(month, -1));
    if (before.length > 0) return preview('waiting', before, []);
    const starts = await planStartContents(connection, at);
    const { contents } = await monthContents(connection, month, closed);
    // Drafted together, as an account's credit goes from one invoice to the next.
    const billable = [...starts, ...contents].filter(isBillable);
    const drafts = await draft(connection, billable);
    return preview(isOver(month, at) ? 'closable' : 'open', [], drafts);
  }, 'repeatable read, read only');
}

/** A draft as it is answered. */
export function previewOf(invoice: DraftInvoice) {
  return {
    ...invoice,
    lines: invoice.lines.map(({ customer_plan_id: _, ...line }, index) => ({
      ...line,
      position: index + 1,
      amount_cents: amountOf(line),
    })),
  };
}

/**
 * Closes a month, once and as a whole: posts its overage and the next month's plan fees, and invoices each account's unbilled entries.
 * An invoice that lacks what the law asks for is held back: its entries are posted and wait.
 * @param expectedCents the total, GST included, seen in a preview @returns true where it was closed by this call
 * @throws CovermapError `month_not_over`, `month_not_next`, `preview_outdated`
 */
export async function closeMonth(
  db: Database | Connection,
  month: Month,
  actor: Actor,
  at: Date,
  expectedCents?: number,
) {
  if (!isOver(month, at)) {
    throw new CovermapError('month_not_over', `${monthName(month)} is not over yet.`);
  }
  return inOneTransaction(db, async (connection) => {
    await lockMonths(connection);
    const closed = await closedThrough(connection);
    if (isClosed(closed, month)) return { month, closed: false };
    const next = await firstOpenMonth(connection, closed);
    if (next !== undefined && next !== month) {
      throw new CovermapError('month_not_next', `The next month to close is ${monthName(next)}.`);
    }
    const terms = await termsOf(connection, month);
    const starts = await invoicePlanStarts(connection, actor, at);
    const { contents, counts } = await monthContents(connection, month, closed);
    const drafts = await draft(connection, contents.filter(isBillable));
    const complete = drafts.filter(isComplete);
    const total_cents = [...starts, ...complete].reduce((sum, invoice) => sum + invoice.total_cents, 0);
    if (expectedCents !== undefined && expectedCents !== total_cents) {
      throw new CovermapError('preview_outdated');
    }
    await connection.query(sql`
      insert into month_close (month, closed_at, closed_by) values (${firstDay(month)}, ${at}, ${actor.name})`);
    const numbers: number[] = [];
    for (const invoice of drafts) {
      if (isComplete(invoice)) numbers.push(await issue(connection, invoice, terms, actor.name, at));
      else await holdBack(connection, invoice, actor, at);
    }
    // Entries that sum to zero are posted, and wait for the account's next invoice.
    for (const { account, lines } of contents.filter((content) => !isBillable(content))) {
      await postLines(connection, account, lines, actor.name, at);
    }
    // More queries may have been counted since months were closed.
    await connection.query(sql`
      update usage_month m set closed_queries = r.queries
      from unnest(${counts.map(({ customerId }) => customerId)}::integer[],
        ${counts.map((count) => firstDay(count.month))}::date[],
        ${counts.map(({ queries }) => queries)}::bigint[]) as r (customer_id, month, queries)
      where m.customer_id = r.customer_id and m.month = r.month and m.closed_queries <> r.queries`);
    const details = { month, invoices: numbers.length, total_cents, first: numbers[0], last: numbers.at(-1) };
    await record(connection, actor, { action: 'month_closed', details });
    return { month, closed: true };
  });
}

const isComplete = ({ lacks }: DraftInvoice): boolean => lacks.length === 0;

/** An invoice of nothing is not issued. */
const isBillable = ({ lines }: InvoiceContent): boolean => subtotalOf(lines) !== 0;
