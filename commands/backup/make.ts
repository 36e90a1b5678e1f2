import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import type { EmbeddedDatabase } from '../../platform/database/embedded/embedded.ts';
import { fsync } from '../../platform/storage/folder.ts';
import { Meter, measure } from '../../platform/storage/meter.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import {
  type BackedUpFile,
  type BackupManifest,
  filesFolder,
  manifestName,
  requireEmptyFolder,
} from './manifest.ts';
import { runPostgresTool } from './pg-tools.ts';

export interface BackupSources {
  config: Pick<Config, 'databaseUrl'>;
  database: Database;
  storage: Storage;
}

/**
 * Copies the database and every stored file while the service runs: files before and again after the database, so that the backup has all files of
 * its rows. @param folder is empty or does not exist @throws CovermapError `folder_not_empty`, and errors of pg_dump
 */
export async function makeBackup({ config, database, storage }: BackupSources, folder: string) {
  await requireEmptyFolder(folder, 'for the backup');
  await mkdir(path.join(folder, filesFolder), { recursive: true });
  try {
    const files = new Map<string, BackedUpFile>();
    await copyFiles(database, storage, folder, files);
    const dump = config.databaseUrl
      ? await dumpServer(config.databaseUrl, folder)
      : await dumpEmbedded(database as EmbeddedDatabase, folder);
    const missing = await copyFiles(database, storage, folder, files);
    const { rows } = await database.query<{ count: number }>('select count(*) from schema_migration');
    const manifest: BackupManifest = {
      ...{ format: 1, kind: database.kind, made_at: new Date().toISOString() },
      ...{ migrations: rows[0]?.count ?? 0, database: dump, files: [...files.values()], missing },
    };
    const partial = path.join(folder, `${manifestName}.part`);
    await writeFile(partial, `${JSON.stringify(manifest, undefined, 2)}\n`);
    await fsync(partial);
    await rename(partial, path.join(folder, manifestName));
    await fsync(folder);
    return manifest;
  } catch (error) {
    // The folder was empty: a partial backup would look like a whole one.
    for (const name of [filesFolder, 'database.dump', 'database.tar', `${manifestName}.part`]) {
      await rm(path.join(folder, name), { recursive: true, force: true });
    }
    throw error;
  }
}

/** Copies files that are not copied yet, but for modelled sites and unfinished uploads. @returns the keys of rows that the storage lacks */
async function copyFiles(
  database: Database,
  storage: Storage,
  folder: string,
  copied: Map<string, BackedUpFile>,
): Promise<string[]> {
  const { rows } = await database.query<{ key: string; uploading: boolean }>(`
    select storage_key as key, bool_and(exists (
      select from upload u where u.storage_key is null and u.id::text = stored_file.storage_key)) as uploading
    from stored_file
    where not exists (select from predicted_site p where p.storage_key = stored_file.storage_key)
    group by storage_key order by storage_key`);
  const missing: string[] = [];
  for (const { key, uploading } of rows) {
    if (copied.has(key) || uploading) continue;
    const to = path.join(folder, filesFolder, path.basename(key));
    let source: Readable;
    try {
      source = await storage.read(key);
    } catch (error) {
      if (!isMissing(error)) throw error;
      missing.push(key);
      continue;
    }
    copied.set(key, { ...(await write(source, to)), name: key });
  }
  return missing;
}

function isMissing(error: unknown): boolean {
  const { code, name } = error as { code?: string; name?: string };
  return code === 'ENOENT' || name === 'NoSuchKey';
}

async function dumpServer(databaseUrl: string, folder: string): Promise<BackedUpFile> {
  const file = path.join(folder, 'database.dump');
  await runPostgresTool('pg_dump', ['--format=custom', `--file=${file}`], databaseUrl);
  await fsync(file);
  const { size, sha256 } = await measure(createReadStream(file));
  return { name: path.basename(file), size, sha256: sha256.toString('hex') };
}

async function dumpEmbedded(database: EmbeddedDatabase, folder: string): Promise<BackedUpFile> {
  const dump = await database.dump();
  return write(Readable.fromWeb(dump.stream() as never), path.join(folder, 'database.tar'));
}

async function write(source: Readable, file: string): Promise<BackedUpFile> {
  const meter = new Meter();
  await pipeline(source, meter, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  await fsync(file);
  const { size, sha256 } = meter.measured();
  return { name: path.basename(file), size, sha256: sha256.toString('hex') };
}
