import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { from as copyStream } from 'pg-copy-streams';
import { isSqlState } from '../data-error.ts';
import {
  type Connection,
  type Database,
  type Isolation,
  inTransaction,
  type Limits,
  type Result,
  type Statement,
} from '../database.ts';
import { Listener } from './listener.ts';

const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8) return Number;
    // A date has no time zone: node-postgres would make it midnight in this machine's.
    if (oid === pg.types.builtins.DATE) return (value: string) => value;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

/** A cancelled statement may take this long to end, as GEOS may notice late or never. */
const cancelGraceMs = 5_000;

class ServerConnection implements Connection {
  readonly #client: pg.PoolClient;
  readonly #cancel: (processId: number) => Promise<void>;
  #broken = false;

  /** @param cancel ends the statement of a process of the server */
  constructor(client: pg.PoolClient, cancel: (processId: number) => Promise<void>) {
    this.#client = client;
    this.#cancel = cancel;
  }

  /** True where the pool has to replace it: its session is lost or still in a transaction. */
  get broken(): boolean {
    return this.#broken || this.#client.getTransactionStatus() !== 'I';
  }

  query<Row>(statement: string | Statement, values?: readonly unknown[]): Promise<Result<Row>> {
    const limits = typeof statement === 'string' ? {} : statement;
    return this.#within(limits, () => run<Row>(this.#client, statement, values));
  }

  async copyFrom(target: string, chunks: readonly Uint8Array<ArrayBuffer>[], limits: Limits = {}) {
    await this.#within(limits, async () => {
      const stream = this.#client.query(copyStream(`copy ${target} from stdin with (format binary)`));
      await pipeline(Readable.from(chunks, { objectMode: false }), stream);
    });
  }

  async #within<T>({ timeoutMs, signal }: Limits, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const running = work();
    let ending: Promise<void> | undefined;
    const end = () => {
      ending ??= this.#end(running);
    };
    const timer = timeoutMs ? setTimeout(end, timeoutMs) : undefined;
    signal?.addEventListener('abort', end, { once: true });
    try {
      return await running;
    } catch (error) {
      const { code } = error as { code?: unknown };
      // Errors of class 08 and 57P0x, and those that are not PostgreSQL's, leave a session of unknown state.
      if (!isSqlState(code) || /^(08|57P)/.test(code)) this.#broken = true;
      signal?.throwIfAborted();
      throw ending && this.#broken ? tookTooLong(timeoutMs) : error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      // A late cancellation must not meet the next statement of this connection.
      await ending;
    }
  }

  /** Makes the server end the statement, or ends the connection. */
  async #end(running: Promise<unknown>): Promise<void> {
    const client = this.#client as unknown as pg.Client & { processID: number };
    const ended = Promise.allSettled([running]);
    await this.#cancel(client.processID).catch(() => undefined);
    if (await Promise.race([ended, sleep(cancelGraceMs, false, { ref: false })])) return;
    await client.end();
  }
}

/** SQLSTATE 57014, query_canceled, where the server can no longer send it. */
const tookTooLong = (timeoutMs: number | undefined): Error =>
  Object.assign(new Error(`The statement was ended after ${timeoutMs} ms.`), { code: '57014' });

async function run<Row>(client: pg.PoolClient, statement: string | Statement, given?: readonly unknown[]) {
  const { text, name, values }: Statement =
    typeof statement === 'string' ? { text: statement, values: given } : statement;
  const result = await client.query({ text, name, values } as pg.QueryConfig);
  return { rows: result.rows as Row[], rowCount: result.rowCount ?? 0 };
}

class DatedClient extends pg.Client {
  readonly begunAt = performance.now();

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The pool stops listening when it hands a connection out, and the connection may end in the same packet: an unheard error would end the process.
    // The query under way reports it.
    this.on('error', () => undefined);
  }
}

export interface ServerOptions {
  connections?: number;
  /** Absent: no limit, as normalising a large polygon may take long. */
  statementTimeoutMs?: number;
  /** The max time of a connection, the wait for one of the pool included. */
  connectTimeoutMs?: number;
}

