import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Caches a frequently requested value: read at most every `everyMs`, one read at a time, and waited for at most `timeoutMs`. Gives undefined
 * where the value cannot be read in time; the next call uses a late read. @param options `now`: the clock, in ms
 */
export function cachedRead<T>(
  read: () => Promise<T>,
  options: { everyMs: number; timeoutMs: number; now?: () => number },
): () => Promise<T | undefined> {
  const { everyMs, timeoutMs, now = () => performance.now() } = options;
  let known: { value: T | undefined; at: number } | undefined;
  let reading: Promise<T | undefined> | undefined;
  const begin = async () => {
    const value = await read().catch(() => undefined);
    known = { value, at: now() };
    reading = undefined;
    return value;
  };
  return async () => {
    if (known && now() - known.at < everyMs) return known.value;
    reading ??= begin();
    return Promise.race([reading, sleep(timeoutMs, undefined, { ref: false })]);
  };
}
