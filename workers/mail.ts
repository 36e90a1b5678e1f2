import { attachmentsOf } from '../billing/papers/attachments.ts';
import { queueReminders, queueStatements } from '../billing/reminders.ts';
import { queueUsageAlerts } from '../billing/usage-alerts.ts';
import type { StoredMessage } from '../mail/outbox.ts';
import { openMailSender } from '../mail/sender.ts';
import type { Database } from '../platform/database/database.ts';
import type { ScheduledContext, Workers } from './context.ts';

/** Sends queued e-mails where a mail server is configured; else they wait in the outbox. */
export async function startMail(context: ScheduledContext): Promise<Workers> {
  const { config } = context;
  if (!config.mail) return { close: async () => undefined };
  const attached = (message: StoredMessage) => attachmentsOf(context.database, message);
  return openMailSender(context, config.mail, config.sweepSeconds * 1000, attached);
}

/** Does a step, or a part of one, and logs where it fails. */
type Run = (name: string, work: () => Promise<unknown>, what?: object) => Promise<void>;

/**
 * Queues the e-mails that the day or the usage asks for. Each is queued once, however often and by however many processes this is done.
 * @param run without it, the first that fails ends all
 */
export async function queueMailDue(
  database: Database,
  at: Date,
  run: Run = async (_, work) => void (await work()),
): Promise<void> {
  const steps = { reminders: queueReminders, statements: queueStatements, usage: queueUsageAlerts };
  for (const [of, queue] of Object.entries(steps)) {
    const name = `e-mails: ${of}`;
    await run(name, () => queue(database, at, (what, work) => run(name, work, what)));
  }
}
