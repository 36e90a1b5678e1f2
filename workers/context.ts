import type { JobQueue } from '../coverage/jobs/queue.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { Storage } from '../platform/storage/storage.ts';

export interface WorkerContext {
  config: Config;
  database: Database;
  queue: JobQueue;
  storage: Storage;
  logger: Logger;
  /** The clock of billing's jobs, which a rehearsal moves; the real one by default. */
  now?: (() => Date) | undefined;
}

export type ScheduledContext = Omit<WorkerContext, 'storage'>;

export interface Workers {
  /** Takes no more jobs and hands the running one back to the queue. */
  close(): Promise<void>;
}
