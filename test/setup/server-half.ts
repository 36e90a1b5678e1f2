import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../core/database/migrate.ts';
import { openServerDatabase } from '../../core/database/server/server.ts';
import { startPrivateServers } from './private-servers.ts';
import { findOrInstallServers } from './server-binaries.ts';

const template = 'covermap_template';

/** Starts the servers and makes the migrated database that every test file of the server half starts from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const binaries = process.env.TEST_SERVERS ? JSON.parse(process.env.TEST_SERVERS) : findOrInstallServers();
  if (typeof binaries === 'string') throw new Error(binaries);
  const { postgresUrl, redisUrl, stop } = await startPrivateServers(binaries);
  try {
    const admin = new pg.Client(postgresUrl);
    await admin.connect();
    await admin.query(`create database ${template}`);
    await admin.end();
    const database = await openServerDatabase(postgresUrl.replace(/\/postgres$/, `/${template}`));
    await migrate(database);
    await database.close();
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('backend', { kind: 'server', postgresUrl, redisUrl, template });
  return stop;
}
