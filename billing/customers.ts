import type { Actor } from '../access/actor.ts';
import { listCustomerKeys } from '../access/api-keys.ts';
import { record } from '../access/audit.ts';
import type { Database, Queryable } from '../platform/database/database.ts';
import { type Sql, sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import { type Day, dayOf, firstDay, type Month, monthOf } from '../platform/nz-time.ts';
import { type Cap, capsOfCustomer } from './caps.ts';
import { bundleOf, freeLeft, noQueries, type PlanPeriod, type QueryCounts } from './charges.ts';
import { contactOf, setContact } from './contacts.ts';
import { queriesSince } from './counts.ts';
import { type PlanChange, setPlan } from './plans.ts';
import { planAfter, planOn, plansByCustomer } from './terms.ts';

export type ListedCustomer = Awaited<ReturnType<typeof listCustomers>>[number];

export interface BilledCustomer {
  id: number;
  name: string;
  created_at: Date;
  free_queries: number;
  /** Queries of these that killed processes may have answered. */
  free_lost: number;
  /** Queries of the month that killed processes may have answered. */
  lost: number;
  caps: readonly Cap[];
  overage_allowed: boolean;
  cancelled_on: Day | null;
  closes_at: Date | null;
  active_keys: number;
  periods: readonly PlanPeriod[];
  counts: QueryCounts;
}

/** Customers by name, with their plans and their queries from a month on. @param options as of {@link queriesSince}; `capped`: those with a cap alone; `customerIds`: these alone */
export async function billedCustomers(
  db: Queryable,
  month: Month,
  options: {
    customerId?: number;
    customerIds?: readonly number[];
    unclosed?: boolean;
    capped?: boolean;
  } = {},
): Promise<BilledCustomer[]> {
  const { customerId } = options;
  const { rows } = await db.query<Omit<BilledCustomer, 'periods' | 'counts'>>(sql`
    select c.id, c.name, c.created_at, c.free_queries, ${lost(sql`true`)} as free_lost,
      ${lost(sql`h.month = ${firstDay(month)}::date`)} as lost, ${capsOfCustomer} as caps, c.overage_allowed,
      c.cancelled_on, c.closes_at,
      (select count(*)::integer from api_key k
       where k.customer_id = c.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
         and (c.closes_at is null or c.closes_at > billing_now())) as active_keys
    from customer c
    where (${customerId}::integer is null or c.id = ${customerId})
      and (${options.customerIds === undefined} or c.id = any(${options.customerIds ?? []}::integer[]))
      and (${options.capped !== true} or c.id in (select customer_id from cap))
    order by lower(c.name)`);
  const plans = await plansByCustomer(db, customerId);
  const counts = await queriesSince(db, month, options);
  return rows.map((row) => ({
    ...row,
    periods: plans.get(row.id) ?? [],
    counts: counts.get(row.id) ?? noQueries,
  }));
}

/** SQL: the queries of customer `c` that killed processes may have answered. */
const lost = (which: Sql) => sql`coalesce((
  select sum(h.begun) from query_hold h
  where h.customer_id = c.id and h.until <= clock_timestamp() and ${which}), 0)::integer`;

/** One customer as in {@link billedCustomers}. @throws CovermapError `customer_unknown` */
export async function billedCustomer(db: Queryable, customerId: number, month: Month) {
  const [customer] = await billedCustomers(db, month, { customerId });
  if (!customer) throw new CovermapError('customer_unknown');
  return customer;
}

/** Creates a customer, and starts and invoices its plan if named. @returns its id @throws CovermapError `customer_exists`, those of {@link setPlan} */
export async function createCustomer(
  db: Database,
  { name, plan, ...start }: { name: string; plan?: string | undefined } & Omit<PlanChange, 'plan'>,
  actor: Actor,
  at: Date,
): Promise<number> {
  return db.transaction(async (connection) => {
    const { rows } = await connection.query<{ id: number }>(sql`
      insert into customer (name) values (${name}) on conflict (lower(name)) do nothing returning id`);
    const id = rows[0]?.id;
    if (id === undefined) {
      throw new CovermapError('customer_exists', `There is a customer named "${name}" already.`);
    }
    await record(connection, actor, { action: 'customer_created', customerId: id, details: { name } });
    if (plan !== undefined) await setPlan(connection, id, { plan, ...start }, actor, at);
    else if (start.contact) await setContact(connection, { kind: 'customer', id }, start.contact, actor);
    return id;
  });
}

/** The id of a customer by name, case aside. @throws CovermapError `customer_unknown` */
export async function customerByName(db: Queryable, name: string): Promise<number> {
  const { rows } = await db.query<{ id: number }>(sql`
    select id from customer where lower(name) = lower(${name})`);
  if (rows[0]) return rows[0].id;
  const hint = 'The customers are on /staff.';
  throw new CovermapError('customer_unknown', `There is no customer "${name}".`, hint);
}

export const listCustomers = async (db: Queryable, at: Date) =>
  (await billedCustomers(db, monthOf(at))).map((customer) => shown(customer, at));

/** A customer with its plans, keys and contact. @throws CovermapError `customer_unknown` */
export async function findCustomer(db: Queryable, id: number, at: Date) {
  const found = await billedCustomer(db, id, monthOf(at));
  const { active_keys, ...customer } = shown(found, at);
  return {
    ...customer,
    periods: found.periods.map(({ plan: { name: plan, label }, begins, ends }) => {
      return { plan, label, begins, ends };
    }),
    keys: await listCustomerKeys(db, id),
    contact: await contactOf(db, { kind: 'customer', id }),
  };
}

/** Allows or denies a customer overage without a plan, once the free allowance is used up. @throws CovermapError `customer_unknown` */
export async function allowOverage(db: Database, id: number, allowed: boolean, actor: Actor): Promise<void> {
  await db.transaction(async (connection) => {
    // Locked first: of two at once, the second sees the change of the first.
    const { rows } = await connection.query<{ before: boolean }>(
      sql`select overage_allowed as before from customer where id = ${id} for update`,
    );
    if (!rows[0]) throw new CovermapError('customer_unknown');
    if (rows[0].before === allowed) return;
    await connection.query(sql`update customer set overage_allowed = ${allowed} where id = ${id}`);
    const action = allowed ? 'overage_allowed' : 'overage_refused';
    await record(connection, actor, { action, customerId: id });
  });
}

function shown(
  { closes_at, free_lost, lost: _, caps: __, periods, counts, ...row }: BilledCustomer,
  at: Date,
) {
  const today = dayOf(at);
  const month = monthOf(at);
  return {
    ...row,
    plan: shownPlan(planOn(periods, today)),
    next_plan: shownPlan(planAfter(periods, today)),
    ends_on: closes_at && dayOf(closes_at),
    free_left: freeLeft(counts, row.free_queries - free_lost),
    month: { month, queries: counts.months.get(month) ?? 0, bundle: bundleOf(periods, month) },
  };
}

function shownPlan(period: PlanPeriod | undefined) {
  if (!period) return null;
  const { plan, begins, ends } = period;
  return { name: plan.name, label: plan.label, begins, ends };
}
