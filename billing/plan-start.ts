import type { Actor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import {
  type Connection,
  type Database,
  inOneTransaction,
  type Queryable,
} from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { addMonths, dayOf, monthName, monthOfDay } from '../platform/nz-time.ts';
import { type PlanMonth, planMonth, startsAnew } from './charges.ts';
import { holdBack } from './held-back.ts';
import { type DraftLine, draft, issue, requireComplete } from './invoicing.ts';
import { closedThrough, isClosed, lockMonths } from './months.ts';
import { plansByCustomer, termsOf } from './terms.ts';

/* Plans are billed in advance: the first month when the plan starts, every other with the invoice of the month before it. */

export function feeLine({ period, month, feeCents, days, daysInMonth }: PlanMonth): DraftLine {
  const part = days === daysInMonth ? '' : ` (${days} of ${daysInMonth} days)`;
  const { name: plan, label, price_cents } = period.plan;
  return {
    entry_id: null,
    kind: 'plan_fee',
    month,
    description: `${label} plan, ${monthName(month)}${part}`,
    quantity: 1,
    unit_price_cents: feeCents,
    cause: `plan_fee:${period.id}:${month}`,
    source: { plan, price_cents, days, days_in_month: daysInMonth },
    customer_plan_id: period.id,
  };
}

/** The contents of invoices for plans that have started and have none. @param customerId undefined: of all customers */
export async function planStartContents(db: Queryable, at: Date, customerId?: number) {
  const { rows } = await db.query<{ id: number; customer_id: number; name: string }>(sql`
    select p.id, p.customer_id, c.name from customer_plan p join customer c on c.id = p.customer_id
    where p.begins <= ${dayOf(at)}::date and (${customerId}::integer is null or p.customer_id = ${customerId})
      -- One entry is enough to know, however many there are.
      and (select e.id from ledger_entry e where e.customer_plan_id = p.id limit 1) is null
    order by p.begins, lower(c.name), p.id`);
  if (rows.length === 0) return [];
  const plans = await plansByCustomer(db, customerId);
  const closed = await closedThrough(db);
  return rows.flatMap(({ id, customer_id, name }) => {
    const periods = plans.get(customer_id) ?? [];
    const period = periods.find((one) => one.id === id);
    if (!period) return [];
    const month = monthOfDay(period.begins);
    // A plan that follows another is on the invoice of the month before, unless that month was closed too early.
    if (!startsAnew(period, periods) && !isClosed(closed, addMonths(month, -1))) return [];
    const account = { kind: 'customer', id: customer_id, name } as const;
    const lines = [feeLine(planMonth(period, month) as PlanMonth)];
    return [{ occasion: 'plan_start' as const, account, month, lines, usage: null }];
  });
}

/**
 * Invoices the plans that have started and have no invoice yet. @param customerId undefined: of all customers
 * @param incomplete what becomes of an invoice that lacks what the law asks for: it is held back, refused, or (to be seen, and rolled back) issued
 * @throws CovermapError `invoice_held_back` where it is refused
 */
export async function invoicePlanStarts(
  db: Database | Connection,
  actor: Actor,
  at: Date,
  customerId?: number,
  incomplete: 'hold' | 'refuse' | 'issue' = 'hold',
) {
  // Avoids the lock where there is none, as is usual.
  if ((await planStartContents(db, at, customerId)).length === 0) return [];
  return inOneTransaction(db, async (connection) => {
    await lockMonths(connection);
    const issued: { number: number; total_cents: number }[] = [];
    for (const content of await planStartContents(connection, at, customerId)) {
      const { account, month } = content;
      const terms = await termsOf(connection, month);
      for (const invoice of await draft(connection, [content])) {
        if (invoice.subtotal_cents === 0) continue;
        if (incomplete === 'refuse') requireComplete(invoice);
        if (incomplete === 'hold' && invoice.lacks.length > 0) {
          await holdBack(connection, invoice, actor, at);
          continue;
        }
        const number = await issue(connection, invoice, terms, actor.name, at);
        const { total_cents } = invoice;
        issued.push({ number, total_cents });
        const details = { invoice: number, month, total_cents };
        await record(connection, actor, { action: 'plan_invoiced', customerId: account.id, details });
      }
    }
    return issued;
  });
}
