import { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import type { Database, Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { ErrorReport } from '../platform/error-report.ts';
import { storableJson } from '../platform/errors.ts';
import { time } from '../platform/schemas.ts';
import { ImportOptions } from './import-options.ts';
import { ImportReport } from './import-report.ts';

/* Imports of files of addresses: those that staff upload, which a worker does, and those of the command. */

const importStates = ['received', 'done', 'failed', 'cancelled'] as const;

/** How far an import is. */
export const ImportProgress = z.object({
  step: z.string(),
  percent: z.int().min(0).max(100).nullable().describe('Null where it is not known.'),
});
export type ImportProgress = z.output<typeof ImportProgress>;

export const importFields = {
  id: z.uuid(),
  state: z
    .enum(importStates)
    .describe(
      '`received`: it waits for a worker, or is being read. `cancelled`: by staff, or the command ended without a word.',
    ),
  file_name: z.string(),
  size_bytes: z.int(),
  options: ImportOptions,
  progress: ImportProgress.nullable(),
  report: ImportReport.nullable().describe('Once it is done.'),
  error: ErrorReport.nullable(),
  actor: z.string().describe('Who imports it.'),
  created_at: time(),
  finished_at: time().nullable(),
};
export type AddressImport = z.output<z.ZodObject<typeof importFields>> & {
  /** Null where a command reads the file, and once the import has ended. */
  storage_key: string | null;
};

/** A file to import. `key`: of the stored file; absent where a command reads it where it lies. */
interface NewImport {
  file: { name: string; size: number; key?: string };
  options: ImportOptions;
  actor: Actor;
}

const maxListed = 50;
/** Ended imports are kept for this long, and the last ones for ever. */
const keptDays = 90;
const keptImports = 20;
/** A command that reports no end within this time was killed. */
const commandHours = 24;

const columns = sql`id, state, file_name, size_bytes, options, progress, report, error, actor, created_at, finished_at, storage_key`;
const isUnfinished = sql`state = 'received'`;

/** Records a file to import: its row is enough to send its job again. @returns the import's id */
export function recordImport(database: Database, { file, options, actor }: NewImport): Promise<string> {
  return database.transaction(async (connection) => {
    const { rows } = await connection.query<{ id: string }>(sql`
      insert into address_import (file_name, size_bytes, storage_key, options, actor)
      values (${file.name}, ${file.size}, ${file.key}, ${storableJson(options)}::jsonb, ${actor.name}) returning id`);
    const { id } = rows[0] as { id: string };
    const details = { import: id, file: file.name, size_bytes: file.size, options };
    await record(connection, actor, { action: 'address_import_received', details });
    return id;
  });
}

/** Newest first. */
export async function listImports(db: Queryable): Promise<AddressImport[]> {
  const { rows } = await db.query<AddressImport>(sql`
    select ${columns} from address_import order by created_at desc, id limit ${maxListed}`);
  return rows;
}

export async function findImport(db: Queryable, id: string): Promise<AddressImport | undefined> {
  const { rows } = await db.query<AddressImport>(sql`select ${columns} from address_import where id = ${id}`);
  return rows[0];
}

/** @returns false where the import has ended meanwhile */
export async function advanceImport(db: Queryable, id: string, progress: ImportProgress): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update address_import set progress = ${JSON.stringify(progress)}::jsonb where id = ${id} and ${isUnfinished}`);
  return rowCount > 0;
}

/** Ends an import that is done: call it in the transaction that changes the list. @returns false where it has ended meanwhile */
export async function completeImport(db: Queryable, id: string, report: ImportReport): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update address_import set state = 'done', report = ${storableJson(report)}::jsonb, progress = null, storage_key = null,
      finished_at = clock_timestamp()
    where id = ${id} and ${isUnfinished}`);
  return rowCount > 0;
}

/** @returns false where it has ended meanwhile */
export async function failImport(db: Queryable, id: string, error: ErrorReport): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update address_import set state = 'failed', error = ${storableJson(error)}::jsonb, progress = null, storage_key = null,
      finished_at = clock_timestamp()
    where id = ${id} and ${isUnfinished}`);
  return rowCount > 0;
}

/** Cancels an unfinished import: the worker stops, and the list stays as it is. @returns the key of its stored file; undefined where it has ended */
export function cancelImport(database: Database, id: string, actor: Actor): Promise<string | undefined> {
  return database.transaction(async (connection) => {
    // A command's own imports end with its process.
    const { rows } = await connection.query<{ storage_key: string }>(sql`
      select storage_key from address_import
      where id = ${id} and ${isUnfinished} and storage_key is not null for update`);
    if (!rows[0]) return undefined;
    await connection.query(sql`
      update address_import set state = 'cancelled', progress = null, storage_key = null, finished_at = clock_timestamp()
      where id = ${id}`);
    await record(connection, actor, { action: 'address_import_cancelled', details: { import: id } });
    return rows[0].storage_key;
  });
}

/** Ends imports of commands that were killed, and removes old ones. */
export async function tidyImports(db: Queryable): Promise<void> {
  await db.query(sql`
    update address_import set state = 'cancelled', progress = null, finished_at = clock_timestamp()
    where ${isUnfinished} and storage_key is null
      and created_at < clock_timestamp() - make_interval(hours => ${commandHours})`);
  await db.query(sql`
    delete from address_import where finished_at < clock_timestamp() - make_interval(days => ${keptDays})
      and id not in (select id from address_import order by created_at desc limit ${keptImports})`);
}

/** SQL: the imports for workers, in the order in which they came. */
export const waitingImports = `
  select id::text as id, 'staff' as owner, created_at as since from address_import
  where state = 'received' and storage_key is not null`;

/** What the list is. */
export async function readAddressList(db: Queryable) {
  const { rows } = await db.query<{
    is_empty: boolean;
    addresses: number;
    streets: number;
    premises: number | null;
    version: number;
    changed_at: Date | null;
  }>(sql`
    select is_empty, version, case when not is_empty then changed_at end as changed_at,
      coalesce(s.addresses, 0)::integer as addresses, s.streets, (
        select (report->>'premises')::integer from address_import
        where state = 'done' and not coalesce((options->>'dry_run')::boolean, false)
        order by finished_at desc limit 1) as premises
    from address_list
    cross join (select sum(addresses) as addresses, count(*)::integer as streets from street where addresses > 0) as s`);
  return rows[0] as (typeof rows)[number];
}
