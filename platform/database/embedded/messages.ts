/** The `dataDir` of a database that ends with its thread. */
export const inMemory = 'memory://';

/** The options of the embedded database's thread. */
export interface ThreadOptions {
  dataDir: string;
  /** A file with a data directory from `dump`, `.br` compressed: the beginning of a new database. */
  template: string | undefined;
}

export type StatementRequest =
  | { kind: 'query'; text: string; values: readonly unknown[] }
  /** Several statements at once, without parameters. */
  | { kind: 'script'; text: string }
  /** Rows in PostgreSQL's binary COPY format. */
  | { kind: 'copy'; target: string; chunks: readonly Uint8Array<ArrayBuffer>[] };

/** A request to the thread. It does one at a time, in order. */
export type ThreadRequest =
  | StatementRequest
  | { kind: 'listen'; channel: string }
  | { kind: 'dump' }
  | { kind: 'close' };

export interface ThreadResult {
  rows: unknown[];
  affectedRows?: number | undefined;
  /** The command tag that PostgreSQL reports for every completed statement. */
  command?: string | undefined;
}

export type ThreadMessage =
  | { type: 'opened' }
  | { type: 'answer'; id: number; result: ThreadResult | Blob | undefined }
  | { type: 'error'; id: number; error: ThreadError }
  | { type: 'notification'; channel: string; payload: string };

/** An error with PostgreSQL's fields: code, constraint, detail and the like. */
export type ThreadError = { message: string; fields: Record<string, unknown> };
