import { LRUCache } from 'lru-cache';
import { decide, type Rate, type Taken } from './rate-limit.ts';

/** Buckets in memory. The least recently used is forgotten first, which makes it a full one. */
const maxBuckets = 100_000;

/** The buckets of one process. A bucket is the time when it will be full again (the generic cell rate algorithm). */
export class LocalBuckets<Key = number> {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #fullAt: LRUCache<Key & {}, number>;

  /** @param now a clock in ms that never goes backwards */
  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
    // Limited by size, as `max` would allocate the memory of all entries at once.
    this.#fullAt = new LRUCache({ maxSize: maxBuckets, sizeCalculation: () => 1 });
  }

  take(keyId: Key, count = 1): Taken {
    const now = this.#now();
    const fullMs = this.#fullMs(keyId, now);
    const taken = decide(this.#rate, fullMs, count);
    if (taken.allowed) this.#set(keyId, now + taken.fullMs);
    return taken;
  }

  /** The outcome of {@link take}, without taking. */
  peek(keyId: Key, count = 1): Taken {
    return decide(this.#rate, this.#fullMs(keyId, this.#now()), count);
  }

  learn(keyId: Key, fullMs: number): void {
    this.#set(keyId, this.#now() + fullMs);
  }

  giveBack(keyId: Key): void {
    const now = this.#now();
    this.#set(keyId, now + Math.max(0, this.#fullMs(keyId, now) - 1000 / this.#rate.perSecond));
  }

  #fullMs(keyId: Key, now: number): number {
    return Math.max(0, (this.#fullAt.get(keyId as Key & {}) ?? 0) - now);
  }

  #set(keyId: Key, fullAt: number): void {
    this.#fullAt.set(keyId as Key & {}, fullAt);
  }
}
