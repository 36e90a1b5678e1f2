import { type Config, readConfig } from '../core/config.ts';
import type { Database } from '../core/database/database.ts';
import { migrate } from '../core/database/migrate.ts';
import type { Logger } from '../core/logger.ts';
import { type JobQueue, migrateQueue, openQueue } from '../core/queue.ts';
import { openStorage } from '../core/storage/open.ts';
import type { Storage } from '../core/storage/storage.ts';
import { stopTracing } from '../core/tracing/tracing.ts';
import { type Opening, openFirst } from './opening.ts';

/** What every part of the service is given. */
export interface Application {
  config: Config;
  logger: Logger;
  database: Database;
  queue: JobQueue;
  storage: Storage;
  close(): Promise<void>;
}

/** Brings the schema of the database that the environment names up to date, and opens the queue. @param opening where it has begun */
export async function openApplication(
  config: Config = readConfig(),
  opening: Promise<Opening> = openFirst(config),
): Promise<Application> {
  const { logger, database } = await opening;
  try {
    await migrate(database);
    await migrateQueue(config, database);
    const queue = openQueue(config, database);
    return {
      config,
      logger,
      database,
      queue,
      storage: await openStorage(config),
      async close() {
        await queue.close();
        await database.close();
        await stopTracing();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
