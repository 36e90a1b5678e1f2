import type { Actor } from '../access/actor.ts';
import type { Role } from '../access/tokens.ts';
import type { Database, Queryable } from '../database/database.ts';
import { CovermapError, type ErrorReport, storableJson } from '../errors.ts';
import type { Storage, StoredFile } from '../storage.ts';
import { kindOf, type Received, recordSubmission } from './intake.ts';
import type { Manifest } from './manifest.ts';
import { type ProviderQuotas, requireRoomForUpload } from './quotas.ts';
import type { Viewer } from './submission-views.ts';
import type { SubmissionState } from './submissions.ts';

/** How long a file is kept that nobody has described. */
export const uploadHours = 24;

/** A file that comes in piece by piece. */
export interface Upload {
  id: string;
  token_id: number;
  token_name: string;
  role: Role;
  file_name: string;
  /** What was said of it when it began, checked; null where it is described later. */
  manifest: Manifest | null;
  again: boolean;
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

export type UploadState = 'receiving' | 'inspecting' | 'inspected' | 'unreadable' | 'submitted';

export function uploadState(upload: Upload): UploadState {
  if (upload.submission_id !== null) return 'submitted';
  if (upload.storage_key === null) return 'receiving';
  if (upload.error) return 'unreadable';
  return upload.inspection ? 'inspected' : 'inspecting';
}

const columns = `u.id, u.token_id, t.name as token_name, t.role, u.file_name, u.manifest, u.again, u.size_bytes,
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
  return { upload, received: await submitUpload(database, storage, id, { manifest, role, actor, again }) };
}

/**
 * Makes a submission of an upload that is complete. Doing so again gives the same one.
 * @param description what is said of the file, checked
 * @throws CovermapError `file_unknown`, `file_not_complete`, `submissions_too_many`
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
  },
): Promise<Received> {
  const upload = await findUpload(database, id, { providerId: null });
  if (!upload) throw unknownFile();
  if (upload.submission_id !== null) return submitted(database, upload.submission_id);
  if (upload.storage_key === null) {
    throw new CovermapError(
      'file_not_complete',
      'The file has not come whole yet.',
      'Go on with its upload, and describe it after that.',
    );
  }
  const file: StoredFile & { name: string } = {
    name: upload.file_name,
    key: upload.storage_key,
    size: upload.size_bytes as number,
    sha256: Buffer.from(upload.sha256 as string, 'hex'),
  };
  const { manifest, role, actor, again, note, quotas } = description;
  const kind = kindOf(manifest, role);
  const received = await recordSubmission(
    database,
    // Its bytes have been counted since it began.
    { file, manifest, kind, actor, again, note, room: quotas && { quotas, bytes: 0 } },
    async (connection, submissionId) => {
      const { rowCount } = await connection.query(
        'update upload set submission_id = $2 where id = $1 and submission_id is null',
        [id, submissionId],
      );
      if (rowCount === 0) throw new SubmittedMeanwhile();
    },
  ).catch(async (error) => {
    if (!(error instanceof SubmittedMeanwhile)) throw error;
    const other = await findUpload(database, id, { providerId: null });
    return submitted(database, other?.submission_id as string);
  });
  if (received.duplicate) await removeUnneeded(database, storage, id, received.id);
  return received;
}

class SubmittedMeanwhile extends Error {}

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

/** Throws an upload away that is not the file of a submission. */
export async function removeUpload(db: Queryable, storage: Storage, id: string): Promise<void> {
  const { rows } = await db.query<{ storage_key: string | null }>(
    'delete from upload where id = $1 and submission_id is null returning storage_key',
    [id],
  );
  if (!rows[0]) return;
  if (rows[0].storage_key !== null) await storage.remove(rows[0].storage_key);
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
