import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../platform/database/database.ts';
import { fileNotReadable } from '../platform/errors.ts';
import { type ImportOutcome, type ImportProgress, importRegister } from '../registry/import.ts';
import type { RegisterSource } from '../registry/register-file.ts';
import { following } from './following.ts';

/** An import, in JSON for the process that has the embedded database open. */
export type ImportCall = { file: string; changesOnly: boolean; acceptGone: boolean; dryRun?: boolean };

export type FollowedImport = { progress: ImportProgress } | { outcome: ImportOutcome };

/** Some 5,000 names. Bytes. */
const chunkSize = 256 * 1024;

/** Imports a file: gives its progress from time to time, and the outcome at the end. */
export async function* importAndFollow(database: Database, { file, ...options }: ImportCall) {
  const source = await openRegisterFile(file);
  yield* following<ImportProgress, ImportOutcome>((onProgress) =>
    importRegister(database, source, { ...options, onProgress }),
  );
}

async function openRegisterFile(file: string): Promise<RegisterSource> {
  const found = await stat(file).catch(() => undefined);
  const handle = found?.isFile() ? await open(file).catch(() => undefined) : undefined;
  if (!found || !handle) throw fileNotReadable(file);
  const chunks = handle.createReadStream({ highWaterMark: chunkSize });
  return { name: path.basename(file), size: found.size, chunks };
}
