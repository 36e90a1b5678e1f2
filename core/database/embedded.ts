import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { PGlite, types as pgTypes } from '@electric-sql/pglite';
import { postgis } from '@electric-sql/pglite-postgis';
import { lockDataDirectory } from './data-directory-lock.ts';
import {
  type Connection,
  type Database,
  type Isolation,
  inTransaction,
  type Result,
  type Statement,
} from './database.ts';
import { FifoLock } from './fifo-lock.ts';

const parsers = {
  [pgTypes.INT8]: Number,
  [pgTypes.DATE]: (value: string) => value,
};

/** Where the database's own files are under DATA_DIR. */
const databaseFolder = 'postgres';
/** Beside it, once it has been made whole. */
const completeMark = 'postgres.complete';

export interface EmbeddedOptions {
  /** A data directory as `PGlite.dumpDataDir` wrote it, to start from instead of an empty one. In memory only. */
  template?: Blob;
}

/**
 * PostgreSQL with PostGIS inside this process (PGlite), its data under `dataDir`.
 * @param dataDir the folder to keep the data in, or `memory://` for a database that ends with the process
 * @throws CovermapError `data_directory_in_use` where another process has it open
 */
export async function openEmbeddedDatabase(
  dataDir: string,
  options: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  const inMemory = dataDir === 'memory://';
  if (!inMemory) await mkdir(dataDir, { recursive: true });
  // Two PGlites over the same files would destroy them.
  const unlock = inMemory ? undefined : await lockDataDirectory(dataDir);
  try {
    if (!inMemory) await setAsideIncomplete(dataDir);
    const pglite = await PGlite.create({
      dataDir: inMemory ? dataDir : path.join(dataDir, databaseFolder),
      extensions: { postgis },
      parsers,
      ...(options.template ? { loadDataDir: options.template } : {}),
    });
    if (!inMemory) await writeFile(path.join(dataDir, completeMark), '');
    // BullMQ's functions live in a schema of their own and name their tables without it.
    await pglite.exec('set search_path = public, bullmq; set client_min_messages = warning');
    return new EmbeddedDatabase(pglite, unlock);
  } catch (error) {
    await unlock?.();
    throw error;
  }
}

/** A database whose making was cut short cannot be opened, and nothing is in it yet: the next start makes a new one. */
async function setAsideIncomplete(dataDir: string): Promise<void> {
  const folder = path.join(dataDir, databaseFolder);
  if (!existsSync(folder) || existsSync(path.join(dataDir, completeMark))) return;
  await rename(folder, `${folder}.incomplete-${Date.now()}`);
}

/**
 * One PGlite is one session. This hands it out as a pool would: each statement waits its turn, and a client that has
 * said BEGIN keeps the session to itself until its COMMIT or ROLLBACK.
 */
export class EmbeddedDatabase implements Database {
  readonly kind = 'embedded';
  readonly #pglite: PGlite;
  readonly #unlock: (() => Promise<void>) | undefined;
  readonly #lock = new FifoLock();
  readonly #heldKeys = new Set<string>();

  constructor(pglite: PGlite, unlock?: () => Promise<void>) {
    this.#pglite = pglite;
    this.#unlock = unlock;
  }

  query<Row>(statement: string | Statement, values?: readonly unknown[]): Promise<Result<Row>> {
    return this.withConnection((connection) => connection.query<Row>(statement, values));
  }

