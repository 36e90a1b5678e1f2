import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isAlive, sharesProcesses, thisProcess } from '../platform/process-identity.ts';
import { type Batch, type Damage, type Heading, parseUsageFile, writeBatch } from './usage-file.ts';

/** A file of a process that ended before it could remove it. */
export interface OrphanedFile {
  file: string;
  /** The path {@link quarantine} moves it to. */
  quarantinePath: string;
  /** The id of the process's batches; undefined where it cannot be read. */
  process: string | undefined;
  batches: Batch[];
  damage: Damage | undefined;
  remove(): Promise<void>;
  quarantine(): Promise<void>;
}

const extension = '.jsonl';
const damagedFolder = 'damaged';
/** A file of another machine or container is left alone this long after its last write. */
const foreignMs = 10 * 60_000;
/** Errors that a retry would not help. Others may pass, such as too many open files or a network drive that is away. */
const lastingErrors = new Set(['EACCES', 'EPERM', 'EISDIR', 'ELOOP', 'ENXIO']);

/** The meters of this very process. */
const inUse = new Set<string>();

/** A file in which batches outlive the process while the database is away. It exists only while it holds any. */
export class UsageSpool {
  readonly #folder: string;
  readonly #process: string;
  #handle: FileHandle | undefined;
  /** Bytes of whole lines that are on the disk. A failed write may have left a partial line behind them. */
  #length = 0;

  /** @param dataDir its folder `usage` holds the files @param process the id of this process's batches */
  constructor(dataDir: string, process: string) {
    this.#folder = path.join(dataDir, 'usage');
    this.#process = process;
    inUse.add(process);
  }

  get #file(): string {
    return path.join(this.#folder, this.#process + extension);
  }

  /** Writes batches to the disk, all or none. */
  async add(batches: readonly Batch[]): Promise<void> {
    const lines = batches.map(writeBatch);
    if (!this.#handle) {
      await mkdir(this.#folder, { recursive: true });
      // A file of this name holds stored batches; it could not be removed.
      this.#handle = await open(this.#file, 'w', 0o600);
      this.#length = 0;
    }
    if (this.#length === 0) {
      const heading: Heading = { process: this.#process, host: os.hostname(), ...thisProcess() };
      lines.unshift(JSON.stringify(heading));
    }
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    // A full disk may have taken a part of a line.
    await this.#handle.truncate(this.#length);
    for (let written = 0; written < bytes.length; ) {
      const rest = bytes.subarray(written);
      written += (await this.#handle.write(rest, 0, rest.length, this.#length + written)).bytesWritten;
    }
    await this.#handle.datasync();
    this.#length += bytes.length;
  }

  async clear(): Promise<void> {
    if (!this.#handle) return;
    await this.#close();
    await rm(this.#file, { force: true });
  }

  /** Leaves the file, if any, to be reclaimed. */
  async abandon(): Promise<void> {
    inUse.delete(this.#process);
    await this.#close();
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  /** The files of ended processes. @param onError is given files that cannot be read now */
  async orphaned(onError: (error: unknown, file: string) => void): Promise<OrphanedFile[]> {
    const found: OrphanedFile[] = [];
    for (const name of (await readdir(this.#folder).catch(unlessMissing)) ?? []) {
      if (!name.endsWith(extension) || name === this.#process + extension) continue;
      const file = path.join(this.#folder, name);
      try {
        const orphan = await this.#read(file);
        if (orphan) found.push(orphan);
      } catch (error) {
        onError(error, file);
      }
    }
    return found;
  }

  async #read(file: string): Promise<OrphanedFile | undefined> {
    const quarantinePath = path.join(this.#folder, damagedFolder, path.basename(file));
    const quarantine = async () => {
      await mkdir(path.dirname(quarantinePath), { recursive: true });
      // If it is missing, another process has moved it.
      await rename(file, quarantinePath).catch(unlessMissing);
    };
    const id = path.basename(file, extension);
    const common = { file, quarantinePath, quarantine };
    const unreadable = { ...common, process: undefined, batches: [], remove: quarantine };
    let bytes: Buffer;
    let writtenMs: number;
    try {
      writtenMs = (await stat(file)).mtimeMs;
      bytes = await readFile(file);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      // Another process was faster.
      if (code === 'ENOENT') return undefined;
      if (!lastingErrors.has(code ?? '')) throw error;
      return { ...unreadable, damage: { reason: message, gaps: [] } };
    }
    const { heading, batches, gaps } = parseUsageFile(bytes.toString('utf8'));
    // A file without a heading has no known owner: it waits like another machine's.
    if (inUse.has(id) || (heading ? isInUse(heading, writtenMs) : Date.now() - writtenMs < foreignMs)) {
      return undefined;
    }
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) {
      return { ...unreadable, damage: { reason: 'the name is not that of a process', gaps: [] } };
    }
    const lines = gaps.length === 1 ? '1 line' : `${gaps.length} lines`;
    return {
      ...common,
      process: id,
      batches,
      damage: gaps.length > 0 ? { reason: `${lines} cannot be read`, gaps } : undefined,
      async remove() {
        // If it is missing, another process has removed it.
        const now = await stat(file).catch(unlessMissing);
        if (now?.size === bytes.length) await rm(file, { force: true });
      },
    };
  }
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

function isInUse(heading: Heading, writtenMs: number): boolean {
  // Containers of one name have numbers of their own.
  if (heading.host !== os.hostname() || !sharesProcesses(heading)) return Date.now() - writtenMs < foreignMs;
  return heading.pid !== process.pid && isAlive(heading);
}
