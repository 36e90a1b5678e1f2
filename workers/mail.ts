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

/** Queues the e-mails that the day or the usage asks for. Each is queued once, however often and by however many processes this is done. */
export async function queueMailDue(database: Database, at: Date): Promise<void> {
  await queueReminders(database, at);
  await queueStatements(database, at);
  await queueUsageAlerts(database, at);
}
