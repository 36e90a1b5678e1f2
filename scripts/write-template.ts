import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { writeLoadedSamples } from '../commands/loaded-samples.ts';
import { readSamples, submitSamples } from '../commands/samples.ts';
import { readConfig } from '../core/config.ts';
import { openEmbeddedDatabase } from '../core/database/embedded/embedded.ts';
import { writeTemplate } from '../core/database/embedded/template.ts';
import { migrate } from '../core/database/migrate.ts';
import { createLogger } from '../core/logger.ts';
import { migrateQueue, openQueue } from '../core/queue.ts';
import { openStorage } from '../core/storage/open.ts';
import { startWorkers } from '../workers/worker.ts';

// npm run template: anew what spares first starts their work. The migrated database that they unpack is needed after an upgrade of PGlite
// or PostGIS; with a new migration in it, they are a little faster. What loading makes of the samples is needed after a change of them, or
// of what reads and loads files.
const folder = await mkdtemp(path.join(os.tmpdir(), 'covermap-template-'));
const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'warn' });
const database = await openEmbeddedDatabase('memory://');
await migrate(database);
await migrateQueue(config, database);
await writeTemplate(database);

const logger = createLogger(config.logLevel);
const storage = await openStorage(config);
const queue = openQueue(config, database);
const application = { config, logger, database, queue, storage, close: async () => undefined };
const workers = await startWorkers(application);
const samples = await readSamples();
const ids = await submitSamples(application, samples);
await writeLoadedSamples(
  database,
  config,
  samples.map((sample, index) => ({ ...sample, id: ids[index] as string })),
);
await workers.close();
await queue.close();
await database.close();
await rm(folder, { recursive: true });
