import { setTimeout as sleep } from 'node:timers/promises';

/** Limits that end a statement early, on the server too. */
export interface Limits {
  /** Rejects with SQLSTATE 57014. The embedded database, which has to be reopened afterwards, waits a little longer. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** A server prepares a statement with a name once per connection; the embedded database ignores the name. */
export interface Statement extends Limits {
  text: string;
  values?: readonly unknown[] | undefined;
  name?: string;
}

export interface Result<Row> {
  rows: Row[];
  /** Rows returned; for a statement that returns none, rows changed. */
  rowCount: number;
}

/**
 * Values in JavaScript, from both databases: `bigint` as number, `date` as text (YYYY-MM-DD), `timestamptz` as Date, `numeric` as text (cast
 * to float8 in SQL for a number), `bytea` as Uint8Array, `json` parsed.
 */
export interface Queryable {
  query<Row = Record<string, unknown>>(
    statement: string | Statement,
    values?: readonly unknown[],
  ): Promise<Result<Row>>;
}

/** One session, with its own transactions and temporary tables. */
export interface Connection extends Queryable {
  /** Loads rows in PostgreSQL's binary COPY format. @param target as in `coverage (tier_id, geom)` */
  copyFrom(target: string, chunks: readonly Uint8Array<ArrayBuffer>[], limits?: Limits): Promise<void>;
}

/** The sessions of a database, and the number of waiting statements. */
export interface PoolUse {
  max: number;
  busy: number;
  waiting: number;
}

export interface Database extends Queryable {
  readonly kind: 'embedded' | 'server';
  /** Set where statements may be answered by a replica: the database that is never behind. */
  readonly primary?: Database;
  poolUse(): PoolUse;
  withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Runs `work` between BEGIN and COMMIT, or ROLLBACK where it throws. Read-only work may run twice, if its connection ends. */
  transaction<T>(work: (connection: Connection) => Promise<T>, isolation?: Isolation): Promise<T>;
  /**
   * Runs `work` while no other process does so under the same key; gives `undefined` at once where one does. The lock ends with its connection:
   * the signal then aborts, as another process may have the key.
   */
  withExclusiveKey<T>(key: string, work: (lost: AbortSignal) => Promise<T>): Promise<T | undefined>;
  /** Calls `onGap` after a lost connection is back: some NOTIFYs may have been missed. @returns a function that stops listening */
  listen(
    channel: string,
    onNotify: (payload: string) => void,
    onGap?: () => void,
  ): Promise<() => Promise<void>>;
  /** The pool for BullMQ's PostgreSQL backend, with its schema `bullmq` on the search path. */
  queuePool(): unknown;
  close(): Promise<void>;
}

export type Isolation = 'read committed' | 'read committed, read only' | 'repeatable read, read only';

/** The interval of checks for a key's release by another process. */
const pollMs = 100;

/** Runs `work` under an exclusive key, after the process that holds it. */
export async function withKeyInTurn<T>(database: Database, key: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await database.withExclusiveKey(key, async () => ({ result: await work() }));
    if (done) return done.result;
    await sleep(pollMs);
  }
}

/** Runs `work` between BEGIN and COMMIT on a connection; rolls back where it throws. */
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
    // The first error matters: a broken connection cannot roll back either.
    await connection.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Runs `work` in a transaction that is rolled back. */
export async function rehearse<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.query('begin');
  try {
    return await work();
  } finally {
    await connection.query('rollback');
  }
}

/** Runs `work` in the transaction that a connection is in, or in one of its own. */
export function inOneTransaction<T>(db: Database | Connection, work: (connection: Connection) => Promise<T>) {
  return 'transaction' in db ? db.transaction(work) : work(db);
}

/** A database with other connections: statements and transactions of their own pass `withConnection`, too. */
export const withConnections = (
  database: Database,
  withConnection: Database['withConnection'],
  others: Partial<Database>,
): Database => ({
  kind: database.kind,
  poolUse: () => database.poolUse(),
  query: (statement, values) => withConnection((connection) => connection.query(statement, values)),
  withConnection,
  transaction: (work, isolation) =>
    withConnection((connection) => inTransaction(connection, work, isolation)),
  withExclusiveKey: (key, work) => database.withExclusiveKey(key, work),
  listen: (channel, onNotify, onGap) => database.listen(channel, onNotify, onGap),
  queuePool: () => database.queuePool(),
  close: () => database.close(),
  ...others,
});

/** Waits until no other transaction holds the name, and holds it until this one ends. */
export async function lockUntilCommit(connection: Connection, name: string): Promise<void> {
  await connection.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
