import { type FileHandle, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
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

/** Batches that a process has left behind. */
export interface LeftBehind {
  /** Under which the process brought its batches in. */
  process: string;
  batches: Batch[];
  /** Removes what was found, if nothing has been added to it meanwhile. */
  remove(): Promise<void>;
}

/** A first line, then a line for each batch: [sequence, [[key, hour, queries], ...]]. */
interface Heading extends ProcessIdentity {
  process: string;
  host: string;
}

const ending = '.jsonl';
/** A file of another machine on the same folder is left alone for so long after it was last written to. */
const foreignMs = 10 * 60_000;

/** Meters of this very process that are in use. */
const inUse = new Set<string>();

/** A file in which batches outlive the process while the database is away. There is none while nothing is in it. */
export class UsageSpool {
  readonly #folder: string;
  readonly #process: string;
  #handle: FileHandle | undefined;

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
    return path.join(this.#folder, this.#process + ending);
  }

  /** Writes batches down; they are on the disk when it returns. */
  async add(batches: readonly Batch[]): Promise<void> {
    const lines = batches.map(({ sequence, counts }) =>
      JSON.stringify([sequence, counts.map(({ keyId, hour, queries }) => [keyId, hour, queries])]),
    );
    if (!this.#handle) {
      await mkdir(this.#folder, { recursive: true });
      this.#handle = await open(this.#file, 'a', 0o600);
      const heading: Heading = { process: this.#process, host: os.hostname(), ...thisProcess() };
      lines.unshift(JSON.stringify(heading));
    }
    await this.#handle.appendFile(`${lines.join('\n')}\n`);
    await this.#handle.datasync();
  }

  /** Throws everything away: all of it is in the database. */
  async clear(): Promise<void> {
    if (!this.#handle) return;
    await this.#handle.close();
    this.#handle = undefined;
    await rm(this.#file, { force: true });
  }

  /** Leaves the file to whoever starts next, if there is one. */
  async leave(): Promise<void> {
    inUse.delete(this.#process);
    await this.#handle?.close();
    this.#handle = undefined;
  }

  /** What processes that are gone have left in the folder. */
  async leftBehind(): Promise<LeftBehind[]> {
    const names = await readdir(this.#folder).catch(() => [] as string[]);
    const found: LeftBehind[] = [];
    for (const name of names) {
      if (!name.endsWith(ending) || name === this.#process + ending) continue;
      const file = path.join(this.#folder, name);
      try {
        const { mtimeMs } = await stat(file);
        const text = await readFile(file, 'utf8');
        const [heading, ...batches] = parse(text);
        if (!heading) {
          // A process that is just beginning it, or one that was gone before it had written anything.
          if (Date.now() - mtimeMs > foreignMs) await rm(file, { force: true });
          continue;
        }
        if (isInUse(heading as Heading, mtimeMs)) continue;
        found.push({
          process: (heading as Heading).process,
          batches: batches as Batch[],
          async remove() {
            // Where it is not there, another process has removed it.
            const found = await stat(file).catch(unlessMissing);
            if (found?.size === Buffer.byteLength(text)) await rm(file, { force: true });
          },
        });
      } catch (error) {
        // Another process was faster.
        unlessMissing(error);
      }
    }
    return found;
  }
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

/** A line that a crash cut short was not acknowledged as written, and is the last. */
function parse(text: string): (Heading | Batch)[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const value = JSON.parse(line) as Heading | [number, [number, number, number][]];
      if (!Array.isArray(value)) return value;
      const counts = value[1].map(([keyId, hour, queries]) => ({ keyId, hour, queries }));
      return { sequence: value[0], counts };
    });
}

function isInUse({ process: id, host, pid, started }: Heading, writtenMs: number): boolean {
  if (inUse.has(id)) return true;
  if (host !== os.hostname()) return Date.now() - writtenMs < foreignMs;
  return pid !== process.pid && isAlive({ pid, started });
}
