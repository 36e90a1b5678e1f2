import type { Database } from '../database/database.ts';

/** How often watched submissions are looked at where no notification has come. */
const pollMs = 5_000;

/** Tells of changes to submissions, also those that other processes make. */
export class SubmissionWatch {
  readonly #watchers = new Map<string, Set<() => void>>();
  #stopListening: (() => Promise<void>) | undefined;
  #poll: NodeJS.Timeout | undefined;

  static async open(database: Database): Promise<SubmissionWatch> {
    const watch = new SubmissionWatch();
    watch.#stopListening = await database.listen(
      'submission',
      (id) => watch.#tell(id),
      () => watch.#tellAll(),
    );
    watch.#poll = setInterval(() => watch.#tellAll(), pollMs).unref();
    return watch;
  }

  /**
   * Calls `onChange` when a submission may have changed: now and then also where it has not.
   * @returns what ends it
   */
  watch(id: string, onChange: () => void): () => void {
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers.add(onChange));
    return () => {
      watchers.delete(onChange);
      if (watchers.size === 0 && this.#watchers.get(id) === watchers) this.#watchers.delete(id);
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#poll);
    await this.#stopListening?.();
  }

  #tell(id: string): void {
    for (const onChange of [...(this.#watchers.get(id) ?? [])]) onChange();
  }

  #tellAll(): void {
    for (const id of [...this.#watchers.keys()]) this.#tell(id);
  }
}
