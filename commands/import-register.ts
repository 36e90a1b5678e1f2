import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../core/database/database.ts';
import { CovermapError } from '../core/errors.ts';
import {
  type ImportOptions,
  type ImportOutcome,
  type ImportProgress,
  importRegister,
} from '../core/registry/import.ts';
import type { RegisterSource } from '../core/registry/register-file.ts';

/** What to import, as it can be handed to the process that has the embedded database open. */
export interface ImportCall {
  /** A path on this machine. */
  file: string;
  changesOnly: boolean;
  acceptGone: boolean;
}

export type FollowedImport = { progress: ImportProgress } | { outcome: ImportOutcome };

/** Some 5,000 names. Bytes. */
const chunkSize = 256 * 1024;
const lookEveryMs = 150;

/** Imports a file and tells how far it is now and then, and the outcome at the end. */
export async function* importAndFollow(
  database: Database,
  { file, ...options }: ImportCall,
): AsyncGenerator<FollowedImport> {
  yield* followImport(database, await openRegisterFile(file), options);
}

/** The same, of a source that is open already. */
export async function* followImport(
  database: Database,
  source: RegisterSource,
  options: Omit<ImportOptions, 'onProgress'>,
): AsyncGenerator<FollowedImport> {
  let latest: ImportProgress | undefined;
  const onProgress = (progress: ImportProgress) => {
    latest = progress;
  };
  const done = importRegister(database, source, { ...options, onProgress });
  const ended = done.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([ended, sleep(lookEveryMs, false)]))) {
    if (latest) yield { progress: latest };
    latest = undefined;
  }
  yield { outcome: await done };
}

async function openRegisterFile(file: string): Promise<RegisterSource> {
  const found = await stat(file).catch(() => undefined);
  const stream = found?.isFile() ? createReadStream(file, { highWaterMark: chunkSize }) : undefined;
  const open =
    stream &&
    (await new Promise<boolean>((resolve) => {
      stream.once('open', () => resolve(true)).once('error', () => resolve(false));
    }));
  if (!found || !stream || !open) {
    throw new CovermapError(
      'file_not_readable',
      `The file ${file} cannot be read.`,
      'Check its name and its permissions.',
    );
  }
  return { name: path.basename(file), size: found.size, chunks: stream };
}
