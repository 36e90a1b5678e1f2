import type { Queryable } from '../database/database.ts';
import { type Day, firstDay, type Month } from '../nz-time.ts';
import type { Plan, PlanPeriod } from './charges.ts';

/* What billing goes by: the plans, who has them when, and the terms of a month. */

/** A plan in the price list. */
export interface ListedPlan extends Plan {
  /** Whether customers can start it. */
  offered: boolean;
}

/** What holds for every customer in a month. Cents without GST. */
export interface Terms {
  /** Of a customer that is created in that month. */
  free_queries: number;
  /** A query past the bundle. */
  overage_cents: number;
  gst_percent: number;
  /** For coverage that the service processes: an operator's first, and each later one. */
  first_processing_cents: number;
  later_processing_cents: number;
  /** Days from an invoice to when it is due. */
  due_days: number;
}

export async function listPlans(db: Queryable): Promise<ListedPlan[]> {
  const { rows } = await db.query<ListedPlan>(
    'select name, label, bundled_queries, price_cents, offered from plan order by position',
  );
  return rows;
}

/** The terms of a month. */
export async function termsOf(db: Queryable, month: Month): Promise<Terms> {
  const { rows } = await db.query<Terms>(
    `select free_queries, overage_cents, gst_percent, first_processing_cents, later_processing_cents, due_days
     from billing_terms where from_month <= $1::date order by from_month desc limit 1`,
    [firstDay(month)],
  );
  if (!rows[0]) throw new Error(`there are no terms for ${month}`);
  return rows[0];
}

/**
 * When customers have, had and will have which plan.
 * @param customerId undefined: all customers
 * @returns by customer, oldest first
 */
export async function planPeriods(db: Queryable, customerId?: number): Promise<Map<number, PlanPeriod[]>> {
  const { rows } = await db.query<Omit<PlanPeriod, 'plan'> & { customer_id: number } & Plan>(
    `select s.id, s.customer_id, s.begins, s.ends, p.name, p.label, p.bundled_queries, p.price_cents
     from customer_plan s join plan p on p.name = s.plan
     where $1::integer is null or s.customer_id = $1
     order by s.customer_id, s.begins`,
    [customerId ?? null],
  );
  const periods = new Map<number, PlanPeriod[]>();
  for (const { id, customer_id, begins, ends, ...plan } of rows) {
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

/** The upcoming plan, as of a day. */
export function planAfter(periods: readonly PlanPeriod[], day: Day): PlanPeriod | undefined {
  return periods.find(({ begins }) => begins > day);
}
