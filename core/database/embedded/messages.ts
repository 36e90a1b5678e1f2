/** The `dataDir` of a database that ends with its thread. */
export const inMemory = 'memory://';

/** What the thread of the embedded database is started with. */
export interface ThreadOptions {
  /** The folder of the data, or `memory://`. */
  dataDir: string;
  /** A file that holds a data directory as `dump` gives it, `.br` compressed: what the database begins as, where it is new. */
  template: string | undefined;
}

export type StatementRequest =
  | { kind: 'query'; text: string; values: readonly unknown[] }
  /** Several statements at once, without parameters. */
  | { kind: 'script'; text: string }
  /** Rows in PostgreSQL's binary COPY format. */
  | { kind: 'copy'; target: string; chunks: readonly Uint8Array<ArrayBuffer>[] };

/** What is asked of the thread. It does one thing at a time, in the order of asking. */
export type ThreadRequest =
  | StatementRequest
  | { kind: 'listen' | 'unlisten'; channel: string }
  /** The whole data directory as a tar archive. */
  | { kind: 'dump' }
  | { kind: 'close' };

/** What a statement gave. */
export interface ThreadResult {
  rows: unknown[];
  affectedRows?: number | undefined;
  /** What PostgreSQL says at the end of every statement that it has completed. */
  command?: string | undefined;
}

export type ThreadMessage =
  | { type: 'opened' }
  | { type: 'answer'; id: number; result: ThreadResult | Blob | undefined }
  | { type: 'error'; id: number; error: ThreadError }
  | { type: 'notification'; channel: string; payload: string };

/** An error with what PostgreSQL says of it: code, constraint, detail and the like. */
export type ThreadError = { message: string; fields: Record<string, unknown> };

/** What a session begins with. BullMQ's functions live in a schema of their own and name their tables without it. */
export const sessionSettings = 'set search_path = public, bullmq; set client_min_messages = warning';
