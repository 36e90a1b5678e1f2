import { LRUCache } from 'lru-cache';

/** A token bucket: `perSecond` tokens come in, at most `burst` are kept. */
export type Rate = { perSecond: number; burst: number };

/** The outcome of taking tokens. */
export interface Taken {
  allowed: boolean;
  remaining: number;
  /** The wait for as many tokens as were asked for; 0 where they were taken. ms */
  retryMs: number;
  /** The wait for a full bucket. ms */
  fullMs: number;
}

export interface RateLimit {
  readonly rate: Rate;
  /** Takes tokens of a key, all or none. @param count at most the burst */
  take(keyId: number, count?: number): Taken | Promise<Taken>;
  close(): Promise<void>;
}

export const unlimited: RateLimit = {
  rate: { perSecond: Number.POSITIVE_INFINITY, burst: Number.POSITIVE_INFINITY },
  take: () => ({ allowed: true, remaining: Number.POSITIVE_INFINITY, retryMs: 0, fullMs: 0 }),
  close: async () => undefined,
};

/** Decides if a bucket has enough tokens. @param fullMs until the bucket is full, before the call */
export function decide({ perSecond, burst }: Rate, fullMs: number, count: number): Taken {
  const tokenMs = 1000 / perSecond;
  const after = fullMs + count * tokenMs;
  // A millionth of a token: times are sums of fractions.
  const missingMs = after - burst * tokenMs - tokenMs * 1e-6;
  if (missingMs > 0) {
    return {
      allowed: false,
      remaining: left(burst, fullMs, tokenMs),
      retryMs: Math.max(1, Math.ceil(missingMs)),
      fullMs,
    };
  }
  return { allowed: true, remaining: left(burst, after, tokenMs), retryMs: 0, fullMs: after };
}

const left = (burst: number, fullMs: number, tokenMs: number): number =>
  Math.max(0, Math.floor(burst - fullMs / tokenMs + 1e-6));

/** Max buckets in memory. The least recently used is evicted first; a bucket that is not in memory is full. */
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
