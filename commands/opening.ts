import { chmod } from 'node:fs/promises';
import type { Config } from '../core/config.ts';
import type { Database } from '../core/database/database.ts';
import { openDatabase } from '../core/database/open.ts';
import { createLogger, type Logger } from '../core/logger.ts';
import { reportTracingTo, startTracing } from '../core/tracing/tracing.ts';

/** What takes the longest of opening the service, and needs the least of its modules. */
export interface Opening {
  logger: Logger;
  database: Database;
}

/** Opens the database that the configuration names, its schema as it is. */
export async function openFirst(config: Config): Promise<Opening> {
  // First: loggers, databases and storages look whether there are traces when they are opened.
  const problems = await startTracing(process.env);
  const logger = createLogger(config.logLevel);
  reportTracingTo(logger);
  if (problems.length > 0) logger.warn({ problems }, 'variables of OpenTelemetry cannot be used');
  await keepPrivate(config);
  return { logger, database: await openDatabase(config, logger) };
}

/** Only its own user may read what this process writes, and the folders that it writes to. */
async function keepPrivate({ dataDir, uploadDir }: Config): Promise<void> {
  process.umask(0o077);
  // Folders that do not exist yet are created so. Those of another user stay as they are.
  for (const folder of [dataDir, uploadDir]) await chmod(folder, 0o700).catch(() => undefined);
}
