import { type Connection, lockUntilCommit, type Queryable } from '../database/database.ts';
import { type Day, firstDay, type Month, monthOfDay } from '../nz-time.ts';
import type { Plan, PlanPeriod } from './charges.ts';

/* What billing goes by: the plans and who has them, the terms of a month, and which months are closed. */

/** A plan, as it is shown; the price a month in cents without GST. */
export interface ShownPlan {
  name: string;
  label: string;
  bundled_queries: number;
  price_cents: number;
  offered: boolean;
}

/** What holds for every customer in a month. */
export interface BillingTerms {
  /** Of a customer that is made in that month. */
  freeQueries: number;
  /** A query past the bundle. */
  overageCents: number;
  gstPercent: number;
  /** For coverage that the service processes: an operator's first, and each later one. */
  firstProcessingCents: number;
  laterProcessingCents: number;
  /** Days from an invoice to when it is due. */
  dueDays: number;
}

export async function listPlans(db: Queryable): Promise<ShownPlan[]> {
  const { rows } = await db.query<ShownPlan>(
    'select name, label, bundled_queries, price_cents, offered from plan order by position',
  );
  return rows;
}

/** The terms of a month. */
export async function termsOf(db: Queryable, month: Month): Promise<BillingTerms> {
  const { rows } = await db.query<
    Record<
      | 'free_queries'
      | 'overage_cents'
      | 'gst_percent'
      | 'first_processing_cents'
      | 'later_processing_cents'
      | 'due_days',
      number
    >
  >(
    `select free_queries, overage_cents, gst_percent, first_processing_cents, later_processing_cents, due_days
     from billing_terms where from_month <= $1::date order by from_month desc limit 1`,
    [firstDay(month)],
  );
  const terms = rows[0];
  if (!terms) throw new Error(`there are no terms for ${month}`);
  return {
    freeQueries: terms.free_queries,
    overageCents: terms.overage_cents,
    gstPercent: terms.gst_percent,
    firstProcessingCents: terms.first_processing_cents,
    laterProcessingCents: terms.later_processing_cents,
    dueDays: terms.due_days,
  };
}

/** The last month that is closed; undefined where none ever was. Every month before it is closed, too. */
export async function closedThrough(db: Queryable): Promise<Month | undefined> {
  const { rows } = await db.query<{ month: Day | null }>('select max(month) as month from month_close');
  return rows[0]?.month ? monthOfDay(rows[0].month) : undefined;
}

/**
 * When customers have, had and will have which plan.
 * @param customerId undefined: all customers
 * @returns by customer, each in the order of time
 */
export async function planPeriods(db: Queryable, customerId?: number): Promise<Map<number, PlanPeriod[]>> {
  const { rows } = await db.query<
    { id: number; customer_id: number; begins: Day; ends: Day | null } & ShownPlan
  >(
    `select s.id, s.customer_id, s.begins, s.ends, p.name, p.label, p.bundled_queries, p.price_cents
     from customer_plan s join plan p on p.name = s.plan
     where $1::integer is null or s.customer_id = $1
     order by s.customer_id, s.begins`,
    [customerId ?? null],
  );
  const periods = new Map<number, PlanPeriod[]>();
  for (const { id, customer_id, begins, ends, name, label, bundled_queries, price_cents } of rows) {
    const plan: Plan = { name, label, bundledQueries: bundled_queries, priceCents: price_cents };
    const list = periods.get(customer_id) ?? [];
    periods.set(customer_id, list);
    list.push({ id, plan, begins, ends });
  }
  return periods;
}

/** The plan of a day. */
export function planOn(periods: readonly PlanPeriod[], day: Day): PlanPeriod | undefined {
  return periods.find(({ begins, ends }) => begins <= day && (ends === null || day < ends));
}

/** The plan that comes after a day. */
export function planAfter(periods: readonly PlanPeriod[], day: Day): PlanPeriod | undefined {
  return periods.find(({ begins }) => begins > day);
}

/** What closes months, and what changes the plans that it reckons with, take turns. */
export async function lockMonths(connection: Connection): Promise<void> {
  await lockUntilCommit(connection, 'covermap billing months');
}
