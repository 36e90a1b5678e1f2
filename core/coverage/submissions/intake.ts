import { createReadStream } from 'node:fs';
import { type Actor, commandActor } from '../../access/actor.ts';
import type { Identity, Role } from '../../access/tokens.ts';
import { record } from '../../audit.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { CovermapError, storableJson } from '../../errors.ts';
import { today } from '../../nz-time.ts';
import type { Storage, StoredFile } from '../../storage/storage.ts';
import { findOrCreateProvider, holdProvider, requireAddressOfNew } from '../lookup/providers.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import { type ProviderQuotas, requireRoomFor } from './quotas.ts';
import { findSubmission, type Submission, type SubmissionKind, type SubmissionState } from './submissions.ts';

/** What is handed in: a file that is stored already, and what is said of it. */
export interface Intake {
  file: StoredFile & { name: string };
  manifest: Manifest;
  /** Of operators: whose token it is, whatever the manifest calls them. Absent: whom the manifest names. */
  providerId?: number | undefined;
  kind: SubmissionKind;
  actor: Actor;
  /** Whether the same file of the same coverage is to be worked on once more. */
  again: boolean;
  /** The operator's own words about it. */
  note?: string | undefined;
  /** Of operators: what their provider may have here, and bytes that come in addition to what it has. */
  room?: { quotas: ProviderQuotas; bytes: number } | undefined;
}

export interface Received {
  id: string;
  state: SubmissionState;
  /** The same was handed in before: this is that submission, and the file that came now is not needed. */
  duplicate: boolean;
}

/**
 * Records a stored file as received. When this returns, nothing of it can be lost any more: the job that works on it can
 * be sent again from the row.
 * @param also what is to be done in the same transaction, whether the submission is new or was there before
 * @throws CovermapError `submissions_too_many`, `storage_quota_exceeded`
 */
export async function recordSubmission(
  database: Database,
  intake: Intake,
  also: (connection: Queryable, id: string, duplicate: boolean) => Promise<void> = async () => {},
): Promise<Received> {
  const { file, kind, actor, again, note, room } = intake;
  return database.transaction(async (connection) => {
    // Of two browsers with the same file one is first, as the row is locked by this. What the manifest says of a provider
    // that is known shows in answers, and so has to wait for the publication.
    const { providerId, manifest } = await ofProvider(connection, intake);
    const described = storableJson(manifest);
    if (!again) {
      const { rows } = await connection.query<{ id: string; state: SubmissionState }>(
        `select id, state from submission
         where provider_id = $1 and sha256 = $2 and kind = $3
           -- Manifests of earlier versions of the service do not say that there is no scope.
           and '{"scope": ""}'::jsonb || (manifest - 'publish') = $4::jsonb - 'publish'
           and state not in ('failed', 'withdrawn')
         order by received_at desc limit 1`,
        [providerId, file.sha256, kind, described],
      );
      if (rows[0]) {
        await also(connection, rows[0].id, true);
        return { ...rows[0], duplicate: true };
      }
    }
    if (room) {
      await requireRoomFor(connection, providerId, { bytes: room.bytes, submissions: 1 }, room.quotas);
    }
    const { rows } = await connection.query<{ id: string }>(
      `insert into submission (provider_id, token_id, kind, processed_by, file_name, storage_key, size_bytes, sha256, manifest,
         note)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10)
       returning id`,
      [
        providerId,
        actor.tokenId ?? null,
        kind,
        manifest.processed_by,
        file.name,
        file.key,
        file.size,
        file.sha256,
        described,
        note ?? '',
      ],
    );
    const { id } = rows[0] as { id: string };
    await record(connection, actor, {
      action: 'submission_received',
      providerId,
      submissionId: id,
      details: { file: file.name, size_bytes: file.size, kind },
    });
    await also(connection, id, false);
    return { id, state: 'received', duplicate: false };
  });
}

/** Whose a submission is, with that provider's row locked, and its manifest with the name that the provider has now. */
async function ofProvider(
  connection: Queryable,
  { providerId, manifest }: Intake,
): Promise<{ providerId: number; manifest: Manifest }> {
  if (providerId === undefined) {
    return { providerId: await findOrCreateProvider(connection, manifest.provider), manifest };
  }
  const name = await holdProvider(connection, providerId);
  return { providerId, manifest: { ...manifest, provider: { ...manifest.provider, name } } };
}

