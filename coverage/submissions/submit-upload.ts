import type { Actor, Role } from '../../access/actor.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError, storableJson } from '../../platform/errors.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { SubmissionState } from '../submission-states.ts';
import type { Manifest } from './manifest.ts';
import type { ProviderQuotas } from './quotas.ts';
import { type Accepted, kindOf, type NewSubmission, recordSubmission } from './submit.ts';
import { everybody, requireUpload, type Upload } from './uploads.ts';

/** The options of submitting an upload. The manifest has been checked. */
export interface UploadSubmission extends Pick<NewSubmission, 'manifest' | 'actor' | 'again' | 'note'> {
  role: Role;
  quotas?: ProviderQuotas | undefined;
  /** True removes the file if the same was submitted before. */
  closesDuplicate?: boolean;
  /** True submits it only if nobody has withdrawn its answers. */
  automatic?: boolean;
}

/** Stores the file of a complete upload and submits it if it came with a manifest. Idempotent, also after a killed process. */
export async function finishUpload(database: Database, storage: Storage, id: string, address?: string) {
  if ((await requireUpload(database, id, everybody)).storage_key === null) {
    const { key, size, sha256 } = await storage.adopt(id);
    await database.query(sql`
      update upload set storage_key = ${key}, size_bytes = ${size}, sha256 = ${sha256}
      where id = ${id} and storage_key is null`);
  }
  const upload = await requireUpload(database, id, everybody);
  if (!upload.manifest) return { upload, accepted: undefined };
  const { manifest, role, again, token_id, token_name } = upload;
  const actor: Actor = { kind: role, name: token_name, tokenId: token_id, address };
  const submission = { manifest, role, actor, again, closesDuplicate: true };
  return { upload, accepted: await submitUpload(database, storage, id, submission) };
}

/** A worker checks an upload that is silent for this long: its last request may have been interrupted. */
const silentMinutes = 1;

