import type { Database } from '../../platform/database/database.ts';

const batchesAtOnce = 2;
/** Far more than half a megabyte needs. */
const copyTimeoutMs = 120_000;

/** Copies batches of rows into `coverage`, a few at once. */
export function batchCopier(database: Database, signal: AbortSignal) {
  const running = new Set<Promise<void>>();
  let failure: unknown;
  return {
    /** Waits until another batch may begin. @throws the error of a failed batch */
    async room(): Promise<void> {
      while (running.size >= batchesAtOnce) await Promise.race(running);
      if (failure) throw failure;
    },

    /** Begins to copy a batch. @param done called once it is copied */
    begin(copy: Uint8Array<ArrayBuffer>, done: () => void): void {
      const options = { timeoutMs: copyTimeoutMs, signal };
      const copying: Promise<void> = database
        .withConnection((connection) =>
          connection.copyFrom('coverage (tier_id, geom, digest)', [copy], options),
        )
        .then(done)
        .catch((error) => {
          failure ??= error;
        })
        .finally(() => running.delete(copying));
      running.add(copying);
    },

    settled: () => Promise.allSettled(running),
  };
}
