import type { Actor } from '../actor.ts';
import { record } from '../audit.ts';
import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { CovermapError } from '../errors.ts';
import { addMonths, type Day, dayOf, firstDay, isDay, monthOfDay, startOfDay } from '../nz-time.ts';
import { lockMonths } from './months.ts';
import { lockCustomer, wrongDate } from './plans.ts';
import { planPeriods } from './terms.ts';

/**
 * Cancels a customer: plan and keys end with the month after that of the notice.
 * @param noticeOn undefined: today
 * @returns the first day without plan and keys
 * @throws CovermapError `customer_unknown`, `no_plan`, `customer_cancelled`, `plan_date_invalid`
 */
export async function cancelCustomer(
  db: Database,
  customerId: number,
  noticeOn: Day | undefined,
  actor: Actor,
  at: Date,
): Promise<Day> {
  const today = dayOf(at);
  const notice = noticeOn ?? today;
  return db.transaction(async (connection) => {
    const customer = await lockCustomer(connection, customerId);
    if (customer.closes_at) {
      const closes = dayOf(customer.closes_at);
      throw new CovermapError(
        'customer_cancelled',
        `The customer has given notice already; everything ${closes > today ? 'ends' : 'ended'} on ${closes}.`,
      );
    }
    if (!isDay(notice)) throw wrongDate('A date is written as 2026-12-01.');
    if (notice > today) throw wrongDate('Notice cannot be given on a day that is yet to come.');
    await lockMonths(connection);
    const ends = firstDay(addMonths(monthOfDay(notice), 2));
    if (ends <= today) throw wrongDate(`With that notice it would have ended on ${ends}.`);
    const periods = (await planPeriods(connection, customerId)).get(customerId) ?? [];
    if (!periods.some((period) => period.ends === null || period.ends > today)) {
      throw new CovermapError('no_plan');
    }
    // Kept for a withdrawal of the notice.
    await connection.query(sql`
      insert into plan_before_notice (customer_id, plan, begins, ends)
      select customer_id, plan, begins, ends from customer_plan
      where customer_id = ${customerId} and (ends is null or ends > ${ends})`);
    await connection.query(
      sql`delete from customer_plan where customer_id = ${customerId} and begins >= ${ends}`,
    );
    await connection.query(sql`
      update customer_plan set ends = ${ends}
      where customer_id = ${customerId} and (ends is null or ends > ${ends})`);
    await connection.query(sql`
      update customer set cancelled_on = ${notice}, closes_at = ${startOfDay(ends)} where id = ${customerId}`);
    await record(connection, actor, {
      action: 'customer_cancelled',
      customerId,
      details: { notice_on: notice, ends_on: ends },
    });
    return ends;
  });
}

/**
 * Withdraws a cancellation that has not taken effect: plans, an upcoming one included, are as they were before it.
 * @throws CovermapError `customer_unknown`, `customer_not_cancelled`
 */
export async function withdrawCancellation(db: Database, customerId: number, actor: Actor, at: Date) {
  await db.transaction(async (connection) => {
    const customer = await lockCustomer(connection, customerId);
    if (!customer.closes_at || customer.closes_at <= at) {
      const message = customer.closes_at
        ? 'The notice has taken effect.'
        : 'The customer has not given notice.';
      throw new CovermapError('customer_not_cancelled', message);
    }
    await lockMonths(connection);
    const { rows: before } = await connection.query<{ plan: string; begins: Day; ends: Day | null }>(sql`
      delete from plan_before_notice where customer_id = ${customerId} returning plan, begins, ends`);
    if (before.length === 0) {
      // The notice was given before plans were kept with it.
      await connection.query(sql`
        update customer_plan set ends = null
        where customer_id = ${customerId} and ends = ${dayOf(customer.closes_at)}`);
    }
    for (const { plan, begins, ends } of before.sort((a, b) => a.begins.localeCompare(b.begins))) {
      await connection.query(sql`
        with kept as (
          update customer_plan set ends = ${ends}::date
          where customer_id = ${customerId} and begins = ${begins}::date returning 1
        )
        insert into customer_plan (customer_id, plan, begins, ends)
        select ${customerId}::integer, ${plan}::text, ${begins}::date, ${ends}::date
        where not exists (select from kept)`);
    }
    await connection.query(sql`
      update customer set cancelled_on = null, closes_at = null where id = ${customerId}`);
    await record(connection, actor, { action: 'cancellation_withdrawn', customerId });
  });
}
