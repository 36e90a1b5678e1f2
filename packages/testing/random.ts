/** Numbers from 0 to 1 that look random and are the same for a seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `SEED`, or one that nobody has chosen. */
export const anySeed = (): number => Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

/** The seed of this run; whatever fails prints it. */
export const seed = Number(process.env.SEED ?? 20261121);

export class Random {
  readonly next: () => number;

  constructor(from: number) {
    this.next = randomNumbers(from);
  }

  /** A whole number from 0, less than `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** True that often, of 1. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}
