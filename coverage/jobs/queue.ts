import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { openQueue } from '../../platform/queue.ts';
import { steps } from '../attempts.ts';
import { waitingRows } from './waiting.ts';

const scheduleIds = { 'release-domains': 'daily', 'close-month': 'monthly' };
export type ScheduledKind = keyof typeof scheduleIds;

export type JobQueue = ReturnType<typeof openWorkQueue>;

/** The queues of all steps of the work, and of what runs by the clock. */
export const openWorkQueue = (config: Config, database: Database) =>
  openQueue(config, database, {
    ...{ steps, scheduleIds },
    waitingRows: (step, id) => waitingRows(database, step, id),
  });
