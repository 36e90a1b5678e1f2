import { randomUUID } from 'node:crypto';
import { serviceActor } from '../access/actor.ts';
import { createKey } from '../access/api-keys.ts';
import { setCap } from '../billing/caps.ts';
import { closeMonth } from '../billing/close.ts';
import { issueCreditNote } from '../billing/credit-notes.ts';
import { customerByName } from '../billing/customers.ts';
import { presentIssuer, recordIssuer } from '../billing/issuer.ts';
import { closedThrough, closingTime } from '../billing/months.ts';
import { setPlan } from '../billing/plans.ts';
import { recordPayment } from '../billing/receivables/payments.ts';
import { applyBatches } from '../billing/usage-batches.ts';
import type { HourCount } from '../billing/usage-file.ts';
import type { Connection, Database } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import {
  addMonths,
  type Day,
  dayOf,
  daysOfMonth,
  type Month,
  monthOf,
  monthsBetween,
  startOfDay,
  startOfMonth,
} from '../platform/nz-time.ts';

const hourMs = 3_600_000;
/** A cap that the last of these months nearly reaches. */
const nearlyReached = { queries: 155_000, budget_cents: null, only_warns: true };
/** What was paid of an invoice of more. */
const partPaidCents = 50_000;
/** A day of the plan that the second customer began with, without GST. */
const creditedCents = 2_500;
/** Earlier months with usage and invoices. */
const monthsBack = 2;

/** Made up, with all that an invoice has to name. */
const issuer = {
  name: 'covermap',
  address: '12 Example Street\nWellington 6011',
  gstNumber: '000-000-000',
  payment: 'Please pay to 00-0000-0000000-00, with the number of the invoice.',
};

/** Customers and their queries by month, up to this one. */
const customers = [
  { name: 'Demo', plan: 'low', asks: [78_400, 71_900, 80_600] },
  { name: 'Kea Homes', plan: 'medium', asks: [96_000, 131_000, 149_000] },
  { name: 'Tui Apps', plan: undefined, asks: [0, 310, 420] },
];

/** Gives the demo's customers plans and usage until the last hour and closes earlier months, in order of time, unless a customer has a plan. */
export async function seedBilling(database: Database, now: Date): Promise<void> {
  // Who has configured another becomes it when the API starts.
  if (!(await presentIssuer(database))) await recordIssuer(database, issuer);
  const isNew = await database.transaction(async (connection) => {
    const { rows } = await connection.query('select from customer_plan limit 1');
    if (rows[0] || (await closedThrough(connection)) !== undefined) return false;
    const current = monthOf(now);
    const first = addMonths(current, -monthsBack);
    const keys: number[] = [];
    for (const { name, plan } of customers) {
      keys.push(await startCustomer(connection, name, plan, startOfMonth(first)));
    }
    const meter = randomUUID();
    for (const [index, month] of monthsBetween(first, current).entries()) {
      const counts = customers.flatMap(({ asks }, seed) =>
        hoursOf(month, asks[index] as number, seed, now).map(([hour, queries]) => {
          return { keyId: keys[seed] as number, hour, queries } satisfies HourCount;
        }),
      );
      await applyBatches(connection, meter, [{ sequence: index + 1, counts }]);
      if (month === current) continue;
      const at = closingTime(month, '06:00:00');
      await closeMonth(connection, month, serviceActor, at < now ? at : now);
    }
    await payInvoices(connection, now);
    await creditOutage(connection, now);
    return true;
  });
  if (!isNew) return;
  const capped = await customerByName(database, 'Kea Homes');
  await setCap(database, capped, 'customer', nearlyReached, serviceActor);
}

/** Pays the invoices of the plans' start, and a part of one of the month after: another stays unpaid, and is overdue after its day. */
async function payInvoices(connection: Connection, now: Date): Promise<void> {
  const { rows } = await connection.query<{
    number: number;
    id: number;
    name: string;
    due: Day;
    left: number;
    starts: boolean;
  }>(sql`
    select i.number, i.customer_id as id, i.recipient as name, i.due_on as due, o.left_cents as left, i.occasion = 'plan_start' as starts
    from invoice i join open_invoice o on o.number = i.number
    where i.customer_id is not null and i.month = (select min(month) from invoice where customer_id is not null) order by i.number`);
  const today = dayOf(now);
  for (const { number, id, name, due, left, starts } of rows) {
    if (!starts && name !== customers[1]?.name) continue;
    const cents = starts ? left : partPaidCents;
    const words = { particulars: name.slice(0, 12), code: '', reference: `INV ${number}` };
    const payment = {
      account: { kind: 'customer', id } as const,
      day: due < today ? due : today,
      cents,
      method: 'bank_transfer' as const,
    };
    const allocations = [{ invoice: number, cents }];
    await recordPayment(
      connection,
      { ...payment, ...words, allocations, cause: `payment:demo:${number}` },
      { largeFromCents: Number.POSITIVE_INFINITY },
      serviceActor,
      now,
    );
  }
}

/** Credits a part of a paid invoice: the account has credit for its next one. */
async function creditOutage(connection: Connection, now: Date): Promise<void> {
  const { rows } = await connection.query<{ number: number }>(sql`
    select min(number) as number from invoice where recipient = ${customers[1]?.name}`);
  const note = {
    invoice: rows[0]?.number as number,
    lines: [{ position: 1, cents: creditedCents }],
    reason: 'A day without service',
    cause: 'demo',
  };
  await issueCreditNote(connection, note, { largeFromCents: Number.POSITIVE_INFINITY }, serviceActor, now);
}

/** Creates a customer with a key, as of an instant, and starts its plan. The first one has its public key already. @returns the id of the key */
async function startCustomer(connection: Connection, name: string, plan: string | undefined, at: Date) {
  if (name !== customers[0]?.name) await createKey(connection, name);
  const id = await customerByName(connection, name);
  await connection.query(sql`update customer set created_at = ${at} where id = ${id}`);
  const { rows } = await connection.query<{ id: number }>(sql`
    update api_key set created_at = ${at} where id = (select min(id) from api_key where customer_id = ${id}) returning id`);
  // Nobody reads these: without a mail server of its own, the demo sends nothing.
  const email = `accounts@${name.toLowerCase().replaceAll(' ', '-')}.example`;
  await connection.query(sql`
    insert into billing_contact (customer_id, address, email) values (${id}, ${'1 Harbourview Road\nAuckland 1010'}, ${email})
    on conflict (customer_id) do nothing`);
  if (plan) await setPlan(connection, id, { plan, begins: dayOf(at) }, serviceActor, at);
  return (rows[0] as { id: number }).id;
}

/** A month's queries by hour, most of them in the daytime of working days. */
export function hoursOf(
  month: Month,
  asked: number,
  seed: number,
  now: Date,
): [hour: number, queries: number][] {
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
