import type { Actor } from '../../access/actor.ts';
import type { Role } from '../../access/tokens.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { CovermapError, type ErrorReport, storableJson } from '../../errors.ts';
import type { Storage, StoredFile } from '../../storage/storage.ts';
import { type KnownProvider, kindOf, type Received, recordSubmission } from './intake.ts';
import type { Manifest } from './manifest.ts';
import { type InspectedFile, withInspection } from './open-questions.ts';
import { type ProviderQuotas, requireRoomForUpload } from './quotas.ts';
import type { SubmissionKind, SubmissionState } from './submissions.ts';
import type { Viewer } from './views.ts';

/** How long a file is kept that nobody has described. */
export const uploadHours = 24;

/** A file that comes in piece by piece. */
export interface Upload {
  id: string;
  token_id: number;
  token_name: string;
  role: Role;
  /** Whose token it is; null for staff. */
  provider_id: number | null;
  /** The submission whose file this is, where it is described anew. */
  reused: ReusedSubmission | null;
  file_name: string;
  /** What was said of it when it began, checked; null where it is described later. */
  manifest: Manifest | null;
  again: boolean;
  /** What was said of it since, checked: a form goes on with it. */
  answers: Manifest | null;
  /** Whether it is submitted with these answers by itself, once it is whole and nothing else is to be asked. */
  submits: boolean;
  /** Of the submission that is made of it then. */
  note: string;
  size_bytes: number | null;
  /** Once it is complete. */
  storage_key: string | null;
  /** In hexadecimal digits. */
  sha256: string | null;
  inspection: object | null;
  error: ErrorReport | null;
  submission_id: string | null;
  expires_at: Date;
}

/** What is known of a file that was submitted before. */
export interface ReusedSubmission {
  kind: SubmissionKind;
  processed_by: Manifest['processed_by'];
  /** The name that its provider has now. */
  provider_name: string;
  /** What its manifest calls it. */
  described_as: string | null;
}

export type UploadState = 'receiving' | 'inspecting' | 'inspected' | 'unreadable' | 'submitted';

export function uploadState(upload: Upload): UploadState {
  if (upload.submission_id !== null) return 'submitted';
  if (upload.storage_key === null) return 'receiving';
  if (upload.error) return 'unreadable';
  return upload.inspection ? 'inspected' : 'inspecting';
}

const columns = `u.id, u.token_id, t.name as token_name, t.role, t.provider_id,
  (select json_build_object('kind', r.kind, 'processed_by', r.processed_by, 'provider_name', p.name,
     'described_as', r.manifest -> 'provider' ->> 'name')
   from submission r join provider p on p.id = r.provider_id where r.id = u.reuses) as reused, u.file_name, u.manifest, u.again, u.answers, u.submits, u.note, u.size_bytes,
  u.storage_key, encode(u.sha256, 'hex') as sha256, u.inspection, u.error, u.submission_id, u.expires_at`;

/**
 * Notes that a file is going to come in, where there is room for it.
 * @throws CovermapError as {@link requireRoomForUpload}
 */
export async function beginUpload(
  database: Database,
  quotas: ProviderQuotas,
  upload: {
    id: string;
    tokenId: number;
    /** Whose token it is; null for staff. */
    providerId: number | null;
    fileName: string;
    manifest: Manifest | undefined;
    again: boolean;
    sizeBytes: number;
  },
): Promise<void> {
  await database.transaction(async (connection) => {
    const more = { bytes: upload.sizeBytes, isDescribed: upload.manifest !== undefined };
    await requireRoomForUpload(connection, upload, more, quotas);
    await insertUpload(connection, upload);
  });
}

async function insertUpload(db: Queryable, upload: Parameters<typeof beginUpload>[2]): Promise<void> {
  await db.query(
    `insert into upload (id, token_id, file_name, manifest, again, size_bytes, expires_at)
     values ($1, $2, $3, $4::jsonb, $5, $6, clock_timestamp() + make_interval(hours => $7))`,
    [
      upload.id,
      upload.tokenId,
      upload.fileName,
      upload.manifest ? storableJson(upload.manifest) : null,
      upload.again,
      upload.sizeBytes,
      uploadHours,
    ],
  );
}

