import { z } from 'zod';
import type { Actor } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError, type ErrorReport, storableJson } from '../../platform/errors.ts';
import type { Blocking } from '../datasets/blocking.ts';
import { isCompared, joinPublished } from '../datasets/scopes.ts';
import { hasAddress, type ProfileOfSubmission, profileOfSubmission } from '../providers/providers.ts';
import { tellOfSubmission } from '../submission-mail.ts';
import { isUnfinished, type SubmissionKind, type SubmissionState } from '../submission-states.ts';
import { type CoverageFile, cancelModelling } from './predictions.ts';

export const progressFields = {
  step: z.enum(['predicting', 'reading', 'loading', 'checking']),
  bytes_read: z.int(),
  bytes_total: z.int(),
  features_read: z.int(),
  rows_loaded: z.int(),
  // `predicting` leaves a submission `received`: staff may still decide on it.
  sites_done: z.int().optional().describe('With `predicting`: the sites whose signal is worked out.'),
  sites_total: z.int().optional(),
};
export type Progress = z.output<z.ZodObject<typeof progressFields>>;
export const nothingDone = { bytes_read: 0, bytes_total: 0, features_read: 0, rows_loaded: 0 };

export interface Submission extends CoverageFile {
  id: string;
  provider_id: number;
  state: SubmissionState;
  kind: SubmissionKind;
  progress: Progress | null;
  report: unknown;
  error: ErrorReport | null;
  blocking: Blocking[] | null;
  received_at: Date;
  towers_read_at: Date | null;
  profile: ProfileOfSubmission;
}

const columns = sql`s.id, s.provider_id, s.state, s.kind, s.file_name, s.storage_key, s.size_bytes, s.manifest, s.progress, s.report,
  s.error, s.blocking, s.received_at, s.towers_read_at, ${profileOfSubmission} as profile`;

export async function findSubmission(db: Queryable, id: string): Promise<Submission | undefined> {
  const { rows } = await db.query<Submission>(sql`
    select ${columns} from submission s join provider p on p.id = s.provider_id where s.id = ${id}`);
  return rows[0];
}

/** SQL: true where the towers of a submission `s` are to be read; true where its coverage is to be loaded. */
const hasTowersToRead = sql`(s.${isUnfinished} and s.kind = 'towers' and s.towers_read_at is null)`;
const isToLoad = sql`(s.${isUnfinished} and (s.kind = 'coverage' or s.towers_read_at is not null
    and exists (select from prediction p where p.submission_id = s.id and p.error is null)))`;

/** True where files are being loaded, or wait for it. */
export async function areFilesWaiting(db: Queryable): Promise<boolean> {
  const { rows } = await db.query(`select from submission s where ${hasTowersToRead} or ${isToLoad} limit 1`);
  return rows.length > 0;
}

const waitingSince = (since: string) =>
  `select s.id::text as id, s.provider_id::text as owner, ${since} as since from submission s`;

/** SQL: the submissions with towers to read. */
export const waitingTowers = `${waitingSince('s.received_at')} where ${hasTowersToRead}`;

/** SQL: the submissions to load; those of towers wait since their coverage was modelled, which may be weeks after they were received. */
export const waitingLoads = `${waitingSince('coalesce(modelled.attached_at, s.received_at)')}
  left join prediction modelled on modelled.submission_id = s.id where ${isToLoad}`;

/** SQL: the submissions that the service publishes itself: compared with the published coverage, and not waiting for a decision. */
export const waitingPublications = `${waitingSince('s.finished_at')} join provider p on p.id = s.provider_id
  where s.state = 'ready' and s.manifest ->> 'publish' = 'auto' and s.blocking is null and ${hasAddress} and not exists (
    select from dataset d ${joinPublished}
    where d.submission_id = s.id and d.state = 'ready' and not ${isCompared})`;

/** Moves an unfinished submission to the state of its step. @returns false where it is finished */
export async function advanceSubmission(db: Queryable, id: string, progress: Progress): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update submission set state = ${progress.step}, progress = ${JSON.stringify(progress)}::jsonb,
      started_at = coalesce(started_at, clock_timestamp())
    where id = ${id} and ${isUnfinished}`);
  return rowCount > 0;
}

/** Ends an unfinished submission with an error. After a prediction's error it waits for another prediction. */
export async function failSubmission(database: Database, id: string, error: ErrorReport): Promise<void> {
  await database.transaction(async (connection) => {
    const { rowCount: predicted } = await connection.query(sql`
      update prediction set error = ${storableJson(error)}::jsonb where submission_id = ${id} and error is null`);
    if (predicted > 0) {
      await connection.query(sql`
        update submission set state = 'received', progress = null where id = ${id} and ${isUnfinished}`);
      return;
    }
    const { rowCount: failed } = await connection.query(sql`
      update submission set state = 'failed', error = ${storableJson(error)}::jsonb, finished_at = clock_timestamp()
      where id = ${id} and ${isUnfinished}`);
    if (failed > 0) await tellOfSubmission(connection, id, 'failed', [error.message]);
  });
}

/** Holds back a loaded submission from automatic publication, until a decision. */
export async function holdSubmission(db: Database, id: string, reason: Blocking): Promise<void> {
  await db.transaction(async (connection) => {
    const { rowCount } = await connection.query(sql`
      update submission set blocking = ${storableJson([reason])}::jsonb
      where id = ${id} and state = 'ready' and manifest ->> 'publish' = 'auto' and blocking is null`);
    if (rowCount > 0) await tellOfSubmission(connection, id, 'review', [reason.message]);
  });
}

/** Replaces the operator's note on a submission. */
export function changeNote(database: Database, id: string, note: string, actor: Actor): Promise<void> {
  return database.transaction(async (connection) => {
    const { rows } = await connection.query<{ provider_id: number }>(sql`
      update submission set note = ${note} where id = ${id} and note <> ${note} returning provider_id`);
    if (!rows[0]) return;
    const { provider_id: providerId } = rows[0];
    await record(connection, actor, {
      action: 'note_changed',
      providerId,
      submissionId: id,
      details: { note },
    });
  });
}

/** Withdraws a submission that was never published. @throws CovermapError `submission_published`, `submission_superseded`, `submission_failed` */
export async function withdrawSubmission(database: Database, id: string, actor: Actor): Promise<void> {
  await database.transaction(async (connection) => {
    // Publishing locks the same rows, so that one of the two is first.
    const { rows } = await connection.query<{ id: number; state: SubmissionState }>(sql`
      select p.id, s.state from submission s join provider p on p.id = s.provider_id where s.id = ${id}
      for no key update of p, s`);
    const submission = rows[0];
    if (!submission || submission.state === 'withdrawn') return;
    if (submission.state === 'published') throw new CovermapError('submission_published');
    if (submission.state === 'superseded') {
      const message = 'This submission was published before, so it cannot be withdrawn.';
      const hint = 'To undo a publication, roll back to an earlier version.';
      throw new CovermapError('submission_superseded', message, hint);
    }
    if (submission.state === 'failed') {
      throw new CovermapError(
        'submission_failed',
        'This submission failed, so there is nothing to withdraw.',
      );
    }
    await connection.query(sql`
      update submission set state = 'withdrawn', finished_at = clock_timestamp() where id = ${id}`);
    await connection.query(sql`
      update dataset set state = 'withdrawn' where submission_id = ${id} and state = 'ready'`);
    await cancelModelling(connection, id);
    const { id: providerId, state: was } = submission;
    const event = { action: 'submission_withdrawn', providerId, submissionId: id, details: { was } } as const;
    await record(connection, actor, event);
  });
}
