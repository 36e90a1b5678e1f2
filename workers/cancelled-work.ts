import type { Step } from '../coverage/attempts.ts';
import { isWaiting } from '../coverage/jobs/waiting.ts';
import type { Database } from '../platform/database/database.ts';

export type CancelledWork = Awaited<ReturnType<typeof openCancelledWork>>;

/** Aborts work on rows that were withdrawn, removed, submitted or changed meanwhile. */
export async function openCancelledWork(database: Database) {
  const running = new Set<{ step: Step; id: string; controller: AbortController }>();
  const abort = (controller: AbortController) => controller.abort(new Error('nobody wants this any more'));
  const checkAll = async () => {
    for (const { step, id, controller } of running) {
      if (!(await isWaiting(database, step, id).catch(() => true))) abort(controller);
    }
  };
  const close = await database.listen(
    'work_cancelled',
    (cancelled) => {
      for (const { id, controller } of running) if (id === cancelled) abort(controller);
    },
    // Some may have been missed.
    () => void checkAll(),
  );
  return {
    /** Returns a signal that is aborted when work on a row is cancelled from now on: the caller checks the row after this. */
    watch(step: Step, id: string) {
      const controller = new AbortController();
      const entry = { step, id, controller };
      running.add(entry);
      return { signal: controller.signal, end: () => void running.delete(entry) };
    },
    close,
  };
}
