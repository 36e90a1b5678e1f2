import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isAlive, type ProcessIdentity, thisProcess } from '../process-identity.ts';

/** Queries of a key within an hour. */
export interface HourCount {
  keyId: number;
  /** When the hour began, in milliseconds since 1970. */
  hour: number;
  queries: number;
}

/** Counts that are brought into the database together, once: what is in it never changes. */
export interface Batch {
  /** Batches of a process are numbered from 1. */
  sequence: number;
  counts: HourCount[];
}

/** A file that a process which has ended did not get to remove. */
export interface OrphanedFile {
  file: string;
  /** Where {@link setAside} moves it. */
  asideAs: string;
  /** Under which the process brought its batches in; undefined where nothing can be read. */
  process: string | undefined;
  /** What can be read, in the order of the sequence. */
  batches: Batch[];
  /** What cannot; undefined where all of it can. */
  damage: Damage | undefined;
  /** Removes the file, unless something was added to it since it was read. */
  remove(): Promise<void>;
  /** Moves the file out of the way, as it is. */
  setAside(): Promise<void>;
}

export interface Damage {
  reason: string;
  /** For each line that cannot be read the number of the next batch that can. */
  gaps: { before: number }[];
}

/** A first line, then a line for each batch: [sequence, [[key, hour, queries], ...]]. */
interface Heading extends ProcessIdentity {
  process: string;
  host: string;
}

const extension = '.jsonl';
/** Where files go that cannot be read, within the folder. */
const damagedFolder = 'damaged';
/** A file of another machine on the same folder is left alone for so long after it was last written to. */
const foreignMs = 10 * 60_000;
const hourMs = 3_600_000;
/** Errors that will be the same at the next try. Any other may be of this moment: too many open files, a network drive. */
const lastingErrors = new Set(['EACCES', 'EPERM', 'EISDIR', 'ELOOP', 'ENXIO']);

/** Meters of this very process that are in use. */
const inUse = new Set<string>();

/** A file in which batches outlive the process while the database is away. There is none while nothing is in it. */
export class UsageSpool {
  readonly #folder: string;
  readonly #process: string;
  #handle: FileHandle | undefined;
  /** Bytes that are known to be on the disk, whole lines. What a write that failed left behind them does not count. */
  #length = 0;

  /**
   * @param dataDir its folder `usage` holds the files
   * @param process the id under which this process brings its batches in
   */
  constructor(dataDir: string, process: string) {
    this.#folder = path.join(dataDir, 'usage');
    this.#process = process;
    inUse.add(process);
  }

  get #file(): string {
    return path.join(this.#folder, this.#process + extension);
  }

