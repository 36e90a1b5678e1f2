import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../logger.ts';
import { type DataDirectoryLock, lockDataDirectory } from './data-directory-lock.ts';
import { isSqlState } from './data-error.ts';
import {
  type Connection,
  type Database,
  type Isolation,
  inTransaction,
  type Limits,
  type Result,
  type Statement,
} from './database.ts';
import type { ThreadRequest, ThreadResult } from './embedded-messages.ts';
import { EmbeddedSession } from './embedded-session.ts';
import { FifoLock } from './fifo-lock.ts';

/** Where the database's own files are under DATA_DIR. */
const databaseFolder = 'postgres';
/** Beside it, once it has been made whole. */
const completeMark = 'postgres.complete';

/** What no statement of ours comes near. One that takes longer never ends. */
const maxStatementMs = 600_000;
/** Ending a statement costs everybody the seconds that opening the database takes. Shorter limits count as this one. */
const minStatementMs = 10_000;
/** How long an aborted statement may take to end by itself, for the same reason. */
const abortGraceMs = 2_000;

export interface EmbeddedOptions {
  /** A file with what {@link EmbeddedDatabase.dump} gave, to start from instead of an empty one. In memory only. */
  template?: string;
  logger?: Logger;
  /** Shorter limits of statements count as this one; as long as opening takes, unless a test is in a hurry. */
  minStatementMs?: number;
  /** Opens the session in place of {@link EmbeddedSession.open}: tests keep theirs, as opening one takes seconds. */
  openSession?: (...given: Parameters<typeof EmbeddedSession.open>) => Promise<Session>;
}

/** The session as it is used here. */
export type Session = Pick<EmbeddedSession, keyof EmbeddedSession>;

/**
 * PostgreSQL with PostGIS in a thread of this process (PGlite), its data under `dataDir`.
 * @param dataDir the folder to keep the data in, or `memory://` for a database that ends with the process
 * @throws CovermapError `data_directory_in_use` where another process has it open
 */
