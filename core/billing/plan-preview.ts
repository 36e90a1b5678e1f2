import { randomUUID } from 'node:crypto';
import { serviceActor } from '../actor.ts';
import type { Connection, Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { type Day, dayOf, startOfDay } from '../nz-time.ts';
import { findInvoice, type Invoice, invoiceTotals } from './invoices.ts';
import { invoicePlanStartsWithin } from './plan-start.ts';
import { type PlanChange, setPlanWithin } from './plans.ts';
import { planAfter, planOn, planPeriods } from './terms.ts';

/** What starting or changing a plan is invoiced with. */
export interface PlanPreview {
  begins: Day | null;
  /** The total, GST included, of what is issued at once. */
  total_cents: number;
  /** Issued at once, or on the day on which the plan starts. None where the fee is on the invoice of the month before. */
  invoices: Invoice[];
}

/**
 * What starting or changing a plan would issue. It is done and rolled back, so that it is what will be issued; nothing is changed.
 * @param customerId undefined: a new customer's
 * @throws CovermapError as `setPlan`
 */
export async function previewPlan(
  db: Database,
  customerId: number | undefined,
  change: Pick<PlanChange, 'plan' | 'begins'>,
  at: Date,
): Promise<PlanPreview> {
  let preview: PlanPreview | undefined;
  const rolledBack = new Error('a preview is rolled back');
  const done = db.transaction(async (connection) => {
    preview = await setAndRead(connection, customerId ?? (await insertCustomer(connection)), change, at);
    throw rolledBack;
  });
  await done.catch((error) => {
    if (error !== rolledBack) throw error;
  });
  return preview as PlanPreview;
}

async function setAndRead(
  connection: Connection,
  customerId: number,
  change: PlanChange,
  at: Date,
): Promise<PlanPreview> {
  const atOnce = await setPlanWithin(connection, customerId, change, serviceActor, at);
  const today = dayOf(at);
  const periods = (await planPeriods(connection, customerId)).get(customerId) ?? [];
  const begins = (planAfter(periods, today) ?? planOn(periods, today))?.begins ?? null;
  const later =
    begins !== null && begins > today
      ? await invoicePlanStartsWithin(connection, serviceActor, startOfDay(begins), customerId)
      : [];
  const invoices: Invoice[] = [];
  for (const number of [...atOnce, ...later]) invoices.push(await findInvoice(connection, number));
  return { begins, total_cents: invoiceTotals(invoices.slice(0, atOnce.length)).total_cents, invoices };
}

/** A customer without keys, of whom nobody will know. @returns its id */
async function insertCustomer(connection: Connection): Promise<number> {
  const { rows } = await connection.query<{ id: number }>(sql`
    insert into customer (name) values (${randomUUID()}) returning id`);
  return (rows[0] as { id: number }).id;
}
