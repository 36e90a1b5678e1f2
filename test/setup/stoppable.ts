import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { migrate } from '../../core/database/migrate.ts';
import { openServerDatabase } from '../../core/database/server/server.ts';
import { administer, givenServers, startPrivateServers } from './private-servers.ts';
import { endCommandProcesses, runCommandProcess } from './processes.ts';
import { publishFreely, withoutTerms } from './test-config.ts';

export type StoppablePlace = Awaited<ReturnType<typeof makeStoppablePlace>>;

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
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    DATA_DIR: folder,
    LOG_LEVEL: 'warn',
    SWEEP_SECONDS: '1',
    ...publishFreely,
    ...withoutTerms,
  };
  return {
    postgres,
    redis,
    redisUrl,
    databaseUrl,
    /** For the test itself. */
    database,
    /** Starts `npm run api`, and waits until it answers. */
    async startApi(env: Record<string, string> = {}) {
      const started = runCommandProcess('api', [], { ...all, ...env });
      const [, url = ''] = await started.printed(/covermap answers at (http:\S+)/);
      return { ...started, url: url.replace('localhost', '127.0.0.1') };
    },
    async startWorker(env: Record<string, string> = {}) {
      const started = runCommandProcess('worker', [], { ...all, ...env });
      await started.printed(/covermap works on submissions/);
      return started;
    },
    /** Ends all processes and servers. */
    async remove() {
      endCommandProcesses();
      await database.close();
      await servers.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
