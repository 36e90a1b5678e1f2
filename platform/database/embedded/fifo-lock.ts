import type { Limits } from '../database.ts';

/** Admits one holder at a time, in the order of requests. */
export class FifoLock {
  #last: Promise<void> = Promise.resolve();
  #held = false;
  #waiting = 0;

  get held(): boolean {
    return this.#held;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Waits for the lock. @returns a function that releases it, once or more @throws Error 57014 after `timeoutMs`, and an aborted signal's reason */
  async acquire({ timeoutMs, signal }: Limits = {}): Promise<() => void> {
    const before = this.#last;
    let pass: () => void = () => undefined;
    this.#last = new Promise((resolve) => {
      pass = resolve;
    });
    this.#waiting++;
    let timer: NodeJS.Timeout | undefined;
    let abort: () => void = () => undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        if (timeoutMs) timer = setTimeout(() => reject(waitedTooLong(timeoutMs)), timeoutMs);
        abort = () => reject(signal?.reason);
        signal?.addEventListener('abort', abort, { once: true });
        before.then(resolve);
      });
    } catch (error) {
      before.then(pass);
      throw error;
    } finally {
      this.#waiting--;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
    this.#held = true;
    let released = false;
    return () => {
      // The next one may hold it already.
      if (released) return;
      released = true;
      this.#held = false;
      pass();
    };
  }
}

/** SQLSTATE 57014, query_canceled: to the caller, it is a statement that took too long. */
function waitedTooLong(timeoutMs: number): Error {
  const message = `The statement waited ${timeoutMs / 1000} s for others.`;
  return Object.assign(new Error(message), { code: '57014' });
}
