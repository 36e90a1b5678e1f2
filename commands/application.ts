import { access, chmod, constants, mkdir } from 'node:fs/promises';
import { openWorkQueue } from '../coverage/jobs/queue.ts';
import { type Config, readConfig } from '../platform/config.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openDatabase } from '../platform/database/open.ts';
import { createLogger } from '../platform/logger.ts';
import { migrateQueue } from '../platform/queue.ts';
import { openStorage } from '../platform/storage/open.ts';
import { startTracing, stopTracing } from '../platform/tracing/tracing.ts';

/** The context of every part of the service. */
export type Application = Awaited<ReturnType<typeof openApplication>>;

/** Opens the configured database, updates its schema, and opens the queue. */
export async function openApplication(config: Config = readConfig()) {
  const logger = createLogger(config.logLevel);
  // First: databases and storages check for traces when they are opened.
  await startTracing(process.env, logger);
  await prepareFolders(config);
  const database = await openDatabase(config, logger);
  try {
    await migrate(database);
    await migrateQueue(config, database);
    const queue = openWorkQueue(config, database);
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

/** Makes the folders that this process writes, for its own user. @throws Error EACCES, EROFS and the like, where it may not write there */
async function prepareFolders({ dataDir, uploadDir, s3 }: Config): Promise<void> {
  process.umask(0o077);
  for (const folder of s3 ? [dataDir] : [dataDir, uploadDir]) {
    await mkdir(folder, { recursive: true });
    // The mode of another user's folder cannot be changed.
    await chmod(folder, 0o700).catch(() => undefined);
    await access(folder, constants.W_OK);
  }
}
