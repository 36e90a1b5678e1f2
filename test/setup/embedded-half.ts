import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { openEmbeddedDatabase } from '../../platform/database/embedded/embedded.ts';
import { shippedTemplate } from '../../platform/database/embedded/template.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { migrateQueue } from '../../platform/queue.ts';
import { digestOf, isMadeOf, putInPlace } from '../../tools/build.mjs';
import { testConfig } from './test-config.ts';

declare module 'vitest' {
  interface ProvidedContext {
    backend: Backend;
  }
}

/** Where a test gets its databases from. */
export type Backend =
  /** The data directory of a migrated database, as a tar archive. */
  | { kind: 'embedded'; archive: string }
  | {
      kind: 'server';
      postgresUrl: string;
      redisUrl: string;
      /** The name of a migrated database. */
      template: string;
    };

const root = fileURLToPath(new URL('../..', import.meta.url));
const cacheFolder = path.join(root, 'node_modules/.cache/covermap');
const sources = ['migrations', 'platform/database', 'platform/queue.ts', 'package-lock.json'];
const dayMs = 86_400_000;

/**
 * Makes the migrated database that every test file of the embedded half starts from, of the template that first starts begin with. It
 * takes seconds: what was made from the same sources before is used again.
 */
export default async function setup(project: TestProject): Promise<void> {
  const digest = digestOf(root, sources, []);
  const place = path.join(cacheFolder, `test-template-${digest.slice(0, 20)}`);
  const name = 'template.tar';
  if (!isMadeOf(place, digest)) {
    removeFormer();
    const database = await openEmbeddedDatabase('memory://', { template: shippedTemplate });
    await migrate(database);
    await migrateQueue(testConfig(), database);
    const dump = Buffer.from(await (await database.dump()).arrayBuffer());
    await database.close();
    await putInPlace(place, digest, (fresh) => writeFileSync(path.join(fresh, name), dump));
  }
  project.provide('backend', { kind: 'embedded', archive: path.join(place, name) });
}

/** Removes templates that are older than a day; another run may use newer ones. */
function removeFormer(): void {
  if (!existsSync(cacheFolder)) return;
  for (const name of readdirSync(cacheFolder).filter((one) => one.startsWith('test-template-'))) {
    const former = path.join(cacheFolder, name);
    if (statSync(former).mtimeMs < Date.now() - dayMs) rmSync(former, { recursive: true, force: true });
  }
}
