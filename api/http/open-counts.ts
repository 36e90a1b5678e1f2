/** Counts open things by key: forms of a provider, streams of a token, connections of an address. */
export class OpenCounts<Key> {
  readonly #open = new Map<Key, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** @returns a function that ends it; undefined if the key has the max open */
  begin(key: Key): (() => void) | undefined {
    const count = this.#open.get(key) ?? 0;
    if (count >= this.#max) return undefined;
    this.#open.set(key, count + 1);
    return () => {
      const left = (this.#open.get(key) ?? 1) - 1;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
    };
  }
}
