import { hash } from 'node:crypto';
import { opendir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isAlive, thisProcess } from '../process-identity.ts';

/*
 * A file has another name until it is whole: its own, who writes it, and `.part`. Who writes is a process, by when it started, as numbers
 * of processes come again, and the machine or container, as several may share the folder.
 */

/** How long a writer that cannot be seen from here may be silent before its file counts as orphaned. Uploads that slow are ended. */
const silentMs = 3_600_000;

const { pid, started = '', within = '' } = thisProcess();
const space = hash('sha256', within).slice(0, 12);
const form = /\.([0-9a-f]{12})_(\d+)_(\d*)\.part$/;

/** The name of a file while this process writes it. */
export const partialName = (file: string) => `${file}.${space}_${pid}_${started}.part`;

/** Removes what killed processes have left of files. Those that nobody may be writing any more are known by their age. */
export async function removeOrphanedParts(folder: string): Promise<void> {
  const names = await opendir(folder).catch(() => undefined);
  if (!names) return;
  for await (const { name } of names) {
    if (!name.endsWith('.part')) continue;
    const file = path.join(folder, name);
    // Where it cannot be looked at or removed, it is in nobody's way.
    if (await isOrphaned(file).catch(() => false)) await rm(file, { force: true }).catch(() => undefined);
  }
}

async function isOrphaned(file: string): Promise<boolean> {
  const [, where, writer, began] = form.exec(file) ?? [];
  if (where === space) return !isAlive({ pid: Number(writer), started: began || undefined });
  return Date.now() - (await stat(file)).mtimeMs > silentMs;
}
