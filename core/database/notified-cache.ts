import { LRUCache } from 'lru-cache';
import type { Database } from './database.ts';

const defaultTtlMs = 5_000;

/** A cache of rows that most requests need and that rarely change. */
export interface NotifiedCache<Value> {
  /** The value, if it is in memory. */
  peek(key?: string): Promise<Value> | undefined;
  /** The value. Requests share a read that is under way; a failed read is not kept. */
  get(key?: string): Promise<Value>;
  close(): Promise<void>;
}

/**
 * Opens a {@link NotifiedCache}. A NOTIFY, whose payload is the key, drops a value at once; `ttlMs` limits how long a change goes
 * unnoticed where the NOTIFY was lost.
 * @param database not a replica, which has no LISTEN
 * @param read reads the value of a key; of a cache of one value the key is ''
 * @param options `max`: values to keep; the least recently used is dropped first
 */
export async function openNotifiedCache<Value>(
  database: Pick<Database, 'listen'>,
  channel: string,
  read: (key: string) => Promise<Value>,
  { max = 1, ttlMs = defaultTtlMs }: { max?: number; ttlMs?: number } = {},
): Promise<NotifiedCache<Value>> {
  const values = new LRUCache<string, Promise<Value>>({ max, ttl: ttlMs });
  const close = await database.listen(
    channel,
    (key) => values.delete(key),
    () => values.clear(),
  );
  return {
    peek: (key = '') => values.get(key),
    get(key = '') {
      const known = values.get(key);
      if (known) return known;
      const value = read(key);
      values.set(key, value);
      value.catch(() => {
        // Unless a newer read has replaced it.
        if (values.peek(key) === value) values.delete(key);
      });
      return value;
    },
    close,
  };
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
