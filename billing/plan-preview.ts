import { randomUUID } from 'node:crypto';
import { serviceActor } from '../access/actor.ts';
import type { Connection, Database } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { dayOf, startOfDay } from '../platform/nz-time.ts';
import { findInvoice, type Invoice, invoiceTotals } from './invoices.ts';
import { invoicePlanStarts } from './plan-start.ts';
import { type PlanChange, setPlan } from './plans.ts';
import { planAfter, planOn, planPeriods } from './terms.ts';

/**
 * The invoices of starting or changing a plan, at once or when it starts, and the total of those at once. Does it and rolls it back, so that the
 * figures are exact. @param customerId undefined: a new customer's @throws CovermapError as {@link setPlan}
 */
export async function previewPlan(
  db: Database,
  customerId: number | undefined,
  change: Pick<PlanChange, 'plan' | 'begins'>,
  at: Date,
) {
  let preview: Awaited<ReturnType<typeof setAndRead>> | undefined;
  const rolledBack = new Error('a preview is rolled back');
  const done = db.transaction(async (connection) => {
    preview = await setAndRead(connection, customerId ?? (await insertCustomer(connection)), change, at);
    throw rolledBack;
  });
  await done.catch((error) => {
    if (error !== rolledBack) throw error;
  });
  return preview as NonNullable<typeof preview>;
}

async function setAndRead(connection: Connection, customerId: number, change: PlanChange, at: Date) {
  const atOnce = await setPlan(connection, customerId, { ...change, isPreview: true }, serviceActor, at);
  const today = dayOf(at);
  const periods = await planPeriods(connection, customerId);
  const begins = (planAfter(periods, today) ?? planOn(periods, today))?.begins ?? null;
  const later =
    begins !== null && begins > today
      ? await invoicePlanStarts(connection, serviceActor, startOfDay(begins), customerId, 'issue')
      : [];
  const invoices: Invoice[] = [];
  for (const number of [...atOnce, ...later.map((issued) => issued.number)]) {
    invoices.push(await findInvoice(connection, number, at));
  }
  return { begins, total_cents: invoiceTotals(invoices.slice(0, atOnce.length)).total_cents, invoices };
}

/** A customer without keys, for the preview. @returns its id */
async function insertCustomer(connection: Connection): Promise<number> {
  const { rows } = await connection.query<{ id: number }>(sql`
    insert into customer (name) values (${randomUUID()}) returning id`);
  return (rows[0] as { id: number }).id;
}
