import { LRUCache } from 'lru-cache';
import type { Database } from './database.ts';

const defaultTtlMs = 5_000;
/** Values to read ahead are gathered this long: read together, they cost a fraction. */
const gatherMs = 50;

interface Entry<Value> {
  promise: Promise<Value>;
  value: Value | undefined;
  readAt: number;
  /** True while it is being read ahead, and after that failed. */
  renewing: boolean;
}

/**
 * Opens a cache of rows that most requests need and that rarely change. A NOTIFY, whose payload is the key, drops a value at once; `ttlMs` limits
 * the delay of a change whose NOTIFY was lost. A value requested in the second half of that time is read ahead.
 * @param read gets the key '' in a cache of one value @param options `max`: values to keep
 */
export async function openNotifiedCache<Value>(
  database: Pick<Database, 'listen'>,
  channel: string,
  read: (key: string) => Promise<Value>,
  { max = 1, ttlMs = defaultTtlMs }: { max?: number; ttlMs?: number } = {},
) {
  const entries = new LRUCache<string, Entry<Value>>({ max });
  let ageing = new Map<string, Entry<Value>>();
  let timer: NodeJS.Timeout | undefined;
  const closeListener = await database.listen(
    channel,
    (key) => entries.delete(key),
    () => entries.clear(),
  );

  const begin = (key: string): Entry<Value> => {
    const readAt = performance.now();
    const entry: Entry<Value> = { promise: read(key), value: undefined, readAt, renewing: false };
    entry.promise.then(
      (value) => {
        entry.value = value;
      },
      () => {
        // Unless a newer read has replaced it.
        if (entries.peek(key) === entry) entries.delete(key);
      },
    );
    return entry;
  };
  const renewAgeing = () => {
    timer = undefined;
    const all = ageing;
    ageing = new Map();
    for (const [key, old] of all) {
      const fresh = begin(key);
      fresh.promise.then(
        // Unless it was dropped meanwhile: the read value may be older than the change.
        () => void (entries.peek(key) === old && entries.set(key, fresh)),
        () => undefined,
      );
    }
  };
  const entryOf = (key: string): Entry<Value> | undefined => {
    const entry = entries.get(key);
    if (!entry) return undefined;
    const age = performance.now() - entry.readAt;
    if (age >= ttlMs) {
      entries.delete(key);
      return undefined;
    }
    // Missing values are not read ahead: a caller who invents keys would cause reads.
    if (age >= ttlMs / 2 && !entry.renewing && entry.value !== undefined) {
      entry.renewing = true;
      ageing.set(key, entry);
      timer ??= setTimeout(renewAgeing, Math.min(gatherMs, ttlMs / 4)).unref();
    }
    return entry;
  };
  return {
    peek: (key = '') => entryOf(key)?.value,
    /** The read of a value, finished or under way. */
    underWay: (key = '') => entryOf(key)?.promise,
    /** The value. Requests share a read under way; a failed read is not kept. */
    get(key = ''): Promise<Value> {
      const known = entryOf(key);
      if (known) return known.promise;
      const entry = begin(key);
      entries.set(key, entry);
      return entry.promise;
    },
    /** Drops a value that its reader knows to be outdated, unless it was replaced meanwhile. */
    drop(value: Value, key = '') {
      if (entries.peek(key)?.value === value) entries.delete(key);
    },
    close() {
      clearTimeout(timer);
      return closeListener();
    },
  };
}

/** Follows a channel. @param onMissed called where NOTIFYs may have been missed: after a lost connection, and every `pollMs` */
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
