import { chmod } from 'node:fs/promises';
import { type Config, readConfig } from '../core/config.ts';
import type { Database } from '../core/database/database.ts';
import { migrate } from '../core/database/migrate.ts';
import { openDatabase } from '../core/database/open.ts';
import { createLogger, type Logger } from '../core/logger.ts';
import { type JobQueue, migrateQueue, openQueue } from '../core/queue.ts';
import { openStorage } from '../core/storage/open.ts';
import type { Storage } from '../core/storage/storage.ts';

/** What every part of the service is given. */
export interface Application {
  config: Config;
  logger: Logger;
  database: Database;
  queue: JobQueue;
  storage: Storage;
  close(): Promise<void>;
}

/** Only its own user may read what this process writes, and the folders that it writes to. */
async function keepPrivate({ dataDir, uploadDir }: Config): Promise<void> {
  process.umask(0o077);
  // Folders that do not exist yet are created so. Those of another user stay as they are.
  for (const folder of [dataDir, uploadDir]) await chmod(folder, 0o700).catch(() => undefined);
}

/** Opens the database that the environment names, its schema brought up to date, and the queue. */
export async function openApplication(config: Config = readConfig()): Promise<Application> {
  const logger = createLogger(config.logLevel);
  await keepPrivate(config);
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
