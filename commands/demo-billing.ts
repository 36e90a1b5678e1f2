import { serviceActor } from '../core/access/actor.ts';
import { createKey } from '../core/access/api-keys.ts';
import { closeMonth } from '../core/billing/close.ts';
import { customerByName } from '../core/billing/customers.ts';
import { closedThrough, closingTime } from '../core/billing/months.ts';
import { setPlan } from '../core/billing/plans.ts';
import type { Database } from '../core/database/database.ts';
import { sql } from '../core/database/sql.ts';
import { addMonths, dayOf, daysOfMonth, firstDay, monthOf, startOfDay } from '../core/nz-time.ts';

const hourMs = 3_600_000;
/** Months before this one that have usage and invoices. */
const monthsBack = 2;

/** Who asks how much: queries a month, month by month until this one. */
const customers = [
  { name: 'Demo', plan: 'low', asks: [78_400, 71_900, 80_600] },
  { name: 'Kea Homes', plan: 'medium', asks: [96_000, 131_000, 149_000] },
  { name: 'Tui Apps', plan: undefined, asks: [0, 310, 420] },
];

/**
 * Gives the demo's customers plans and usage until the hour before now, and closes the months before this one, so that there are
 * invoices. Does nothing where somebody already has a plan.
 */
export async function seedBilling(database: Database, now: Date): Promise<void> {
  const { rows } = await database.query('select from customer_plan limit 1');
  if (rows[0] || (await closedThrough(database)) !== undefined) return;
  const first = addMonths(monthOf(now), -monthsBack);
  for (const [index, { name, plan, asks }] of customers.entries()) {
    // The first has its public key already.
    if (index > 0) await createKey(database, name);
    const id = await customerByName(database, name);
    const counts = asks.flatMap((asked, month) => hoursOf(addMonths(first, month), asked, index, now));
    await database.query(sql`
      insert into usage_hour (key_id, hour, queries)
      select (select min(id) from api_key where customer_id = ${id}), to_timestamp(hour / 1000.0), queries
      from unnest(${counts.map(([hour]) => hour)}::bigint[],
        ${counts.map(([, queries]) => queries)}::bigint[]) as counted (hour, queries)`);
    if (plan) await setPlan(database, id, { plan, begins: firstDay(first) }, serviceActor, now);
  }
  for (let back = monthsBack; back > 0; back--) {
    const month = addMonths(monthOf(now), -back);
    const at = closingTime(month, '06:00:00');
    await closeMonth(database, month, serviceActor, at < now ? at : now);
  }
}

/** A month's queries by hour, most of them in the daytime of working days. */
function hoursOf(month: string, asked: number, seed: number, now: Date): [hour: number, queries: number][] {
  const days = daysOfMonth(month);
  const hours: [number, number][] = [];
  for (const [index, day] of days.entries()) {
    const begins = startOfDay(day).getTime();
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    const weight = weekday === 0 ? 0.45 : weekday === 6 ? 0.6 : 1.2;
    for (let hour = 0; hour < 24; hour++) {
      const at = begins + hour * hourMs;
      if (at + hourMs > now.getTime() || dayOf(new Date(at)) !== day) break;
      const daytime = Math.max(0.08, Math.sin(((hour - 6) / 16) * Math.PI));
      // Between 0.7 and 1.3, the same at every start.
      const wander = 1 + 0.3 * Math.sin(index * 2.3 + hour * 1.7 + seed * 4.1);
      const queries = Math.round(((asked * weight) / days.length / 24) * daytime * wander * 2.2);
      if (queries > 0) hours.push([at, queries]);
    }
  }
  return hours;
}
