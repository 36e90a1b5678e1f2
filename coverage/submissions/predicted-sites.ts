import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import type { Storage } from '../../platform/storage/storage.ts';

/* Modelled signals around sites, in the storage, by a digest of all their inputs. They are a cache. */

/** A stored site; undefined where it is missing or unreadable. */
export async function readSite(database: Database, storage: Storage, digest: string) {
  const { rows } = await database.query<{ storage_key: string; size_bytes: number }>(sql`
    update predicted_site set used_at = clock_timestamp() where digest = decode(${digest}, 'hex')
    returning storage_key, size_bytes`);
  if (!rows[0]) return undefined;
  try {
    const bytes = await buffer(await storage.read(rows[0].storage_key));
    return bytes.length === Number(rows[0].size_bytes) ? bytes : undefined;
  } catch (error) {
    // The work waits for a storage that is away.
    if (error instanceof CovermapError) throw error;
    return undefined;
  }
}

/** Stores a site, in place of a damaged one. */
export async function keepSite(database: Database, storage: Storage, digest: string, file: Uint8Array) {
  const stored = await storage.store('site', Readable.from([file], { objectMode: false }));
  const { rows } = await database.query<{ former: string | null }>(sql`
    with former as (select storage_key from predicted_site where digest = decode(${digest}, 'hex'))
    insert into predicted_site (digest, storage_key, size_bytes)
    values (decode(${digest}, 'hex'), ${stored.key}, ${stored.size})
    on conflict (digest) do update set
      storage_key = excluded.storage_key, size_bytes = excluded.size_bytes, used_at = clock_timestamp()
    returning (select storage_key from former) as former`);
  const former = rows[0]?.former;
  // If this fails, the file is removed later, like every file that no row refers to.
  if (former) await storage.remove(former).catch(() => undefined);
}

/** Deletes sites that were not used for a while: their files are collected, as no row refers to them. */
export async function forgetSites(db: Queryable, keptDays: number): Promise<void> {
  await db.query(sql`
    delete from predicted_site where used_at < clock_timestamp() - make_interval(days => ${keptDays})`);
}
