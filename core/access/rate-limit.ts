import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../logger.ts';

/** A token bucket: so many tokens come in a second, and so many are kept at most. */
export interface Rate {
  perSecond: number;
  burst: number;
}

/** What became of a call. */
export interface Taken {
  allowed: boolean;
  /** Tokens that are left. */
  remaining: number;
  /** Until there are as many as were asked for; 0 where they were taken. ms */
  retryMs: number;
  /** Until the bucket is full again. ms */
  fullMs: number;
}

/** How often a key may ask. */
export interface RateLimit {
  readonly rate: Rate;
  /**
   * Takes tokens of a key, all or none.
   * @param count at most the burst: more are never there at once
   */
  take(keyId: number, count?: number): Taken | Promise<Taken>;
  close(): Promise<void>;
}

/** The longest that a call waits for Redis. ms */
const patienceMs = 50;
/** How long tokens that were given without asking are gathered before Redis is told. ms */
const tellAfterMs = 5;
/** For how long Redis is not asked again after it failed. ms */
const pauseMs = 1_000;
/** So many buckets are in memory; whoever has not asked for longest has a full one again. */
const mostBuckets = 100_000;

/**
 * The buckets of one process, of keys or of whoever else. A bucket is one number: when it will be full again (the generic cell rate algorithm, which
 * lets the same calls through as a bucket that is refilled).
 */
export class LocalBuckets<Key = number> {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #fullAt: LRUCache<Key & {}, number>;

