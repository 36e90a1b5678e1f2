import type { Database } from '../../database/database.ts';
import { follow } from '../../database/notified-cache.ts';
import type { Logger } from '../../logger.ts';
import { type SubmissionView, viewSubmissionStates } from './views.ts';

/** How often watched submissions are looked at where no notification has come. */
const pollMs = 5_000;

type Watcher = (submission: SubmissionView) => void;

/** Tells of changes to submissions, also those that other processes make. However many watch, there is one look at a time. */
export class SubmissionWatch {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #watchers = new Map<string, Set<Watcher>>();
  /** Submissions that may have changed since they were looked at. */
  readonly #changed = new Set<string>();
  #looking = false;
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
      (id) => watch.#lookAt([id]),
      () => watch.#lookAt(watch.#watchers.keys()),
      pollMs,
    );
    return watch;
  }

  /**
   * Calls `watcher` with what a submission is now, soon, and again when it may have changed: now and then also where it has
   * not. It is for who may see it, which is not looked at here.
   * @returns what ends it
   */
  watch(id: string, watcher: Watcher): () => void {
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers.add(watcher));
    this.#lookAt([id]);
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#watchers.get(id) === watchers) this.#watchers.delete(id);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#stopFollowing?.();
  }

  #lookAt(ids: Iterable<string>): void {
    for (const id of ids) if (this.#watchers.has(id)) this.#changed.add(id);
    if (!this.#looking) void this.#look();
  }

  /** Looks at all that may have changed with one statement, and again while more comes. */
  async #look(): Promise<void> {
    this.#looking = true;
    while (this.#changed.size > 0 && !this.#closed) {
      const ids = [...this.#changed];
      this.#changed.clear();
      try {
        for (const submission of await viewSubmissionStates(this.#database, ids)) {
          for (const watcher of [...(this.#watchers.get(submission.id) ?? [])]) watcher(submission);
        }
      } catch (error) {
        // They are looked at again with the next poll.
        if (!this.#closed) this.#logger.warn({ err: error }, 'watched submissions could not be looked at');
      }
    }
    this.#looking = false;
  }
}
