import { serviceActor } from '../access/actor.ts';
import { closeMonth } from '../billing/close.ts';
import { monthsDue } from '../billing/months.ts';
import { cronPattern } from '../platform/nz-time.ts';
import type { ScheduledContext } from './context.ts';
import { startScheduledJob } from './scheduled-job.ts';

/** Closes the previous month each month, with invoices for all accounts. Missed months are closed one by one. */
export async function startCloseMonth(context: ScheduledContext, now: () => Date = () => new Date()) {
  const { config, database } = context;
  const { closeTime } = config;
  // Staff close months by hand.
  if (closeTime === undefined) return { close: async () => undefined };
  return startScheduledJob(context, {
    kind: 'close-month',
    pattern: cronPattern.monthly(closeTime),
    isDue: async () => (await monthsDue(database, now(), closeTime)).length > 0,
    run: (scheduledFor) =>
      closeMonthsDue(context, new Date(Math.max(now().getTime(), scheduledFor.getTime()))),
  });
}

/** Closes the months that the schedule has due at an instant; none where staff close by hand. */
export async function closeMonthsDue(
  { config: { closeTime }, database, logger }: Pick<ScheduledContext, 'config' | 'database' | 'logger'>,
  at: Date,
): Promise<void> {
  if (closeTime === undefined) return;
  for (const month of await monthsDue(database, at, closeTime)) {
    const { closed } = await closeMonth(database, month, serviceActor, at);
    if (closed) logger.info({ month }, 'a month was closed');
  }
}
