/** Lets one holder in at a time, in the order they asked. */
export class FifoLock {
  #last: Promise<void> = Promise.resolve();

  /** Waits for the lock; gives the function that hands it on, which may be called more than once. */
  async acquire(): Promise<() => void> {
    const before = this.#last;
    let release: () => void = () => undefined;
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }
}
