import type { Actor } from '../actor.ts';
import { record } from '../audit.ts';
import type { Connection, Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { CovermapError } from '../errors.ts';
import { addMonths, type Day, dayOf, daysBetween, firstDay, isDay, monthOf, monthOfDay } from '../nz-time.ts';
import type { PlanPeriod } from './charges.ts';
import { type Contact, setContactWithin } from './contacts.ts';
import { closedThrough, isClosed, lockMonths } from './months.ts';
import { invoicePlanStartsWithin } from './plan-start.ts';
import { listPlans, planPeriods } from './terms.ts';

/** How far ahead a plan can be started or changed. */
const maxMonthsAhead = 12;

export interface PlanChange {
  plan: string;
  /** Undefined: today, or the first of the next month where there is a plan; of an upcoming plan, its own day. */
  begins?: Day | undefined;
  /** Whom to invoice; undefined: the contact that is known. */
  contact?: Contact | undefined;
  /** The total, GST included, of what is invoiced at once, as somebody has seen it in a preview. */
  expectedCents?: number | undefined;
}

/**
 * Starts a customer's plan, or changes it from the first of a month to come. A plan that begins today or earlier is invoiced at once.
 * Setting the current plan cancels an upcoming change.
 * @returns the numbers of the invoices that were issued
 * @throws CovermapError `customer_unknown`, `plan_unknown`, `plan_date_invalid`, `customer_cancelled`, `preview_outdated`
 */
export async function setPlan(db: Database, customerId: number, change: PlanChange, actor: Actor, at: Date) {
  return db.transaction((connection) => setPlanWithin(connection, customerId, change, actor, at));
}

/** {@link setPlan} within a transaction. */
export async function setPlanWithin(
  connection: Connection,
  customerId: number,
  { plan, begins, contact, expectedCents }: PlanChange,
  actor: Actor,
  at: Date,
): Promise<number[]> {
  const customer = await lockCustomer(connection, customerId);
  const offered = (await listPlans(connection)).filter((known) => known.offered).map(({ name }) => name);
  if (!offered.includes(plan)) {
    const hint = `Use one of ${offered.join(', ')}.`;
    throw new CovermapError('plan_unknown', `There is no plan "${plan}".`, hint);
  }
  const today = dayOf(at);
  const closes = customer.closes_at && dayOf(customer.closes_at);
  if (closes && closes > today) {
    const message = `The customer has given notice; everything ends on ${closes}.`;
    throw new CovermapError('customer_cancelled', message, 'Withdraw the cancellation first.');
  }
  if (begins !== undefined && !isDay(begins)) throw wrongDate('A date is written as 2026-12-01.');
  // No month is closed between the check and the change.
  await lockMonths(connection);
  const closed = await closedThrough(connection);
  const periods = (await planPeriods(connection, customerId)).get(customerId) ?? [];
  const present = periods.find(({ ends }) => ends === null || ends > today);
  const begun = present && (present.begins <= today || (await isInvoiced(connection, present.id)));
  const from = begins ?? (begun ? firstDay(addMonths(monthOf(at), 1)) : (present?.begins ?? today));
  if (daysBetween(today, from) > maxMonthsAhead * 31) {
    throw wrongDate(`It is more than ${maxMonthsAhead} months ahead.`);
  }
  if (begun) {
    await changePlan(connection, customerId, { present, from, plan, today });
  } else {
    if (isClosed(closed, monthOfDay(from))) throw wrongDate(`${closed} is closed.`);
    if (closes && from < closes) throw wrongDate(`The plan before it ended on ${closes}.`);
    if (present) await connection.query(sql`delete from customer_plan where id = ${present.id}`);
    const last = periods.filter(({ ends }) => ends !== null && ends <= today).at(-1);
    if (last?.ends && from < last.ends) throw wrongDate(`The plan before it ended on ${last.ends}.`);
    await insertPlan(connection, customerId, plan, from);
    // A customer who returns is not cancelled any more, and its keys are active again.
    await connection.query(sql`
      update customer set cancelled_on = null, closes_at = null where id = ${customerId}`);
    await connection.query(sql`delete from plan_before_notice where customer_id = ${customerId}`);
  }
  await record(connection, actor, { action: 'plan_changed', customerId, details: { plan, begins: from } });
  if (contact) await setContactWithin(connection, { kind: 'customer', id: customerId }, contact, actor);
  const numbers = await invoicePlanStartsWithin(connection, actor, at, customerId);
  if (expectedCents !== undefined && expectedCents !== (await totalOf(connection, numbers))) {
    throw new CovermapError('preview_outdated');
  }
  return numbers;
}

/** What invoices come to, in cents with GST. */
async function totalOf(connection: Connection, numbers: readonly number[]): Promise<number> {
  const { rows } = await connection.query<{ total: number }>(sql`
    select coalesce(sum(total_cents), 0)::bigint as total from invoice where number = any(${numbers})`);
  return (rows[0] as { total: number }).total;
}

async function changePlan(
  connection: Connection,
  customerId: number,
  { present, from, plan, today }: { present: PlanPeriod; from: Day; plan: string; today: Day },
): Promise<void> {
  if (!from.endsWith('-01') || from <= today || from <= present.begins) {
    throw wrongDate('A plan is changed from the first of a month to come: its fee is paid in advance.');
  }
  // Replaces an upcoming change, of which no fee has been posted.
  await connection.query(sql`
    delete from customer_plan where customer_id = ${customerId} and begins > ${today} and id <> ${present.id}`);
  const stays = present.plan.name === plan;
  const ends = stays ? null : from;
  await connection.query(sql`update customer_plan set ends = ${ends} where id = ${present.id}`);
  if (!stays) await insertPlan(connection, customerId, plan, from);
}

async function insertPlan(connection: Connection, customerId: number, plan: string, begins: Day) {
  await connection.query(sql`
    insert into customer_plan (customer_id, plan, begins) values (${customerId}, ${plan}, ${begins})`);
}

/** Whether a fee of a plan was posted. */
async function isInvoiced(connection: Connection, periodId: number): Promise<boolean> {
  const statement = sql`select from ledger_entry where customer_plan_id = ${periodId} limit 1`;
  return (await connection.query(statement)).rowCount > 0;
}

/** Locks a customer's row. @throws CovermapError `customer_unknown` */
export async function lockCustomer(connection: Connection, id: number): Promise<{ closes_at: Date | null }> {
  // "no key": rows that refer to the customer, such as counts, can be added meanwhile.
  const { rows } = await connection.query<{ closes_at: Date | null }>(sql`
    select closes_at from customer where id = ${id} for no key update`);
  if (!rows[0]) throw new CovermapError('customer_unknown');
  return rows[0];
}

export function wrongDate(why: string): CovermapError {
  return new CovermapError('plan_date_invalid', `This is not possible from that day. ${why}`);
}
