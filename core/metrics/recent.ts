/**
 * Caches a frequently requested value: read at most every `everyMs`, one read at a time, and waited for at most `timeoutMs`. Gives undefined
 * where the value cannot be read in time; the next call uses a late read. @param options `now`: the clock, in ms
 */
export function recent<T>(
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
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, undefined);
    });
    reading ??= begin();
    return Promise.race([reading, late]).finally(() => clearTimeout(timer));
  };
}