/**
 * Keeps what is said of a file that is not whole yet, to be submitted with it: a later answer counts in place of an earlier.
 * @throws CovermapError `file_complete`
 */
export async function keepAnswers(
  db: Queryable,
  id: string,
  { answers, again, note = '' }: { answers: Manifest; again: boolean; note?: string | undefined },
): Promise<void> {
  const { rowCount } = await db.query(
    `update upload set answers = $2::jsonb, again = $3, note = $4, submits = true
     where id = $1 and storage_key is null and manifest is null`,
    [id, storableJson(answers), again, note],
  );
  if (rowCount > 0) return;
  throw new CovermapError(
    'file_complete',
    'The file is whole, so it can be submitted at once.',
    'Send the manifest to POST /api/operator/submissions.',
  );
}

/**
 * Has a file wait for its description again: it is not submitted by itself. Its answers and its note stay, to go on with.
 * @throws CovermapError `file_already_submitted`
 */
export async function takeAnswersBack(db: Queryable, id: string): Promise<void> {
  const { rowCount } = await db.query(
    'update upload set submits = false where id = $1 and submission_id is null and manifest is null',
    [id],
  );
  if (rowCount === 0) throw alreadySubmitted();
}

export function alreadySubmitted(): CovermapError {
  return new CovermapError(
    'file_already_submitted',
    'This is the file of a submission.',
    'Withdraw the submission instead.',
  );
}

/**
 * Makes an upload of the file of a submission, which is to be described anew: with the answers that it had, and the name
 * that its provider has now. The file itself is the same one.
 * @throws CovermapError as {@link requireRoomForUpload}
 */
export async function reuseFile(
  database: Database,
  quotas: ProviderQuotas,
  submissionId: string,
  { tokenId, providerId }: { tokenId: number; providerId: number | null },
): Promise<string> {
  return database.transaction(async (connection) => {
    await requireRoomForUpload(connection, { tokenId, providerId }, { bytes: 0, isDescribed: false }, quotas);
    const { rows } = await connection.query<{ id: string }>(
      `insert into upload (id, token_id, reuses, file_name, answers, again, size_bytes, storage_key, sha256, expires_at)
       select gen_random_uuid(), $2, s.id, s.file_name, jsonb_set(s.manifest, '{provider,name}', to_jsonb(p.name)), true,
         s.size_bytes, s.storage_key, s.sha256, clock_timestamp() + make_interval(hours => $3)
       from submission s join provider p on p.id = s.provider_id where s.id = $1
       returning id`,
      [submissionId, tokenId, uploadHours],
    );
    if (!rows[0]) throw unknownFile();
    return rows[0].id;
  });
}

/** An upload that the viewer may see: an operator those of their provider's tokens, staff all. */
export async function findUpload(db: Queryable, id: string, viewer: Viewer): Promise<Upload | undefined> {
  const { rows } = await db.query<Upload>(
    `select ${columns} from upload u join access_token t on t.id = u.token_id
     where u.id = $1 and ($2::integer is null or t.provider_id = $2)`,
    [id, viewer.providerId],
  );
  return rows[0];
}

/** Those that have not been submitted, newest first. */
export async function listOpenUploads(db: Queryable, viewer: Viewer): Promise<Upload[]> {
  const { rows } = await db.query<Upload>(
    `select ${columns} from upload u join access_token t on t.id = u.token_id
     where u.submission_id is null and u.expires_at > now()
       and case when $1::integer is null then t.role = 'staff' else t.provider_id = $1 end
     order by u.created_at desc limit 100`,
    [viewer.providerId],
  );
  return rows;
}

/**
 * Makes a stored file of an upload whose last byte has come, and where it was described from the start, a submission.
 * Doing so again, also after a process was killed half-way, changes nothing more.
 */
