import type { Config } from '../core/config.ts';
import type { Database } from '../core/database/database.ts';
import type { Logger } from '../core/logger.ts';
import type { JobQueue } from '../core/queue.ts';
import type { Storage } from '../core/storage/storage.ts';

export interface WorkerContext {
  config: Config;
  database: Database;
  queue: JobQueue;
  storage: Storage;
  logger: Logger;
}

export type ScheduledContext = Omit<WorkerContext, 'storage'>;

export interface Workers {
  /** Takes no more jobs and hands the running one back to the queue. */
  close(): Promise<void>;
}
