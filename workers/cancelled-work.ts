import type { Database } from '../core/database/database.ts';
import type { WorkKind } from '../core/work.ts';

/** Aborts running work that was cancelled: withdrawn, removed, or submitted meanwhile. */
export class CancelledWork {
  /** By kind and id. */
  readonly #running = new Map<string, { abort: () => void; isWanted: () => Promise<boolean> }>();
  #stopListening: (() => Promise<void>) | undefined;

  static async open(database: Database): Promise<CancelledWork> {
    const cancelled = new CancelledWork();
    cancelled.#stopListening = await database.listen(
      'work_cancelled',
      (key) => cancelled.#running.get(key)?.abort(),
      () => void cancelled.#checkAll(),
    );
    return cancelled;
  }

  /**
   * A signal that is aborted when the work is cancelled from now on: the caller checks the row after this.
   * @param isWanted asked where notifications may have been missed
   */
  watch(
    kind: WorkKind,
    id: string,
    reason: () => Error,
    isWanted: () => Promise<boolean>,
  ): { signal: AbortSignal; end(): void } {
    const key = `${kind} ${id}`;
    const controller = new AbortController();
    const entry = { abort: () => controller.abort(reason()), isWanted };
    this.#running.set(key, entry);
    return {
      signal: controller.signal,
      end: () => {
        if (this.#running.get(key) === entry) this.#running.delete(key);
      },
    };
  }

  async close(): Promise<void> {
    await this.#stopListening?.();
  }

  async #checkAll(): Promise<void> {
    for (const { abort, isWanted } of [...this.#running.values()]) {
      if (!(await isWanted().catch(() => true))) abort();
    }
  }
}
