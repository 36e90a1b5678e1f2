import { openMailSender } from '../mail/sender.ts';
import type { ScheduledContext, Workers } from './context.ts';

/** Sends queued e-mails where a mail server is configured; else they wait in the outbox. */
export async function startMail(context: ScheduledContext): Promise<Workers> {
  const { config } = context;
  if (!config.mail) return { close: async () => undefined };
  return openMailSender(context, config.mail, config.sweepSeconds * 1000);
}
