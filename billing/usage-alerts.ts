import { enqueue } from '../mail/outbox.ts';
import type { Database } from '../platform/database/database.ts';
import { dayOf, monthName, monthOf } from '../platform/nz-time.ts';
import { freeLeft } from './charges.ts';
import { type BilledCustomer, billedCustomers } from './customers.ts';
import { mayOwe } from './forecast.ts';
import type { Alone } from './mailing.ts';
import { monthUsage } from './usage.ts';

/* What customers are told of their usage: 50, 80 and 100 % of what is included and of a cap, and the day on which it will be used up. */

const levels = [100, 80, 50] as const;
/** A forecast of fewer days of a month would be told too early. */
const firstForecastDay = 10;

/** The highest level that was reached, but not before. @param before queries before this month */
export function levelReached(used: number, limit: number, before = 0): number | undefined {
  const level = levels.find((one) => used * 100 >= limit * one);
  return level !== undefined && before * 100 < limit * level ? level : undefined;
}

/** Queues what is to be told of the usage of all customers with an e-mail address, each once. @param alone does the work of a customer, whose failure holds up no other */
export async function queueUsageAlerts(database: Database, at: Date, alone: Alone): Promise<void> {
  const month = monthOf(at);
  const { rows } = await database.query<{ id: number }>(
    `select customer_id as id from billing_contact where customer_id is not null and email <> ''`,
  );
  if (rows.length === 0) return;
  const customerIds = rows.map(({ id }) => id);
  const customers = (await billedCustomers(database, month, { customerIds })).filter(
    ({ closes_at, counts }) => (closes_at === null || closes_at > at) && counts.months.has(month),
  );
  if (customers.length === 0) return;
  const usageOf = await monthUsage(database, customers, month, at);
  for (const customer of customers)
    await alone({ customer: customer.id }, () => alert(database, customer, usageOf(customer), at));
}

type Usage = ReturnType<Awaited<ReturnType<typeof monthUsage>>>;

async function alert(database: Database, customer: BilledCustomer, usage: Usage, at: Date): Promise<void> {
  const account = { kind: 'customer', id: customer.id } as const;
  const month = monthOf(at);
  const isCharged = mayOwe(customer, at);
  for (const { set_by, used: queries, max_queries: limit, only_warns } of usage.caps) {
    const percent = limit ? levelReached(queries, limit) : undefined;
    if (!limit || percent === undefined) continue;
    const event = `cap:${month}:${set_by}:${percent}`;
    const data = {
      of: 'cap' as const,
      month: monthName(month),
      percent,
      queries,
      limit,
      isCharged: only_warns,
    };
    await enqueue(database, { account, event, template: 'usage', data }, at);
  }
  const { bundle, bundled, overage, projection } = usage;
  if (bundle === 0) {
    const limit = customer.free_queries - customer.free_lost;
    const used = limit - freeLeft(customer.counts, limit);
    const percent = levelReached(used, limit, Math.min(limit, customer.counts.before));
    if (percent === undefined) return;
    const data = { of: 'free' as const, month: '', percent, queries: used, limit, isCharged };
    await enqueue(database, { account, event: `free:${percent}`, template: 'usage', data }, at);
    return;
  }
  const used = bundled + overage;
  const percent = levelReached(used, bundle);
  const named = { month: monthName(month) };
  if (percent !== undefined) {
    const data = { of: 'bundle' as const, ...named, percent, queries: used, limit: bundle, isCharged };
    await enqueue(database, { account, event: `usage:${month}:${percent}`, template: 'usage', data }, at);
  }
  const usedUpOn = projection?.used_up_on;
  if (projection && usedUpOn && Number(dayOf(at).slice(8)) >= firstForecastDay) {
    const data = { ...named, queries: used, bundle, expected: projection.queries, usedUpOn };
    await enqueue(database, { account, event: `forecast:${month}`, template: 'forecast', data }, at);
  }
}
