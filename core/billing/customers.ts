import type { Actor } from '../access/actor.ts';
import { type CustomerKey, listCustomerKeys } from '../access/api-keys.ts';
import { record } from '../audit.ts';
import type { Database, Queryable } from '../database/database.ts';
import { CovermapError } from '../errors.ts';
import { type Day, dayOf, type Month, monthOf } from '../nz-time.ts';
import { bundleOf, freeLeft, noQueries, type PlanPeriod, type QueryCounts } from './charges.ts';
import { type Contact, contactOf } from './contacts.ts';
import { queriesSince } from './counts.ts';
import { setPlanWithin } from './plans.ts';
import { planAfter, planOn, planPeriods } from './terms.ts';

/** A customer in a list. */
export interface ListedCustomer {
  id: number;
  name: string;
  created_at: Date;
  plan: NamedPlanPeriod | null;
  next_plan: NamedPlanPeriod | null;
  cancelled_on: Day | null;
  ends_on: Day | null;
  free_queries: number;
  free_left: number;
  /** Whether staff allow it overage without a plan. */
  overage_allowed: boolean;
  month: { month: Month; queries: number; bundle: number };
  active_keys: number;
}

/** A plan that a customer has, had or will have. */
interface NamedPlanPeriod {
  name: string;
  label: string;
  begins: Day;
  /** The first day without it. */
  ends: Day | null;
}

/** A customer with its plans, keys and contact. */
export interface CustomerDetail extends Omit<ListedCustomer, 'active_keys'> {
  periods: (Omit<NamedPlanPeriod, 'name'> & { plan: string })[];
  keys: CustomerKey[];
  contact: Contact;
}

type CustomerRow = Pick<
  ListedCustomer,
  'id' | 'name' | 'created_at' | 'free_queries' | 'overage_allowed' | 'cancelled_on' | 'active_keys'
> & { closes_at: Date | null };

/**
 * Creates a customer, with a plan where one is named.
 * @returns the customer's id
 * @throws CovermapError `customer_exists` and what {@link setPlanWithin} throws
 */
export async function createCustomer(
  db: Database,
  { name, plan, begins }: { name: string; plan?: string | undefined; begins?: Day | undefined },
  actor: Actor,
  at: Date,
): Promise<number> {
  return db.transaction(async (connection) => {
    const { rows } = await connection.query<{ id: number }>(
      'insert into customer (name) values ($1) on conflict (lower(name)) do nothing returning id',
      [name],
    );
    const id = rows[0]?.id;
    if (id === undefined) {
      throw new CovermapError('customer_exists', `There is a customer named "${name}" already.`);
    }
    await record(connection, actor, { action: 'customer_created', customerId: id, details: { name } });
    if (plan !== undefined) await setPlanWithin(connection, id, { plan, begins }, actor, at);
    return id;
  });
}

/** The id of a customer by name, case aside. @throws CovermapError `customer_unknown` */
export async function customerByName(db: Queryable, name: string): Promise<number> {
  const { rows } = await db.query<{ id: number }>('select id from customer where lower(name) = lower($1)', [
    name,
  ]);
  if (!rows[0]) {
    throw new CovermapError(
      'customer_unknown',
      `There is no customer "${name}".`,
      'The customers are in: npm run admin -- customer list',
    );
  }
  return rows[0].id;
}

/** Customers by name. */
export async function listCustomers(db: Queryable, at: Date): Promise<ListedCustomer[]> {
  const [rows, periods, queries] = [
    await customerRows(db),
    await planPeriods(db),
    await queriesSince(db, monthOf(at)),
  ];
  return rows.map((row) => shown(row, periods.get(row.id) ?? [], queries.get(row.id) ?? noQueries, at));
}

/** @throws CovermapError `customer_unknown` */
export async function findCustomer(db: Queryable, id: number, at: Date): Promise<CustomerDetail> {
  const [row] = await customerRows(db, id);
  if (!row) throw customerUnknown();
  const periods = (await planPeriods(db, id)).get(id) ?? [];
  const queries = (await queriesSince(db, monthOf(at), id)).get(id) ?? noQueries;
  const { active_keys, ...customer } = shown(row, periods, queries, at);
  return {
    ...customer,
    periods: periods.map(({ plan, begins, ends }) => ({ plan: plan.name, label: plan.label, begins, ends })),
    keys: await listCustomerKeys(db, id),
    contact: await contactOf(db, { kind: 'customer', id }),
  };
}

/**
 * Sets whether a customer without a plan is answered, and charged, once the free allowance is used up.
 * @throws CovermapError `customer_unknown`
 */
export async function allowOverage(db: Database, id: number, allowed: boolean, actor: Actor): Promise<void> {
  await db.transaction(async (connection) => {
    const { rows } = await connection.query<{ before: boolean }>(
      `update customer c set overage_allowed = $2 from customer as old where c.id = $1 and old.id = c.id
       returning old.overage_allowed as before`,
      [id, allowed],
    );
    if (!rows[0]) throw customerUnknown();
    if (rows[0].before === allowed) return;
    await record(connection, actor, {
      action: allowed ? 'overage_allowed' : 'overage_refused',
      customerId: id,
    });
  });
}

function customerUnknown(): CovermapError {
  return new CovermapError('customer_unknown', 'There is no such customer.');
}

async function customerRows(db: Queryable, id?: number): Promise<CustomerRow[]> {
  const { rows } = await db.query<CustomerRow>(
    `select c.id, c.name, c.created_at, c.free_queries, c.overage_allowed, c.cancelled_on, c.closes_at,
       (select count(*)::integer from api_key k
        where k.customer_id = c.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
          and (c.closes_at is null or c.closes_at > now())) as active_keys
     from customer c
     where $1::integer is null or c.id = $1
     order by lower(c.name)`,
    [id ?? null],
  );
  return rows;
}

function shown(
  row: CustomerRow,
  periods: readonly PlanPeriod[],
  queries: QueryCounts,
  at: Date,
): ListedCustomer {
  const today = dayOf(at);
  const month = monthOf(at);
  const { closes_at, ...rest } = row;
  return {
    ...rest,
    plan: shownPlan(planOn(periods, today)),
    next_plan: shownPlan(planAfter(periods, today)),
    ends_on: closes_at && dayOf(closes_at),
    free_left: freeLeft(queries, row.free_queries),
    month: { month, queries: queries.months.get(month) ?? 0, bundle: bundleOf(periods, month) },
  };
}

function shownPlan(period: PlanPeriod | undefined): NamedPlanPeriod | null {
  if (!period) return null;
  const { plan, begins, ends } = period;
  return { name: plan.name, label: plan.label, begins, ends };
}
