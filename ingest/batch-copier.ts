import type { Database } from '../core/database/database.ts';

/** Batches that are copied at once. */
const batchesAtOnce = 2;
/** Far more than half a megabyte takes. */
const copyTimeoutMs = 120_000;

/** Copies batches of rows into `coverage`, a few at once. */
export class BatchCopier {
  readonly #database: Database;
  readonly #signal: AbortSignal;
  readonly #running = new Set<Promise<void>>();
  #failure: unknown;

  constructor(database: Database, signal: AbortSignal) {
    this.#database = database;
    this.#signal = signal;
  }

  /** Waits until another batch may begin. @throws what a batch has failed with */
  async room(): Promise<void> {
    while (this.#running.size >= batchesAtOnce) await Promise.race(this.#running);
    if (this.#failure) throw this.#failure;
  }

  /** Begins to copy a batch. @param done called once it is there */
  begin(copy: Uint8Array<ArrayBuffer>, done: () => void): void {
    const options = { timeoutMs: copyTimeoutMs, signal: this.#signal };
    const copying: Promise<void> = this.#database
      .withConnection((connection) =>
        connection.copyFrom('coverage (tier_id, geom, digest)', [copy], options),
      )
      .then(done)
      .catch((error) => {
        this.#failure ??= error;
      })
      .finally(() => this.#running.delete(copying));
    this.#running.add(copying);
  }

  /** Waits until nothing is being copied any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}
