import type { Database } from './database.ts';

/**
 * A few rows that every request needs and that hardly ever change, kept in memory. A change is announced by NOTIFY and
 * takes effect at once; `believedMs` is how long it takes where the announcement is lost.
 */
export class Announced<T> {
  readonly #read: () => Promise<T>;
  readonly #believedMs: number;
  #stopListening: (() => Promise<void>) | undefined;
  #known: { value: Promise<T>; until: number } | undefined;

  private constructor(read: () => Promise<T>, believedMs: number) {
    this.#read = read;
    this.#believedMs = believedMs;
  }

  /**
   * @param database where changes are announced: not a replica, which takes no LISTEN
   * @param read reads the rows anew
   */
  static async open<T>(
    database: Database,
    channel: string,
    read: () => Promise<T>,
    believedMs = 5_000,
  ): Promise<Announced<T>> {
    const announced = new Announced(read, believedMs);
    const forget = () => {
      announced.#known = undefined;
    };
    announced.#stopListening = await database.listen(channel, forget, forget);
    return announced;
  }

  /** Requests that come while it is being read share the reading. A failure is not kept. */
  get(): Promise<T> {
    const now = performance.now();
    if (this.#known && now < this.#known.until) return this.#known.value;
    const known = { value: this.#read(), until: now + this.#believedMs };
    this.#known = known;
    known.value.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return known.value;
  }

  async close(): Promise<void> {
    await this.#stopListening?.();
  }
}
