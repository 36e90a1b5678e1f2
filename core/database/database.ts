import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import { openEmbeddedDatabase } from './embedded.ts';
import { openServerDatabase } from './server.ts';

/** What ends a statement before it is done. */
export interface Limits {
  /**
   * The longest it may take; then it rejects with SQLSTATE 57014. The embedded database waits a little longer, as it has to
   * be opened again afterwards.
   */
  timeoutMs?: number;
  /** Ends it at once, on the server too; it rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** A statement with a name is prepared once a connection on a server; the embedded database ignores the name. */
export interface Statement extends Limits {
  text: string;
  values?: readonly unknown[] | undefined;
  name?: string;
}

export interface Result<Row> {
  rows: Row[];
  /** Rows returned, or rows changed by a statement that returns none. */
  rowCount: number;
}

/**
 * What both databases give back in JavaScript: `bigint` as number, `date` as text (YYYY-MM-DD), `timestamptz` as Date,
 * `numeric` as text (cast to float8 in SQL where a number is wanted), `bytea` as Uint8Array, `json` parsed.
 */
export interface Queryable {
  query<Row = Record<string, unknown>>(
    statement: string | Statement,
    values?: readonly unknown[],
  ): Promise<Result<Row>>;
}

/** One session: what it begins, and the temporary tables it makes, are its own. */
export interface Connection extends Queryable {
  /**
   * Loads rows in PostgreSQL's binary COPY format.
   * @param target a table and its columns, as in `staging (feature, geom)`
   * @param chunks the bytes of the format, header and trailer included
   */
  copyFrom(target: string, chunks: readonly Uint8Array<ArrayBuffer>[], limits?: Limits): Promise<void>;
}

export interface Database extends Queryable {
  readonly kind: 'embedded' | 'server';
  withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Runs `work` between BEGIN and COMMIT, or ROLLBACK where it throws. */
  transaction<T>(work: (connection: Connection) => Promise<T>, isolation?: Isolation): Promise<T>;
  /**
   * Runs `work` while no other process does so under the same key; gives `undefined` at once where one does. The
   * lock goes with the connection that holds it, so a killed process leaves none behind; where the connection is lost
   * under a living one, the signal is aborted, as another may have the key by then.
   */
  withExclusiveKey<T>(key: string, work: (lost: AbortSignal) => Promise<T>): Promise<T | undefined>;
  /**
   * Calls `onNotify` for every NOTIFY on the channel, and `onGap` whenever some may have been missed (the
   * connection was lost and is back). Gives a function that stops it.
   */
  listen(
    channel: string,
    onNotify: (payload: string) => void,
    onGap?: () => void,
  ): Promise<() => Promise<void>>;
  /** What BullMQ's PostgreSQL backend takes as its pool: its schema `bullmq` is on the search path. */
  queuePool(): unknown;
  close(): Promise<void>;
}

export type Isolation = 'read committed' | 'repeatable read, read only';

/** Opens the database that the configuration names. The schema is brought up to date by `migrate`, not here. */
export async function openDatabase(config: Config, logger?: Logger): Promise<Database> {
  return config.databaseUrl
    ? openServerDatabase(config.databaseUrl)
    : openEmbeddedDatabase(config.dataDir, logger && { logger });
}

/** A lookup takes milliseconds: after this long nobody waits for its answer any more. */
const lookupTimeoutMs = 10_000;

/**
 * Opens what lookups read: the replica where DATABASE_READ_URL names one. On a server they have connections of their
 * own, so that loading and publishing never keep them waiting; the embedded database is the one that `database` is.
 * The caller closes it before `database`.
 */
export async function openLookupDatabase(config: Config, database: Database): Promise<Database> {
  const url = config.databaseReadUrl ?? config.databaseUrl;
  return url
    ? openServerDatabase(url, { connections: 4, statementTimeoutMs: lookupTimeoutMs })
    : limited(database, lookupTimeoutMs);
}

/**
 * Opens what counts are brought in through: a connection of its own, so that neither waits for the other, and with an end to
 * waiting for a server that says nothing any more.
 */
export async function openMeteringDatabase(config: Config, database: Database): Promise<Database> {
  if (!config.databaseUrl) return limited(database, lookupTimeoutMs);
  return openServerDatabase(config.databaseUrl, { connections: 1, statementTimeoutMs: lookupTimeoutMs });
}

/** A tile that takes longer has too many shapes in it to be made of them. */
const tileTimeoutMs = 2_000;

/** Opens what tiles read: where lookups do, with connections of their own, so that no lookup waits for a tile. */
export async function openTileDatabase(config: Config, database: Database): Promise<Database> {
  const url = config.databaseReadUrl ?? config.databaseUrl;
  return url
    ? openServerDatabase(url, { connections: 2, statementTimeoutMs: tileTimeoutMs })
    : limited(database, tileTimeoutMs);
}

/** The same database with a limit of time for each statement that has none of its own. Closing it does nothing. */
function limited(database: Database, timeoutMs: number): Database {
  const within = (session: Queryable): Queryable['query'] => {
    return (statement, values) =>
      session.query({
        timeoutMs,
        ...(typeof statement === 'string' ? { text: statement, values } : statement),
      });
  };
  const withLimit = (connection: Connection): Connection => ({
    query: within(connection),
    copyFrom: (target, chunks, limits) => connection.copyFrom(target, chunks, { timeoutMs, ...limits }),
  });
  const withConnection: Database['withConnection'] = (work) =>
    database.withConnection((connection) => work(withLimit(connection)));
  return {
    kind: database.kind,
    query: within(database),
    withConnection,
    transaction: (work, isolation) =>
      withConnection((connection) => inTransaction(connection, work, isolation)),
    withExclusiveKey: (key, work) => database.withExclusiveKey(key, work),
    listen: (channel, onNotify, onGap) => database.listen(channel, onNotify, onGap),
    queuePool: () => database.queuePool(),
    close: async () => undefined,
  };
}

/** Runs `work` between BEGIN and COMMIT on a connection that is already held. */
export async function inTransaction<T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
  isolation: Isolation = 'read committed',
): Promise<T> {
  await connection.query(`begin isolation level ${isolation}`);
  try {
    const result = await work(connection);
    await connection.query('commit');
    return result;
  } catch (error) {
    // The first error is the one that matters: a connection that broke cannot roll back either.
    await connection.query('rollback').catch(() => undefined);
    throw error;
  }
}
