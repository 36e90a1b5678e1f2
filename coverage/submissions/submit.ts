import { createReadStream } from 'node:fs';
import { type Actor, commandActor, type Role } from '../../access/actor.ts';
import { record } from '../../access/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { fileNotReadable, storableJson } from '../../platform/errors.ts';
import type { NamedFile, Storage } from '../../platform/storage/storage.ts';
import { findOrCreateProvider, holdProvider, requireAddressOfNew } from '../providers/providers.ts';
import type { SubmissionKind, SubmissionState } from '../submission-states.ts';
import { requireTechnologies } from './accept-manifest.ts';
import type { Manifest } from './manifest.ts';
import { type ProviderQuotas, requireRoomFor } from './quotas.ts';
import { findSubmission, type Submission } from './submissions.ts';

/** A stored file and its description. */
export interface NewSubmission {
  file: NamedFile;
  manifest: Manifest;
  /** The provider of an operator's token; absent: the provider that the manifest names. */
  providerId?: number | undefined;
  kind: SubmissionKind;
  actor: Actor;
  /** True processes a file that the provider has submitted before. */
  again: boolean;
  note?: string | undefined;
  /** An operator's quotas, and the bytes that the file adds to the stored ones. */
  room?: { quotas: ProviderQuotas; bytes: number } | undefined;
}

export interface Accepted {
  id: string;
  state: SubmissionState;
  /** True for an earlier submission of the same file and manifest. */
  duplicate: boolean;
}

/**
 * Records a stored file as received. Its row is enough to send its job again, so that nothing can be lost.
 * @param inTransaction runs in the same transaction, for a new submission and a duplicate
 * @throws CovermapError `submissions_too_many`, `storage_quota_exceeded`
 */
export async function recordSubmission(
  database: Database,
  submission: NewSubmission,
  inTransaction: (connection: Queryable, id: string, duplicate: boolean) => Promise<void> = async () => {},
): Promise<Accepted> {
  const { file, kind, actor, again, note = '', room } = submission;
  return database.transaction(async (connection) => {
    // Locks the provider's row, so that one of two requests with the same file is first.
    const { providerId, manifest } = await ofProvider(connection, submission);
    const described = storableJson(manifest);
    if (!again) {
      const { rows } = await connection.query<{ id: string; state: SubmissionState }>(sql`
        select id, state from submission
        where provider_id = ${providerId} and sha256 = ${file.sha256} and kind = ${kind}
          and manifest - 'publish' = ${described}::jsonb - 'publish'
          and state not in ('failed', 'withdrawn')
        order by received_at desc limit 1`);
      if (rows[0]) {
        await inTransaction(connection, rows[0].id, true);
        return { ...rows[0], duplicate: true };
      }
    }
    if (room) {
      await requireRoomFor(connection, providerId, { bytes: room.bytes, submissions: 1 }, room.quotas);
    }
    const { rows } = await connection.query<{ id: string }>(sql`
      insert into submission (provider_id, token_id, kind, processed_by, file_name, storage_key, size_bytes, sha256,
        manifest, note)
      values (${providerId}, ${actor.tokenId}, ${kind}, ${manifest.processed_by}, ${file.name}, ${file.key},
        ${file.size}, ${file.sha256}, ${described}::jsonb, ${note})
      returning id`);
    const { id } = rows[0] as { id: string };
    const details = { file: file.name, size_bytes: file.size, kind };
    await record(connection, actor, { action: 'submission_received', providerId, submissionId: id, details });
    await inTransaction(connection, id, false);
    return { id, state: 'received', duplicate: false };
  });
}

/** Locks the row of a submission's provider. Gives its id, and the manifest with the provider's current name. */
async function ofProvider(connection: Queryable, { providerId, manifest }: NewSubmission) {
  if (providerId === undefined) {
    return { providerId: await findOrCreateProvider(connection, manifest.provider), manifest };
  }
  const name = await holdProvider(connection, providerId);
  return { providerId, manifest: { ...manifest, provider: { ...manifest.provider, name } } };
}

/**
 * Submits a file of this machine, for commands. A file that was submitted before is processed again.
 * @throws CovermapError `technology_unknown`, `provider_url_missing`, `file_not_readable`
 */
export async function submitLocalFile(
  database: Database,
  storage: Storage,
  file: { path: string; name: string },
  manifest: Manifest,
): Promise<Submission> {
  await requireTechnologies(database, manifest);
  await requireAddressOfNew(database, manifest.provider);
  const stored = await storage.store(file.name, createReadStream(file.path)).catch((error) => {
    if (!['ENOENT', 'EACCES', 'EISDIR'].includes(error.code)) throw error;
    throw fileNotReadable(file.path);
  });
  const { id } = await recordSubmission(database, {
    file: { ...stored, name: file.name },
    manifest,
    kind: 'coverage',
    actor: commandActor,
    again: true,
  });
  return (await findSubmission(database, id)) as Submission;
}

/** With `processed_by: service`, operators submit towers, and staff the coverage that they modelled. */
export function kindOf(manifest: Manifest, role: Role): SubmissionKind {
  return manifest.processed_by === 'service' && role === 'operator' ? 'towers' : 'coverage';
}
