import { createHash } from 'node:crypto';
import { requireQueries } from '../../../billing/query-holds.ts';
import { type Cost, costOf } from '../../../billing/usage.ts';
import { applyBatches } from '../../../billing/usage-batches.ts';
import type { Connection, Database, Queryable } from '../../../platform/database/database.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import { CovermapError, type ErrorReport, storableJson } from '../../../platform/errors.ts';
import type { Storage, StoredFile } from '../../../platform/storage/storage.ts';
import type { OutputFormat } from './answers.ts';

/* Files of coordinates for workers to look up. Answers are stored in parts; a job that starts again resumes after the last. */

/** A file is kept this long after its upload, and its result after its end. */
const keptHours = 24;
const maxUnfinished = 5;
const maxListed = 100;
const hourMs = 3_600_000;

export interface BulkJob {
  id: string;
  api_key_id: number;
  customer_id: number;
  state: 'quoted' | 'queued' | 'running' | 'done' | 'failed';
  input_format: 'csv' | 'ndjson';
  output_format: OutputFormat;
  storage_key: string;
  size_bytes: number;
  error: ErrorReport | null;
  /** The positions that were counted when the file was received: the limit of what it may cost. */
  entries: number;
  /** When it was accepted, for which its queries count, where the customer has limits; else they count for when they are answered. */
  held_at: Date | null;
  /** True where some entry names an address in place of a position. */
  names_addresses: boolean;
  /** The max cost of its lines, as of its upload or start; null where it was not calculated then. */
  cost: Cost | null;
  created_at: Date;
  finished_at: Date | null;
  expires_at: Date;
  read_bytes: number;
  coordinates: number;
  /** The number of answered lines: as many queries are counted once the job is done. */
  good: number;
}

/**
 * An uploaded file of coordinates. `entries`: its max queries, without empty lines and the header; `quoteOnly`: it waits for {@link startBulkJob};
 * `idempotencyKey`: names the request, of which one job is made (draft-ietf-httpapi-idempotency-key-header).
 */
interface BulkFile {
  file: StoredFile;
  entries: number;
  namesAddresses: boolean;
  input: BulkJob['input_format'];
  output: OutputFormat;
  quoteOnly: boolean;
  idempotencyKey?: string | undefined;
}

/**
 * Records an uploaded file and its max cost. @param maxKeptBytes of the customer's files and results
 * @returns the job's id: that of an earlier file where the same request is sent again
 * @throws CovermapError `bulk_jobs_too_many`, `bulk_quota_exceeded`, `free_queries_used_up`, `cap_reached`, `idempotency_key_reused`
 */
export function createBulkJob(
  database: Database,
  key: { id: number; customerId: number },
  { file, entries, namesAddresses, input, output, quoteOnly, idempotencyKey }: BulkFile,
  maxKeptBytes: number,
  at: Date,
): Promise<string> {
  return database.transaction(async (connection) => {
    await connection.query(sql`select from customer where id = ${key.customerId} for no key update`);
    const asked = createHash('sha256')
      .update(`${input} ${output} ${quoteOnly} `)
      .update(file.sha256)
      .digest();
    const { rows: earlier } = await connection.query<{ id: string; request_sha256: Buffer }>(sql`
      select id, request_sha256 from bulk_job
      where api_key_id = ${key.id} and idempotency_key = ${idempotencyKey}`);
    if (earlier[0] && asked.equals(earlier[0].request_sha256)) return earlier[0].id;
    if (earlier[0]) throw keyReused();
    await requireFewUnfinished(connection, key.customerId);
    await requireRoomForResult(connection, key.customerId, file.size, maxKeptBytes);
    const heldAt = quoteOnly ? null : await requireQueries(connection, key.customerId, entries, at);
    const cost = await costOf(connection, key.customerId, entries, at);
    const { rows } = await connection.query<{ id: string }>(sql`
      insert into bulk_job (api_key_id, state, input_format, output_format, storage_key, size_bytes, entries, names_addresses, cost,
        idempotency_key, request_sha256, held_at, expires_at)
      values (${key.id}, ${quoteOnly ? 'quoted' : 'queued'}, ${input}, ${output}, ${file.key}, ${file.size},
        ${entries}, ${namesAddresses}, ${JSON.stringify(cost)}::jsonb, ${idempotencyKey}, ${idempotencyKey && asked}, ${heldAt}, clock_timestamp() + make_interval(hours => ${keptHours}))
      returning id`);
    return (rows[0] as { id: string }).id;
  });
}