  async withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = this.connect();
    try {
      return await work(client);
    } finally {
      await client.release();
    }
  }

  transaction<T>(work: (connection: Connection) => Promise<T>, isolation?: Isolation): Promise<T> {
    return this.withConnection((connection) => inTransaction(connection, work, isolation));
  }

  /** There is one session, so PostgreSQL's own advisory locks would let everyone in: the process keeps the keys. */
  async withExclusiveKey<T>(key: string, work: (lost: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (this.#heldKeys.has(key)) return undefined;
    this.#heldKeys.add(key);
    try {
      return await work(new AbortController().signal);
    } finally {
      this.#heldKeys.delete(key);
    }
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    const release = await this.#lock.acquire();
    try {
      const unlisten = await this.#pglite.listen(channel, onNotify);
      return async () => {
        const releaseAgain = await this.#lock.acquire();
        try {
          if (!this.#pglite.closed) await unlisten();
        } finally {
          releaseAgain();
        }
      };
    } finally {
      release();
    }
  }

  connect(): EmbeddedClient {
    return new EmbeddedClient(this.#pglite, this.#lock, this);
  }

  queuePool(): unknown {
    return new PoolFace(this);
  }

  /** The whole data directory as an archive that {@link EmbeddedOptions.template} takes. */
  async dump(): Promise<Blob> {
    const release = await this.#lock.acquire();
    try {
      return await this.#pglite.dumpDataDir('none');
    } finally {
      release();
    }
  }

  async close(): Promise<void> {
    const release = await this.#lock.acquire();
    try {
      if (!this.#pglite.closed) await this.#pglite.close();
    } finally {
      release();
      await this.#unlock?.();
    }
  }
}

/** The surface of a `pg.PoolClient` that the application and BullMQ use. */
class EmbeddedClient extends EventEmitter implements Connection {
  readonly #pglite: PGlite;
  readonly #lock: FifoLock;
  readonly #database: EmbeddedDatabase;
  /** Hands the session on; set while this client is inside a transaction. */
  #endTransaction: (() => void) | undefined;
  readonly #subscriptions: (() => Promise<void>)[] = [];

  constructor(pglite: PGlite, lock: FifoLock, database: EmbeddedDatabase) {
    super();
    this.#pglite = pglite;
    this.#lock = lock;
    this.#database = database;
  }

  async query<Row>(statement: string | Statement, values?: readonly unknown[]): Promise<Result<Row>> {
    const text = typeof statement === 'string' ? statement : statement.text;
    const parameters = typeof statement === 'string' ? values : statement.values;
    const command = firstWords(text);
    const channel = /^listen "?([^";\s]+)"?/i.exec(command)?.[1];
    if (channel) return this.#listen<Row>(channel);
    return this.#exclusively(command, async () => {
      if (parameters && parameters.length > 0) {
        return toResult<Row>(await this.#pglite.query<Row>(text, [...parameters]), command);
      }
      // Without parameters node-postgres takes several statements at once, and migrations are written so.
      const results = await this.#pglite.exec(text);
      return toResult<Row>(results.at(-1) as PGliteResult<Row> | undefined, command);
    });
  }

  async copyFrom(target: string, chunks: readonly Uint8Array<ArrayBuffer>[]): Promise<void> {
    await this.#exclusively('copy', async () => {
      const statement = `copy ${target} from '/dev/blob' with (format binary)`;
      return toResult(await this.#pglite.query(statement, [], { blob: new Blob([...chunks]) }), statement);
    });
  }

  /** Ends what this client left open: its transaction is rolled back, its LISTENs stop. */
  async release(): Promise<void> {
    if (this.#endTransaction) await this.query('rollback').catch(() => undefined);
    for (const unsubscribe of this.#subscriptions.splice(0)) await unsubscribe();
  }

  async #listen<Row>(channel: string): Promise<Result<Row>> {
    const stop = await this.#database.listen(channel, (payload) =>
      this.emit('notification', { channel, payload }),
    );
    this.#subscriptions.push(stop);
    return { rows: [], rowCount: 0 };
  }

  async #exclusively<Row>(command: string, work: () => Promise<Result<Row>>): Promise<Result<Row>> {
    if (this.#endTransaction) {
      try {
        return await work();
      } finally {
        if (/^(commit|rollback|end|abort)\b(?!\s+to\b)/i.test(command)) {
          this.#endTransaction();
          this.#endTransaction = undefined;
        }
      }
    }
    const release = await this.#lock.acquire();
    // Statements run in this very thread and end as microtasks: a chain of them, and a load is one, would keep the
    // event loop from everything else, requests and signals included.
    await turnOfEventLoop();
    let keep = false;
    try {
      const result = await work();
      keep = /^(begin|start\s+transaction)\b/i.test(command);
      return result;
    } finally {
      if (keep) this.#endTransaction = release;
      else release();
    }
  }
}

/** The surface of a `pg.Pool` that BullMQ uses. */
class PoolFace extends EventEmitter {
  readonly #database: EmbeddedDatabase;
  /** BullMQ looks here for the keep-alive of a socket. There is none that could be lost. */
  readonly options = { keepAlive: true };

  constructor(database: EmbeddedDatabase) {
    super();
    this.#database = database;
  }

  query<Row>(text: string, values?: readonly unknown[]): Promise<Result<Row>> {
    return this.#database.query<Row>(text, values);
  }

  async connect(): Promise<EmbeddedClient> {
    return this.#database.connect();
  }

  async end(): Promise<void> {}
}

interface PGliteResult<Row> {
  rows: Row[];
  affectedRows?: number;
  /** What PostgreSQL says at the end of every statement that it has completed. */
  command?: string;
}

/**
 * In this build a C++ exception, as GEOS and PROJ throw them for data that they cannot use, ends a statement without an
 * error and without the word that it was completed. On a server the same is an internal error.
 */
function toResult<Row>(result: PGliteResult<Row> | undefined, text: string): Result<Row> {
  if (result && result.command === undefined) {
    const start = text.replace(/\s+/g, ' ').trim().slice(0, 60);
    throw Object.assign(new Error(`PostGIS gave up on the data of: ${start} ...`), { code: 'XX000' });
  }
  return { rows: result?.rows ?? [], rowCount: result?.rows.length || (result?.affectedRows ?? 0) };
}

/** The start of a statement without the comments before it: enough to see which command it is. */
function firstWords(text: string): string {
  const start = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/.exec(text)?.[0].length ?? 0;
  return text.slice(start, start + 200);
}
