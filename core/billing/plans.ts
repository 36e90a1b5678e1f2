import type { Actor } from '../access/actor.ts';
import { record } from '../audit.ts';
import type { Connection, Database } from '../database/database.ts';
import { CovermapError } from '../errors.ts';
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
} from '../nz-time.ts';
import type { PlanPeriod } from './charges.ts';
import { invoicePlanStartsWithin } from './plan-start.ts';
import { closedThrough, listPlans, lockMonths, planPeriods } from './terms.ts';

/** So far ahead a plan can be started or changed. Months */
const mostMonthsAhead = 12;

/**
 * Gives a customer a plan: from a day on where there is none, else in the place of the present one from the first of a
 * month to come. Naming the present plan takes back a change that is yet to come.
 * @param begins undefined: today, or the first of the next month; of a plan that is yet to begin, its own day
 * @throws CovermapError `customer_unknown`, `plan_unknown`, `plan_date_invalid`, `customer_cancelled`
 */
export async function setPlan(
  db: Database,
  customerId: number,
  { plan, begins }: { plan: string; begins?: Day | undefined },
  actor: Actor,
  at: Date,
): Promise<void> {
  await db.transaction(async (connection) => {
    await setPlanWithin(connection, customerId, { plan, begins }, actor, at);
  });
}

/** {@link setPlan} within a transaction. */
export async function setPlanWithin(
  connection: Connection,
  customerId: number,
  { plan, begins }: { plan: string; begins?: Day | undefined },
  actor: Actor,
  at: Date,
): Promise<void> {
  const customer = await lockCustomer(connection, customerId);
  const offered = (await listPlans(connection)).filter((known) => known.offered).map(({ name }) => name);
  if (!offered.includes(plan)) {
    throw new CovermapError(
      'plan_unknown',
      `There is no plan "${plan}".`,
      `Use one of ${offered.join(', ')}.`,
    );
  }
  const today = dayOf(at);
  const closes = customer.closes_at && dayOf(customer.closes_at);
  if (closes && closes > today) {
    throw new CovermapError(
      'customer_cancelled',
      `The customer has given notice; everything ends on ${closes}.`,
      'Take the notice back first.',
    );
  }
  if (begins !== undefined && !isDay(begins)) throw wrongDate('A date is written as 2026-12-01.');
  // Closing a month takes the same lock: nothing is closed between the look and the change.
  await lockMonths(connection);
  const closed = await closedThrough(connection);
  const periods = (await planPeriods(connection, customerId)).get(customerId) ?? [];
  const present = periods.find(({ ends }) => ends === null || ends > today);
  const begun =
    present !== undefined && (present.begins <= today || (await isInvoiced(connection, present.id)));
  const from = begins ?? (begun ? firstDay(addMonths(monthOf(at), 1)) : (present?.begins ?? today));
  if (daysBetween(today, from) > mostMonthsAhead * 31) {
    throw wrongDate(`It is more than ${mostMonthsAhead} months ahead.`);
  }
  if (begun) {
    await changePlan(connection, customerId, { present, from, plan, today });
  } else {
    if (closed !== undefined && monthOfDay(from) <= closed) throw wrongDate(`${closed} is closed.`);
    if (closes && from < closes) throw wrongDate(`The plan before it ended on ${closes}.`);
    if (present) await connection.query('delete from customer_plan where id = $1', [present.id]);
    const last = periods.filter(({ ends }) => ends !== null && ends <= today).at(-1);
    if (last?.ends && from < last.ends) throw wrongDate(`The plan before it ended on ${last.ends}.`);
    await connection.query('insert into customer_plan (customer_id, plan, begins) values ($1, $2, $3)', [
      customerId,
      plan,
      from,
    ]);
    // Who comes back is no longer somebody who has left, and the keys that were left are good again.
    await connection.query('update customer set cancelled_on = null, closes_at = null where id = $1', [
      customerId,
    ]);
    await connection.query('delete from plan_before_notice where customer_id = $1', [customerId]);
  }
  await record(connection, actor, { action: 'plan_changed', customerId, details: { plan, begins: from } });
  await invoicePlanStartsWithin(connection, actor, at, customerId);
}

async function changePlan(
  connection: Connection,
  customerId: number,
  { present, from, plan, today }: { present: PlanPeriod; from: Day; plan: string; today: Day },
): Promise<void> {
  if (!from.endsWith('-01') || from <= today || from <= present.begins) {
    throw wrongDate('A plan is changed from the first of a month to come: its fee is paid in advance.');
  }
  // What was to come after the present plan is replaced; of that, no fee has been booked.
  await connection.query('delete from customer_plan where customer_id = $1 and begins > $2 and id <> $3', [
    customerId,
    today,
    present.id,
  ]);
  const stays = present.plan.name === plan;
  await connection.query('update customer_plan set ends = $2 where id = $1', [
    present.id,
    stays ? null : from,
  ]);
  if (stays) return;
  await connection.query('insert into customer_plan (customer_id, plan, begins) values ($1, $2, $3)', [
    customerId,
    plan,
    from,
  ]);
}