/** PostgreSQL with PostGIS at `url`. */
export async function openServerDatabase(url: string, options: ServerOptions = {}): Promise<Database> {
  const settings: pg.PoolConfig = {
    connectionString: url,
    application_name: 'covermap',
    keepAlive: true,
    // A server that vanished is noticed within a quarter of a minute, also while nothing is sent to it.
    keepAliveInitialDelayMillis: 5_000,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
    // JIT takes longer than our statements, and a notice for each invalid polygon helps nobody. The server checks during a statement that its client
    // still exists.
    options: '-c jit=off -c client_min_messages=warning -c client_connection_check_interval=5000',
    types,
    ...(options.statementTimeoutMs
      ? // The second applies also where the server is silent.
        { statement_timeout: options.statementTimeoutMs, query_timeout: options.statementTimeoutMs + 500 }
      : {}),
  };
  const pool = new pg.Pool({ ...settings, Client: DatedClient, max: options.connections ?? 10 });
  // The pool replaces an idle connection that breaks; without a listener the event would end the process.
  pool.on('error', () => undefined);
  // When one connection has ended, others may have too, unnoticed: none of them is used again.
  let endedAt = Number.NEGATIVE_INFINITY;
  const onEnd = () => {
    endedAt = performance.now();
  };
  const take = async () => {
    for (;;) {
      const client = await pool.connect();
      if ((client as pg.PoolClient & DatedClient).begunAt > endedAt) return client;
      client.release(true);
    }
  };
  const listener = new Listener(settings);
  // A connection of its own, as all of the pool may be busy.
  const cancel = async (processId: number) => {
    const client = new pg.Client(settings);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select pg_cancel_backend($1)', [processId]);
    } finally {
      await client.end();
    }
  };
  let queuePool: pg.Pool | undefined;

  const database: Database = {
    kind: 'server',
    poolUse: () => ({
      max: pool.options.max,
      busy: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
    }),
    query<Row>(statement: string | Statement, values?: readonly unknown[]) {
      const asked = typeof statement === 'string' ? { text: statement, values } : statement;
      // Not by pool.query(), which discards the connection after every error of a statement.
      const ask = () => database.withConnection((connection) => connection.query<Row>(asked));
      const again = (limits: Limits) =>
        database.withConnection((connection) => {
          const reading = () => connection.query<Row>({ ...asked, ...limits });
          return inTransaction(connection, reading, 'read committed, read only');
        });
      return onceMore(ask, { again, onEnd }, asked);
    },
    async withConnection(work) {
      const client = await take();
      const connection = new ServerConnection(client, cancel);
      try {
        return await work(connection);
      } finally {
        client.release(connection.broken);
      }
    },
    transaction<T>(work: (connection: Connection) => Promise<T>, isolation?: Isolation) {
      let begun = false;
      const beginning = (connection: Connection) => {
        begun = true;
        return work(connection);
      };
      const run = () =>
        database.withConnection((connection) => inTransaction(connection, beginning, isolation));
      const mayRepeat = () => !begun || isolation?.endsWith('read only') === true;
      return onceMore(run, { again: run, mayRepeat, onEnd });
    },
    async withExclusiveKey(key, work) {
      const client = await take();
      const lost = new AbortController();
      const onError = (error: Error) => lost.abort(error);
      client.on('error', onError);
      let locked = false;
      try {
        const { rows } = await run<{ locked: boolean }>(
          client,
          'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked',
          [key],
        );
        locked = rows[0]?.locked ?? false;
        return locked ? await work(lost.signal) : undefined;
      } finally {
        client.off('error', onError);
        const unlock = 'select pg_advisory_unlock(hashtextextended($1, 0))';
        const unlocked = !locked || (await run(client, unlock, [key]).catch(() => undefined)) !== undefined;
        // Ending the session releases the lock, too, where the connection is broken.
        client.release(lost.signal.aborted || !unlocked);
      }
    },
    listen: (channel, onNotify, onGap) => listener.listen(channel, onNotify, onGap),
    queuePool() {
      // BullMQ keeps one for each worker, to receive notifications of jobs, and each listens for errors of the pool.
      const options = { ...settings, max: 16, options: '-c search_path=bullmq' };
      queuePool ??= new pg.Pool(options).setMaxListeners(0);
      return queuePool;
    },
    async close() {
      await listener.close();
      await queuePool?.end();
      await pool.end();
    },
  };
  return database;
}

/** SQLSTATEs of a connection that is lost or that the server ends. */
const connectionEnded = /^(08|57P0[125])/;
const systemErrors = new Set(['ECONNRESET', 'EPIPE']);
/** Messages of node-postgres, which have no code. A connection that takes too long to be made is another matter. */
const ends = /^(?:Connection terminated(?: unexpectedly)?$|Client has encountered a connection error)/;
/** SQLSTATE of a statement that writes in a read-only transaction. */
const notARead = '25006';

/** Runs work on a connection, and once more, in the rest of its time, if that ends. @param again must do nothing twice, as `mayRepeat` says */
export async function onceMore<T>(
  work: () => Promise<T>,
  { again, mayRepeat = () => true, onEnd }: Repetition<T>,
  { timeoutMs, signal }: Limits = {},
): Promise<T> {
  const began = performance.now();
  try {
    return await work();
  } catch (error) {
    if (!isEnd(error)) throw error;
    onEnd();
    const leftMs = timeoutMs && Math.ceil(timeoutMs - (performance.now() - began));
    if (!mayRepeat() || signal?.aborted || (leftMs !== undefined && leftMs <= 0)) throw error;
    return await again({ ...(leftMs && { timeoutMs: leftMs }) }).catch((second) => {
      throw (second as { code?: unknown }).code === notARead ? error : second;
    });
  }
}

interface Repetition<T> {
  /** The server refuses writes in this read-only transaction; then the first error counts. */
  again: (limits: Limits) => Promise<T>;
  mayRepeat?: () => boolean;
  onEnd: () => void;
}

/** Tells if an error is of an ended connection, and not of a statement that took too long. */
function isEnd(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (isSqlState(code)) return connectionEnded.test(code);
  return systemErrors.has(String(code)) || ends.test(String(message));
}
