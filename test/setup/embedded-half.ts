import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { openEmbeddedDatabase } from '../../core/database/embedded/embedded.ts';
import { shippedTemplate } from '../../core/database/embedded/template.ts';
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

const root = fileURLToPath(new URL('../..', import.meta.url));
const cacheFolder = path.join(root, 'node_modules/.cache/covermap');
/** What the template is made of. */
const sources = [
  'migrations',
  'core/database',
  'core/queue.ts',
  'test/setup/kept-sessions.ts',
  'package-lock.json',
];
const dayMs = 86_400_000;

/**
 * Makes the migrated database that every test file of the embedded half starts from, of the template that first starts begin with. It
 * takes seconds: what was made from the same sources before is used again.
 */
export default async function setup(project: TestProject): Promise<void> {
  const name = `test-template-${digestOf(sources)}`;
  const [archive, description] = [`${name}.tar`, `${name}.json`].map((file) =>
    path.join(cacheFolder, file),
  ) as [string, string];
  if (!existsSync(description)) {
    mkdirSync(cacheFolder, { recursive: true });
    removeFormer(name);
    const database = await openEmbeddedDatabase('memory://', { template: shippedTemplate });
    await migrate(database);
    await migrateQueue(testConfig(), database);
    const described = await describeTemplate(database);
    const dump = Buffer.from(await (await database.dump()).arrayBuffer());
    await database.close();
    writeWhole(archive, dump);
    writeWhole(description, JSON.stringify(described));
  }
  const described = JSON.parse(readFileSync(description, 'utf8'));
  project.provide('backend', { kind: 'embedded', template: { archive, ...described } });
}

function digestOf(paths: string[]): string {
  const digest = createHash('sha256');
  for (const name of paths) {
    const whole = path.join(root, name);
    const files = statSync(whole).isDirectory()
      ? readdirSync(whole, { recursive: true, encoding: 'utf8' }).sort()
      : [''];
    for (const file of files.map((inner) => path.join(whole, inner))) {
      if (statSync(file).isFile()) digest.update(`${path.relative(root, file)}\0`).update(readFileSync(file));
    }
  }
  return digest.digest('hex').slice(0, 20);
}

/** Those of former sources; a run that goes on may be using the newest. */
function removeFormer(name: string): void {
  for (const file of readdirSync(cacheFolder).filter((one) => one.startsWith('test-template-'))) {
    const former = path.join(cacheFolder, file);
    if (!file.startsWith(name) && statSync(former).mtimeMs < Date.now() - dayMs)
      rmSync(former, { force: true });
  }
}

/** Two runs at once may make the same. */
function writeWhole(file: string, content: string | Buffer): void {
  const partial = `${file}-${process.pid}`;
  writeFileSync(partial, content);
  renameSync(partial, file);
}