/**
 * Takes a customer's notice: the plan, and with it every key, ends with the month after that of the notice.
 * @param noticeOn undefined: today
 * @returns the first day that is not paid for any more
 * @throws CovermapError `customer_unknown`, `no_plan`, `customer_cancelled`, `plan_date_invalid`
 */
export async function cancelCustomer(
  db: Database,
  customerId: number,
  noticeOn: Day | undefined,
  actor: Actor,
  at: Date,
): Promise<Day> {
  return db.transaction(async (connection) => {
    const customer = await lockCustomer(connection, customerId);
    const today = dayOf(at);
    if (customer.closes_at) {
      const closes = dayOf(customer.closes_at);
      throw new CovermapError(
        'customer_cancelled',
        `The customer has given notice already; everything ${closes > today ? 'ends' : 'ended'} on ${closes}.`,
      );
    }
    const notice = noticeOn ?? today;
    if (!isDay(notice)) throw wrongDate('A date is written as 2026-12-01.');
    if (notice > today) throw wrongDate('Notice cannot be given on a day that is yet to come.');
    await lockMonths(connection);
    const ends = firstDay(addMonths(monthOfDay(notice), 2));
    if (ends <= today) throw wrongDate(`With that notice it would have ended on ${ends}.`);
    const periods = (await planPeriods(connection, customerId)).get(customerId) ?? [];
    if (!periods.some((period) => period.ends === null || period.ends > today)) {
      throw new CovermapError(
        'no_plan',
        'The customer has no plan that could end.',
        'Revoke its keys instead.',
      );
    }
    // As they are, for the case that the notice is withdrawn.
    await connection.query(
      `insert into plan_before_notice (customer_id, plan, begins, ends)
       select customer_id, plan, begins, ends from customer_plan
       where customer_id = $1 and (ends is null or ends > $2)`,
      [customerId, ends],
    );
    for (const period of periods) {
      if (period.begins >= ends)
        await connection.query('delete from customer_plan where id = $1', [period.id]);
      else if (period.ends === null || period.ends > ends) {
        await connection.query('update customer_plan set ends = $2 where id = $1', [period.id, ends]);
      }
    }
    await connection.query('update customer set cancelled_on = $2, closes_at = $3 where id = $1', [
      customerId,
      notice,
      startOfDay(ends),
    ]);
    await record(connection, actor, {
      action: 'customer_cancelled',
      customerId,
      details: { notice_on: notice, ends_on: ends },
    });
    return ends;
  });
}

/**
 * Takes a notice back, as long as it has not taken effect: plans are as they were before it, a change that is yet to come
 * included.
 * @throws CovermapError `customer_unknown`, `customer_not_cancelled`
 */
export async function withdrawCancellation(
  db: Database,
  customerId: number,
  actor: Actor,
  at: Date,
): Promise<void> {
  await db.transaction(async (connection) => {
    const customer = await lockCustomer(connection, customerId);
    if (!customer.closes_at || customer.closes_at <= at) {
      throw new CovermapError(
        'customer_not_cancelled',
        customer.closes_at ? 'The notice has taken effect.' : 'The customer has not given notice.',
        'Start a plan instead.',
      );
    }
    await lockMonths(connection);
    const { rows: before } = await connection.query<{ plan: string; begins: Day; ends: Day | null }>(
      'delete from plan_before_notice where customer_id = $1 returning plan, begins, ends',
      [customerId],
    );
    if (before.length === 0) {
      // The notice was given before they were kept.
      await connection.query('update customer_plan set ends = null where customer_id = $1 and ends = $2', [
        customerId,
        dayOf(customer.closes_at),
      ]);
    }
    for (const { plan, begins, ends } of before.sort((a, b) => a.begins.localeCompare(b.begins))) {
      const { rowCount } = await connection.query(
        'update customer_plan set ends = $3 where customer_id = $1 and begins = $2',
        [customerId, begins, ends],
      );
      if (rowCount > 0) continue;
      await connection.query(
        'insert into customer_plan (customer_id, plan, begins, ends) values ($1, $2, $3, $4)',
        [customerId, plan, begins, ends],
      );
    }
    await connection.query('update customer set cancelled_on = null, closes_at = null where id = $1', [
      customerId,
    ]);
    await record(connection, actor, { action: 'cancellation_withdrawn', customerId });
  });
}

async function lockCustomer(connection: Connection, id: number): Promise<{ closes_at: Date | null }> {
  // Rows that refer to the customer can be added meanwhile: a count of its queries does not wait for this.
  const { rows } = await connection.query<{ closes_at: Date | null }>(
    'select closes_at from customer where id = $1 for no key update',
    [id],
  );
  if (!rows[0]) throw new CovermapError('customer_unknown', 'There is no such customer.');
  return rows[0];
}

async function isInvoiced(connection: Connection, periodId: number): Promise<boolean> {
  const { rows } = await connection.query('select from ledger_entry where customer_plan_id = $1 limit 1', [
    periodId,
  ]);
  return rows.length > 0;
}

function wrongDate(why: string): CovermapError {
  return new CovermapError('plan_date_invalid', `This is not possible from that day. ${why}`);
}
