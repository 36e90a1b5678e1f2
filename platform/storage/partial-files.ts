import { opendir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { hasEnded, processMark } from '../process-identity.ts';

/* The name of an incomplete file has two more parts: the mark of the process that writes it, and `.part`. */

/** A silent file of a writer that cannot be seen from here counts as orphaned after this long. Uploads that slow are ended. */
const silentMs = 3_600_000;

/** The name of a file while this process writes it. */
export const partialName = (file: string) => `${file}.${processMark}.part`;

/** Removes partial files of killed processes. Files of writers that cannot be seen are judged by their age. */
export async function removeOrphanedParts(folder: string): Promise<void> {
  const names = await opendir(folder).catch(() => undefined);
  if (!names) return;
  for await (const { name } of names) {
    if (!name.endsWith('.part')) continue;
    const file = path.join(folder, name);
    // A file that cannot be inspected or removed is ignored.
    if (await isOrphaned(file).catch(() => false)) await rm(file, { force: true }).catch(() => undefined);
  }
}

async function isOrphaned(file: string): Promise<boolean> {
  const mark = file.split('.').at(-2) ?? '';
  return hasEnded(mark) ?? Date.now() - (await stat(file)).mtimeMs > silentMs;
}