/** Ids of the uploads that may be complete without a record of it, because their last request was interrupted. */
export async function silentUploads(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    select id from upload
    where submission_id is null and (storage_key is null or manifest is not null)
      and created_at < now() - make_interval(mins => ${silentMinutes})
      and (writer_until is null or writer_until < now())`);
  return rows.map(({ id }) => id);
}

/** Finishes an upload if it is complete. */
export async function finishSilentUpload(database: Database, storage: Storage, id: string): Promise<void> {
  const found = await storage.resumable.getUpload(id).catch(() => undefined);
  if (found && found.offset === found.size) await finishUpload(database, storage, id);
}

/**
 * Submits a complete upload. Submitting it again with the same manifest gives the same submission; with another manifest, or `again`, a further
 * one of the same file. If another upload of the same was submitted, returns its submission and keeps the file for a later `again`.
 * @throws CovermapError `file_unknown`, `file_not_complete`, `file_not_usable`, `submissions_too_many`
 * @throws UploadChanged where its answers were withdrawn meanwhile
 */
export async function submitUpload(
  database: Database,
  storage: Storage,
  id: string,
  submission: UploadSubmission,
): Promise<Accepted> {
  const upload = await requireUpload(database, id, everybody);
  const { actor, again, note, quotas, closesDuplicate = false, automatic = false } = submission;
  const described = {
    ...ownerAndKind(upload, submission),
    ...{ actor, again, note },
    // The bytes have counted since the upload began.
    room: quotas && { quotas, bytes: 0 },
  };
  if (upload.submission_id !== null) return submitAgain(database, upload.submission_id, described);
  if (upload.storage_key === null) throw new CovermapError('file_not_complete');
  const unusable = whyUnusable(upload, submission.manifest);
  if (unusable) throw unusable;
  const { file_name: name, storage_key: key, size_bytes, sha256 } = upload;
  const file = { name, key, size: size_bytes as number, sha256: Buffer.from(sha256 as string, 'hex') };
  const accepted = await recordSubmission(
    database,
    { file, ...described },
    async (connection, submissionId, duplicate) => {
      if (duplicate && !closesDuplicate) return;
      const { rowCount } = await connection.query(sql`
        update upload set submission_id = ${submissionId}
        where id = ${id} and submission_id is null and (submits or not ${automatic})`);
      if (rowCount === 0) throw new UploadChanged();
    },
  ).catch(async (error) => {
    if (!(error instanceof UploadChanged)) throw error;
    const other = await requireUpload(database, id, everybody);
    if (!other.submission_id) throw error;
    return duplicateOf(database, other.submission_id);
  });
  if (accepted.duplicate && closesDuplicate) await removeUnneeded(database, storage, id, accepted.id);
  return accepted;
}

/** The file was submitted, or its answers withdrawn, just before its automatic submission. */
export class UploadChanged extends Error {}

/** The provider and the kind of an upload's submission. Operators submit for their own provider. A file keeps its kind when it is processed again. */
function ownerAndKind(
  { provider_id, reused }: Upload,
  { manifest, role }: UploadSubmission,
): Pick<NewSubmission, 'manifest' | 'providerId' | 'kind'> {
  const providerId = provider_id ?? undefined;
  const byService =
    reused?.processed_by === 'service' &&
    (manifest.processed_by === 'service' || (role === 'operator' && reused.kind === 'coverage'));
  if (!byService) return { manifest, providerId, kind: kindOf(manifest, role) };
  return { manifest: { ...manifest, processed_by: 'service' }, providerId, kind: reused.kind };
}

/** The provider of an upload, for `acceptManifest`; undefined where it is unknown. @param ownName the submitting operator's; undefined for staff */
export function knownProvider({ reused, answers }: Upload, ownName: string | undefined) {
  const name = ownName ?? reused?.provider_name;
  if (name === undefined) return undefined;
  const answered = ownName === undefined ? undefined : answers?.provider.name;
  return { name, earlier: [reused?.described_as ?? undefined, answered] };
}

/** Errors of an inspection that prove nothing about the file: the machine or a limit caused them. */
const inconclusive = new Set([
  ...['internal_error', 'attempts_exhausted', 'reader_too_slow', 'reader_stalled', 'reader_out_of_memory'],
  ...['reader_broke_off', 'load_too_slow'],
]);

/** False where a file is known to fail. */
export const canSubmit = (upload: Upload): boolean => !whyUnusable(upload, upload.answers);

/** The known reason for a file to fail, if any. A manifest that names layers may omit the unreadable one. */
function whyUnusable({ error, inspection }: Upload, manifest: Manifest | null): CovermapError | undefined {
  if (error && !inconclusive.has(error.code) && !manifest?.layers) {
    return new CovermapError('file_not_usable', error.message, error.hint);
  }
  if (inspection?.kind !== 'towers' || inspection.towers?.count !== 0) return undefined;
  return new CovermapError(
    'file_not_usable',
    'No tower in this list can be used.',
    'The inspection names the rows and their problems. Correct the file and upload it again.',
  );
}

/** Submits the file of an earlier submission once more; returns the earlier one where nothing differs. */
async function submitAgain(database: Database, earlierId: string, described: Omit<NewSubmission, 'file'>) {
  const { rows } = await database.query<NewSubmission['file'] & { same: boolean }>(sql`
    select file_name as name, storage_key as key, size_bytes as size, sha256,
      manifest - 'publish' = ${storableJson(described.manifest)}::jsonb - 'publish' as same
    from submission where id = ${earlierId}`);
  const earlier = rows[0];
  if (!earlier || (earlier.same && !described.again)) return duplicateOf(database, earlierId);
  const { same: _, ...file } = earlier;
  return recordSubmission(database, { file, ...described });
}

async function duplicateOf(db: Queryable, id: string): Promise<Accepted> {
  const { rows } = await db.query<{ state: SubmissionState }>(sql`
    select state from submission where id = ${id}`);
  return { id, state: rows[0]?.state ?? 'received', duplicate: true };
}

/** Removes an upload's file where its submission has another file with the same bytes. */
async function removeUnneeded(db: Queryable, storage: Storage, id: string, submissionId: string) {
  const { rows } = await db.query<{ storage_key: string }>(sql`
    select u.storage_key from upload u join submission s on s.id = u.submission_id
    where u.id = ${id} and s.id = ${submissionId} and s.storage_key <> u.storage_key`);
  if (rows[0]) await storage.remove(rows[0].storage_key).catch(() => undefined);
}
