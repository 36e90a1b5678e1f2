import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isAlive, thisProcess } from './process-identity.ts';

/*
 * Folders for what has to lie on the disk while a file is worked on. Their names say whose they are: the machine (containers
 * may share a folder, and have processes of their own), the process, and when it started, as numbers of processes come
 * again. What a process leaves that is killed, the next one removes that reads a file.
 */

const prefix = 'covermap-reading-';
const host = os.hostname().replace(/[^A-Za-z0-9]/g, '');
const named = new RegExp(`^${prefix}([A-Za-z0-9]*)_(\\d+)_(\\d*)_`);

/** An empty folder, to be removed by {@link removeScratch}. */
export async function makeScratch(): Promise<string> {
  await removeOrphaned();
  const { pid, started = '' } = thisProcess();
  return mkdtemp(path.join(os.tmpdir(), `${prefix}${host}_${pid}_${started}_`));
}

export async function removeScratch(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function removeOrphaned(): Promise<void> {
  for (const name of await readdir(os.tmpdir())) {
    const [, machine, pid, started] = named.exec(name) ?? [];
    if (machine !== host || isAlive({ pid: Number(pid), started: started || undefined })) continue;
    // One that cannot be removed is in nobody's way.
    await removeScratch(path.join(os.tmpdir(), name)).catch(() => undefined);
  }
}
