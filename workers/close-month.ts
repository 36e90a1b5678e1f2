import { serviceActor } from '../core/access/actor.ts';
import { billingTimeZone } from '../core/billing/calendar.ts';
import { closeMonth, monthsDue } from '../core/billing/close.ts';
import type { WorkerContext, Workers } from './worker.ts';

/** How often it is looked whether a month was missed: no process was up, or the queue has lost its schedule. */
const sweepMs = 60_000;

/**
 * The monthly job that closes the month before: invoices for everybody. The queue says when, the row of a closed month says
 * whether: the job can be sent, killed and run again anywhere, as a month that is closed is not closed again. Months that
 * were missed are closed one by one, each with its own invoices.
 */
export async function startCloseMonth(
  context: Omit<WorkerContext, 'storage'>,
  now: () => Date = () => new Date(),
): Promise<Workers> {
  const { config, database, queue, logger } = context;
  const { closeTime } = config;
  // Staff close months by hand.
  if (closeTime === undefined) return { close: async () => undefined };
  const worker = queue.startScheduledWorker('close-month', async (scheduledFor) => {
    const at = new Date(Math.max(now().getTime(), scheduledFor.getTime()));
    for (const month of await monthsDue(database, at, closeTime)) {
      const { closed } = await closeMonth(database, month, serviceActor, at);
      if (closed) logger.info({ month }, 'a month was closed');
    }
  });
  worker.on('failed', (_job, error) => {
    logger.error({ err: error }, 'close-month failed, it will be tried again');
  });
  worker.on('error', (error) => logger.warn({ err: error }, 'the job queue is out of reach'));
  await worker.waitUntilReady();

  const [hour, minute, second] = closeTime.split(':').map(Number);
  const schedule = () => queue.schedule('close-month', `${second} ${minute} ${hour} 1 * *`, billingTimeZone);
  let isScheduled = false;
  const look = async () => {
    if (!isScheduled) await schedule();
    isScheduled = true;
    if ((await monthsDue(database, now(), closeTime)).length === 0) return;
    await queue.sendScheduled('close-month');
    await schedule();
  };
  const sweep = () =>
    look().catch((error) => logger.error({ err: error }, 'close-month could not be scheduled'));
  await sweep();
  const timer = setInterval(sweep, sweepMs);
  return {
    async close() {
      clearInterval(timer);
      await worker.close();
    },
  };
}
