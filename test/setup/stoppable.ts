import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { migrate } from '../../platform/database/migrate.ts';
import { openServerDatabase } from '../../platform/database/server/server.ts';
import { administer, givenServers, startPrivateServers } from './private-servers.ts';
import { endCommandProcesses, startCommand } from './processes.ts';
import { publishFreely, withoutTerms } from './test-config.ts';

/** A place with servers of its own, which a test may stop, and processes of the service on them. */
export async function makeStoppablePlace() {
  // Commits survive the end of PostgreSQL's processes; tests do not end the machine.
  const servers = await startPrivateServers(givenServers(), { synchronous_commit: 'on' });
  const { postgres, redis, redisUrl, postgresUrl } = servers;
  await administer(postgresUrl, 'create database covermap');
  const databaseUrl = postgresUrl.replace(/\/postgres$/, '/covermap');
  const database = await openServerDatabase(databaseUrl);
  await migrate(database);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-stoppable-'));
  const all = {
    ...{ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, DATA_DIR: folder },
    ...{ ...publishFreely, ...withoutTerms, LOG_LEVEL: 'warn', SWEEP_SECONDS: '1' },
  };
  return {
    ...{ postgres, redis, databaseUrl, database },
    startApi: (env: Record<string, string> = {}) => startCommand('api', { ...all, ...env }),
    startWorker: (env: Record<string, string> = {}) => startCommand('worker', { ...all, ...env }),
    async remove() {
      endCommandProcesses();
      await database.close();
      await servers.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
