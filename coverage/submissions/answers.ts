import type { Actor } from '../../access/actor.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError, storableJson } from '../../platform/errors.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { speedFields } from '../speeds.ts';
import type { Inspection } from './inspection.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import type { ProviderQuotas } from './quotas.ts';
import type { Accepted } from './submit.ts';
import { submitUpload, UploadChanged } from './submit-upload.ts';
import { everybody, findUpload } from './uploads.ts';

/* The manifest that an operator gives while a file is still uploading. The file is then submitted automatically. */

/** Stores the manifest of a file that is still uploading; a later one replaces it. @throws CovermapError `file_complete` */
export async function keepAnswers(
  db: Queryable,
  id: string,
  { answers, again, note = '' }: { answers: Manifest; again: boolean; note?: string | undefined },
): Promise<void> {
  const { rowCount } = await db.query(sql`
    update upload set answers = ${storableJson(answers)}::jsonb, again = ${again}, note = ${note}, submits = true
    where id = ${id} and storage_key is null and manifest is null`);
  if (rowCount === 0) throw new CovermapError('file_complete');
}

/** Stops the automatic submission of a file. Its answers and its note stay as a draft. @throws CovermapError `file_already_submitted` */
export async function withdrawAnswers(db: Queryable, id: string): Promise<void> {
  const { rowCount } = await db.query(sql`
    update upload set submits = false where id = ${id} and submission_id is null and manifest is null`);
  if (rowCount === 0) throw new CovermapError('file_already_submitted');
}

/** Submits an inspected upload with its answers if they are complete; otherwise they stay as a draft. */
export async function submitAnswered(
  database: Database,
  storage: Storage,
  id: string,
  quotas: ProviderQuotas,
): Promise<Accepted | undefined> {
  const upload = await findUpload(database, id, everybody);
  if (!upload?.answers || !upload.submits || upload.submission_id !== null) return undefined;
  const { answers, role, again, note, token_id, token_name, inspection } = upload;
  try {
    const manifest = inspection ? completeManifest(answers, inspection) : undefined;
    if (manifest) {
      const actor: Actor = { kind: role, name: token_name, tokenId: token_id };
      const accepted = await submitUpload(database, storage, id, {
        ...{ manifest, role, actor, again, note, automatic: true },
        quotas: role === 'operator' ? quotas : undefined,
      });
      if (!accepted.duplicate) return accepted;
    }
  } catch (error) {
    // A quota, for example: operators see it when they submit the form.
    if (!(error instanceof CovermapError || error instanceof UploadChanged)) throw error;
  }
  await database.query(sql`update upload set submits = false where id = ${id}`);
  return undefined;
}

/** The answers, completed from the file, which they override; undefined where a question is open. */
function completeManifest(answers: Manifest, inspection: Inspection): Manifest | undefined {
  const { kind, layers, manifest: found, speeds_missing, warnings } = inspection;
  if (kind === 'towers') return answers.processed_by === 'service' ? answers : undefined;
  const codes = warnings.map(({ code }) => code);
  if (codes.includes('outside_service_area') && answers.crs === undefined) return undefined;
  if (codes.includes('classes_needed') && !answers.classes) return undefined;
  if (answers.crs === undefined && layers.some((layer) => layer.reference_system === null)) return undefined;
  const attributes = notIgnored(found.attributes ?? {}, answers.ignore ?? []);
  const missing = [
    ...speeds_missing,
    ...speedFields.filter((name) => name.includes('_max_') && found.attributes?.[name] && !attributes[name]),
  ];
  const isGiven = missing.every((speed) => answers.speeds[speed] !== undefined);
  if (!answers.classes && !answers.tiers && !isGiven) return undefined;
  // A fixed speed overrides the file's field for it.
  const overridden = Object.fromEntries(Object.keys(answers.speeds).map((speed) => [speed, null]));
  // Answers for earlier files are a suggestion, for the form alone: other values may be meant now.
  const { ignore: _, ...suggested } = found;
  return parseManifest({
    ...suggested,
    ...answers,
    attributes: { ...attributes, ...overridden, ...answers.attributes },
  });
}

/** The suggested attributes without those that are to be ignored. */
function notIgnored(
  suggested: NonNullable<Inspection['manifest']['attributes']>,
  ignore: readonly string[],
): typeof suggested {
  const ignored = ignore.map((name) => name.toLowerCase());
  const isIgnored = (one: unknown) => ignored.includes(Object(one).field?.toLowerCase());
  return Object.fromEntries(Object.entries(suggested).filter(([, one]) => !isIgnored(one)));
}
