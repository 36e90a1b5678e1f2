import { LRUCache } from 'lru-cache';
import type { Database } from './database.ts';

const defaultTtlMs = 5_000;
/** How long values that are to be read ahead are gathered: read together, they cost a fraction. */
const gatherMs = 50;

interface Entry<Value> {
  promise: Promise<Value>;
  value: Value | undefined;
  readAt: number;
  /** Whether it is being read ahead, or was in vain. */
  renewing: boolean;
}

/**
 * Opens a cache of rows that most requests need and that rarely change. A NOTIFY, whose payload is the key, drops a value at once; `ttlMs` limits how
 * long a change goes unnoticed where it was lost. A value that is asked for in the second half of that time is read ahead.
 * @param read of a cache of one value the key is '' @param options `max`: values to keep
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
        // Unless it was dropped meanwhile: what was read may be older than the change.
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
    // What does not exist is not read ahead: whoever invents keys would have them read.
    if (age >= ttlMs / 2 && !entry.renewing && entry.value !== undefined) {
      entry.renewing = true;
      ageing.set(key, entry);
      timer ??= setTimeout(renewAgeing, Math.min(gatherMs, ttlMs / 4)).unref();
    }
    return entry;
  };
  return {
    /** The value, if it has been read. */
    peek: (key = '') => entryOf(key)?.value,
    /** The read of a value that has been read or is being read. */
    underWay: (key = '') => entryOf(key)?.promise,
    /** The value. Requests share a read that is under way; a failed read is not kept. */
    get(key = ''): Promise<Value> {
      const known = entryOf(key);
      if (known) return known.promise;
      const entry = begin(key);
      entries.set(key, entry);
      return entry.promise;
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
