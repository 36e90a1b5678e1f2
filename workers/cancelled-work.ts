import type { Database } from '../core/database/database.ts';
import type { WorkKind } from '../core/work.ts';

export type CancelledWork = Awaited<ReturnType<typeof openCancelledWork>>;

/** Aborts running work that was cancelled: withdrawn, removed, or submitted meanwhile. */
export async function openCancelledWork(database: Database) {
  /** By kind and id. */
  const running = new Map<string, { abort: () => void; isWanted: () => Promise<boolean> }>();
  const checkAll = async () => {
    for (const { abort, isWanted } of [...running.values()]) {
      if (!(await isWanted().catch(() => true))) abort();
    }
  };
  const close = await database.listen(
    'work_cancelled',
    (key) => running.get(key)?.abort(),
    () => void checkAll(),
  );
  return {
    /**
     * A signal that is aborted when the work is cancelled from now on: the caller checks the row after this.
     * @param isWanted asked where notifications may have been missed
     */
    watch(kind: WorkKind, id: string, reason: () => Error, isWanted: () => Promise<boolean>) {
      const key = `${kind} ${id}`;
      const controller = new AbortController();
      const entry = { abort: () => controller.abort(reason()), isWanted };
      running.set(key, entry);
      const end = () => {
        if (running.get(key) === entry) running.delete(key);
      };
      return { signal: controller.signal, end };
    },
    close,
  };
}
