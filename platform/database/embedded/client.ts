import { EventEmitter } from 'node:events';
import type { Connection, Limits, Result, Statement } from '../database.ts';
import type { FifoLock } from './fifo-lock.ts';
import type { StatementRequest, ThreadResult } from './messages.ts';
import type { EmbeddedSession } from './session.ts';

/** The database of a client. The caller of `session` holds the lock. */
interface SessionHost {
  session(): Promise<EmbeddedSession>;
  run(session: EmbeddedSession, request: StatementRequest, limits: Limits): Promise<ThreadResult>;
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
}

/** The part of a `pg.PoolClient` that the application and BullMQ use. */
export class EmbeddedClient extends EventEmitter implements Connection {
  readonly #host: SessionHost;
  readonly #lock: FifoLock;
  /** Set while this client is inside a transaction: its session, and the function that hands that on. */
  #transaction: { session: EmbeddedSession; release: () => void } | undefined;
  readonly #subscriptions: (() => Promise<void>)[] = [];

  constructor(host: SessionHost, lock: FifoLock) {
    super();
    this.#host = host;
    this.#lock = lock;
  }

  async query<Row>(statement: string | Statement, values?: readonly unknown[]): Promise<Result<Row>> {
    const limits: Statement = typeof statement === 'string' ? { text: statement, values } : statement;
    const { text, values: parameters = [] } = limits;
    const command = firstWords(text);
    const channel = /^listen "?([^";\s]+)"?/i.exec(command)?.[1];
    if (channel) return this.#listen<Row>(channel);
    // Without parameters node-postgres takes several statements at once, and migrations are written so.
    const request: StatementRequest =
      parameters.length > 0 ? { kind: 'query', text, values: parameters } : { kind: 'script', text };
    const { rows, affectedRows } = await this.#exclusively(command, request, limits);
    return { rows: rows as Row[], rowCount: rows.length || (affectedRows ?? 0) };
  }

  async copyFrom(target: string, chunks: readonly Uint8Array<ArrayBuffer>[], limits: Limits = {}) {
    await this.#exclusively('copy', { kind: 'copy', target, chunks }, limits);
  }

  /** Ends this client's open work: its transaction is rolled back, its LISTENs stop. */
  async release(): Promise<void> {
    if (this.#transaction) await this.query('rollback').catch(() => undefined);
    for (const unsubscribe of this.#subscriptions.splice(0)) await unsubscribe();
  }

  async #listen<Row>(channel: string): Promise<Result<Row>> {
    const stop = await this.#host.listen(channel, (payload) =>
      this.emit('notification', { channel, payload }),
    );
    this.#subscriptions.push(stop);
    return { rows: [], rowCount: 0 };
  }

  async #exclusively(command: string, request: StatementRequest, limits: Limits): Promise<ThreadResult> {
    limits.signal?.throwIfAborted();
    if (this.#transaction) {
      const { session, release } = this.#transaction;
      try {
        return await this.#host.run(session, request, limits);
      } finally {
        if (/^(commit|rollback|end|abort)\b(?!\s+to\b)/i.test(command)) {
          this.#transaction = undefined;
          release();
        }
      }
    }
    const release = await this.#lock.acquire(limits);
    try {
      const session = await this.#host.session();
      limits.signal?.throwIfAborted();
      const result = await this.#host.run(session, request, limits);
      if (/^(begin|start\s+transaction)\b/i.test(command)) this.#transaction = { session, release };
      return result;
    } finally {
      if (!this.#transaction) release();
    }
  }
}

const blankOrComment = /\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\//y;

/** The start of a statement after its comments: enough to recognise its command. */
function firstWords(text: string): string {
  let start = 0;
  for (blankOrComment.lastIndex = 0; blankOrComment.test(text); ) start = blankOrComment.lastIndex;
  return text.slice(start, start + 200);
}
