import type { Actor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import { enqueue } from '../mail/outbox.ts';
import type { Connection, Database, Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import { addDays, type Day, dayOf, daysBetween, monthOfDay } from '../platform/nz-time.ts';
import { type Account, type AccountId, accountKey, accountSql, requireAccount } from './ledger.ts';
import { type Alone, invoiceLink, invoicesLink, letterhead } from './mailing.ts';
import { isOver, lockMonths, nextToClose } from './months.ts';
import { statementPaper } from './papers/statement-paper.ts';
import { creditOf } from './receivables/allocations.ts';
import { readSetting } from './settings.ts';

/* Reminders of open invoices by a schedule, and statements. */

/** A reminder that nobody was there to send, as the workers were down, is sent this many days late at most. */
const maxLateDays = 7;

interface OpenInvoice {
  number: number;
  recipient: Account;
  issuedOn: Day;
  dueOn: Day;
  leftCents: number;
}

/** The day of the schedule that an invoice has reached, in days from its due date; undefined where none is due today. */
function stepDue(
  { issuedOn, dueOn }: Pick<OpenInvoice, 'issuedOn' | 'dueOn'>,
  today: Day,
  schedule: readonly number[],
): number | undefined {
  const days = daysBetween(dueOn, today);
  // Of several that have passed only the last is told.
  const step = schedule.filter((one) => one <= days).reduce((last, one) => Math.max(last, one), -Infinity);
  const isDue = Number.isFinite(step) && days - step <= maxLateDays && addDays(dueOn, step) > issuedOn;
  return isDue ? step : undefined;
}

/** Queues the reminders that are due, each invoice's each once, for as long as it is open. @param alone does the work of an account, whose failure holds up no other */
export async function queueReminders(database: Database, at: Date, alone: Alone): Promise<void> {
  const schedule = await readSetting(database, 'reminder_days');
  if (schedule.length === 0) return;
  const today = dayOf(at);
  const { rows } = await database.query<OpenInvoice>(sql`
    select i.number, ${accountSql('i', 'i.recipient')} as recipient, i.issued_on as "issuedOn", i.due_on as "dueOn", o.left_cents as "leftCents"
    from open_invoice o join invoice i on i.number = o.number
    where i.due_on between ${addDays(today, 0 - Math.max(...schedule) - maxLateDays)}::date and ${addDays(today, 0 - Math.min(...schedule))}::date
      and not exists (select from reminder_stop s where s.invoice_number = i.number)
    order by i.number`);
  for (const invoice of rows) {
    const step = stepDue(invoice, today, schedule);
    if (step === undefined) continue;
    await alone({ invoice: invoice.number }, () =>
      database.transaction((connection) => remind(connection, invoice, step, at)),
    );
  }
}

async function remind(connection: Connection, invoice: OpenInvoice, step: number, at: Date): Promise<void> {
  const { number, recipient, dueOn } = invoice;
  // What is paid at the same time comes before, and there is nothing to remind of; or after, and stops what is queued.
  const { rows } = await connection.query<{ leftCents: number }>(sql`
    select left_cents as "leftCents" from open_invoice where number = ${number} for share`);
  if (!rows[0] || (await areRemindersStopped(connection, number))) return;
  const data = {
    ...{ number, dueOn, days: daysBetween(dueOn, dayOf(at)), leftCents: rows[0].leftCents },
    ...(await letterhead(connection)),
    link: invoiceLink(recipient, number),
  };
  const event = `reminder:${number}:${step}`;
  await enqueue(connection, { account: recipient, event, template: 'reminder', data, invoice: number }, at);
}

/** Stops the reminders of an invoice, or resumes them. @throws CovermapError `invoice_unknown` */
export async function stopReminders(db: Database, number: number, stopped: boolean, actor: Actor) {
  await db.transaction(async (connection) => {
    const { rows } = await connection.query<{ customer_id: number | null; provider_id: number | null }>(sql`
      select customer_id, provider_id from invoice where number = ${number}`);
    const owner = rows[0];
    if (!owner) throw new CovermapError('invoice_unknown');
    // A reminder that is queued at the same time comes before, and is cancelled; or after, and sees the stop.
    await connection.query(sql`select from open_invoice where number = ${number} for no key update`);
    const { rowCount } = await connection.query(
      stopped
        ? sql`insert into reminder_stop (invoice_number, by_name) values (${number}, ${actor.name}) on conflict do nothing`
        : sql`delete from reminder_stop where invoice_number = ${number}`,
    );
    if (rowCount === 0) return;
    if (stopped) {
      await connection.query(sql`
        update mail_message set state = 'cancelled', retry_at = null, reason = 'Its reminders were stopped.'
        where invoice_number = ${number} and template = 'reminder' and state in ('queued', 'no_address', 'failed')`);
    }
    await record(connection, actor, {
      action: stopped ? 'reminders_stopped' : 'reminders_resumed',
      ...{ customerId: owner.customer_id, providerId: owner.provider_id, details: { invoice: number } },
    });
  });
}

/** True where the reminders of an invoice are stopped. @throws CovermapError `invoice_unknown` */
export async function areRemindersStopped(db: Queryable, number: number): Promise<boolean> {
  const { rows } = await db.query<{ stopped: boolean }>(sql`
    select exists (select from reminder_stop s where s.invoice_number = i.number) as stopped from invoice i where i.number = ${number}`);
  if (!rows[0]) throw new CovermapError('invoice_unknown');
  return rows[0].stopped;
}

/** Queues statements on the first days of a month for all accounts that owe something. @param alone as {@link queueReminders} */
export async function queueStatements(database: Database, at: Date, alone: Alone): Promise<void> {
  const today = dayOf(at);
  const dayOfMonth = Number(today.slice(8));
  if (dayOfMonth > maxLateDays) return;
  // The month's invoices are on it, unless its close waits for days.
  if (dayOfMonth < maxLateDays && isOver(await nextToClose(database, at), at)) return;
  const { rows } = await database.query<AccountId>(sql`
    select distinct case when i.customer_id is null then 'operator' else 'customer' end as kind, coalesce(i.customer_id, i.provider_id) as id
    from open_invoice o join invoice i on i.number = o.number
    where not exists (select from mail_message m where m.account = i.account and m.event = ${`statement:${monthOfDay(today)}`})`);
  for (const { kind, id } of rows) {
    await alone({ account: { kind, id } }, () =>
      database.transaction((connection) =>
        sendStatement(connection, { kind, id }, `statement:${monthOfDay(today)}`, at),
      ),
    );
  }
}

/** Queues a statement of an account that owes something, once by event. @throws CovermapError `customer_unknown`, `provider_unknown` */
export async function sendStatement(connection: Connection, account: AccountId, event: string, at: Date) {
  // No money moves between the text and the paper.
  await lockMonths(connection);
  await requireAccount(connection, account);
  const { rows } = await connection.query<{
    number: number;
    recipient: string;
    dueOn: Day | null;
    leftCents: number;
  }>(sql`
    select i.number, i.recipient, i.due_on as "dueOn", o.left_cents as "leftCents"
    from open_invoice o join invoice i on i.number = o.number where i.account = ${accountKey(account)} order by i.number`);
  const recipient = rows.at(-1)?.recipient;
  const sum = (of: typeof rows) => of.reduce((total, { leftCents }) => total + leftCents, 0);
  // As the paper that goes with it has it.
  const creditCents = await creditOf(connection, account);
  const owedCents = sum(rows) - creditCents;
  if (recipient === undefined || owedCents <= 0) return;
  const asOf = dayOf(at);
  const data = {
    ...{ recipient, asOf, open: rows, ...(await letterhead(connection)) },
    ...{ owedCents, creditCents },
    overdueCents: Math.min(owedCents, sum(rows.filter(({ dueOn }) => dueOn !== null && dueOn < asOf))),
    link: invoicesLink(account),
  };
  const paper = await statementPaper(connection, account, {}, at);
  await enqueue(connection, { account, event, template: 'statement', data, paper }, at);
}
