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
