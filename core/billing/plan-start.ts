import type { Actor } from '../access/actor.ts';
import { record } from '../audit.ts';
import type { Connection, Database, Queryable } from '../database/database.ts';
import { addMonths, dayOf, type Month, monthName, monthOfDay } from '../nz-time.ts';
import { type PlanMonth, planMonth, startsAnew } from './charges.ts';
import { type Content, type DraftInvoice, type DraftLine, draft, issue } from './issue.ts';
import { closedThrough, lockMonths, planPeriods, termsOf } from './terms.ts';

/*
 * A plan is paid in advance: its first month, or what there is of it, when it starts. Who had a plan the day before pays it with
 * the month before, as every other month.
 */

/** The line of a plan's fee for a month. */
export function feeLine({ period, month, feeCents, days, daysInMonth }: PlanMonth): DraftLine {
  const part = days === daysInMonth ? '' : ` (${days} of ${daysInMonth} days)`;
  return {
    entryId: undefined,
    kind: 'plan_fee',
    month,
    description: `${period.plan.label} plan, ${monthName(month)}${part}`,
    quantity: 1,
    unitPriceCents: feeCents,
    cause: `plan_fee:${period.id}:${month}`,
    source: { plan: period.plan.name, price_cents: period.plan.priceCents, days, days_in_month: daysInMonth },
    customerPlanId: period.id,
  };
}

/** The invoices of plans that have started and have none yet. @param customerId undefined: of all customers */
export async function planStartContents(db: Queryable, at: Date, customerId?: number): Promise<Content[]> {
  const { rows } = await db.query<{ id: number; customer_id: number; name: string }>(
    `select p.id, p.customer_id, c.name from customer_plan p join customer c on c.id = p.customer_id
     where p.begins <= $1::date and ($2::integer is null or p.customer_id = $2)
       -- One entry is enough to know, however many there are.
       and (select e.id from ledger_entry e where e.customer_plan_id = p.id limit 1) is null
     order by p.begins, lower(c.name), p.id`,
    [dayOf(at), customerId ?? null],
  );
  if (rows.length === 0) return [];
  const all = await planPeriods(db, customerId);
  const closed = await closedThrough(db);
  return rows.flatMap(({ id, customer_id, name }) => {
    const periods = all.get(customer_id) ?? [];
    const period = periods.find((one) => one.id === id);
    if (!period) return [];
    const month: Month = monthOfDay(period.begins);
    // One that goes on from another is paid with the month before, unless that was closed too early for it.
    const missed = closed !== undefined && month <= addMonths(closed, 1);
    if (!startsAnew(period, periods) && !missed) return [];
    const first = planMonth(period, month) as PlanMonth;
    const account = { kind: 'customer', id: customer_id, name } as const;
    return [{ occasion: 'plan_start', account, month, lines: [feeLine(first)], usage: null }];
  });
}

/** {@link planStartContents} as invoices. */
export async function draftPlanStarts(db: Queryable, at: Date, customerId?: number): Promise<DraftInvoice[]> {
  const drafts: DraftInvoice[] = [];
  for (const content of await planStartContents(db, at, customerId)) {
    drafts.push(...(await draft(db, [content], await termsOf(db, content.month))));
  }
  return drafts;
}

/**
 * Invoices the plans that have started and are on no invoice yet: once, whoever asks for it.
 * @returns the numbers of the invoices
 */
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
    // A plan may be for nothing.
    if (invoice.subtotalCents === 0) continue;
    const number = await issue(connection, invoice, await termsOf(connection, invoice.month), actor.name, at);
    numbers.push(number);
    await record(connection, actor, {
      action: 'plan_invoiced',
      customerId: invoice.account.id,
      details: { invoice: number, month: invoice.month, total_cents: invoice.totalCents },
    });
  }
  return numbers;
}
