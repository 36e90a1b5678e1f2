import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { Database } from '../../core/database/database.ts';
import { migrate } from '../../core/database/migrate.ts';
import { openServerDatabase } from '../../core/database/server/server.ts';
import { type PrivateServers, startPrivateServers } from './private-servers.ts';
import { type Command, endCommandProcesses, runCommandProcess } from './processes.ts';
import { findOrInstallServers } from './server-binaries.ts';
import { publishFreely, withoutTerms } from './test-config.ts';

/** A place with servers of its own, which a test may stop, and processes of the service on them. */
export interface StoppablePlace extends Pick<PrivateServers, 'postgres' | 'redis' | 'redisUrl'> {
  databaseUrl: string;
  /** For the test itself. */
  database: Database;
  /** Starts `npm run api`, and waits until it answers. */
  startApi(env?: Record<string, string>): Promise<Command & { url: string }>;
  startWorker(env?: Record<string, string>): Promise<Command>;
  /** Ends all processes and servers. */
  remove(): Promise<void>;
}

export async function makeStoppablePlace(): Promise<StoppablePlace> {
  const binaries = process.env.TEST_SERVERS ? JSON.parse(process.env.TEST_SERVERS) : findOrInstallServers();
  if (typeof binaries === 'string') throw new Error(binaries);
  // What it has committed survives its end; that of the machine is not tested.
  const servers = await startPrivateServers(binaries, { synchronous_commit: 'on' });
  const { postgres, redis, redisUrl, postgresUrl } = servers;
  const admin = new pg.Client(postgresUrl);
  await admin.connect();
  await admin.query('create database covermap');
  await admin.end();
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
    database,
    async startApi(env = {}) {
      const started = runCommandProcess('api', [], { ...all, ...env });
      const [, url = ''] = await started.printed(/covermap answers at (http:\S+)/);
      return { ...started, url: url.replace('localhost', '127.0.0.1') };
    },
    async startWorker(env = {}) {
      const started = runCommandProcess('worker', [], { ...all, ...env });
      await started.printed(/covermap works on submissions/);
      return started;
    },
    async remove() {
      endCommandProcesses();
      await database.close();
      await servers.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
