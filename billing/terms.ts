import { z } from 'zod';
import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { addDays, addMonths, type Day, firstDay, type Month, monthOfDay } from '../platform/nz-time.ts';
import { cents, named } from '../platform/schemas.ts';
import type { Plan, PlanPeriod } from './charges.ts';
import { readSetting } from './settings.ts';

/** The terms of a month for every customer and operator. Cents without GST. */
export const Terms = named('Terms', {
  overage_cents: cents(),
  gst_percent: z.int(),
  /** Of a customer created in that month. */
  free_queries: z.int(),
  due_day: z.int().describe('The day of the month after its issue on which an invoice is due.'),
  first_processing_cents: cents(
    'An operator’s first coverage that the service models. Cents, excluding GST.',
  ),
  later_processing_cents: cents('Each later one. Cents, excluding GST.'),
});
export type Terms = z.output<typeof Terms>;

export async function listPlans(db: Queryable): Promise<z.output<typeof Plan>[]> {
  const { rows } = await db.query<z.output<typeof Plan>>(sql`
    select name, label, bundled_queries, price_cents, offered from plan order by position`);
  return rows;
}

export async function termsOf(db: Queryable, month: Month): Promise<Terms> {
  const { rows } = await db.query<Omit<Terms, 'due_day'>>(sql`
    select free_queries, overage_cents, gst_percent, first_processing_cents, later_processing_cents
    from billing_terms where from_month <= ${firstDay(month)}::date order by from_month desc limit 1`);
  if (!rows[0]) throw new Error(`there are no terms for ${month}`);
  return { ...rows[0], due_day: await readSetting(db, 'due_day') };
}

export async function termsByMonth(db: Queryable, months: Iterable<Month>): Promise<Map<Month, Terms>> {
  const terms = new Map<Month, Terms>();
  for (const month of new Set(months)) terms.set(month, await termsOf(db, month));
  return terms;
}

export const dueOn = (issuedOn: Day, { due_day }: Pick<Terms, 'due_day'>): Day =>
  addDays(firstDay(addMonths(monthOfDay(issuedOn), 1)), due_day - 1);

/** The past, current and upcoming plans of a customer, oldest first. */
export const planPeriods = async (db: Queryable, customerId: number): Promise<PlanPeriod[]> =>
  (await plansByCustomer(db, customerId)).get(customerId) ?? [];

/** The plans of each customer. @param customerId undefined: of all customers */
export async function plansByCustomer(db: Queryable, customerId?: number) {
  const { rows } = await db.query<PlanPeriod & { customer_id: number }>(sql`
    select s.customer_id, s.id, s.begins, s.ends, json_build_object(
      'name', p.name, 'label', p.label, 'bundled_queries', p.bundled_queries, 'price_cents', p.price_cents) as plan
    from customer_plan s join plan p on p.name = s.plan
    where ${customerId}::integer is null or s.customer_id = ${customerId}
    order by s.customer_id, s.begins`);
  const periods = new Map<number, PlanPeriod[]>();
  for (const { customer_id, ...period } of rows) {
    periods.set(customer_id, [...(periods.get(customer_id) ?? []), period]);
  }
  return periods;
}

export const planOn = (periods: readonly PlanPeriod[], day: Day): PlanPeriod | undefined =>
  periods.find(({ begins, ends }) => begins <= day && (ends === null || day < ends));

export const planAfter = (periods: readonly PlanPeriod[], day: Day): PlanPeriod | undefined =>
  periods.find(({ begins }) => begins > day);
