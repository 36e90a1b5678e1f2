import os from 'node:os';
import {
  type Connection,
  type Database,
  inOneTransaction,
  type Queryable,
} from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Batch, Damage } from './usage-file.ts';
import type { OrphanedFile } from './usage-spool.ts';

/** Stores a process's new batches, in order. @returns the number of the last batch stored before */
export function applyBatches(db: Database | Connection, process: string, batches: readonly Batch[]) {
  return inOneTransaction(db, async (connection) => {
    // Others that store batches of the same process wait here.
    const { rows } = await connection.query<{ sequence: number }>(sql`
      insert into usage_flush as f (process, sequence) values (${process}, 0)
      on conflict (process) do update set sequence = f.sequence returning sequence`);
    const applied = rows[0]?.sequence ?? 0;
    const fresh = batches.filter(({ sequence }) => sequence > applied);
    const counts = fresh.flatMap((batch) => batch.counts);
    if (counts.length === 0) return applied;
    await connection.query(sql`
      -- In one order, so that two processes never wait for each other's rows.
      insert into usage_hour as u (key_id, hour, queries)
      select key_id, to_timestamp(hour / 1000.0), sum(queries)::bigint
      from unnest(${counts.map(({ keyId }) => keyId)}::integer[], ${counts.map(({ hour }) => hour)}::bigint[],
        ${counts.map(({ queries }) => queries)}::bigint[]) as counted (key_id, hour, queries)
      group by key_id, hour order by key_id, hour
      on conflict (key_id, hour) do update set queries = u.queries + excluded.queries`);
    await connection.query(sql`
      update usage_flush set sequence = ${fresh.at(-1)?.sequence}, flushed_at = clock_timestamp()
      where process = ${process}`);
    return applied;
  });
}

/** Stores the readable batches of an orphaned file. @returns the lost ones, unless the damaged ones had been stored before */
export async function reclaim(connection: Connection, orphan: OrphanedFile): Promise<Damage | undefined> {
  const { process, batches, damage } = orphan;
  const applied = process === undefined ? 0 : await applyBatches(connection, process, batches);
  if (!damage) return undefined;
  // Batches are stored in order. If the next readable one is stored, the damaged ones before it are stored too.
  const isLost = damage.gaps.length === 0 || damage.gaps.some(({ before }) => applied < before - 1);
  if (isLost) await recordDamage(connection, orphan, damage);
  // Another process may have recorded it and ended before it could move the file.
  return isLost || (await isRecorded(connection, orphan)) ? damage : undefined;
}

/** Records counts that are lost, for staff to see. */
export async function recordDamage(
  db: Queryable,
  { quarantinePath, process }: OrphanedFile,
  { reason }: Damage,
): Promise<void> {
  await db.query(sql`
    insert into usage_damage (host, file, process, reason)
    values (${os.hostname()}, ${quarantinePath}, ${process}, ${reason})
    on conflict (host, file) do nothing`);
}

async function isRecorded(db: Queryable, { quarantinePath }: OrphanedFile): Promise<boolean> {
  const { rows } = await db.query(sql`
    select from usage_damage where host = ${os.hostname()} and file = ${quarantinePath}`);
  return rows.length > 0;
}
