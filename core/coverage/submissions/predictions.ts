import type { Actor } from '../../access/actor.ts';
import { record } from '../../audit.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { CovermapError, type ErrorReport, storableJson } from '../../errors.ts';
import type { StoredFile } from '../../storage/storage.ts';
import type { Manifest } from './manifest.ts';

/** The coverage that staff modelled from an operator's towers. */
export interface Prediction {
  file_name: string;
  storage_key: string;
  size_bytes: number;
  /** The submission's own, with the fields given for this file. */
  manifest: Manifest;
  error: ErrorReport | null;
}

export async function findPrediction(db: Queryable, submissionId: string): Promise<Prediction | undefined> {
  const { rows } = await db.query<Prediction>(sql`
    select file_name, storage_key, size_bytes, manifest, error from prediction where submission_id = ${submissionId}`);
  return rows[0];
}

/** SQL: whether a submission `s` is of towers without usable coverage. */
export const waitsForPrediction = sql`(s.kind = 'towers' and s.state = 'received' and s.towers_read_at is not null
  and not exists (select from prediction r where r.submission_id = s.id and r.error is null))`;

/**
 * Attaches the coverage that was modelled from a submission's towers, in place of a prediction that could not be used. It is
 * then processed like any other.
 * @returns the storage key of the replaced file, which no row names any more
 * @throws CovermapError `submission_not_waiting`
 */
export async function attachPrediction(
  database: Database,
  submissionId: string,
  file: StoredFile & { name: string },
  manifest: Manifest,
  actor: Actor,
): Promise<string | undefined> {
  return database.transaction(async (connection) => {
    const { rows } = await connection.query<{ provider_id: number; replaced: string | null }>(sql`
      select s.provider_id,
        (select p.storage_key from prediction p where p.submission_id = s.id) as replaced
      from submission s
      where s.id = ${submissionId} and ${waitsForPrediction}
      for update of s`);
    if (!rows[0]) throw new CovermapError('submission_not_waiting');
    // Of two at once, the second finds the first here: the lock above does not change its row.
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
    await record(connection, actor, {
      action: 'prediction_attached',
      providerId: rows[0].provider_id,
      submissionId,
      details: { file: file.name, size_bytes: file.size },
    });
    return rows[0].replaced ?? undefined;
  });
}

/**
 * Fails a submission of towers from which no coverage can be modelled, with a sentence for the operator.
 * @throws CovermapError `submission_not_waiting`
 */
export async function refuseTowers(database: Database, submissionId: string, reason: string, actor: Actor) {
  await database.transaction(async (connection) => {
    // Attaching a prediction locks the same row: the next statement sees its result.
    await connection.query(sql`select from submission where id = ${submissionId} for update`);
    const { rows } = await connection.query<{ provider_id: number }>(sql`
      update submission s set state = 'failed',
        error = ${storableJson(new CovermapError('towers_refused', reason))}::jsonb, finished_at = clock_timestamp()
      where s.id = ${submissionId} and ${waitsForPrediction}
      returning s.provider_id`);
    if (!rows[0]) throw new CovermapError('submission_not_waiting');
    await record(connection, actor, {
      action: 'towers_refused',
      providerId: rows[0].provider_id,
      submissionId,
      details: { reason },
    });
  });
}