  /** @param now a clock in ms that never goes backwards */
  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
    this.#fullAt = new LRUCache({ max: mostBuckets });
  }

  take(keyId: Key, count = 1): Taken {
    const now = this.#now();
    const fullMs = this.#fullMs(keyId, now);
    const taken = decide(this.#rate, fullMs, count);
    if (taken.allowed) this.#set(keyId, now + taken.fullMs);
    return taken;
  }

  /** What taking would give, without taking: the tokens that would be left. */
  peek(keyId: Key, count = 1): Taken {
    return decide(this.#rate, this.#fullMs(keyId, this.#now()), count);
  }

  /** Notes what is known of a bucket from elsewhere. */
  learn(keyId: Key, fullMs: number): void {
    this.#set(keyId, this.#now() + fullMs);
  }

  /** Gives tokens back that were taken for nothing. */
  giveBack(keyId: Key, count = 1): void {
    const now = this.#now();
    this.#set(keyId, now + Math.max(0, this.#fullMs(keyId, now) - (count * 1000) / this.#rate.perSecond));
  }

  #fullMs(keyId: Key, now: number): number {
    return Math.max(0, (this.#fullAt.get(keyId as Key & {}) ?? 0) - now);
  }

  #set(keyId: Key, fullAt: number): void {
    this.#fullAt.set(keyId as Key & {}, fullAt);
  }
}

/** @param fullMs until the bucket is full, before the call */
function decide({ perSecond, burst }: Rate, fullMs: number, count: number): Taken {
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

function left(burst: number, fullMs: number, tokenMs: number): number {
  return Math.max(0, Math.floor(burst - fullMs / tokenMs + 1e-6));
}

/**
 * Takes from several buckets, one after the other, by Redis's own clock. A bucket's value is when it will be full, in
 * microseconds, and is gone once it is. Of a clock that was put back, the bucket is empty at worst.
 * KEYS: a bucket for each call. ARGV: microseconds a token, burst, then the tokens of each call; a negative number is of
 * tokens that have been given already: they are taken also where there are none, and are owed then.
 * Gives for each call whether it may go on, and microseconds until its bucket is full.
 */
const takeScript = `
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
local token = tonumber(ARGV[1])
local most = token * ARGV[2]
local answers = {}
for i, key in ipairs(KEYS) do
  local count = tonumber(ARGV[i + 2])
  local full = math.min(math.max((tonumber(redis.call('get', key) or now) or now) - now, 0), 2 * most)
  local later = full + token * math.abs(count)
  if later <= most or count < 0 then
    later = math.min(later, 2 * most)
    redis.call('set', key, string.format('%.0f', now + later), 'px', math.ceil(later / 1000) + 1)
    answers[2 * i - 1] = 1
    answers[2 * i] = math.ceil(later)
  else
    answers[2 * i - 1] = 0
    answers[2 * i] = math.ceil(full)
  end
end
return answers
`;

interface TakingRedis extends Redis {
  takeTokens(keys: number, ...words: (string | number)[]): Promise<number[]>;
}

interface Waiting {
  keyId: number;
  count: number;
  resolve: (taken: Taken) => void;
}

/**
 * The buckets that all processes share. The call that finds a full bucket, the first after a pause, is let through without
 * asking, and Redis is told a moment later: most calls wait for nothing. All others are asked for, those of one turn of the
 * event loop in one script. So calls that reach several processes in the same moment may be one a process more than the
 * burst; they are owed then. Where Redis is away or slow the process goes on with buckets of its own, which know what Redis
 * said last.
 */
class SharedBuckets implements RateLimit {
  readonly rate: Rate;
  readonly #redis: TakingRedis;
  readonly #local: LocalBuckets;
  readonly #logger: Logger;
  readonly #patienceMs: number;
  readonly #name: string;
  #waiting: Waiting[] = [];
  /** Tokens that were given without asking, by key. */
  #untold = new Map<number, number>();
  #telling: NodeJS.Timeout | undefined;
  /** Redis is not asked before. */
  #pausedUntil = 0;
  #away = false;

  private constructor(rate: Rate, url: string, logger: Logger, patience: number, name: string) {
    this.rate = rate;
    this.#name = name;
    this.#logger = logger;
    this.#patienceMs = patience;
    this.#local = new LocalBuckets(rate);
    const redis = new Redis(url, {
      // What cannot be sent at once is not worth sending.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 2_000,
      // A server that takes commands and never answers would pile them up.
      commandTimeout: pauseMs,
      retryStrategy: (times) => Math.min(50 * times, pauseMs),
    });
    redis.on('error', () => undefined);
    redis.defineCommand('takeTokens', { lua: takeScript });
    this.#redis = redis as TakingRedis;
  }

  /** Connected, or after a moment without. */
  static async open(
    rate: Rate,
    url: string,
    logger: Logger,
    patience: number,
    name: string,
  ): Promise<SharedBuckets> {
    const buckets = new SharedBuckets(rate, url, logger, patience, name);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      buckets.#redis.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    return buckets;
  }

  take(keyId: number, count = 1): Taken | Promise<Taken> {
    // Tokens come no faster than this process knows: a key without any is refused without asking.
    const known = this.#local.peek(keyId, count);
    if (!known.allowed) return known;
    if (performance.now() < this.#pausedUntil) return this.#local.take(keyId, count);
    if (count === 1 && known.remaining === this.rate.burst - 1) {
      this.#untold.set(keyId, (this.#untold.get(keyId) ?? 0) + count);
      this.#telling ??= setTimeout(() => this.#send(), tellAfterMs);
      return this.#local.take(keyId, count);
    }
    return new Promise((resolve) => {
      this.#waiting.push({ keyId, count, resolve });
      if (this.#waiting.length === 1) setImmediate(this.#send);
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#telling);
    this.#redis.disconnect();
  }

  readonly #send = (): void => {
    clearTimeout(this.#telling);
    this.#telling = undefined;
    // What was given before is taken before.
    const told = [...this.#untold];
    this.#untold = new Map();
    const calls = this.#waiting;
    this.#waiting = [];
    let answered = false;
    const fallBack = (error: Error) => {
      if (answered) return;
      answered = true;
      clearTimeout(timer);
      this.#pausedUntil = performance.now() + pauseMs;
      if (!this.#away) this.#logger.warn({ err: error }, 'Redis is away: rates are limited by process');
      this.#away = true;
      for (const { keyId, count, resolve } of calls) resolve(this.#local.take(keyId, count));
    };
    // After what has arrived is read: it may be this process that is slow.
    const timer = setTimeout(() => {
      setImmediate(() => fallBack(new Error('Redis is slow')));
    }, this.#patienceMs);
    const tokenUs = Math.round(1e6 / this.rate.perSecond);
    const words: (string | number)[] = [];
    for (const [keyId] of told) words.push(this.#bucketOf(keyId));
    for (const { keyId } of calls) words.push(this.#bucketOf(keyId));
    words.push(tokenUs, this.rate.burst);
    for (const [, count] of told) words.push(-count);
    for (const { count } of calls) words.push(count);
    this.#redis.takeTokens(told.length + calls.length, ...words).then((answers) => {
      if (answered) return;
      answered = true;
      clearTimeout(timer);
      this.#away = false;
      told.forEach(([keyId], index) => {
        this.#learn(keyId, answers[2 * index + 1] as number);
      });
      calls.forEach(({ keyId, count, resolve }, call) => {
        const index = told.length + call;
        const fullMs = this.#learn(keyId, answers[2 * index + 1] as number);
        resolve(decide(this.rate, fullMs, answers[2 * index] === 1 ? 0 : count));
      });
    }, fallBack);
  };

  /** @returns until the bucket is full, in ms */
  #learn(keyId: number, fullUs: number): number {
    const fullMs = fullUs / 1000;
    // What was given meanwhile is not known to Redis yet.
    this.#local.learn(keyId, fullMs + ((this.#untold.get(keyId) ?? 0) * 1000) / this.rate.perSecond);
    return fullMs;
  }

  #bucketOf(keyId: number): string {
    return `covermap:${this.#name}:${keyId}`;
  }
}

/** A limit that lets everything through. */
export const unlimited: RateLimit = {
  rate: { perSecond: Number.POSITIVE_INFINITY, burst: Number.POSITIVE_INFINITY },
  take: () => ({ allowed: true, remaining: Number.POSITIVE_INFINITY, retryMs: 0, fullMs: 0 }),
  close: async () => undefined,
};

/**
 * The limit of keys: shared by all processes through Redis, or of this process where there is none.
 * @param patience how long a call waits for Redis, in ms
 * @param name of the limit: a key has a bucket for each
 */
export async function openRateLimit(
  rate: Rate,
  redisUrl: string | undefined,
  logger: Logger,
  patience = patienceMs,
  name = 'rate',
): Promise<RateLimit> {
  if (redisUrl) return SharedBuckets.open(rate, redisUrl, logger, patience, name);
  const buckets = new LocalBuckets(rate);
  return { rate, take: (keyId, count) => buckets.take(keyId, count), close: async () => undefined };
}
