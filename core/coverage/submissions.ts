import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Database, Queryable } from '../database/database.ts';
import { CovermapError, type ErrorReport, storableJson } from '../errors.ts';
import type { Storage } from '../storage.ts';
import type { Manifest } from './manifest.ts';
import { describeProvider } from './providers.ts';

export type SubmissionState =
  | 'received'
  | 'reading'
  | 'loading'
  | 'checking'
  | 'ready'
  | 'published'
  | 'superseded'
  | 'failed'
  | 'withdrawn';

/** States in which a job is still to be done. */
export const unfinishedStates = ['received', 'reading', 'loading', 'checking'] as const;

/** How far the work on a submission is. */
export interface Progress {
  step: 'reading' | 'loading' | 'checking';
  bytes_read: number;
  bytes_total: number;
  features_read: number;
  rows_loaded: number;
}

export interface Submission {
  id: string;
  provider_id: number;
  state: SubmissionState;
  file_name: string;
  storage_key: string;
  size_bytes: number;
  manifest: Manifest;
  progress: Progress | null;
  report: unknown;
  error: ErrorReport | null;
  received_at: Date;
}

const columns = `id, provider_id, state, file_name, storage_key, size_bytes, manifest, progress, report, error, received_at`;

/**
 * Keeps the file and records it as received. When this returns, nothing of it can be lost any more: the job that works
 * on it can be sent again from the row.
 * @throws CovermapError `technology_unknown`
 */
export async function receiveSubmission(
  db: Database,
  storage: Storage,
  file: { path: string; name: string },
  manifest: Manifest,
): Promise<Submission> {
  for (const name of technologiesNamed(manifest)) await requireTechnology(db, name);
  const upload = await storage.create(file.name);
  try {
    await pipeline(createReadStream(file.path), upload.stream);
  } catch (error) {
    await upload.discard();
    if (['ENOENT', 'EACCES', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      throw new CovermapError(
        'file_not_readable',
        `The file ${file.path} cannot be read.`,
        'Check its name and its permissions.',
      );
    }
    throw error;
  }
  const stored = await upload.finish();
  return db.transaction(async (connection) => {
    // What the manifest says of the provider shows in answers, and so has to wait for the publication.
    const providerId = await describeProvider(connection, { name: manifest.provider.name });
    const { rows } = await connection.query<Submission>(
      `insert into submission (provider_id, file_name, storage_key, size_bytes, sha256, manifest)
       values ($1, $2, $3, $4, $5, $6::jsonb)
       returning ${columns}`,
      [providerId, file.name, stored.key, stored.size, stored.sha256, JSON.stringify(manifest)],
    );
    return rows[0] as Submission;
  });
}

export async function findSubmission(db: Queryable, id: string): Promise<Submission | undefined> {
  const { rows } = await db.query<Submission>(`select ${columns} from submission where id = $1`, [id]);
  return rows[0];
}

/** Ids of the submissions whose job is not done, oldest first: those that are to publish themselves, until they have. */
export async function unfinishedSubmissions(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from submission
     where state in ('received', 'reading', 'loading', 'checking')
       or (state = 'ready' and manifest ->> 'publish' = 'auto')
     order by received_at`,
  );
  return rows.map((row) => row.id);
}

/** Moves an unfinished submission to the state of its step; one that has ended stays as it is. */
export async function advanceSubmission(db: Queryable, id: string, progress: Progress): Promise<void> {
  await db.query(
    `update submission set state = $2, progress = $3::jsonb, started_at = coalesce(started_at, clock_timestamp())
     where id = $1 and state in ('received', 'reading', 'loading', 'checking')`,
    [id, progress.step, JSON.stringify(progress)],
  );
}

export async function failSubmission(db: Queryable, id: string, error: ErrorReport): Promise<void> {
  await db.query(
    `update submission set state = 'failed', error = $2::jsonb, finished_at = clock_timestamp()
     where id = $1 and state in ('received', 'reading', 'loading', 'checking')`,
    [id, storableJson(error)],
  );
}

function technologiesNamed({ technology, attributes, tiers, classes }: Manifest): string[] {
  const meanings = [...Object.values(tiers?.values ?? {}), ...(classes ?? [])];
  const listed =
    attributes.technology && 'values' in attributes.technology ? attributes.technology.values : {};
  const names = [technology, ...Object.values(listed ?? {}), ...meanings.map((one) => one.technology)];
  return [...new Set(names)].filter((name) => name !== undefined);
}

async function requireTechnology(db: Queryable, name: string): Promise<void> {
  const { rows } = await db.query<{ name: string }>('select name from technology order by nominal_rank');
  if (rows.some((row) => row.name === name)) return;
  throw new CovermapError(
    'technology_unknown',
    `There is no technology "${name}".`,
    `Use one of ${rows.map((row) => row.name).join(', ')}.`,
  );
}