export async function finishUpload(
  database: Database,
  storage: Storage,
  id: string,
  address?: string,
): Promise<{ upload: Upload; received: Received | undefined }> {
  const before = await findUpload(database, id, { providerId: null });
  if (!before) throw unknownFile();
  if (before.storage_key === null) {
    const { key, size, sha256 } = await storage.adopt(id);
    await database.query(
      'update upload set storage_key = $2, size_bytes = $3, sha256 = $4 where id = $1 and storage_key is null',
      [id, key, size, sha256],
    );
  }
  const upload = (await findUpload(database, id, { providerId: null })) as Upload;
  if (!upload.manifest) return { upload, received: undefined };
  const { manifest, role, again, token_id, token_name } = upload;
  const actor: Actor = { kind: role, name: token_name, tokenId: token_id, address };
  const description = { manifest, role, actor, again, closesDuplicate: true };
  return { upload, received: await submitUpload(database, storage, id, description) };
}

/**
 * Makes a submission of an upload that is complete. Doing so again with the same description gives the same one; with
 * another one, or `again`, one more of the same file. Where the same was submitted before in another upload, that
 * submission is told, and the file stays, in case it is to be worked on all the same.
 * @param description what is said of the file, checked
 * @throws CovermapError `file_unknown`, `file_not_complete`, `file_not_usable`, `submissions_too_many`
 * @throws AnswersTakenBack
 */
export async function submitUpload(
  database: Database,
  storage: Storage,
  id: string,
  description: {
    manifest: Manifest;
    role: Role;
    actor: Actor;
    again: boolean;
    note?: string | undefined;
    quotas?: ProviderQuotas | undefined;
    /** Whether the file is not needed any more where the same was submitted before. */
    closesDuplicate?: boolean;
    /** Whether it is so only as long as nobody has taken its answers back. */
    byItself?: boolean;
  },
): Promise<Received> {
  const upload = await findUpload(database, id, { providerId: null });
  if (!upload) throw unknownFile();
  if (upload.submission_id !== null) return submitAgain(database, upload, description);
  if (upload.storage_key === null) {
    throw new CovermapError(
      'file_not_complete',
      'The file has not come whole yet.',
      'Go on with its upload, and submit it after that; or keep the answers with it: PUT /api/operator/files/<id>/answers.',
    );
  }
  requireUsable(upload, description.manifest);
  const file: StoredFile & { name: string } = {
    name: upload.file_name,
    key: upload.storage_key,
    size: upload.size_bytes as number,
    sha256: Buffer.from(upload.sha256 as string, 'hex'),
  };
  const { actor, again, note, quotas, closesDuplicate = false, byItself = false } = description;
  const received = await recordSubmission(
    database,
    // Its bytes have been counted since it began.
    { file, ...submissionOf(upload, description), actor, again, note, room: quotas && { quotas, bytes: 0 } },
    async (connection, submissionId, duplicate) => {
      if (duplicate && !closesDuplicate) return;
      const { rowCount } = await connection.query(
        'update upload set submission_id = $2 where id = $1 and submission_id is null and (submits or not $3)',
        [id, submissionId, byItself],
      );
      if (rowCount === 0) throw new SubmittedMeanwhile();
    },
  ).catch(async (error) => {
    if (!(error instanceof SubmittedMeanwhile)) throw error;
    const other = await findUpload(database, id, { providerId: null });
    if (!other?.submission_id) throw new AnswersTakenBack();
    return submitted(database, other.submission_id);
  });
  if (received.duplicate && closesDuplicate) await removeUnneeded(database, storage, id, received.id);
  return received;
}

/**
 * Whose a submission of an upload is, and of which kind. An operator's is their provider's. A file that is described anew
 * stays what it was: coverage that the service worked out, or towers.
 */
function submissionOf(
  { provider_id, reused }: Upload,
  { manifest, role }: { manifest: Manifest; role: Role },
): { manifest: Manifest; providerId: number | undefined; kind: SubmissionKind } {
  const providerId = provider_id ?? undefined;
  const isServices =
    reused?.processed_by === 'service' &&
    (manifest.processed_by === 'service' || (role === 'operator' && reused.kind === 'coverage'));
  if (!isServices) return { manifest, providerId, kind: kindOf(manifest, role) };
  return { manifest: { ...manifest, processed_by: 'service' }, providerId, kind: reused.kind };
}

