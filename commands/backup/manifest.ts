import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { CovermapError } from '../../platform/errors.ts';
import { measure } from '../../platform/storage/meter.ts';

/* A backup is a folder: `backup.json`, the database in `database.dump` (of pg_dump) or `database.tar` (of the embedded one), and in
   `files/` every stored file under its key. `backup.json` is written last: without it, the backup was not finished. */

const File = z.object({ name: z.string(), size: z.int(), sha256: z.string() });
export type BackedUpFile = z.output<typeof File>;

const Manifest = z.object({
  format: z.literal(1),
  kind: z.enum(['embedded', 'server']),
  made_at: z.iso.datetime(),
  /** The database's migrations, by which an older release explains why it cannot use it. */
  migrations: z.int(),
  database: File,
  files: z.array(File),
  /** Keys of rows that the storage lacks. */
  missing: z.array(z.string()),
});
export type BackupManifest = z.output<typeof Manifest>;

export const manifestName = 'backup.json';
export const filesFolder = 'files';

export const countOf = ({ length }: readonly unknown[]) => (length === 1 ? '1 file' : `${length} files`);

/** @throws CovermapError `backup_damaged` where the folder holds no whole backup: reads and compares all of it */
export async function readWholeBackup(folder: string): Promise<BackupManifest> {
  let manifest: BackupManifest;
  try {
    manifest = Manifest.parse(JSON.parse(await readFile(path.join(folder, manifestName), 'utf8')));
  } catch {
    throw damaged(
      `${path.join(folder, manifestName)} is missing or cannot be read: the backup was not finished.`,
    );
  }
  await check(folder, manifest.database);
  for (const file of manifest.files) {
    // A key is a plain name: a backup must not write anywhere else.
    if (!/^[\w-]+(\.\w+){0,9}$/.test(file.name))
      throw damaged(`${JSON.stringify(file.name)} is no name of a file.`);
    await check(path.join(folder, filesFolder), file);
  }
  return manifest;
}

async function check(folder: string, { name, size, sha256 }: BackedUpFile): Promise<void> {
  const file = path.join(folder, name);
  const found = await stat(file).catch(() => undefined);
  if (!found) throw damaged(`${file} is missing.`);
  if (found.size !== size) throw damaged(`${file} has ${found.size} bytes instead of ${size}.`);
  const measured = await measure(createReadStream(file));
  if (measured.sha256.toString('hex') !== sha256) throw damaged(`${file} was changed.`);
}

function damaged(why: string): CovermapError {
  const sentence = `The backup cannot be restored: ${why}`;
  return new CovermapError('backup_damaged', sentence, 'Nothing was changed. Use another backup.');
}

/** @throws CovermapError `folder_not_empty` */
export async function requireEmptyFolder(folder: string, what: string): Promise<void> {
  const names = await readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length === 0) return;
  throw new CovermapError('folder_not_empty', `${folder} is not empty.`, `Name an empty folder ${what}.`);
}
