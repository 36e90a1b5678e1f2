import type { Database } from '../database/database.ts';
import { type Storage, unfinishedEndings } from './storage.ts';

/** A file that is younger may be one whose row is about to be written. */
const graceMs = 24 * 3_600_000;
/** How many names one statement compares. */
const namesAtOnce = 5_000;

/** The names that files get here; what else is in the folder or the bucket is not ours to remove. */
const ownName = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(\.[a-z0-9]{1,8}){0,2}$/;

/**
 * Removes stored files that no row names: of requests that failed or were killed between the two, and of rows that are
 * gone.
 * @returns the names of those that were removed
 */
export async function collectFiles(
  database: Database,
  storage: Storage,
  signal?: AbortSignal,
  now = Date.now(),
): Promise<string[]> {
  const collected: string[] = [];
  const collect = async (keys: readonly string[]) => {
    const { rows } = await database.query<{ key: string }>(
      `select key from unnest($1::text[], $2::text[]) as stored (key, file)
       where not exists (select from stored_file where storage_key = key)
         and not exists (select from stored_file where storage_key = file)`,
      [keys, keys.map((key) => key.replace(unfinishedEndings, ''))],
    );
    for (const { key } of rows) {
      signal?.throwIfAborted();
      await storage.remove(key);
      collected.push(key);
    }
  };
  let keys: string[] = [];
  for await (const { key, changedAt } of storage.list()) {
    signal?.throwIfAborted();
    if (!ownName.test(key) || now - changedAt.getTime() < graceMs) continue;
    keys.push(key);
    if (keys.length < namesAtOnce) continue;
    await collect(keys);
    keys = [];
  }
  if (keys.length > 0) await collect(keys);
  return collected;
}