/**
 * What an upload's provider was called in its earlier descriptions, for {@link acceptManifest}; undefined where that tells
 * nothing.
 * @param own the name of the operator's provider who describes it; undefined for staff
 */
export function knownProvider(
  { reused, answers }: Upload,
  own: string | undefined,
): KnownProvider | undefined {
  const name = own ?? reused?.provider_name;
  if (name === undefined) return undefined;
  const answered = own === undefined ? undefined : answers?.provider.name;
  return { name, earlier: [reused?.described_as ?? undefined, answered] };
}

/** Errors of an inspection that say something of the machine or of time, and nothing that is sure of the file. */
const inconclusive = new Set([
  ...['internal_error', 'attempts_exhausted', 'reader_too_slow', 'reader_stalled', 'reader_out_of_memory'],
  ...['reader_broke_off', 'load_too_slow'],
]);

/**
 * Whether a file may be submitted: not where it is known to fail. A description that names layers may leave out the one that
 * cannot be read.
 */
export function canSubmit(upload: Upload, manifest: Manifest | null = upload.answers): boolean {
  return !hasFailed(upload, manifest) && !isWithoutTowers(upload);
}

function hasFailed({ error }: Upload, manifest: Manifest | null): boolean {
  return error !== null && !inconclusive.has(error.code) && !manifest?.layers;
}

function isWithoutTowers({ inspection }: Upload): boolean {
  const { kind, towers } = (inspection ?? {}) as Partial<InspectedFile>;
  return kind === 'towers' && towers?.count === 0;
}

/** @throws CovermapError `file_not_usable` where it cannot be submitted: {@link canSubmit} */
function requireUsable(upload: Upload, manifest: Manifest): void {
  if (upload.error && hasFailed(upload, manifest)) {
    throw new CovermapError('file_not_usable', upload.error.message, upload.error.hint);
  }
  if (isWithoutTowers(upload)) {
    throw new CovermapError(
      'file_not_usable',
      'No tower in this list can be used.',
      'The inspection names the rows and what is wrong with them. Correct the file and upload it again.',
    );
  }
}

/** One more submission of the file of an earlier one; that one, where the same is said of it again. */
async function submitAgain(
  database: Database,
  upload: Upload,
  description: Parameters<typeof submitUpload>[3],
): Promise<Received> {
  const earlierId = upload.submission_id as string;
  const { actor, again, note, quotas } = description;
  const submission = submissionOf(upload, description);
  const { rows } = await database.query<{
    file_name: string;
    storage_key: string;
    size_bytes: number;
    sha256: Buffer;
    same: boolean;
  }>(
    `select file_name, storage_key, size_bytes, sha256, manifest - 'publish' = $2::jsonb - 'publish' as same
     from submission where id = $1`,
    [earlierId, storableJson(submission.manifest)],
  );
  const earlier = rows[0];
  if (!earlier || (earlier.same && !again)) return submitted(database, earlierId);
  const { file_name: name, storage_key: key, size_bytes: size, sha256 } = earlier;
  return recordSubmission(database, {
    file: { name, key, size, sha256 },
    ...submission,
    actor,
    again,
    note,
    room: quotas && { quotas, bytes: 0 },
  });
}

class SubmittedMeanwhile extends Error {}
/** Somebody took the answers back in the moment in which the file would have been submitted with them. */
class AnswersTakenBack extends Error {}

async function submitted(db: Queryable, id: string): Promise<Received> {
  const { rows } = await db.query<{ state: SubmissionState }>('select state from submission where id = $1', [
    id,
  ]);
  return { id, state: rows[0]?.state ?? 'received', duplicate: true };
}

/** Removes the file of an upload whose submission has the same bytes of another one. */
async function removeUnneeded(
  db: Queryable,
  storage: Storage,
  id: string,
  submissionId: string,
): Promise<void> {
  const { rows } = await db.query<{ storage_key: string }>(
    `select u.storage_key from upload u join submission s on s.id = u.submission_id
     where u.id = $1 and s.id = $2 and s.storage_key <> u.storage_key`,
    [id, submissionId],
  );
  if (rows[0]) await storage.remove(rows[0].storage_key).catch(() => undefined);
}

