import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CovermapError } from '../errors.ts';
import { isAlive, type ProcessIdentity, thisProcess } from '../process-identity.ts';

const lockFile = 'lock.json';

/** What the lock file holds. */
export interface LockHolder extends ProcessIdentity {
  nonce: string;
  /** Where the holder takes files to ingest from other processes of this machine, once it does. */
  control?: { port: number; token: string };
}

/**
 * Takes the data directory for this process. A lock whose process is gone is taken over, so a kill leaves nothing
 * to clean up.
 * @returns a function that gives it back
 * @throws CovermapError `data_directory_in_use`
 */
export async function lockDataDirectory(dataDir: string): Promise<() => Promise<void>> {
  const file = path.join(dataDir, lockFile);
  const mine: LockHolder = {
    ...thisProcess(),
    nonce: randomBytes(8).toString('hex'),
  };
  for (;;) {
    if (await create(file, JSON.stringify(mine))) {
      // Another process that saw the same dead lock may have removed ours just now: the one that stays, holds.
      await sleep(20);
      if ((await readHolder(dataDir))?.nonce === mine.nonce) break;
      continue;
    }
    const holder = await readHolder(dataDir);
    if (holder && isAlive(holder)) {
      throw new CovermapError(
        'data_directory_in_use',
        `The embedded database in ${dataDir} is open in process ${holder.pid}.`,
        'Stop that process first, or set DATA_DIR to another folder, or run on PostgreSQL with DATABASE_URL.',
      );
    }
    await rm(file, { force: true });
  }
  return async () => {
    if ((await readHolder(dataDir))?.nonce === mine.nonce) await rm(file, { force: true });
  };
}

/** Who has the data directory open, if a living process does. */
export async function livingHolder(dataDir: string): Promise<LockHolder | undefined> {
  const holder = await readHolder(dataDir);
  return holder && isAlive(holder) ? holder : undefined;
}

/** Adds to the lock file of this process where it takes files from other processes. Only its owner can read it. */
export async function announceControl(
  dataDir: string,
  control: { port: number; token: string },
): Promise<void> {
  const holder = await readHolder(dataDir);
  if (holder?.pid !== process.pid) return;
  // Written aside and moved into place: half a lock file would read as one whose process is gone.
  const aside = path.join(dataDir, `${lockFile}.${process.pid}`);
  await writeFile(aside, JSON.stringify({ ...holder, control }), { mode: 0o600 });
  await rename(aside, path.join(dataDir, lockFile));
}

async function create(file: string, content: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(content);
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readHolder(dataDir: string): Promise<LockHolder | undefined> {
  try {
    return JSON.parse(await readFile(path.join(dataDir, lockFile), 'utf8'));
  } catch (error) {
    // A file cut short by a crash holds nothing.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
