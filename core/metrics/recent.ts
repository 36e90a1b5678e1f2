/** A value that is asked for often and read seldom: at most every `everyMs`, by one read at a time, and waited for at most `timeoutMs`. */
export interface Recent<T> {
  /** The value; undefined where it cannot be read, or not in time. A read that is late is used by the next call. */
  get(): Promise<T | undefined>;
}

/** @param now the clock, in ms */
export function recent<T>(
  read: () => Promise<T>,
  {
    everyMs,
    timeoutMs,
    now = () => performance.now(),
  }: { everyMs: number; timeoutMs: number; now?: () => number },
): Recent<T> {
  let known: { value: T | undefined; at: number } | undefined;
  let reading: Promise<T | undefined> | undefined;
  const begin = () => {
    reading = read()
      .catch(() => undefined)
      .then((value) => {
        known = { value, at: now() };
        reading = undefined;
        return value;
      });
    return reading;
  };
  return {
    async get() {
      if (known && now() - known.at < everyMs) return known.value;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), timeoutMs);
      });
      try {
        return await Promise.race([reading ?? begin(), late]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
