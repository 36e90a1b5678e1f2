import { releaseDomains, releaseRunMissed } from '../core/registry/release.ts';
import { registryTimeZone } from '../core/registry/schedule.ts';
import type { WorkerContext, Workers } from './worker.ts';

/** How often it is looked whether a run was missed: no process was up, or the queue has lost its schedule. */
const sweepMs = 30_000;

/**
 * The daily job that releases cancelled names whose time is over. The queue says when, the row of a run says whether:
 * the job can be sent, killed and run again anywhere, as a run that has been does not happen again.
 */
export async function startReleaseDomains(context: Omit<WorkerContext, 'storage'>): Promise<Workers> {
  const { config, database, queue, logger } = context;
  const worker = queue.startScheduledWorker('release-domains', async (at) => {
    const run = await releaseDomains(database, at, config.releaseTime);
    if (run) {
      logger.info({ scheduled_for: run.scheduledFor, released: run.released }, 'names were released');
    }
  });
  worker.on('failed', (_job, error) => {
    logger.error({ err: error }, 'release-domains failed, it will be tried again');
  });
  worker.on('error', (error) => logger.warn({ err: error }, 'the job queue is out of reach'));
  await worker.waitUntilReady();

  const [hour, minute, second] = config.releaseTime.split(':').map(Number);
  const schedule = () =>
    queue.schedule('release-domains', `${second} ${minute} ${hour} * * *`, registryTimeZone);
  let isScheduled = false;
  const look = async () => {
    if (!isScheduled) await schedule();
    isScheduled = true;
    if (!(await releaseRunMissed(database, new Date(), config.releaseTime))) return;
    await queue.sendScheduled('release-domains');
    await schedule();
  };
  const sweep = () =>
    look().catch((error) => logger.error({ err: error }, 'release-domains could not be scheduled'));
  await sweep();
  const timer = setInterval(sweep, sweepMs);
  return {
    async close() {
      clearInterval(timer);
      await worker.close();
    },
  };
}
