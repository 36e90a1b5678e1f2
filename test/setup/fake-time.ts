import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/** Until the end of the test, time passes as the test says, also for `node:timers/promises`. @param config what of it, if not all */
export function fakeTime(config?: Parameters<typeof vi.useFakeTimers>[0]): void {
  vi.useFakeTimers(config);
  const waits = vi.spyOn(timers, 'setTimeout').mockImplementation(
    (ms, value, { signal } = {}) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        signal?.addEventListener('abort', reject, { once: true });
        setTimeout(resolve, ms, value);
      }),
  );
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.useRealTimers();
    waits.mockRestore();
    syncBuiltinESMExports();
  });
}
