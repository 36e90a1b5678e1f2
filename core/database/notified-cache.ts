import { LRUCache } from 'lru-cache';
import type { Database } from './database.ts';

const defaultTtlMs = 5_000;

/**
 * A cache of rows that most requests need and that rarely change. A NOTIFY, whose payload is the key, drops a value at once.
 * `ttlMs` limits how long a change goes unnoticed where the NOTIFY was lost.
 */
export class NotifiedCache<Value> {
  readonly #read: (key: string) => Promise<Value>;
  readonly #values: LRUCache<string, Promise<Value>>;
  #stopListening: (() => Promise<void>) | undefined;

  private constructor(read: (key: string) => Promise<Value>, max: number, ttlMs: number) {
    this.#read = read;
    this.#values = new LRUCache({ max, ttl: ttlMs });
  }

  /**
   * @param database not a replica, which has no LISTEN
   * @param read reads the value of a key; of a cache of one value the key is ''
   * @param options `max`: values to keep; the least recently used is dropped first
   */
  static async open<Value>(
    database: Pick<Database, 'listen'>,
    channel: string,
    read: (key: string) => Promise<Value>,
    { max = 1, ttlMs = defaultTtlMs }: { max?: number; ttlMs?: number } = {},
  ): Promise<NotifiedCache<Value>> {
    const cache = new NotifiedCache(read, max, ttlMs);
    cache.#stopListening = await database.listen(
      channel,
      (key) => cache.#values.delete(key),
      () => cache.#values.clear(),
    );
    return cache;
  }

  /** The value, if it is in memory. */
  peek(key = ''): Promise<Value> | undefined {
    return this.#values.get(key);
  }

  /** The value. Requests share a read that is under way; a failed read is not kept. */
  get(key = ''): Promise<Value> {
    const known = this.#values.get(key);
    if (known) return known;
    const value = this.#read(key);
    this.#values.set(key, value);
    value.catch(() => {
      // Unless a newer read has replaced it.
      if (this.#values.peek(key) === value) this.#values.delete(key);
    });
    return value;
  }

  async close(): Promise<void> {
    await this.#stopListening?.();
  }
}

/**
 * Follows a channel, and polls in case NOTIFYs were lost.
 * @param onMissed called where some may have been missed: after a lost connection, and every `pollMs`
 * @returns what stops it
 */
export async function follow(
  database: Pick<Database, 'listen'>,
  channel: string,
  onNotify: (payload: string) => void,
  onMissed: () => void,
  pollMs: number,
): Promise<() => Promise<void>> {
  const stopListening = await database.listen(channel, onNotify, onMissed);
  const poll = setInterval(onMissed, pollMs).unref();
  return async () => {
    clearInterval(poll);
    await stopListening();
  };
}