/** Notes what is in a file, or why that cannot be told. */
export async function noteInspection(
  db: Queryable,
  id: string,
  outcome: { inspection: object } | { error: ErrorReport },
): Promise<void> {
  await db.query('update upload set inspection = $2::jsonb, error = $3::jsonb where id = $1', [
    id,
    'inspection' in outcome ? storableJson(outcome.inspection) : null,
    'error' in outcome ? storableJson(outcome.error) : null,
  ]);
}

/**
 * Submits an upload with what was said of it while it came in, where the file leaves nothing to be asked; else the answers
 * stay for whoever goes on with the form.
 */
export async function submitAnswered(
  database: Database,
  storage: Storage,
  id: string,
  quotas: ProviderQuotas,
): Promise<Received | undefined> {
  const upload = await findUpload(database, id, { providerId: null });
  if (!upload?.answers || !upload.submits || upload.submission_id !== null) return undefined;
  const { answers, role, again, note, token_id, token_name, inspection } = upload;
  try {
    const manifest = inspection ? withInspection(answers, inspection as InspectedFile) : undefined;
    if (manifest) {
      const actor: Actor = { kind: role, name: token_name, tokenId: token_id };
      const room = role === 'operator' ? quotas : undefined;
      const received = await submitUpload(database, storage, id, {
        manifest,
        role,
        actor,
        again,
        note,
        quotas: room,
        byItself: true,
      });
      if (!received.duplicate) return received;
    }
  } catch (error) {
    // Such as a quota: whoever comes back to the form is told when they submit it.
    if (!(error instanceof CovermapError || error instanceof AnswersTakenBack)) throw error;
  }
  await database.query('update upload set submits = false where id = $1', [id]);
  return undefined;
}

/** Throws an upload away that is not the file of a submission. */
export async function removeUpload(db: Queryable, storage: Storage, id: string): Promise<void> {
  const { rows } = await db.query<{ storage_key: string | null }>(
    'delete from upload where id = $1 and submission_id is null returning storage_key',
    [id],
  );
  if (!rows[0]) return;
  const { storage_key } = rows[0];
  if (storage_key !== null) {
    // A file that is used again is that of a submission.
    const { rowCount } = await db.query('select from stored_file where storage_key = $1 limit 1', [
      storage_key,
    ]);
    if (rowCount === 0) await storage.remove(storage_key);
  }
  // What is not there any more need not be removed.
  else await storage.resumable.remove(id).catch(() => undefined);
}

/** How long an upload may have been silent before a worker looks whether its last request was cut off. */
const silentMinutes = 1;

/** The uploads that nobody has looked into yet. Each has its turn with those of other providers. */
export const waitingInspections = `
  select u.id::text as id, coalesce(t.provider_id::text, 'staff') as owner, u.created_at as since
  from upload u join access_token t on t.id = u.token_id
  where u.storage_key is not null and u.submission_id is null and u.manifest is null and u.inspection is null
    and u.error is null`;

/** Ids of the uploads that nobody has described in time. */
export async function expiredUploads(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from upload where submission_id is null and expires_at < now()',
  );
  return rows.map(({ id }) => id);
}

/** Ids of the uploads that may be complete and not noted so, as the request that ended them was cut off. */
export async function silentUploads(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from upload
     where submission_id is null and (storage_key is null or manifest is not null)
       and created_at < now() - make_interval(mins => $1) and (writer_until is null or writer_until < now())`,
    [silentMinutes],
  );
  return rows.map(({ id }) => id);
}

/** Ends an upload whose last byte has come; one that is not complete is left alone. */
export async function finishSilentUpload(database: Database, storage: Storage, id: string): Promise<void> {
  const found = await storage.resumable.getUpload(id).catch(() => undefined);
  // Where the storage does not know it any more, it was complete, and on its way to be noted so.
  if (found && (found.size === undefined || found.offset !== found.size)) return;
  await finishUpload(database, storage, id);
}

export function unknownFile(): CovermapError {
  return new CovermapError('file_unknown', 'There is no such file.');
}
