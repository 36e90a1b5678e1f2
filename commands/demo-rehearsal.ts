import { randomUUID } from 'node:crypto';
import { serviceActor } from '../access/actor.ts';
import { invoicePlanStarts } from '../billing/plan-start.ts';
import { openRehearsal } from '../billing/rehearsal/rehearsal.ts';
import { applyBatches } from '../billing/usage-batches.ts';
import type { Connection } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { dayOf, monthOf, monthsBetween } from '../platform/nz-time.ts';
import { closeMonthsDue } from '../workers/close-month.ts';
import { queueMailDue } from '../workers/mail.ts';
import type { Application } from './application.ts';
import { demoAccess } from './demo.ts';
import { hoursOf } from './demo-billing.ts';

/** A month's queries for a bundle: it is used up in the last week. */
const ofBundle = 1.25;
/** A month's queries of a customer without a plan. */
const withoutPlan = 300;

/** The rehearsal of months in the demo, for as long as the demo's token of staff works: who keeps real customers has revoked it. */
export const openDemoRehearsal = (application: Application) =>
  openRehearsal(application.database, {
    isDemo: async () => (await demoAccess(application.database)).staff,
    async isSending(connection) {
      // What is claimed at the same time is waited for and seen; nothing is claimed until the copy is there.
      await connection.query('lock table mail_message in exclusive mode');
      const { rowCount } = await connection.query(`select from mail_message where state = 'sending' limit 1`);
      return rowCount > 0;
    },
    makeUsage,
    jobsTime: application.config.closeTime ?? '06:00:00',
    async runJobs(at) {
      await invoicePlanStarts(application.database, serviceActor, at);
      await closeMonthsDue(application, at);
      await queueMailDue(application.database, at);
    },
  });

/** Queries of every customer with an active key in the whole hours between two instants. */
async function makeUsage(connection: Connection, from: Date, to: Date): Promise<void> {
  const { rows } = await connection.query<{ key: number; customer: number; bundle: number | null }>(sql`
    select min(k.id) as key, c.id as customer, max(n.bundled_queries) as bundle
    from customer c join api_key k on k.customer_id = c.id and k.revoked_at is null
    left join customer_plan p on p.customer_id = c.id and p.begins <= ${dayOf(to)}::date and (p.ends is null or p.ends > ${dayOf(to)}::date)
    left join plan n on n.name = p.plan
    where c.closes_at is null or c.closes_at > ${to}
    group by c.id`);
  const counts = rows.flatMap(({ key, customer, bundle }) => {
    const asked = bundle === null ? withoutPlan : bundle * ofBundle;
    return monthsBetween(monthOf(from), monthOf(to))
      .flatMap((month) => hoursOf(month, asked, customer, to))
      .filter(([hour]) => hour >= from.getTime())
      .map(([hour, queries]) => ({ keyId: key, hour, queries }));
  });
  await applyBatches(connection, randomUUID(), [{ sequence: 1, counts }]);
}
