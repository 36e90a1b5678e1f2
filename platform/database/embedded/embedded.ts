import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../../logger.ts';
import { isSqlState } from '../data-error.ts';
import {
  type Connection,
  type Database,
  type Isolation,
  inTransaction,
  type Limits,
  type PoolUse,
  type Result,
  type Statement,
} from '../database.ts';
import { EmbeddedClient } from './client.ts';
import { type DataDirectoryLock, lockDataDirectory } from './data-directory-lock.ts';
import { FifoLock } from './fifo-lock.ts';
import { inMemory, type StatementRequest, type ThreadResult } from './messages.ts';
import { EmbeddedSession } from './session.ts';

const databaseFolder = 'postgres';
/** Written beside it once its creation has finished. */
const completeMark = 'postgres.complete';

/** A statement that takes longer will never end: those of the service take far less. */
const maxStatementMs = 600_000;
/** The min limit of a statement; shorter ones count as this. Ending a statement costs everyone the seconds of reopening the database. */
const minStatementMs = 10_000;
/** The grace of an aborted statement, for the same reason. */
const abortGraceMs = 2_000;

export interface EmbeddedOptions {
  /** Gives a file of {@link EmbeddedDatabase.dump}, `.br` where compressed, as the beginning of a new database. */
  template?: () => Promise<string | undefined>;
  logger?: Logger;
  /** Overrides the shortest limit of a statement, for tests. */
  minStatementMs?: number;
}

/**
 * PostgreSQL with PostGIS in a thread of this process (PGlite). @throws CovermapError `data_directory_in_use`
 * @param dataDir the folder of the data, or `memory://` for a database that ends with the process
 */
export async function openEmbeddedDatabase(dataDir: string, options: EmbeddedOptions = {}) {
  if (dataDir === inMemory) return EmbeddedDatabase.open(dataDir, options);
  await mkdir(dataDir, { recursive: true });
  // Two PGlites over the same files would destroy them.
  const lock = await lockDataDirectory(dataDir);
  try {
    await setAsideIncomplete(dataDir, options.logger);
    const database = await EmbeddedDatabase.open(path.join(dataDir, databaseFolder), options, lock);
    await writeFile(path.join(dataDir, completeMark), '');
    return database;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** An interrupted creation leaves an empty database that cannot be opened: the next start creates a new one. */
async function setAsideIncomplete(dataDir: string, logger?: Logger): Promise<void> {
  const folder = path.join(dataDir, databaseFolder);
  if (!existsSync(folder) || existsSync(path.join(dataDir, completeMark))) return;
  const kept = `${folder}.incomplete-${Date.now()}`;
  await rename(folder, kept);
  logger?.warn({ kept }, 'the embedded database was not made to its end, and is made anew');
}

type Subscription = { onNotify: (payload: string) => void; onGap: (() => void) | undefined };

/**
 * PGlite has one session: each statement waits its turn, and a client in a transaction keeps the session until COMMIT or ROLLBACK.
 * A statement that exceeds its limit is ended with the session's thread, and the database is reopened with what was committed.
 */
export class EmbeddedDatabase implements Database {
  readonly kind = 'embedded';
  readonly #folder: string;
  readonly #options: EmbeddedOptions;
  readonly #directory: DataDirectoryLock | undefined;
  readonly #lock = new FifoLock();
  readonly #heldKeys = new Set<string>();
  readonly #subscriptions = new Map<string, Set<Subscription>>();
  /** Its user holds the lock. */
  #newest: EmbeddedSession | undefined;
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

  static async open(folder: string, options: EmbeddedOptions, directory?: DataDirectoryLock) {
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

  /** Advisory locks of PostgreSQL exclude nobody within one session: the process holds the keys. */
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

  /** The part of a `pg.Pool` that BullMQ uses. It asks for the keep-alive of a socket, of which there is none; each queue and worker listens. */
  queuePool(): unknown {
    return Object.assign(new EventEmitter().setMaxListeners(0), {
      options: { keepAlive: true },
      query: <Row>(text: string, values?: readonly unknown[]) => this.query<Row>(text, values),
      connect: async () => this.connect(),
      end: async () => undefined,
    });
  }

  poolUse(): PoolUse {
    return { max: 1, busy: this.#lock.held ? 1 : 0, waiting: this.#lock.waiting };
  }

  /** The whole data directory as an archive for {@link EmbeddedOptions.template}. */
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

  /** The session, reopened where it has ended. The caller holds the lock. */
  async session(): Promise<EmbeddedSession> {
    return this.#newest && !this.#newest.ended ? this.#newest : this.#session();
  }

  /** Runs a request within limits. @throws Error 57014 where it took too long, and the reason of an aborted signal */
  async run(
    session: EmbeddedSession,
    request: StatementRequest,
    { timeoutMs = maxStatementMs, signal }: Limits,
  ) {
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
      // An error that PostgreSQL itself did not report leaves a session of unknown state.
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

  async #withSession<T>(work: (session: EmbeddedSession) => Promise<T>): Promise<T> {
    const release = await this.#lock.acquire();
    try {
      return await work(await this.session());
    } finally {
      release();
    }
  }

  async #session(): Promise<EmbeddedSession> {
    if (this.#closed) throw closed();
    const before = this.#newest;
    if (before && this.#folder === inMemory)
      throw new Error('The database in memory is gone with its thread.');
    // Two threads over the same files would destroy them.
    await before?.exited;
    const exists = existsSync(path.join(this.#folder, 'PG_VERSION'));
    const session = await EmbeddedSession.open(
      { dataDir: this.#folder, template: exists ? undefined : await this.#options.template?.() },
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

  /** Reopens at once: otherwise notifications would be missed until the next statement. */
  #reopen(reason: Error): void {
    this.#options.logger?.error({ err: reason }, 'the embedded database has ended and is opened again');
    this.#withSession(async () => undefined).catch((error) => {
      if (!this.#closed)
        this.#options.logger?.error({ err: error }, 'the embedded database cannot be opened');
    });
  }
}

/** Finds statements that a C++ exception of GEOS or PROJ ended: in this build they have neither an error nor a command tag. */
function checked(result: ThreadResult | undefined, request: StatementRequest): ThreadResult {
  if (result && result.command === undefined) throw gaveUp(request);
  return result ?? { rows: [] };
}

const closed = () => new Error('The embedded database is closed.');

/** SQLSTATE XX000, internal_error. */
function gaveUp(request: StatementRequest, why = ''): Error {
  const text = request.kind === 'copy' ? `copy ${request.target}` : request.text;
  const start = text.replaceAll(/\s+/g, ' ').trim().slice(0, 60);
  const message = `PostGIS gave up on the data of: ${start} ... ${why}`.trimEnd();
  return Object.assign(new Error(message), { code: 'XX000' });
}

/** SQLSTATE 57014, query_canceled, as from a server. */
const tookTooLong = (limitMs: number): Error =>
  Object.assign(new Error(`The statement was ended after ${limitMs / 1000} s.`), { code: '57014' });
