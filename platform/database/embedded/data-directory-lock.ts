import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CovermapError } from '../../errors.ts';
import { isAlive, type ProcessIdentity, sharesProcesses, thisProcess } from '../../process-identity.ts';

/* One process may have the embedded database of a folder open. The lock is a chain of files, lock.1.json, lock.2.json, ...: the newest one names the
   holder. Taking it over means creating the next one, which the file system allows one process, however many see at once that the holder is gone.
   The newest file is never removed: it is marked as released. */

const lockFile = /^lock\.(\d{1,15})\.json$/;
const heartbeatMs = 5_000;
/** A holder whose process cannot be seen from here, in another container, counts as gone after this long. */
const staleMs = 3 * heartbeatMs;

/** The content of the newest file of the lock. */
export interface LockHolder extends ProcessIdentity {
  nonce: string;
  /** The address at which the holder accepts files to ingest from other processes of this machine. */
  control?: { port: number; token: string };
  /** Set when the holder has given the lock back. */
  released?: boolean;
}

export interface DataDirectoryLock {
  /** Aborted where another process has taken over the lock, as this one was stopped for too long. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** Takes the data directory for this process, from one that is gone, too. @throws CovermapError `data_directory_in_use` */
export async function lockDataDirectory(dataDir: string): Promise<DataDirectoryLock> {
  const mine: LockHolder = { ...thisProcess(), nonce: randomBytes(8).toString('hex') };
  for (;;) {
    const newest = await readNewest(dataDir);
    if (newest && (await isHeld(dataDir, newest))) {
      const message = `The embedded database in ${dataDir} is open in process ${newest.holder?.pid}.`;
      const hint =
        'Stop that process first, or set DATA_DIR to another folder, or run on PostgreSQL with DATABASE_URL.';
      throw new CovermapError('data_directory_in_use', message, hint);
    }
    const generation = (newest?.generation ?? 0) + 1;
    if (!(await create(dataDir, generation, mine))) continue;
    // A slow process may have created a file that others have gone past, and removed, meanwhile.
    if ((await readNewest(dataDir))?.generation !== generation) {
      await rm(pathOf(dataDir, generation), { force: true });
      continue;
    }
    for (const { file, generation: older } of await lockFiles(dataDir)) {
      if (older < generation) await rm(file, { force: true });
    }
    return hold(dataDir, generation, mine);
  }
}

/** The living process that has the data directory open, if any. */
export async function livingHolder(dataDir: string): Promise<LockHolder | undefined> {
  const newest = await readNewest(dataDir);
  return newest?.holder && (await isHeld(dataDir, newest)) ? newest.holder : undefined;
}

/** Adds the address for files of other processes to this process's lock. Only its owner can read it. */
export async function announceControl(dataDir: string, control: NonNullable<LockHolder['control']>) {
  const newest = await readNewest(dataDir);
  if (newest?.holder?.pid !== process.pid) return;
  await replace(newest.file, { ...newest.holder, control });
}

function hold(dataDir: string, generation: number, mine: LockHolder): DataDirectoryLock {
  const lost = new AbortController();
  const file = pathOf(dataDir, generation);
  const isMine = async () => (await readNewest(dataDir))?.holder?.nonce === mine.nonce;
  const timer = setInterval(async () => {
    try {
      const now = new Date();
      await utimes(file, now, now);
    } catch {
      if (!(await isMine().catch(() => true)))
        lost.abort(new Error('another process has the data directory'));
    }
  }, heartbeatMs);
  timer.unref();
  return {
    lost: lost.signal,
    async release() {
      clearInterval(timer);
      if (await isMine()) await replace(file, { ...mine, released: true });
    },
  };
}

interface LockState {
  file: string;
  generation: number;
  /** undefined for an unreadable file: a crash of the machine has cut it short. */
  holder: LockHolder | undefined;
}

async function isHeld(dataDir: string, { file, generation, holder }: LockState): Promise<boolean> {
  if (!holder || holder.released) return false;
  if (sharesProcesses(holder)) return isAlive(holder);
  // Its process cannot be seen. A living one shows by its heartbeat.
  const modifiedBefore = await modified(file);
  const until = performance.now() + staleMs;
  while (performance.now() < until) {
    await sleep(heartbeatMs / 10);
    const now = await readNewest(dataDir);
    if (now?.generation !== generation) return now !== undefined && isHeld(dataDir, now);
    if (now.holder?.released) return false;
    if ((await modified(file)) !== modifiedBefore) return true;
  }
  return false;
}

/** Creates a file of the lock, whole from the beginning; gives false where another process was first. */
async function create(dataDir: string, generation: number, content: LockHolder): Promise<boolean> {
  const aside = await writeAside(pathOf(dataDir, generation), content);
  try {
    await link(aside, pathOf(dataDir, generation));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function replace(file: string, content: LockHolder): Promise<void> {
  await rename(await writeAside(file, content), file);
}

async function writeAside(file: string, content: LockHolder): Promise<string> {
  const aside = `${file}.${content.nonce}`;
  await writeFile(aside, JSON.stringify(content), { mode: 0o600 });
  return aside;
}

async function readNewest(dataDir: string): Promise<LockState | undefined> {
  for (;;) {
    const newest = (await lockFiles(dataDir)).at(-1);
    if (!newest) return undefined;
    try {
      return { ...newest, holder: JSON.parse(await readFile(newest.file, 'utf8')) };
    } catch (error) {
      if (error instanceof SyntaxError) return { ...newest, holder: undefined };
      // Removed since, so there is a newer one.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

async function lockFiles(dataDir: string): Promise<{ file: string; generation: number }[]> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .map((name) => ({ file: path.join(dataDir, name), generation: Number(lockFile.exec(name)?.[1]) }))
    .filter(({ generation }) => !Number.isNaN(generation))
    .sort((a, b) => a.generation - b.generation);
}

const modified = async (file: string) => (await stat(file).catch(() => undefined))?.mtimeMs;
const pathOf = (dataDir: string, generation: number) => path.join(dataDir, `lock.${generation}.json`);
