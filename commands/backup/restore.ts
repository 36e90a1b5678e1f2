import { createReadStream, existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { openEmbeddedDatabase } from '../../platform/database/embedded/embedded.ts';
import { readMigrations } from '../../platform/database/migrate.ts';
import { openDatabase } from '../../platform/database/open.ts';
import { CovermapError } from '../../platform/errors.ts';
import { makeScratch, removeScratch } from '../../platform/scratch.ts';
import { measure } from '../../platform/storage/meter.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { type BackupManifest, filesFolder, readWholeBackup } from './manifest.ts';
import { runPostgresTool } from './pg-tools.ts';

/**
 * Checks a backup and restores it into an empty database and a storage without its files. A failure removes what was written.
 * @param keepFiles takes those that the storage has, and stores the others
 * @throws CovermapError `backup_damaged`, `backup_of_other_kind`, `backup_newer`, `restore_not_empty`, and errors of pg_restore
 */
export async function restoreBackup(config: Config, storage: Storage, folder: string, keepFiles = false) {
  const manifest = await readWholeBackup(folder);
  const kind = config.databaseUrl ? 'server' : 'embedded';
  if (manifest.kind !== kind) {
    const sentence = `The backup is of ${nameOf(manifest.kind)}, and the configuration names ${nameOf(kind)}.`;
    const hint = 'Set or unset DATABASE_URL as when it was made.';
    throw new CovermapError('backup_of_other_kind', sentence, hint);
  }
  if (manifest.migrations > (await readMigrations()).length) {
    const sentence = 'The backup was made by another release of covermap.';
    throw new CovermapError('backup_newer', sentence, 'Restore it with that release.');
  }
  if (config.databaseUrl) await requireEmptyServer(config);
  else requireNoEmbedded(config);
  const present = await presentFiles(storage, manifest, keepFiles);

  const written: string[] = [];
  try {
    for (const { name } of manifest.files) {
      if (present.has(name)) continue;
      written.push(name);
      await storage.restore(name, createReadStream(path.join(folder, filesFolder, name)));
    }
    // Last, and in one piece: the rows that refer to the files.
    const dump = path.join(folder, manifest.database.name);
    if (config.databaseUrl) await restoreServer(config.databaseUrl, dump);
    else await restoreEmbedded(config, dump);
  } catch (error) {
    for (const key of written) await storage.remove(key).catch(() => undefined);
    throw error;
  }
  return manifest;
}

const nameOf = (kind: Database['kind']) =>
  kind === 'server' ? 'a PostgreSQL server' : 'the embedded database';

async function requireEmptyServer(config: Config): Promise<void> {
  const database = await openDatabase(config);
  try {
    const { rows } = await database.query<{ name: string }>(`
      select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'v') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      limit 1`);
    if (rows[0]) throw notEmpty(`The database has ${rows[0].name} in it.`);
  } finally {
    await database.close();
  }
}

function requireNoEmbedded({ dataDir }: Config): void {
  // A restore that was killed leaves a folder without the mark.
  if (['postgres', 'postgres.complete'].every((name) => existsSync(path.join(dataDir, name))))
    throw notEmpty(`There is a database in ${dataDir}.`);
}

async function presentFiles(storage: Storage, { files }: BackupManifest, keepFiles: boolean) {
  const hashes = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  const present = new Set<string>();
  for await (const { key } of storage.list()) {
    if (!hashes.has(key)) continue;
    if (!keepFiles) throw notEmpty(`The storage has the file ${key} already.`);
    const { sha256 } = await measure(await storage.read(key));
    if (sha256.toString('hex') !== hashes.get(key)) throw notEmpty(`The storage has another file ${key}.`);
    present.add(key);
  }
  return present;
}

function notEmpty(why: string): CovermapError {
  const hint = 'Nothing was changed. Restore into what is empty; --keep-files takes the files of before.';
  return new CovermapError('restore_not_empty', why, hint);
}

/** In one transaction. PostGIS may exist already; only a superuser may comment on it. */
async function restoreServer(databaseUrl: string, dump: string): Promise<void> {
  const scratch = await makeScratch();
  try {
    const list = await runPostgresTool('pg_restore', ['--list', dump]);
    const wanted = list
      .split('\n')
      .filter(
        (line) => !/ COMMENT - EXTENSION | SCHEMA - public | TABLE DATA public spatial_ref_sys /.test(line),
      );
    const listFile = path.join(scratch, 'list');
    await writeFile(listFile, wanted.join('\n'));
    await runPostgresTool(
      'pg_restore',
      ['--single-transaction', '--exit-on-error', '--no-owner', '--no-acl', `--use-list=${listFile}`, dump],
      databaseUrl,
    );
  } finally {
    await removeScratch(scratch);
  }
  const database = await openDatabase({ databaseUrl } as Config);
  try {
    // Restored tables have no statistics for the planner.
    await database.query('analyze');
  } finally {
    await database.close();
  }
}

async function restoreEmbedded({ dataDir }: Config, dump: string): Promise<void> {
  try {
    const database = await openEmbeddedDatabase(dataDir, { template: async () => dump });
    try {
      // An invalid data directory would open as an empty database.
      await database.query('select version from catalog');
    } finally {
      await database.close();
    }
  } catch (error) {
    for (const name of ['postgres', 'postgres.complete']) {
      await rm(path.join(dataDir, name), { recursive: true, force: true });
    }
    throw error;
  }
}
