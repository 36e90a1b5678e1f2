import { LRUCache } from 'lru-cache';
import type { Rate } from '../config.ts';

/** Callers in memory. One that is forgotten begins anew with a full bucket. */
const remembered = 50_000;

interface Bucket {
  tokens: number;
  /** When it had so many, in ms. */
  at: number;
}

/** A bucket of tokens for each caller, in this process's memory. */
export class TokenBuckets {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #buckets = new LRUCache<string, Bucket>({ max: remembered });

  /** @param now a clock in ms that does not go back */
  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
  }

  /**
   * Takes tokens of a caller's, all or none. More than a bucket holds are never there.
   * @returns 0, or in how many seconds, whole ones, they would be there
   */
  take(caller: string, count = 1): number {
    const { perSecond, burst } = this.#rate;
    const now = this.#now();
    const bucket = this.#buckets.get(caller) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    this.#buckets.set(caller, bucket);
    if (bucket.tokens >= count) {
      bucket.tokens -= count;
      return 0;
    }
    return Math.max(1, Math.ceil((count - bucket.tokens) / perSecond));
  }
}