export async function openEmbeddedDatabase(
  dataDir: string,
  options: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  if (dataDir === inMemory) return EmbeddedDatabase.open(dataDir, options);
  await mkdir(dataDir, { recursive: true });
  // Two PGlites over the same files would destroy them.
  const lock = await lockDataDirectory(dataDir);
  try {
    await setAsideIncomplete(dataDir);
    const database = await EmbeddedDatabase.open(path.join(dataDir, databaseFolder), options, lock);
    await writeFile(path.join(dataDir, completeMark), '');
    return database;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

const inMemory = 'memory://';

/** A database whose making was cut short cannot be opened, and nothing is in it yet: the next start makes a new one. */
async function setAsideIncomplete(dataDir: string): Promise<void> {
  const folder = path.join(dataDir, databaseFolder);
  if (!existsSync(folder) || existsSync(path.join(dataDir, completeMark))) return;
  await rename(folder, `${folder}.incomplete-${Date.now()}`);
}

interface Subscription {
  onNotify: (payload: string) => void;
  onGap: (() => void) | undefined;
}

/**
 * One PGlite is one session. This hands it out as a pool would: each statement waits its turn, and a client that has
 * said BEGIN keeps the session to itself until its COMMIT or ROLLBACK.
 *
 * A statement that takes longer than it may is ended with the session's thread, and the database is opened again: what was
 * committed is there, other statements wait meanwhile.
 */
export class EmbeddedDatabase implements Database {
  readonly kind = 'embedded';
  readonly #folder: string;
  readonly #options: EmbeddedOptions;
  readonly #directory: DataDirectoryLock | undefined;
  readonly #lock = new FifoLock();
  readonly #heldKeys = new Set<string>();
  /** By channel. */
  readonly #subscriptions = new Map<string, Set<Subscription>>();
  /** The newest one; whoever asks for it holds the lock. */
  #newest: Session | undefined;
  #closed = false;

  private constructor(folder: string, options: EmbeddedOptions, directory?: DataDirectoryLock) {
    this.#folder = folder;
    this.#options = options;
    this.#directory = directory;
    directory?.lost.addEventListener('abort', () => {
      this.#closed = true;
      this.#newest?.kill(directory.lost.reason);
    });
  }

  static async open(
    folder: string,
    options: EmbeddedOptions,
    directory?: DataDirectoryLock,
  ): Promise<EmbeddedDatabase> {
    const database = new EmbeddedDatabase(folder, options, directory);
    await database.#session();
    return database;
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

  async listen(channel: string, onNotify: (payload: string) => void, onGap?: () => void) {
    const subscription: Subscription = { onNotify, onGap };
    const subscribers = this.#subscriptions.get(channel) ?? new Set();
    this.#subscriptions.set(channel, subscribers.add(subscription));
    if (subscribers.size === 1)
      await this.#withSession((session) => session.ask({ kind: 'listen', channel }));
    return async () => {
      subscribers.delete(subscription);
    };
  }

  connect(): EmbeddedClient {
    return new EmbeddedClient(this, this.#lock);
  }

  queuePool(): unknown {
    return new PoolAdapter(this);
  }

  /** The whole data directory as an archive that {@link EmbeddedOptions.template} takes. */
  dump(): Promise<Blob> {
    return this.#withSession((session) => session.ask({ kind: 'dump' }));
  }

  async close(): Promise<void> {
    const release = await this.#lock.acquire();
    this.#closed = true;
    try {
      await this.#newest?.close();
    } finally {
      release();
      await this.#directory?.release();
    }
  }

  /**
   * The session, opened again where it has ended. The caller holds the lock.
   * @throws Error where it cannot be opened; the next caller tries again
   */
  async session(): Promise<Session> {
    return this.#newest && !this.#newest.ended ? this.#newest : this.#session();
  }

  /**
   * Has a session do something within limits.
   * @throws Error with PostgreSQL's fields; code 57014 where it took too long, and the reason of a signal that was aborted
   */
  async run(
    session: Session,
    request: Exclude<ThreadRequest, { kind: 'dump' }>,
    { timeoutMs = maxStatementMs, signal }: Limits,
  ): Promise<ThreadResult> {
    const answer = session.ask(request);
    // A database in memory would be gone with its thread.
    const kill = (reason: Error) => (this.#folder === inMemory ? undefined : session.kill(reason));
    const limitMs = Math.max(timeoutMs, this.#options.minStatementMs ?? minStatementMs);
    const timer = setTimeout(() => kill(tookTooLong(limitMs)), limitMs);
    let grace: NodeJS.Timeout | undefined;
    const abort = () => {
      grace = setTimeout(() => kill(signal?.reason), abortGraceMs);
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return checked(await answer, request);
    } catch (error) {
      // What PostgreSQL itself does not report leaves a session of unknown state.
      if (!session.ended && !isSqlState((error as { code?: unknown }).code)) {
        const reason = gaveUp(request, (error as Error).message);
        await kill(reason);
        throw reason;
      }
      throw error;
    } finally {
      clearTimeout(timer);
      clearTimeout(grace);
      signal?.removeEventListener('abort', abort);
    }
  }

  async #withSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const release = await this.#lock.acquire();
    try {
      return await work(await this.session());
    } finally {
      release();
    }
  }

  async #session(): Promise<Session> {
    if (this.#closed) throw closed();
    const before = this.#newest;
    if (before && this.#folder === inMemory)
      throw new Error('The database in memory is gone with its thread.');
    // Two threads over the same files would destroy them.
    await before?.exited;
    const open = this.#options.openSession ?? EmbeddedSession.open;
    const session = await open(
      { dataDir: this.#folder, template: this.#options.template },
      (channel, payload) => {
        for (const { onNotify } of this.#subscriptions.get(channel) ?? []) onNotify(payload);
      },
      (reason) => this.#reopen(reason),
    );
    if (this.#closed) {
      // The lock on the folder was lost meanwhile: another process may have the files.
      await session.kill(closed());
      throw closed();
    }
    this.#newest = session;
    for (const channel of this.#subscriptions.keys()) await session.ask({ kind: 'listen', channel });
    if (before) {
      for (const subscribers of this.#subscriptions.values()) for (const { onGap } of subscribers) onGap?.();
    }
    return session;
  }

  /** At once, as notifications would be missed until the next statement. */
  #reopen(reason: Error): void {
    this.#options.logger?.error({ err: reason }, 'the embedded database has ended and is opened again');
    this.#withSession(async () => undefined).catch((error) => {
      if (!this.#closed)
        this.#options.logger?.error({ err: error }, 'the embedded database cannot be opened');
    });
  }
}

/** The surface of a `pg.PoolClient` that the application and BullMQ use. */
class EmbeddedClient extends EventEmitter implements Connection {
  readonly #database: EmbeddedDatabase;
  readonly #lock: FifoLock;
  /** Set while this client is inside a transaction: its session, and what hands that on. */
  #transaction: { session: Session; release: () => void } | undefined;
  readonly #subscriptions: (() => Promise<void>)[] = [];

  constructor(database: EmbeddedDatabase, lock: FifoLock) {
    super();
    this.#database = database;
    this.#lock = lock;
  }

  async query<Row>(statement: string | Statement, values?: readonly unknown[]): Promise<Result<Row>> {
    const limits: Statement = typeof statement === 'string' ? { text: statement, values } : statement;
    const { text, values: parameters = [] } = limits;
    const command = firstWords(text);
    const channel = /^listen "?([^";\s]+)"?/i.exec(command)?.[1];
    if (channel) return this.#listen<Row>(channel);
    // Without parameters node-postgres takes several statements at once, and migrations are written so.
    const request: ThreadRequest =
      parameters.length > 0 ? { kind: 'query', text, values: parameters } : { kind: 'script', text };
    const { rows, affectedRows } = await this.#exclusively(command, request, limits);
    return { rows: rows as Row[], rowCount: rows.length || (affectedRows ?? 0) };
  }

  async copyFrom(
    target: string,
    chunks: readonly Uint8Array<ArrayBuffer>[],
    limits: Limits = {},
  ): Promise<void> {
    await this.#exclusively('copy', { kind: 'copy', target, chunks }, limits);
  }

  /** Ends what this client left open: its transaction is rolled back, its LISTENs stop. */
  async release(): Promise<void> {
    if (this.#transaction) await this.query('rollback').catch(() => undefined);
    for (const unsubscribe of this.#subscriptions.splice(0)) await unsubscribe();
  }

  async #listen<Row>(channel: string): Promise<Result<Row>> {
    const stop = await this.#database.listen(channel, (payload) =>
      this.emit('notification', { channel, payload }),
    );
    this.#subscriptions.push(stop);
    return { rows: [], rowCount: 0 };
  }

  async #exclusively(
    command: string,
    request: Exclude<ThreadRequest, { kind: 'dump' }>,
    limits: Limits,
  ): Promise<ThreadResult> {
    limits.signal?.throwIfAborted();
    if (this.#transaction) {
      const { session, release } = this.#transaction;
      try {
        return await this.#database.run(session, request, limits);
      } finally {
        if (/^(commit|rollback|end|abort)\b(?!\s+to\b)/i.test(command)) {
          this.#transaction = undefined;
          release();
        }
      }
    }
    const release = await this.#lock.acquire(limits);
    try {
      const session = await this.#database.session();
      limits.signal?.throwIfAborted();
      const result = await this.#database.run(session, request, limits);
      if (/^(begin|start\s+transaction)\b/i.test(command)) this.#transaction = { session, release };
      return result;
    } finally {
      if (!this.#transaction) release();
    }
  }
}

/** The surface of a `pg.Pool` that BullMQ uses. */
class PoolAdapter extends EventEmitter {
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

/**
 * In this build a C++ exception, as GEOS and PROJ throw them for data that they cannot use, ends a statement without an
 * error and without the word that it was completed. On a server the same is an internal error.
 */
function checked(result: ThreadResult | undefined, request: ThreadRequest): ThreadResult {
  if (result && result.command === undefined) throw gaveUp(request);
  return result ?? { rows: [] };
}

const closed = () => new Error('The embedded database is closed.');

/** SQLSTATE XX000, internal_error. */
function gaveUp(request: ThreadRequest, why = ''): Error {
  const text = 'text' in request ? request.text : `copy ${'target' in request ? request.target : ''}`;
  const start = text.replaceAll(/\s+/g, ' ').trim().slice(0, 60);
  return Object.assign(new Error(`PostGIS gave up on the data of: ${start} ... ${why}`.trimEnd()), {
    code: 'XX000',
  });
}

/** SQLSTATE 57014, query_canceled, as a server has it. */
function tookTooLong(limitMs: number): Error {
  return Object.assign(new Error(`The statement was ended after ${limitMs / 1000} s.`), { code: '57014' });
}

/** The start of a statement without the comments before it: enough to see which command it is. */
function firstWords(text: string): string {
  const start = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/.exec(text)?.[0].length ?? 0;
  return text.slice(start, start + 200);
}
