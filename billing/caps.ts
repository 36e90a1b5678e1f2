import { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import type { Database } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import type { Month } from '../platform/nz-time.ts';
import { cents } from '../platform/schemas.ts';
import { type PlanPeriod, planMonths, type QueryCounts } from './charges.ts';

/* A cap: how much a customer may use in a month. The customer and staff each set one, and the smaller holds: a customer protects itself from its
   own programs, staff protect the service from a debt. So neither raises the other's. */

/** More than any account could use in a month. */
const maxQueries = 1_000_000_000_000;
const maxCents = 100_000_000_000;

export const capTerms = {
  queries: z.int().min(0).max(maxQueries).nullable().describe('The max queries of a month; null: a budget.'),
  budget_cents: cents('The max plan fees and overage of a month; null: queries. Cents, excluding GST.')
    .min(0)
    .max(maxCents)
    .nullable(),
  only_warns: z.boolean().describe('Whether keys are answered past it all the same.'),
};
export type CapTerms = z.output<z.ZodObject<typeof capTerms>>;

export const setBy = z.enum(['customer', 'staff']);
export interface Cap extends CapTerms {
  set_by: z.output<typeof setBy>;
}

/** SQL: the caps of customer `c`, as JSON. */
export const capsOfCustomer = sql`coalesce((
  select json_agg(json_build_object('set_by', p.set_by, 'queries', p.queries, 'budget_cents', p.budget_cents, 'only_warns', p.only_warns)
    order by p.set_by desc)
  from cap p where p.customer_id = c.id), '[]')`;

/** What the queries within a budget depend on. */
interface Capped {
  free_queries: number;
  caps: readonly Cap[];
  counts: QueryCounts;
  periods: readonly PlanPeriod[];
}

/**
 * The max queries of a month within a cap: of a budget, as many as cost no more than it together with the plan fees. What the fees include is within
 * any budget, as refusing it would save nothing. @param heldBefore queries of other months that may use up the free allowance yet
 */
export function queriesWithin(
  { queries, budget_cents }: Cap,
  { free_queries, counts, periods }: Capped,
  month: Month,
  overageCents: number,
  heldBefore = 0,
): number {
  if (budget_cents === null) return queries as number;
  if (overageCents === 0) return Number.POSITIVE_INFINITY;
  const plans = planMonths(periods, month);
  const free = Math.max(0, free_queries - counts.before - heldBefore) + (counts.uncharged.get(month) ?? 0);
  const bundle = plans.reduce((sum, plan) => sum + plan.bundle, 0);
  const fees = plans.reduce((sum, { feeCents }) => sum + feeCents, 0);
  return free + bundle + Math.floor(Math.max(0, budget_cents - fees) / overageCents);
}

/** The cap that refuses first, with its max queries; undefined where none refuses. */
export function smallestCap(customer: Capped, month: Month, overageCents: number, heldBefore?: number) {
  let smallest: { cap: Cap; queries: number } | undefined;
  for (const cap of customer.caps) {
    const queries = queriesWithin(cap, customer, month, overageCents, heldBefore);
    if (!cap.only_warns && queries < (smallest?.queries ?? Number.POSITIVE_INFINITY))
      smallest = { cap, queries };
  }
  return smallest;
}

/** Sets a customer's cap of its own or of staff. @param terms undefined: removes it @throws CovermapError `customer_unknown` */
export async function setCap(
  db: Database,
  customerId: number,
  by: Cap['set_by'],
  terms: CapTerms | undefined,
  actor: Actor,
): Promise<void> {
  await db.transaction(async (connection) => {
    const customer = sql`select from customer where id = ${customerId} for no key update`;
    if ((await connection.query(customer)).rowCount === 0) throw new CovermapError('customer_unknown');
    // Where nothing was refused before, other processes may have counts that they have yet to store.
    const { rows: settled } = await connection.query<{ at: Date }>(sql`
      select coalesce((select max(settled_at) from cap where customer_id = ${customerId} and not only_warns),
        clock_timestamp() + interval '1 second') as at`);
    const { rowCount } = await connection.query(sql`
      delete from cap where customer_id = ${customerId} and set_by = ${by}`);
    if (terms) {
      await connection.query(sql`
        insert into cap (customer_id, set_by, queries, budget_cents, only_warns, settled_at)
        values (${customerId}, ${by}, ${terms.queries}, ${terms.budget_cents}, ${terms.only_warns}, ${settled[0]?.at})`);
    } else if (rowCount === 0) return;
    const action = terms ? 'cap_set' : 'cap_removed';
    await record(connection, actor, { action, customerId, details: { set_by: by, ...terms } });
  });
}
