import type { TestProject } from 'vitest/node';
import { migrate } from '../../platform/database/migrate.ts';
import { openServerDatabase } from '../../platform/database/server/server.ts';
import { administer, givenServers, startPrivateServers } from './private-servers.ts';

const template = 'covermap_template';

/** Starts the servers and makes the migrated database that every test file of the server half starts from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { postgresUrl, redisUrl, stop } = await startPrivateServers(givenServers());
  try {
    await administer(postgresUrl, `create database ${template}`);
    await administer(postgresUrl, 'create sequence places');
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
