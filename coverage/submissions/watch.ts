import type { Database } from '../../platform/database/database.ts';
import { follow } from '../../platform/database/notified-cache.ts';
import type { Logger } from '../../platform/logger.ts';
import { type SubmissionView, viewSubmissionStates } from './views.ts';

/** The interval of reading watched submissions without a notification. */
const pollMs = 5_000;

type Watcher = (submission: SubmissionView) => void;

/** Watches submissions for changes, also by other processes. One statement at a time reads all that may have changed. */
export async function openSubmissionWatch(database: Database, logger: Logger) {
  const watchersOf = new Map<string, Set<Watcher>>();
  const changed = new Set<string>();
  let isReading = false;
  let isClosed = false;

  /** Reads all changed submissions with one statement, and repeats while there are more. */
  const read = async () => {
    isReading = true;
    while (changed.size > 0 && !isClosed) {
      const ids = [...changed];
      changed.clear();
      try {
        for (const submission of await viewSubmissionStates(database, ids)) {
          for (const watcher of [...(watchersOf.get(submission.id) ?? [])]) watcher(submission);
        }
      } catch (error) {
        // The next poll reads them again.
        if (!isClosed) logger.warn({ err: error }, 'watched submissions could not be read');
      }
    }
    isReading = false;
  };
  const refresh = (ids: Iterable<string>) => {
    for (const id of ids) if (watchersOf.has(id)) changed.add(id);
    if (!isReading) void read();
  };
  const refreshAll = () => refresh(watchersOf.keys());
  const stopFollowing = await follow(database, 'submission', (id) => refresh([id]), refreshAll, pollMs);
  return {
    /** Calls `watcher` with a submission soon, and after changes. The caller has checked who may see it. @returns a function that stops watching */
    watch(id: string, watcher: Watcher): () => void {
      const watchers = watchersOf.get(id) ?? new Set();
      watchersOf.set(id, watchers.add(watcher));
      refresh([id]);
      return () => {
        watchers.delete(watcher);
        if (watchers.size === 0 && watchersOf.get(id) === watchers) watchersOf.delete(id);
      };
    },
    close(): Promise<void> {
      isClosed = true;
      return stopFollowing();
    },
  };
}
