import { z } from 'zod';
import type { Actor, Viewer } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import { premisesVersion } from '../../addresses/premises.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { ErrorReport } from '../../platform/error-report.ts';
import { CovermapError, storableJson } from '../../platform/errors.ts';
import { day, NamedProvider, time } from '../../platform/schemas.ts';
import type { Storage, StoredFile } from '../../platform/storage/storage.ts';
import { versionsOf } from './versions.ts';

/* Exports: published coverage of a provider as a file, which a worker writes and which is kept for some days. */

export const exportFormats = ['geopackage', 'geojson', 'flatgeobuf', 'geoparquet', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Exports of a provider that wait or are being written; those of staff count apart. */
const maxUnfinished = 3;
const maxListed = 100;

/** How far an export is. */
export const ExportProgress = z.object({
  step: z.string(),
  percent: z.int().min(0).max(100).nullable().describe('Null where it is not known.'),
});
export type ExportProgress = z.output<typeof ExportProgress>;

export const exportFields = {
  id: z.uuid(),
  provider: NamedProvider,
  technology: z.string().nullable().describe('Null: all.'),
  day: day().nullable().describe('Null: what was published when the work began.'),
  format: z.enum(exportFormats),
  state: z
    .enum(['queued', 'done', 'failed'])
    .describe('`queued`: it waits for a worker, or is being written.'),
  progress: ExportProgress.nullable(),
  error: ErrorReport.nullable(),
  file_name: z.string().nullable(),
  size_bytes: z.int().nullable(),
  areas: z.int().nullable(),
  premises: z.int().nullable().describe('Premises with coverage. Null where no addresses are imported.'),
  asked_by: z.string(),
  created_at: time(),
  finished_at: time().nullable(),
  expires_at: time().nullable().describe('When the export and its file are removed.'),
};
type Shown = z.output<z.ZodObject<typeof exportFields>>;

export interface CoverageExport extends Shown {
  byStaff: boolean;
  technologyId: number | null;
  /** The versions in it; null until a worker has begun. */
  datasetIds: number[] | null;
  storageKey: string | null;
}

export interface ExportQuotas {
  keptDays: number;
  /** Of the files of a provider's exports. */
  keptBytes: number;
}

interface AskedExport {
  providerId: number;
  byStaff: boolean;
  technology: string | undefined;
  day: string | undefined;
  format: ExportFormat;
}

/**
 * Records an export: its row is enough to send its job again. @returns its id
 * @throws CovermapError `exports_too_many`, `exports_quota_exceeded`, `technology_unknown`, `export_empty`, `export_not_kept`, `export_without_addresses`
 */
export function createExport(database: Database, asked: AskedExport, actor: Actor, quotas: ExportQuotas) {
  const { providerId, byStaff, technology, day, format } = asked;
  return database.transaction(async (connection) => {
    await connection.query(sql`select from provider where id = ${providerId} for no key update`);
    const technologyId = await technologyIdOf(connection, technology);
    const { rows: unfinished } = await connection.query(sql`
      select from coverage_export
      where provider_id = ${providerId} and by_staff = ${byStaff} and state = 'queued'`);
    if (unfinished.length >= maxUnfinished) throw new CovermapError('exports_too_many');
    await requireRoomForExport(connection, asked, 1, quotas);
    await versionsOf(connection, { providerId, technologyId, day: day ?? null });
    if (format === 'csv' && (await premisesVersion(connection)) === 0)
      throw new CovermapError('export_without_addresses');
    const { rows } = await connection.query<{ id: string }>(sql`
      insert into coverage_export (provider_id, technology_id, day, format, by_staff, actor)
      values (${providerId}, ${technologyId}, ${day}, ${format}, ${byStaff}, ${actor.name}) returning id`);
    const { id } = rows[0] as { id: string };
    const details = { export: id, format, technology: technology ?? null, day: day ?? null };
    await record(connection, actor, { action: 'coverage_export_requested', providerId, details });
    return id;
  });
}

/** @throws CovermapError `technology_unknown` */
async function technologyIdOf(db: Queryable, name: string | undefined): Promise<number | null> {
  if (name === undefined) return null;
  const { rows } = await db.query<{ id: number }>(sql`select id from technology where name = ${name}`);
  if (!rows[0])
    throw new CovermapError(
      'technology_unknown',
      `There is no technology ${name}.`,
      'GET /api/operator/catalog lists them.',
    );
  return rows[0].id;
}

/** @throws CovermapError `exports_quota_exceeded` where a provider's files would exceed their quota with these bytes */
export async function requireRoomForExport(
  db: Queryable,
  { providerId, byStaff }: Pick<AskedExport, 'providerId' | 'byStaff'>,
  bytes: number,
  { keptBytes }: ExportQuotas,
): Promise<void> {
  const { rows } = await db.query<{ bytes: number }>(sql`
    select coalesce(sum(size_bytes), 0)::bigint as bytes from coverage_export
    where provider_id = ${providerId} and by_staff = ${byStaff}`);
  if ((rows[0]?.bytes ?? 0) + bytes <= keptBytes) return;
  const message = `The files of these exports would exceed ${Math.round(keptBytes / 1024 / 1024)} MB.`;
  throw new CovermapError('exports_quota_exceeded', message);
}

/** The exports that a viewer may see, newest first: operators those that they asked for, staff all. */
export function listExports(db: Queryable, { providerId }: Viewer): Promise<CoverageExport[]> {
  return exportsWhere(
    db,
    sql`${providerId}::integer is null or (e.provider_id = ${providerId} and not e.by_staff)`,
  );
}

export async function findExport(db: Queryable, id: string): Promise<CoverageExport | undefined> {
  return (await exportsWhere(db, sql`e.id = ${id}`))[0];
}

async function exportsWhere(db: Queryable, which: Sql): Promise<CoverageExport[]> {
  const { rows } = await db.query<CoverageExport>(sql`
    select e.id, json_build_object('id', p.id, 'name', p.name) as provider, t.name as technology, e.day, e.format, e.state,
      e.progress, e.error, e.file_name, e.size_bytes, e.areas, e.premises, e.actor as asked_by, e.created_at, e.finished_at,
      e.expires_at, e.by_staff as "byStaff", e.technology_id as "technologyId", e.dataset_ids as "datasetIds",
      e.storage_key as "storageKey"
    from coverage_export e join provider p on p.id = e.provider_id left join technology t on t.id = e.technology_id
    where ${which}
    order by e.created_at desc, e.id limit ${maxListed}`);
  return rows;
}

/**
 * Begins or resumes an export, with the versions that it began with. @returns undefined where it has ended or was removed
 * @throws CovermapError `export_empty`, `export_not_kept`
 */
export async function beginExport(database: Database, id: string) {
  const asked = await findExport(database, id);
  if (asked?.state !== 'queued') return undefined;
  const { provider, technologyId, day } = asked;
  const found =
    asked.datasetIds ?? (await versionsOf(database, { providerId: provider.id, technologyId, day }));
  const { rows } = await database.query<{ datasetIds: number[] }>(sql`
    update coverage_export set dataset_ids = coalesce(dataset_ids, ${found}::integer[])
    where id = ${id} and state = 'queued' returning dataset_ids as "datasetIds"`);
  return rows[0] && { ...asked, datasetIds: rows[0].datasetIds };
}

/** @returns false where it has ended or was removed meanwhile */
export async function advanceExport(db: Queryable, id: string, progress: ExportProgress): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update coverage_export set progress = ${JSON.stringify(progress)}::jsonb where id = ${id} and state = 'queued'`);
  return rowCount > 0;
}

export interface ExportedFile {
  file: StoredFile;
  name: string;
  areas: number | null;
  premises: number | null;
}

/** @returns false where it was removed meanwhile: the file then belongs to nobody */
export async function completeExport(
  db: Queryable,
  id: string,
  { file, name, areas, premises }: ExportedFile,
  { keptDays }: ExportQuotas,
): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update coverage_export set state = 'done', progress = null, storage_key = ${file.key}, file_name = ${name},
      size_bytes = ${file.size}, areas = ${areas}, premises = ${premises}, finished_at = clock_timestamp(),
      expires_at = clock_timestamp() + make_interval(days => ${keptDays})
    where id = ${id} and state = 'queued'`);
  return rowCount > 0;
}

