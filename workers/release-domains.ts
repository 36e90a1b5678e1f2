import { cronPattern } from '../platform/nz-time.ts';
import { releaseDomains, releaseRunMissed } from '../registry/release.ts';
import type { ScheduledContext, Workers } from './context.ts';
import { startScheduledJob } from './scheduled-job.ts';

/** Releases cancelled domains each day, once their time is over. */
export function startReleaseDomains(context: ScheduledContext): Promise<Workers> {
  const { config, database, logger } = context;
  const { releaseTime } = config;
  return startScheduledJob(context, {
    kind: 'release-domains',
    pattern: cronPattern.daily(releaseTime),
    isDue: () => releaseRunMissed(database, new Date(), releaseTime),
    async run(at) {
      const run = await releaseDomains(database, at, releaseTime);
      if (run)
        logger.info({ scheduled_for: run.scheduledFor, released: run.released }, 'names were released');
    },
  });
}
