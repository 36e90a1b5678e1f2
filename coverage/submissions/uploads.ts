import type { Role, Viewer } from '../../access/actor.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError, type ErrorReport, storableJson } from '../../platform/errors.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { SubmissionKind } from '../submission-states.ts';
import type { Inspection } from './inspection.ts';
import type { Manifest } from './manifest.ts';
import { type ProviderQuotas, requireRoomForUpload } from './quotas.ts';

const uploadHours = 24;

export interface Upload {
  id: string;
  token_id: number;
  token_name: string;
  role: Role;
  /** The provider of the token; null for staff. */
  provider_id: number | null;
  /** The submission of this file, where it is processed again. */
  reused: {
    kind: SubmissionKind;
    processed_by: Manifest['processed_by'];
    /** The current name of its provider, and the one in its manifest. */
    provider_name: string;
    described_as: string | null;
  } | null;
  file_name: string;
  /** Given when the upload began; null where the file is described later. */
  manifest: Manifest | null;
  again: boolean;
  answers: Manifest | null;
  /** True submits it with these answers automatically, once it is complete and no question is open. */
  submits: boolean;
  note: string;
  size_bytes: number | null;
  /** Null until the upload is complete. */
  storage_key: string | null;
  /** Hexadecimal. */
  sha256: string | null;
  inspection: Inspection | null;
  error: ErrorReport | null;
  submission_id: string | null;
  expires_at: Date;
}

export function uploadState(upload: Upload) {
  if (upload.submission_id !== null) return 'submitted';
  if (upload.storage_key === null) return 'receiving';
  if (upload.error) return 'unreadable';
  return upload.inspection ? 'inspected' : 'inspecting';
}

/** For the service itself, and staff. */
export const everybody: Viewer = { providerId: null };

/** SQL: uploads, to be followed by the condition. */
const selectUploads = sql`select u.id, u.token_id, t.name as token_name, t.role, t.provider_id,
  (select json_build_object('kind', r.kind, 'processed_by', r.processed_by, 'provider_name', p.name,
     'described_as', r.manifest -> 'provider' ->> 'name')
   from submission r join provider p on p.id = r.provider_id where r.id = u.reuses) as reused,
  u.file_name, u.manifest, u.again, u.answers, u.submits, u.note, u.size_bytes, u.storage_key,
  encode(u.sha256, 'hex') as sha256, u.inspection, u.error, u.submission_id, u.expires_at
  from upload u join access_token t on t.id = u.token_id`;

/** `providerId`: of the token; null for staff. */
interface NewUpload {
  id: string;
  tokenId: number;
  providerId: number | null;
  fileName: string;
  manifest: Manifest | undefined;
  again: boolean;
  sizeBytes: number;
}

/** Records an upload that begins. @returns when it expires @throws CovermapError as {@link requireRoomForUpload} */
export function beginUpload(database: Database, quotas: ProviderQuotas, upload: NewUpload): Promise<Date> {
  return database.transaction(async (connection) => {
    const more = { bytes: upload.sizeBytes, isDescribed: upload.manifest !== undefined };
    await requireRoomForUpload(connection, upload, more, quotas);
    const { rows } = await connection.query<{ expires_at: Date }>(sql`
      insert into upload (id, token_id, file_name, manifest, again, size_bytes, expires_at)
      values (${upload.id}, ${upload.tokenId}, ${upload.fileName},
        ${upload.manifest && storableJson(upload.manifest)}::jsonb, ${upload.again}, ${upload.sizeBytes},
        clock_timestamp() + make_interval(hours => ${uploadHours}))
      returning expires_at`);
    return (rows[0] as { expires_at: Date }).expires_at;
  });
}

/** Makes an upload of a submission's file and manifest, with the current name of its provider. @throws as {@link requireRoomForUpload} */
export function reuseFile(
  database: Database,
  quotas: ProviderQuotas,
  submissionId: string,
  owner: { tokenId: number; providerId: number | null },
): Promise<string> {
  return database.transaction(async (connection) => {
    await requireRoomForUpload(connection, owner, { bytes: 0, isDescribed: false }, quotas);
    const { rows } = await connection.query<{ id: string }>(sql`
      insert into upload (id, token_id, reuses, file_name, answers, again, size_bytes, storage_key, sha256, expires_at)
      select gen_random_uuid(), ${owner.tokenId}, s.id, s.file_name,
        jsonb_set(s.manifest, '{provider,name}', to_jsonb(p.name)), true, s.size_bytes, s.storage_key, s.sha256,
        clock_timestamp() + make_interval(hours => ${uploadHours})
      from submission s join provider p on p.id = s.provider_id where s.id = ${submissionId}
      returning id`);
    if (!rows[0]) throw new CovermapError('file_unknown');
    return rows[0].id;
  });
}

/** An upload that the viewer may see: operators see those of their provider's tokens, staff all. */
export async function findUpload(db: Queryable, id: string, { providerId }: Viewer) {
  const { rows } = await db.query<Upload>(sql`
    ${selectUploads} where u.id = ${id} and (${providerId}::integer is null or t.provider_id = ${providerId})`);
  return rows[0];
}

/** @throws CovermapError `file_unknown`, also where the viewer may not see it */
export async function requireUpload(db: Queryable, id: string, viewer: Viewer): Promise<Upload> {
  const upload = await findUpload(db, id, viewer);
  if (!upload) throw new CovermapError('file_unknown');
  return upload;
}

/** Uploads that were not submitted, newest first. */
export async function listOpenUploads(db: Queryable, { providerId }: Viewer): Promise<Upload[]> {
  const { rows } = await db.query<Upload>(sql`
    ${selectUploads}
    where u.submission_id is null and u.expires_at > now()
      and case when ${providerId}::integer is null then t.role = 'staff' else t.provider_id = ${providerId} end
    order by u.created_at desc limit 100`);
  return rows;
}

/** Saves the result of an inspection, or its error. */
export async function recordInspection(
  db: Queryable,
  id: string,
  { inspection, error }: { inspection?: object; error?: ErrorReport },
): Promise<void> {
  await db.query(sql`
    update upload set inspection = ${inspection && storableJson(inspection)}::jsonb,
      error = ${error && storableJson(error)}::jsonb
    where id = ${id}`);
}

/** Discards an upload that may be gone already. @throws CovermapError `file_already_submitted` */
export async function removeUpload(db: Queryable, storage: Storage, id: string): Promise<void> {
  const { rows } = await db.query<{ storage_key: string | null }>(sql`
    delete from upload where id = ${id} and submission_id is null returning storage_key`);
  const [removed] = rows;
  if (!removed && (await findUpload(db, id, everybody))) throw new CovermapError('file_already_submitted');
  if (!removed) return;
  const { storage_key: key } = removed;
  // It may be gone already.
  if (key === null) return void (await storage.resumable.remove(id).catch(() => undefined));
  // A submission may have the same file.
  const { rowCount } = await db.query(sql`select from stored_file where storage_key = ${key} limit 1`);
  if (rowCount === 0) await storage.remove(key);
}

/** SQL: the uploads to inspect. Providers take turns. */
export const waitingInspections = `
  select u.id::text as id, coalesce(t.provider_id::text, 'staff') as owner, u.created_at as since
  from upload u join access_token t on t.id = u.token_id
  where u.storage_key is not null and u.submission_id is null and u.manifest is null and u.inspection is null
    and u.error is null`;

export async function expiredUploads(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from upload where submission_id is null and expires_at < now()',
  );
  return rows.map(({ id }) => id);
}