export async function failExport(db: Queryable, id: string, error: ErrorReport, { keptDays }: ExportQuotas) {
  await db.query(sql`
    update coverage_export set state = 'failed', progress = null, error = ${storableJson(error)}::jsonb,
      finished_at = clock_timestamp(), expires_at = clock_timestamp() + make_interval(days => ${keptDays})
    where id = ${id} and state = 'queued'`);
}

/** Removes an export with its file; work on it stops. @param actor absent where it has expired */
export async function removeExport(database: Database, storage: Storage, id: string, actor?: Actor) {
  const key = await database.transaction(async (connection) => {
    const { rows } = await connection.query<{ key: string | null; providerId: number }>(sql`
      delete from coverage_export where id = ${id} returning storage_key as key, provider_id as "providerId"`);
    const [removed] = rows;
    if (removed && actor) {
      const details = { export: id };
      const { providerId } = removed;
      await record(connection, actor, { action: 'coverage_export_removed', providerId, details });
    }
    return removed?.key;
  });
  // If this fails, the file is removed later, like every file that no row refers to.
  if (key) await storage.remove(key);
}

/** SQL: the exports for workers. Providers take turns, and staff with them. */
export const waitingExports = `
  select id::text as id, case when by_staff then 'staff' else provider_id::text end as owner, created_at as since
  from coverage_export where state = 'queued'`;

export async function expiredExports(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from coverage_export where expires_at < clock_timestamp()',
  );
  return rows.map(({ id }) => id);
}
