import type { Database } from '../../database/database.ts';
import { follow } from '../../database/notified-cache.ts';
import type { Logger } from '../../logger.ts';
import { type SubmissionView, viewSubmissionStates } from './views.ts';

/** How often watched submissions are read without a notification. */
const pollMs = 5_000;

type Watcher = (submission: SubmissionView) => void;

/** Watches submissions for changes, also by other processes. One statement at a time reads all that may have changed. */
export class SubmissionWatch {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #watchers = new Map<string, Set<Watcher>>();
  /** Submissions that may have changed since they were read. */
  readonly #changed = new Set<string>();
  #reading = false;
  #closed = false;
  #stopFollowing: (() => Promise<void>) | undefined;

  private constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  static async open(database: Database, logger: Logger): Promise<SubmissionWatch> {
    const watch = new SubmissionWatch(database, logger);
    watch.#stopFollowing = await follow(
      database,
      'submission',
      (id) => watch.#refresh([id]),
      () => watch.#refresh(watch.#watchers.keys()),
      pollMs,
    );
    return watch;
  }

  /**
   * Calls `watcher` with a submission soon, and again when it may have changed. The caller has checked who may see it.
   * @returns a function that stops watching
   */
  watch(id: string, watcher: Watcher): () => void {
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers.add(watcher));
    this.#refresh([id]);
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#watchers.get(id) === watchers) this.#watchers.delete(id);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#stopFollowing?.();
  }

  #refresh(ids: Iterable<string>): void {
    for (const id of ids) if (this.#watchers.has(id)) this.#changed.add(id);
    if (!this.#reading) void this.#read();
  }

  /** Reads all that may have changed with one statement, and again while there are more. */
  async #read(): Promise<void> {
    this.#reading = true;
    while (this.#changed.size > 0 && !this.#closed) {
      const ids = [...this.#changed];
      this.#changed.clear();
      try {
        for (const submission of await viewSubmissionStates(this.#database, ids)) {
          for (const watcher of [...(this.#watchers.get(submission.id) ?? [])]) watcher(submission);
        }
      } catch (error) {
        // The next poll reads them again.
        if (!this.#closed) this.#logger.warn({ err: error }, 'watched submissions could not be read');
      }
    }
    this.#reading = false;
  }
}
