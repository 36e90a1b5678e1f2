import type { Actor } from '../actor.ts';
import { record } from '../audit.ts';
import type { Connection, Database, Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { addMonths, dayOf, monthName, monthOfDay } from '../nz-time.ts';
import { type PlanMonth, planMonth, startsAnew } from './charges.ts';
import { type DraftInvoice, type DraftLine, draft, issue } from './invoicing.ts';
import { closedThrough, isClosed, lockMonths } from './months.ts';
import { planPeriods, termsOf } from './terms.ts';

/* Plans are billed in advance: the first month when the plan starts, every other with the invoice of the month before it. */

/** The line of a month's plan fee. */
export function feeLine({ period, month, feeCents, days, daysInMonth }: PlanMonth): DraftLine {
  const part = days === daysInMonth ? '' : ` (${days} of ${daysInMonth} days)`;
  return {
    entry_id: null,
    kind: 'plan_fee',
    month,
    description: `${period.plan.label} plan, ${monthName(month)}${part}`,
    quantity: 1,
    unit_price_cents: feeCents,
    cause: `plan_fee:${period.id}:${month}`,
    source: {
      plan: period.plan.name,
      price_cents: period.plan.price_cents,
      days,
      days_in_month: daysInMonth,
    },
    customer_plan_id: period.id,
  };
}

/** The invoices of plans that have started and have none yet. @param customerId undefined: of all customers */
export async function planStartContents(db: Queryable, at: Date, customerId?: number) {
  const { rows } = await db.query<{ id: number; customer_id: number; name: string }>(sql`
    select p.id, p.customer_id, c.name from customer_plan p join customer c on c.id = p.customer_id
    where p.begins <= ${dayOf(at)}::date and (${customerId}::integer is null or p.customer_id = ${customerId})
      -- One entry is enough to know, however many there are.
      and (select e.id from ledger_entry e where e.customer_plan_id = p.id limit 1) is null
    order by p.begins, lower(c.name), p.id`);
  if (rows.length === 0) return [];
  const all = await planPeriods(db, customerId);
  const closed = await closedThrough(db);
  return rows.flatMap(({ id, customer_id, name }) => {
    const periods = all.get(customer_id) ?? [];
    const period = periods.find((one) => one.id === id);
    if (!period) return [];
    const month = monthOfDay(period.begins);
    // A plan that follows another is on the invoice of the month before, unless that was closed too early for it.
    const isMissed = isClosed(closed, addMonths(month, -1));
    if (!startsAnew(period, periods) && !isMissed) return [];
    const first = planMonth(period, month) as PlanMonth;
    const account = { kind: 'customer', id: customer_id, name } as const;
    const lines = [feeLine(first)];
    return [{ occasion: 'plan_start' as const, account, month, lines, usage: null }];
  });
}

/** Drafts the invoices of plans that have started and have none yet. */
export async function draftPlanStarts(db: Queryable, at: Date, customerId?: number): Promise<DraftInvoice[]> {
  const drafts: DraftInvoice[] = [];
  for (const content of await planStartContents(db, at, customerId)) {
    drafts.push(...(await draft(db, [content], await termsOf(db, content.month))));
  }
  return drafts;
}

/** Invoices the plans that have started and have no invoice yet. @returns the numbers of the invoices */
export async function invoicePlanStarts(db: Database, actor: Actor, at: Date): Promise<number[]> {
  if ((await planStartContents(db, at)).length === 0) return [];
  return db.transaction(async (connection) => {
    await lockMonths(connection);
    return invoicePlanStartsWithin(connection, actor, at);
  });
}

/** {@link invoicePlanStarts} within a transaction that has the months locked. */
export async function invoicePlanStartsWithin(
  connection: Connection,
  actor: Actor,
  at: Date,
  customerId?: number,
): Promise<number[]> {
  const numbers: number[] = [];
  for (const invoice of await draftPlanStarts(connection, at, customerId)) {
    // A plan may cost nothing.
    if (invoice.subtotal_cents === 0) continue;
    const number = await issue(connection, invoice, await termsOf(connection, invoice.month), actor.name, at);
    numbers.push(number);
    await record(connection, actor, {
      action: 'plan_invoiced',
      customerId: invoice.recipient.id,
      details: { invoice: number, month: invoice.month, total_cents: invoice.total_cents },
    });
  }
  return numbers;
}
