import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../platform/config.ts';
import { runWithoutArguments } from './run.ts';
import { serveWhole } from './whole-service.ts';

const demoTerrain = fileURLToPath(new URL('../samples/towers/terrain', import.meta.url));

const usage = `Usage: npm start

Runs the whole service in one process until SIGTERM or SIGINT: API, pages and workers, and without DATABASE_URL an embedded
database with demo data. It takes no arguments: docs/administrator/configuration.md has its settings, which are environment variables.`;

await runWithoutArguments(usage, async () => {
  const config = readConfig();
  // At a terminal: only warnings by default.
  if (!process.env.LOG_LEVEL) config.logLevel = 'warn';
  if (!config.databaseUrl) {
    // The demo models the towers of its sample.
    config.terrainDir ??= demoTerrain;
    const first = !existsSync(path.join(config.dataDir, 'postgres'));
    console.log(
      `Starting the embedded database in ${path.relative('.', config.dataDir) || '.'}${first ? ', for the first time: some 10 seconds' : ''} ...`,
    );
  }
  return serveWhole(config);
});