  /** Writes batches down; they are on the disk when it returns. Where it throws, none of them is. */
  async add(batches: readonly Batch[]): Promise<void> {
    const lines = batches.map(({ sequence, counts }) =>
      JSON.stringify([sequence, counts.map(({ keyId, hour, queries }) => [keyId, hour, queries])]),
    );
    if (!this.#handle) {
      await mkdir(this.#folder, { recursive: true });
      // Whatever is in a file of this name has been brought in: it could not be removed then.
      this.#handle = await open(this.#file, 'w', 0o600);
      this.#length = 0;
    }
    if (this.#length === 0) {
      const heading: Heading = { process: this.#process, host: os.hostname(), ...thisProcess() };
      lines.unshift(JSON.stringify(heading));
    }
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    // A full disk takes a part of a line.
    await this.#handle.truncate(this.#length);
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(
        bytes,
        written,
        bytes.length - written,
        this.#length + written,
      );
      written += bytesWritten;
    }
    await this.#handle.datasync();
    this.#length += bytes.length;
  }

  /** Throws everything away: all of it is in the database. */
  async clear(): Promise<void> {
    if (!this.#handle) return;
    await this.#close();
    await rm(this.#file, { force: true });
  }

  /** Leaves the file to whoever starts next, if there is one. */
  async leave(): Promise<void> {
    inUse.delete(this.#process);
    await this.#close();
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  /**
   * The files of processes that have ended. One that cannot be read is among them, with what is wrong with it.
   * @param onError called for a file that cannot be read at this moment, and is not among them therefore
   */
  async orphaned(onError: (error: unknown, file: string) => void): Promise<OrphanedFile[]> {
    const names = await readdir(this.#folder).catch(unlessMissing);
    const found: OrphanedFile[] = [];
    for (const name of names ?? []) {
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
    const asideAs = path.join(this.#folder, damagedFolder, path.basename(file));
    const setAside = async () => {
      await mkdir(path.dirname(asideAs), { recursive: true });
      // Where it is not there, another process has moved it.
      await rename(file, asideAs).catch(unlessMissing);
    };
    const id = path.basename(file, extension);
    const unreadable = { file, asideAs, process: undefined, batches: [], setAside, remove: setAside };
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
    const { heading, batches, gaps } = parse(bytes.toString('utf8'));
    // Without a heading it is not known whose it is: the same wait as for another machine's.
    if (inUse.has(id) || (heading ? isInUse(heading, writtenMs) : Date.now() - writtenMs < foreignMs)) {
      return undefined;
    }
    if (!isUuid(id)) {
      return { ...unreadable, damage: { reason: 'the name is not that of a process', gaps: [] } };
    }
    const lines = gaps.length === 1 ? '1 line' : `${gaps.length} lines`;
    return {
      file,
      asideAs,
      process: id,
      batches,
      damage: gaps.length > 0 ? { reason: `${lines} cannot be read`, gaps } : undefined,
      async remove() {
        // Where it is not there, another process has removed it.
        const now = await stat(file).catch(unlessMissing);
        if (now?.size === bytes.length) await rm(file, { force: true });
      },
      setAside,
    };
  }
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

/**
 * Reads as many lines as can be read. What comes after the last line break was not acknowledged as written, so it does not
 * count. A heading may be missing, or stand between batches, where the file was begun again.
 */
function parse(text: string): { heading: Heading | undefined; batches: Batch[]; gaps: Damage['gaps'] } {
  let heading: Heading | undefined;
  const batches: Batch[] = [];
  const gaps: Damage['gaps'] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const value = parseLine(line) ?? parseAfterTear(line);
    if (value === undefined) gaps.push({ before: Number.POSITIVE_INFINITY });
    else if ('host' in value) heading = value;
    // One that is there already was written again: a batch never changes.
    else if (value.sequence > (batches.at(-1)?.sequence ?? 0)) {
      for (const gap of gaps) gap.before = Math.min(gap.before, value.sequence);
      batches.push(value);
    }
  }
  return { heading, batches, gaps };
}

function parseLine(line: string): Heading | Batch | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!Array.isArray(value)) {
    const { host, pid } = (value ?? {}) as Partial<Heading>;
    return typeof host === 'string' && isCount(pid) ? (value as Heading) : undefined;
  }
  const [sequence, rows] = value as unknown[];
  if (!isCount(sequence) || !Array.isArray(rows)) return undefined;
  const counts = rows.map((row) => {
    const [keyId, hour, queries] = Array.isArray(row) ? (row as unknown[]) : [];
    const isGood =
      isCount(keyId) && isCount(queries) && Number.isSafeInteger(hour) && (hour as number) % hourMs === 0;
    return isGood ? { keyId, hour: hour as number, queries } : undefined;
  });
  return counts.includes(undefined) ? undefined : { sequence, counts: counts as HourCount[] };
}

/**
 * A line that was written behind a piece of one. The piece was not acknowledged as written, so its batches come again.
 */
function parseAfterTear(line: string): Heading | Batch | undefined {
  for (const { index } of line.matchAll(/\{"process"|\[\d+,\[\[/g)) {
    const value = index > 0 ? parseLine(line.slice(index)) : undefined;
    if (value) return value;
  }
  return undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

function isInUse({ host, pid, started }: Heading, writtenMs: number): boolean {
  if (host !== os.hostname()) return Date.now() - writtenMs < foreignMs;
  return pid !== process.pid && isAlive({ pid, started });
}