/**
 * Hands in a file of this machine, as commands do: whoever names it at the terminal wants it to be worked on, also where
 * it was before.
 * @throws CovermapError `technology_unknown`, `provider_url_missing`, `file_not_readable`
 */
export async function receiveSubmission(
  database: Database,
  storage: Storage,
  file: { path: string; name: string },
  manifest: Manifest,
): Promise<Submission> {
  await requireTechnologies(database, manifest);
  await requireAddressOfNew(database, manifest.provider);
  let stored: StoredFile;
  try {
    stored = await storage.take(file.name, createReadStream(file.path));
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      throw new CovermapError(
        'file_not_readable',
        `The file ${file.path} cannot be read.`,
        'Check its name and its permissions.',
      );
    }
    throw error;
  }
  const { id } = await recordSubmission(database, {
    file: { ...stored, name: file.name },
    manifest,
    kind: 'coverage',
    actor: commandActor,
    again: true,
  });
  return (await findSubmission(database, id)) as Submission;
}

/** The provider of what is described anew: its name now, and what its earlier descriptions call it. */
export interface KnownProvider {
  name: string;
  earlier: readonly (string | undefined)[];
}

/**
 * Checks what somebody says of a file that they hand in: an operator for their own provider only, which they need not
 * name; staff for any. Providers may be renamed: the name in an earlier description of a file stands for the provider
 * that the file is of.
 * @throws CovermapError `manifest_invalid`, `provider_not_yours`, `provider_url_missing`, `technology_unknown`,
 *   `planned_date_past`
 */
export async function acceptManifest(
  db: Queryable,
  input: unknown,
  identity: Identity,
  known?: KnownProvider,
): Promise<Manifest> {
  const own = identity.provider;
  const manifest = withNameNow(parseManifest(input, own?.name), known);
  if (own && manifest.provider.name.toLowerCase() !== own.name.toLowerCase()) {
    throw new CovermapError(
      'provider_not_yours',
      `This token is for ${own.name}, and the manifest names ${manifest.provider.name}.`,
      'Leave the provider out, or name your own.',
    );
  }
  if (!own) await requireAddressOfNew(db, manifest.provider);
  await requireTechnologies(db, manifest);
  const past = datesOf(manifest).find((date) => date < today());
  if (past !== undefined) {
    throw new CovermapError(
      'planned_date_past',
      `The planned date ${past} has passed.`,
      'Coverage that is there by now is "available"; else give the date that is expected now.',
    );
  }
  return own ? { ...manifest, provider: { ...manifest.provider, name: own.name } } : manifest;
}

function withNameNow(manifest: Manifest, known: KnownProvider | undefined): Manifest {
  const named = manifest.provider.name.toLowerCase();
  if (!known?.earlier.some((name) => name?.toLowerCase() === named)) return manifest;
  return { ...manifest, provider: { ...manifest.provider, name: known.name } };
}

/** What an operator leaves to the service is towers; what staff hand in so is the coverage that they made. */
export function kindOf(manifest: Manifest, role: Role): SubmissionKind {
  return manifest.processed_by === 'service' && role === 'operator' ? 'towers' : 'coverage';
}

/** @throws CovermapError `technology_unknown` */
async function requireTechnologies(db: Queryable, manifest: Manifest): Promise<void> {
  const { rows } = await db.query<{ name: string }>('select name from technology order by nominal_rank');
  const known = rows.map((row) => row.name);
  const unknown = technologiesNamed(manifest).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new CovermapError(
    'technology_unknown',
    `There is no technology "${unknown}".`,
    `Use one of ${known.join(', ')}.`,
  );
}

function technologiesNamed(manifest: Manifest): string[] {
  const { technology } = manifest.attributes;
  const listed = technology && 'values' in technology ? technology.values : {};
  const names = [manifest.technology, ...Object.values(listed ?? {})];
  return [...names, ...meaningsOf(manifest).map((one) => one.technology)].filter(
    (name) => name !== undefined,
  );
}

function datesOf(manifest: Manifest): string[] {
  const dates = [manifest.planned_date, ...meaningsOf(manifest).map((one) => one.planned_date)];
  return dates.filter((date) => date !== undefined);
}

function meaningsOf({ tiers, classes }: Manifest) {
  return [...Object.values(tiers?.values ?? {}), ...(classes ?? [])];
}
