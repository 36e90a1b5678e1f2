import { type Config, readConfig } from '../core/config.ts';
import { type Database, openDatabase } from '../core/database/database.ts';
import { migrate } from '../core/database/migrate.ts';
import { createLogger, type Logger } from '../core/logger.ts';
import { type JobQueue, migrateQueue, openQueue } from '../core/queue.ts';
import { openStorage, type Storage } from '../core/storage.ts';

/** What every part of the service is given. */
export interface Application {
  config: Config;
  logger: Logger;
  database: Database;
  queue: JobQueue;
  storage: Storage;
  close(): Promise<void>;
}

/** Opens the database that the environment names, its schema brought up to date, and the queue. */
export async function openApplication(config: Config = readConfig()): Promise<Application> {
  const logger = createLogger(config.logLevel);
  const database = await openDatabase(config, logger);
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
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