export const keyReused = () =>
  new CovermapError(
    'idempotency_key_reused',
    'Another file was sent with this Idempotency-Key, or the same one with other options.',
    'Send each file with a key of its own.',
  );

/** Starts a quoted job, once. @throws CovermapError `free_queries_used_up`, `cap_reached` */
export async function startBulkJob(database: Database, job: BulkJob, at: Date): Promise<void> {
  await database.transaction(async (connection) => {
    await connection.query(sql`select from customer where id = ${job.customer_id} for no key update`);
    const { rows } = await connection.query<{ entries: number }>(sql`
      select entries from bulk_job where id = ${job.id} and state = 'quoted' for update`);
    if (!rows[0]) return;
    const heldAt = await requireQueries(connection, job.customer_id, rows[0].entries, at);
    const cost = await costOf(connection, job.customer_id, rows[0].entries, at);
    await connection.query(sql`
      update bulk_job set state = 'queued', held_at = ${heldAt}, cost = ${JSON.stringify(cost)}::jsonb where id = ${job.id}`);
  });
}

/** @throws CovermapError `bulk_jobs_too_many` */
async function requireFewUnfinished(connection: Connection, customerId: number): Promise<void> {
  const { rows } = await connection.query<{ id: string }>(sql`
    select j.id from bulk_job j join api_key k on k.id = j.api_key_id
    where k.customer_id = ${customerId} and j.state in ('quoted', 'queued', 'running') order by j.created_at`);
  if (rows.length < maxUnfinished) return;
  const message = `You have ${maxUnfinished} files that are not finished: ${rows.map(({ id }) => id).join(', ')}.`;
  const hint = 'Send this file when one of them is finished or deleted.';
  throw new CovermapError('bulk_jobs_too_many', message, hint);
}

/** @throws CovermapError `bulk_quota_exceeded` where a customer's files and results would exceed their quota */
export async function requireRoomForResult(
  db: Queryable,
  customerId: number,
  bytes: number,
  maxKeptBytes: number,
): Promise<void> {
  const { rows } = await db.query<{ bytes: number }>(sql`
    select (coalesce(sum(j.size_bytes), 0) + coalesce(sum(p.bytes), 0))::bigint as bytes
    from bulk_job j join api_key k on k.id = j.api_key_id
    left join lateral (select sum(size_bytes) as bytes from bulk_job_part where job_id = j.id) as p on true
    where k.customer_id = ${customerId}`);
  if ((rows[0]?.bytes ?? 0) + bytes <= maxKeptBytes) return;
  throw new CovermapError(
    'bulk_quota_exceeded',
    `Your files of coordinates and their results would exceed ${Math.round(maxKeptBytes / 1024 / 1024)} MB.`,
    'Fetch and delete results, or send smaller files. A result expires after a day.',
  );
}

/** @param customerId the job's owner; undefined: any customer */
export async function findBulkJob(db: Queryable, id: string, customerId?: number) {
  const [job] = await bulkJobs(
    db,
    sql`
    j.id::text = ${id.toLowerCase()} and (${customerId}::integer is null or k.customer_id = ${customerId})`,
  );
  return job;
}

/** The latest jobs of a customer, newest first. */
export function bulkJobsOf(db: Queryable, customerId: number): Promise<BulkJob[]> {
  return bulkJobs(db, sql`k.customer_id = ${customerId}`);
}

async function bulkJobs(db: Queryable, which: Sql): Promise<BulkJob[]> {
  const { rows } = await db.query<BulkJob>(sql`
    select j.id, j.api_key_id, k.customer_id, j.state, j.input_format, j.output_format, j.storage_key, j.size_bytes, j.entries, j.held_at, j.names_addresses,
      j.error, j.cost, j.created_at, j.finished_at, j.expires_at,
      coalesce(sum(p.coordinates), 0)::integer as coordinates, coalesce(sum(p.good), 0)::integer as good,
      coalesce(max(p.read_bytes), 0) as read_bytes
    from bulk_job j join api_key k on k.id = j.api_key_id left join bulk_job_part p on p.job_id = j.id
    where ${which}
    group by j.id, k.customer_id order by j.created_at desc limit ${maxListed}`);
  return rows;
}

interface BulkJobPart {
  number: number;
  storage_key: string;
  size_bytes: number;
  coordinates: number;
  good: number;
  read_bytes: number;
  answered_at: Date;
}

export async function partsOf(db: Queryable, jobId: string): Promise<BulkJobPart[]> {
  const { rows } = await db.query<BulkJobPart>(sql`
    select number, storage_key, size_bytes, coordinates, good, read_bytes, answered_at
    from bulk_job_part where job_id = ${jobId} order by number`);
  return rows;
}

