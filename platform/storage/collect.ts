import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { incompleteExtensions, type Storage } from './storage.ts';

/** A younger file may be about to get its row. */
const graceMs = 24 * 3_600_000;
const batchSize = 5_000;

/** The names that the service gives files. Others in the folder or bucket are not its own. */
const ownName = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(\.[a-z0-9]{1,8}){0,2}$/;

/**
 * Removes orphaned files, which no row refers to. @returns their names
 * @throws Error where rows name none of the files: names are random, so they are another database's, and nothing is removed
 */
export async function collectFiles(
  database: Database,
  storage: Storage,
  signal?: AbortSignal,
  now = Date.now(),
): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key, changedAt } of storage.list()) {
    signal?.throwIfAborted();
    if (ownName.test(key) && now - changedAt.getTime() >= graceMs) keys.push(key);
  }
  const orphaned: string[] = [];
  for (let at = 0; at < keys.length; at += batchSize) {
    const batch = keys.slice(at, at + batchSize);
    const { rows } = await database.query<{ key: string }>(sql`
      select key from unnest(${batch}::text[],
        ${batch.map((key) => key.replace(incompleteExtensions, ''))}::text[]) as stored (key, file)
      where not exists (select from stored_file where storage_key = key)
        and not exists (select from stored_file where storage_key = file)`);
    orphaned.push(...rows.map(({ key }) => key));
  }
  if (orphaned.length > 0 && orphaned.length === keys.length)
    throw new Error(
      `None of ${keys.length} stored files is of this database, and none is removed: see that DATABASE_URL and UPLOAD_DIR or S3_BUCKET are of one service.`,
    );
  for (const key of orphaned) {
    signal?.throwIfAborted();
    await storage.remove(key);
  }
  return orphaned;
}
