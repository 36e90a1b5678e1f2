import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hasEnded, processMark } from './process-identity.ts';

/* Temporary folders for work on a file. The next process that reads a file removes those of killed ones. */

const prefix = 'covermap-reading-';

/** The folder of files that can be made again, and are kept from one work to the next. */
export const keptScratch = ({ dataDir }: { dataDir: string }): string => path.join(dataDir, 'scratch');

/** An empty folder, to be removed by {@link removeScratch}. */
export async function makeScratch(): Promise<string> {
  for (const name of await readdir(os.tmpdir())) {
    if (!name.startsWith(prefix) || !hasEnded(name.slice(prefix.length))) continue;
    // A folder that cannot be removed is ignored.
    await removeScratch(path.join(os.tmpdir(), name)).catch(() => undefined);
  }
  return mkdtemp(path.join(os.tmpdir(), `${prefix}${processMark}_`));
}

export async function removeScratch(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
