import type { JobQueue, ScheduledKind } from '../coverage/jobs/queue.ts';
import type { Logger } from '../platform/logger.ts';
import { nzTimeZone } from '../platform/nz-time.ts';
import { warnRarely } from '../platform/warn-rarely.ts';
import type { Workers } from './context.ts';

/** The interval of checks for missed runs: no process was up, or the queue has lost its schedule. */
const sweepMs = 30_000;

/** A scheduled job. The queue says when to look, the database if a run is due, so it can be sent, killed and run again anywhere. */
export interface ScheduledJob {
  kind: ScheduledKind;
  /** A cron pattern with seconds, in New Zealand's time. */
  pattern: string;
  /** Does all runs that are due at an instant and have not been done. */
  run(at: Date): Promise<void>;
  isDue(): Promise<boolean>;
}

/** Runs a job by its schedule, and at once where a run was missed. */
export async function startScheduledJob(
  { queue, logger }: { queue: JobQueue; logger: Logger },
  { kind, pattern, run, isDue }: ScheduledJob,
): Promise<Workers> {
  const worker = queue.startScheduledWorker(kind, run);
  worker.on('failed', (_job, error) => logger.error({ err: error }, `${kind} failed, it will be retried`));
  const outOfReach = warnRarely(logger, 'the job queue is out of reach');
  worker.on('error', (err) => outOfReach({ err }));

  const schedule = () => queue.schedule(kind, pattern, nzTimeZone);
  let isScheduled = false;
  const sweep = async () => {
    try {
      if (!isScheduled) await schedule();
      isScheduled = true;
      if (!(await isDue())) return;
      await queue.sendScheduled(kind);
      // A queue that has missed a run may have lost the schedule too.
      await schedule();
    } catch (error) {
      logger.error({ err: error }, `${kind} could not be scheduled`);
    }
  };
  await sweep();
  const timer = setInterval(sweep, sweepMs);
  return {
    async close() {
      clearInterval(timer);
      await worker.close();
    },
  };
}
