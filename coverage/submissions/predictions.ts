import type { Actor } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError, type ErrorReport, storableJson } from '../../platform/errors.ts';
import type { NamedFile } from '../../platform/storage/storage.ts';
import { tellOfSubmission } from '../submission-mail.ts';
import type { Manifest } from './manifest.ts';

/** A stored file of coverage and its description. */
export interface CoverageFile {
  file_name: string;
  storage_key: string;
  size_bytes: number;
  manifest: Manifest;
}

/** The coverage that staff or the service modelled from a submission's towers. `manifest`: its own, with the fields given for this file. */
export async function findPrediction(db: Queryable, submissionId: string) {
  const { rows } = await db.query<CoverageFile & { error: ErrorReport | null }>(sql`
    select file_name, storage_key, size_bytes, manifest, error from prediction where submission_id = ${submissionId}`);
  return rows[0];
}

/** SQL: true for a submission `s` of towers without usable coverage. */
export const waitsForPrediction = sql`(s.kind = 'towers' and s.state = 'received' and s.towers_read_at is not null
  and not exists (select from prediction r where r.submission_id = s.id and r.error is null))`;

/**
 * Locks a submission that can get a prediction: towers without usable coverage, or with unpublished coverage that the service modelled,
 * which is withdrawn. @returns `hadModelled`: true where it was withdrawn @throws CovermapError `submission_not_waiting`
 */
export async function lockForPrediction(connection: Queryable, submissionId: string) {
  // Publishing locks the same rows, so that one of the two is first.
  const { rows } = await connection.query<{ id: number; waits: boolean; modelled: boolean }>(sql`
    select p.id, ${waitsForPrediction} as waits, (s.state = 'ready' and exists (
      select from modelling m where m.submission_id = s.id and m.state = 'done')) as modelled
    from submission s join provider p on p.id = s.provider_id where s.id = ${submissionId}
    for no key update of p, s`);
  const [found] = rows;
  if (!found?.waits && !found?.modelled) throw new CovermapError('submission_not_waiting');
  if (found.modelled) {
    await connection.query(sql`
      update submission set state = 'received', progress = null, report = null, blocking = null, finished_at = null
      where id = ${submissionId}`);
    // Loading begins with their removal.
    await connection.query(sql`
      update dataset set state = 'withdrawn' where submission_id = ${submissionId} and state = 'ready'`);
    await connection.query(sql`delete from prediction where submission_id = ${submissionId}`);
  }
  return { providerId: found.id, hadModelled: found.modelled };
}

/**
 * Attaches the coverage that staff modelled from a submission's towers, in place of an unusable prediction or of the service's own. It is then
 * processed like any other. @returns the storage key of the replaced file, which no row refers to any more
 * @throws CovermapError `submission_not_waiting`
 */
export function attachPrediction(
  database: Database,
  submissionId: string,
  file: NamedFile,
  manifest: Manifest,
  actor: Actor,
) {
  return database.transaction(async (connection) => {
    const { providerId } = await lockForPrediction(connection, submissionId);
    await cancelModelling(connection, submissionId, ['waiting', 'done']);
    return putPrediction(connection, submissionId, file, manifest, { ...actor, providerId });
  });
}

/** Cancels modelling in one of the states, and interrupts its worker. */
export async function cancelModelling(connection: Queryable, submissionId: string, states = ['waiting']) {
  await connection.query(sql`
    update modelling set state = 'cancelled', finished_at = clock_timestamp()
    where submission_id = ${submissionId} and state = any(${states})`);
  await interruptModelling(connection, submissionId);
}

/** Tells a worker that its modelling is out of date. */
export async function interruptModelling(connection: Queryable, submissionId: string): Promise<void> {
  await connection.query(sql`select pg_notify('work_cancelled', ${submissionId})`);
}

/** Makes a file the prediction of a submission that was {@link lockForPrediction locked}. @returns as {@link attachPrediction} */
export async function putPrediction(
  connection: Queryable,
  submissionId: string,
  file: NamedFile,
  manifest: Manifest,
  { providerId, ...actor }: Actor & { providerId: number },
) {
  const { rows } = await connection.query<{ replaced: string }>(sql`
    select storage_key as replaced from prediction where submission_id = ${submissionId}`);
  // Of two at once, the second finds the first here: the lock does not change its row.
  const { rowCount } = await connection.query(sql`
    insert into prediction as p (submission_id, token_id, file_name, storage_key, size_bytes, sha256, manifest)
    values (${submissionId}, ${actor.tokenId}, ${file.name}, ${file.key}, ${file.size}, ${file.sha256},
      ${storableJson(manifest)}::jsonb)
    on conflict (submission_id) do update set
      token_id = excluded.token_id, file_name = excluded.file_name, storage_key = excluded.storage_key,
      size_bytes = excluded.size_bytes, sha256 = excluded.sha256, manifest = excluded.manifest, error = null,
      attached_at = clock_timestamp()
    where p.error is not null`);
  if (rowCount === 0) throw new CovermapError('submission_not_waiting');
  await connection.query(sql`update submission set progress = null where id = ${submissionId}`);
  const details = { file: file.name, size_bytes: file.size };
  await record(connection, actor, { action: 'prediction_attached', providerId, submissionId, details });
  return rows[0]?.replaced;
}

/** Fails a submission of towers that cannot be modelled, with a sentence for the operator. @throws CovermapError `submission_not_waiting` */
export function refuseTowers(database: Database, submissionId: string, reason: string, actor: Actor) {
  return database.transaction(async (connection) => {
    // Attaching a prediction locks the same row: the next statement sees its result.
    await connection.query(sql`select from submission where id = ${submissionId} for update`);
    const { rows } = await connection.query<{ provider_id: number }>(sql`
      update submission s set state = 'failed',
        error = ${storableJson(new CovermapError('towers_refused', reason))}::jsonb, finished_at = clock_timestamp()
      where s.id = ${submissionId} and ${waitsForPrediction}
      returning s.provider_id`);
    if (!rows[0]) throw new CovermapError('submission_not_waiting');
    await cancelModelling(connection, submissionId);
    await tellOfSubmission(connection, submissionId, 'failed', [reason]);
    const { provider_id: providerId } = rows[0];
    await record(connection, actor, {
      action: 'towers_refused',
      providerId,
      submissionId,
      details: { reason },
    });
  });
}
