import { LRUCache } from 'lru-cache';
import type { Database } from './database.ts';

/** How long a value may be out of date where the NOTIFY of its change was lost. */
const defaultTtlMs = 5_000;

/**
 * Rows that most requests need and that hardly ever change, kept in memory. A NOTIFY, whose payload is the key, drops a value
 * at once. `ttlMs` limits how long a change goes unseen where the NOTIFY was lost.
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
   * @param database where the channel is notified: not a replica, which takes no LISTEN
   * @param read reads the value of a key; of a cache of one value the key is ''
   * @param options `max`: how many values are kept, one unless given; the least recently used goes first
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

  /** The value where it is in memory. */
  peek(key = ''): Promise<Value> | undefined {
    return this.#values.get(key);
  }

  /** The value. Requests that come while it is being read share that read; a failed read is not kept. */
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
 * @param onNotify called with the payload of each NOTIFY
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