/** Marks a job as running; false where it has ended or was removed. */
export async function beginBulkJob(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update bulk_job set state = 'running' where id = ${id} and state in ('queued', 'running')`);
  return rowCount > 0;
}

/**
 * Stops files of a revoked key, which somebody else may have: it costs its customer nothing more. A key that expires after a rotation sent its files
 * before that.
 * @throws CovermapError `bulk_key_ended` where the key that sent a file was revoked since, or its customer has left
 */
export async function requireKey(db: Queryable, { api_key_id }: BulkJob): Promise<void> {
  const { rows } = await db.query(sql`
    select from api_key k join customer c on c.id = k.customer_id
    where k.id = ${api_key_id} and k.revoked_at is null and (c.closes_at is null or c.closes_at > clock_timestamp())`);
  if (rows.length > 0) return;
  throw new CovermapError(
    'bulk_key_ended',
    'The API key that sent this file was revoked before the file was done, or its customer has left.',
    'It costs nothing. Send the file again with another key.',
  );
}

/** Adds the next part of the answers; undefined where the job was removed meanwhile. */
export async function addPart(db: Queryable, jobId: string, part: Omit<BulkJobPart, 'answered_at'>) {
  const { rows } = await db.query<{ answered_at: Date }>(sql`
    insert into bulk_job_part (job_id, number, storage_key, size_bytes, coordinates, good, read_bytes)
    select id, ${part.number}, ${part.storage_key}, ${part.size_bytes}, ${part.coordinates}, ${part.good},
      ${part.read_bytes} from bulk_job where id = ${jobId} for key share
    returning answered_at`);
  return rows[0] && { ...part, ...rows[0] };
}

/**
 * Ends a complete job and counts its queries: now the customer gets the answers. Counts at most once, and nothing for a job removed meanwhile.
 * @throws CovermapError as {@link requireKey}
 */
export async function completeBulkJob(database: Database, job: BulkJob): Promise<void> {
  await database.transaction(async (connection) => {
    if (!(await endWithin(connection, job.id))) return;
    await requireKey(connection, job);
    const batches = (await partsOf(connection, job.id)).map(({ number, good, answered_at }) => ({
      sequence: number,
      counts:
        good === 0
          ? []
          : [{ keyId: job.api_key_id, hour: hourOf(job.held_at ?? answered_at), queries: good }],
    }));
    await applyBatches(connection, job.id, batches);
  });
}

const hourOf = (instant: Date) => Math.floor(instant.getTime() / hourMs) * hourMs;

/** Ends a job that has failed: its answers are not given out, and nothing is counted. */
export async function failBulkJob(db: Queryable, id: string, error: ErrorReport): Promise<void> {
  await endWithin(db, id, error);
}

/** @returns false where the job has ended or was removed */
async function endWithin(db: Queryable, id: string, error?: ErrorReport): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update bulk_job set state = ${error ? 'failed' : 'done'}, error = ${error && storableJson(error)}::jsonb,
      finished_at = clock_timestamp(), expires_at = clock_timestamp() + make_interval(hours => ${keptHours})
    where id = ${id} and state in ('queued', 'running')`);
  return rowCount > 0;
}

/** Removes a job with its file and its result. Counted queries stay counted. */
export async function removeBulkJob(database: Database, storage: Storage, id: string): Promise<void> {
  // The row goes first: else a worker that ends while the files are removed would count answers that nobody can fetch. If a file cannot be
  // removed, it is removed later, like every file that no row refers to.
  const stored = await database.transaction(async (connection) => {
    // Waits for a part that is being added.
    const { rows: jobs } = await connection.query<{ storage_key: string }>(sql`
      select storage_key from bulk_job where id = ${id} for update`);
    const parts = await partsOf(connection, id);
    await connection.query(sql`delete from bulk_job where id = ${id}`);
    return [...jobs, ...parts];
  });
  for (const { storage_key } of stored) await storage.remove(storage_key);
}

/** SQL: the jobs for workers. Customers take turns. */
export const waitingBulkJobs = `
  select j.id::text as id, k.customer_id::text as owner, j.created_at as since
  from bulk_job j join api_key k on k.id = j.api_key_id
  where j.state in ('queued', 'running')`;

export async function expiredBulkJobs(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from bulk_job where expires_at < clock_timestamp() and state in ('quoted', 'done', 'failed')`,
  );
  return rows.map(({ id }) => id);
}
