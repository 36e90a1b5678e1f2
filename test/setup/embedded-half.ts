import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { openEmbeddedDatabase } from '../../core/database/embedded/embedded.ts';
import { migrate } from '../../core/database/migrate.ts';
import { migrateQueue } from '../../core/queue.ts';
import { describeTemplate, type EmbeddedTemplate } from './kept-sessions.ts';
import { testConfig } from './test-config.ts';

declare module 'vitest' {
  interface ProvidedContext {
    backend: Backend;
  }
}

/** Where a test gets its databases from. */
export type Backend =
  | { kind: 'embedded'; template: EmbeddedTemplate }
  | {
      kind: 'server';
      postgresUrl: string;
      redisUrl: string /** The name of a migrated database. */;
      template: string;
    };

/** Makes the migrated database that every test file of the embedded half starts from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-embedded-'));
  const archive = path.join(folder, 'template.tar');
  const database = await openEmbeddedDatabase('memory://');
  await migrate(database);
  await migrateQueue(testConfig(), database);
  const described = await describeTemplate(database);
  await writeFile(archive, Buffer.from(await (await database.dump()).arrayBuffer()));
  await database.close();
  project.provide('backend', { kind: 'embedded', template: { archive, ...described } });
  return async () => rmSync(folder, { recursive: true, force: true });
}
