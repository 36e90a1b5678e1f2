import type { Actor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import { type Connection, type Database, inOneTransaction } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import {
  addMonths,
  type Day,
  dayOf,
  daysBetween,
  firstDay,
  isDay,
  monthOf,
  monthOfDay,
  startOfDay,
} from '../platform/nz-time.ts';
import { type PlanPeriod, startsAnew } from './charges.ts';
import { type Contact, setContact } from './contacts.ts';
import { closedThrough, isClosed, lockMonths } from './months.ts';
import { invoicePlanStarts } from './plan-start.ts';
import { listPlans, planPeriods } from './terms.ts';

/** The max time from today to a plan's start or change, either way: beyond it somebody has mistaken the year. */
const maxMonthsAway = 12;

export interface PlanChange {
  plan: string;
  /** Undefined: today; the first of the next month where there is a plan; for an upcoming plan the day on which it begins now. */
  begins?: Day | undefined;
  /** The recipient of invoices; undefined: the known contact. */
  contact?: Contact | undefined;
  /** The total, GST included, of the immediate invoices, seen in a preview. */
  expectedCents?: number | undefined;
  /** True for a preview, which is rolled back: also an invoice that lacks what the law asks for is issued. */
  isPreview?: boolean | undefined;
}

/**
 * Starts a customer's plan, or changes it from the first of a month to come; setting the current one cancels an upcoming change. A plan that
 * begins today or earlier is invoiced at once. @returns the numbers of the invoices
 * @throws CovermapError `customer_unknown`, `plan_unknown`, `plan_date_invalid`, `customer_cancelled`, `invoice_held_back`, `preview_outdated`
 */
export function setPlan(
  db: Database | Connection,
  customerId: number,
  { plan, begins, contact, expectedCents, isPreview = false }: PlanChange,
  actor: Actor,
  at: Date,
): Promise<number[]> {
  return inOneTransaction(db, async (connection) => {
    const customer = await lockCustomer(connection, customerId);
    const offered = (await listPlans(connection)).filter((known) => known.offered).map(({ name }) => name);
    if (!offered.includes(plan)) {
      const hint = `Use one of ${offered.join(', ')}.`;
      throw new CovermapError('plan_unknown', `There is no plan "${plan}".`, hint);
    }
    const today = dayOf(at);
    const closes = requireNoNotice(customer, today);
    requireDay(begins);
    // Keeps a month from being closed between the check and the change.
    await lockMonths(connection);
    const periods = await planPeriods(connection, customerId);
    const present = periods.find(({ ends }) => ends === null || ends > today);
    const begun = present && (present.begins <= today || (await isInvoiced(connection, present.id)));
    const from = begins ?? (begun ? firstDay(addMonths(monthOf(at), 1)) : (present?.begins ?? today));
    if (Math.abs(daysBetween(today, from)) > maxMonthsAway * 31) {
      throw wrongDate(`It is more than ${maxMonthsAway} months away.`);
    }
    if (begun) {
      await changePlan(connection, customerId, { present, from, plan, today });
    } else {
      const closed = await closedThrough(connection);
      if (isClosed(closed, monthOfDay(from))) throw wrongDate(`${closed} is closed.`);
      if (closes && from < closes) throw wrongDate(`The plan before it ended on ${closes}.`);
      if (present) await connection.query(sql`delete from customer_plan where id = ${present.id}`);
      const last = periods.filter(({ ends }) => ends !== null && ends <= today).at(-1);
      if (last?.ends && from < last.ends) throw wrongDate(`The plan before it ended on ${last.ends}.`);
      await insertPlan(connection, customerId, plan, from);
      // A returning customer's cancellation ends, and its keys are active again.
      await reopen(connection, customerId);
    }
    await record(connection, actor, { action: 'plan_changed', customerId, details: { plan, begins: from } });
    if (contact) await setContact(connection, { kind: 'customer', id: customerId }, contact, actor);
    const issued = await invoicePlanStarts(connection, actor, at, customerId, isPreview ? 'issue' : 'refuse');
    const total = issued.reduce((sum, { total_cents }) => sum + total_cents, 0);
    if (expectedCents !== undefined && expectedCents !== total) throw new CovermapError('preview_outdated');
    return issued.map(({ number }) => number);
  });
}

/** Cancels a plan or a change that is yet to begin. @throws CovermapError `customer_unknown`, `customer_cancelled`, `no_plan` */
export async function cancelUpcomingPlan(db: Database, customerId: number, actor: Actor, at: Date) {
  await db.transaction(async (connection) => {
    const today = dayOf(at);
    requireNoNotice(await lockCustomer(connection, customerId), today);
    await lockMonths(connection);
    const { rows } = await connection.query<{ plan: string; begins: Day }>(sql`
      delete from customer_plan where customer_id = ${customerId} and begins > ${today} returning plan, begins`);
    if (!rows[0]) {
      const hint = 'A plan that has begun ends with a notice.';
      throw new CovermapError('no_plan', 'There is no plan that is yet to begin.', hint);
    }
    await connection.query(sql`
      update customer_plan set ends = null where customer_id = ${customerId} and ends = ${rows[0].begins}`);
    await record(connection, actor, { action: 'plan_cancelled', customerId, details: rows[0] });
  });
}

async function changePlan(
  connection: Connection,
  customerId: number,
  { present, from, plan, today }: { present: PlanPeriod; from: Day; plan: string; today: Day },
) {
  if (!from.endsWith('-01') || from <= today || from <= present.begins) {
    throw wrongDate('A plan is changed from the first of a month to come: its fee is paid in advance.');
  }
  // Replaces an upcoming change, which has no posted fee.
  await connection.query(sql`
    delete from customer_plan where customer_id = ${customerId} and begins > ${today} and id <> ${present.id}`);
  const stays = present.plan.name === plan;
  await connection.query(
    sql`update customer_plan set ends = ${stays ? null : from} where id = ${present.id}`,
  );
  if (!stays) await insertPlan(connection, customerId, plan, from);
}

async function insertPlan(connection: Connection, customerId: number, plan: string, begins: Day) {
  await connection.query(sql`
    insert into customer_plan (customer_id, plan, begins) values (${customerId}, ${plan}, ${begins})`);
}

async function isInvoiced(connection: Connection, periodId: number): Promise<boolean> {
  const statement = sql`select from ledger_entry where customer_plan_id = ${periodId} limit 1`;
  return (await connection.query(statement)).rowCount > 0;
}

/**
 * Cancels a customer: plan and keys end with the month after that of the notice. @returns the first day without them
 * @throws CovermapError `customer_unknown`, `no_plan`, `customer_cancelled`, `plan_date_invalid`
 */
export function cancelCustomer(
  db: Database,
  customerId: number,
  notice: Day | undefined,
  actor: Actor,
  at: Date,
) {
  return db.transaction(async (connection) => {
    const today = dayOf(at);
    const { closes_at } = await lockCustomer(connection, customerId);
    if (closes_at) {
      const closes = dayOf(closes_at);
      const end = `everything ${closes > today ? 'ends' : 'ended'} on ${closes}`;
      throw new CovermapError('customer_cancelled', `The customer has given notice already; ${end}.`);
    }
    requireDay(notice);
    const noticed = notice ?? today;
    if (noticed > today) throw wrongDate('Notice cannot be given on a day that is yet to come.');
    await lockMonths(connection);
    const ends = firstDay(addMonths(monthOfDay(noticed), 2));
    if (ends <= today) throw wrongDate(`With that notice it would have ended on ${ends}.`);
    const periods = await planPeriods(connection, customerId);
    if (!periods.some((period) => period.ends === null || period.ends > today)) {
      throw new CovermapError('no_plan');
    }
    const begun = periods.findLast((period) => period.begins <= today && startsAnew(period, periods));
    if (begun && noticed < begun.begins) throw wrongDate(`The subscription began on ${begun.begins}.`);
    const ofCustomer = sql`customer_id = ${customerId}`;
    // Stored for a withdrawal of the notice.
    await connection.query(sql`
      insert into plan_before_notice (customer_id, plan, begins, ends)
      select customer_id, plan, begins, ends from customer_plan where ${ofCustomer} and (ends is null or ends > ${ends})`);
    await connection.query(sql`delete from customer_plan where ${ofCustomer} and begins >= ${ends}`);
    await connection.query(sql`
      update customer_plan set ends = ${ends} where ${ofCustomer} and (ends is null or ends > ${ends})`);
    await connection.query(sql`
      update customer set cancelled_on = ${noticed}, closes_at = ${startOfDay(ends)} where id = ${customerId}`);
    const details = { notice_on: noticed, ends_on: ends };
    await record(connection, actor, { action: 'customer_cancelled', customerId, details });
    return ends;
  });
}

/** Withdraws a cancellation before it takes effect and restores the plans. @throws CovermapError `customer_unknown`, `customer_not_cancelled` */
export async function withdrawCancellation(db: Database, customerId: number, actor: Actor, at: Date) {
  await db.transaction(async (connection) => {
    const { closes_at } = await lockCustomer(connection, customerId);
    if (!closes_at || closes_at <= at) {
      const message = closes_at ? 'The notice has taken effect.' : 'The customer has not given notice.';
      throw new CovermapError('customer_not_cancelled', message);
    }
    await lockMonths(connection);
    await connection.query(sql`
      update customer_plan p set ends = b.ends from plan_before_notice b
      where p.customer_id = ${customerId} and b.customer_id = p.customer_id and b.begins = p.begins`);
    await connection.query(sql`
      insert into customer_plan (customer_id, plan, begins, ends)
      select customer_id, plan, begins, ends from plan_before_notice b
      where customer_id = ${customerId} and not exists (
        select from customer_plan p where p.customer_id = b.customer_id and p.begins = b.begins)`);
    await reopen(connection, customerId);
    await record(connection, actor, { action: 'cancellation_withdrawn', customerId });
  });
}

async function reopen(connection: Connection, customerId: number) {
  await connection.query(sql`delete from plan_before_notice where customer_id = ${customerId}`);
  await connection.query(
    sql`update customer set cancelled_on = null, closes_at = null where id = ${customerId}`,
  );
}

type Closing = { closes_at: Date | null };

/** @returns the day on which a customer left who had given notice @throws CovermapError `customer_cancelled` if it is yet to come */
function requireNoNotice({ closes_at }: Closing, today: Day): Day | null {
  const closes = closes_at && dayOf(closes_at);
  if (closes === null || closes <= today) return closes;
  const message = `The customer has given notice; everything ends on ${closes}.`;
  throw new CovermapError('customer_cancelled', message, 'Withdraw the cancellation first.');
}

/** Locks a customer's row. @throws CovermapError `customer_unknown` */
async function lockCustomer(connection: Connection, id: number): Promise<Closing> {
  // "no key": rows that refer to the customer, such as counts, can be added meanwhile.
  const { rows } = await connection.query<Closing>(sql`
    select closes_at from customer where id = ${id} for no key update`);
  if (!rows[0]) throw new CovermapError('customer_unknown');
  return rows[0];
}

function requireDay(day: Day | undefined) {
  if (day !== undefined && !isDay(day)) throw wrongDate('A date is written as 2026-12-01.');
}

const wrongDate = (why: string): CovermapError =>
  new CovermapError('plan_date_invalid', `This is not possible from that day. ${why}`);
