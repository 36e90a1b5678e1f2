import { Redis } from 'ioredis';
import type { Logger } from '../../platform/logger.ts';
import { decide, LocalBuckets, type Rate, type RateLimit, type Taken } from './rate-limit.ts';

/** Granted tokens are gathered this long before they are reported to Redis. */
const reportAfterMs = 20;
const pauseMs = 1_000;

/**
 * Takes from several buckets in turn, by Redis's own clock. A bucket's value is when it will be full, in microseconds; it expires then.
 * KEYS: a bucket for each call. ARGV: microseconds per token, burst, the tokens of each call; a negative number: tokens that were granted
 * already, taken even where there are none, and then owed. Returns for each call if it is allowed, and microseconds until its bucket is full.
 */
const takeScript = `
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
local token = tonumber(ARGV[1])
local max = token * ARGV[2]
local answers = {}
for i, key in ipairs(KEYS) do
  local count = tonumber(ARGV[i + 2])
  local full = math.min(math.max((tonumber(redis.call('get', key) or now) or now) - now, 0), 2 * max)
  local later = full + token * math.abs(count)
  if later <= max or count < 0 then
    later = math.min(later, 2 * max)
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
  takeTokens(keys: number, ...args: (string | number)[]): Promise<number[]>;
}

type Waiting = { keyId: number; count: number; resolve: (taken: Taken) => void };

/**
 * The buckets that all processes share through Redis. A call that finds a full bucket, the first after a pause, is granted at once
 * and reported a moment later. All others ask, those of one turn of the event loop in one script. So simultaneous calls to several
 * processes may exceed the burst by one per process, which is then owed. While Redis is away or slow, the process uses local buckets.
 * @returns once connected, or after a moment without
 */
export async function openRedisBuckets(
  rate: Rate,
  url: string,
  logger: Logger,
  timeoutMs: number,
  name: string,
): Promise<RateLimit> {
  const redis = await connect(url);
  const local = new LocalBuckets(rate);
  let waiting: Waiting[] = [];
  /** Tokens that were granted without asking, by key. */
  let unreported = new Map<number, number>();
  let reportTimer: NodeJS.Timeout | undefined;
  let pausedUntil = 0;
  let isAway = false;
  const bucketOf = (keyId: number) => `covermap:${name}:${keyId}`;
  /** The time of a token in Redis, in whole microseconds. */
  const tokenUs = Math.round(1e6 / rate.perSecond);

  /** @returns until the bucket is full, in ms */
  const learn = (keyId: number, fullUs: number): number => {
    // Counted in tokens: in rounded time an empty bucket would be more than empty, and the call that emptied it would be refused.
    const fullMs = ((fullUs / tokenUs) * 1000) / rate.perSecond;
    // Redis does not know tokens granted meanwhile.
    local.learn(keyId, fullMs + ((unreported.get(keyId) ?? 0) * 1000) / rate.perSecond);
    return fullMs;
  };

  const send = (): void => {
    clearTimeout(reportTimer);
    reportTimer = undefined;
    // Tokens that were granted earlier are taken first.
    const reported = [...unreported];
    unreported = new Map();
    const calls = waiting;
    waiting = [];
    let answered = false;
    const fallBack = (error: Error) => {
      if (answered) return;
      answered = true;
      clearTimeout(timer);
      pausedUntil = performance.now() + pauseMs;
      if (!isAway) logger.warn({ err: error }, 'Redis is away: rates are limited by process');
      isAway = true;
      for (const { keyId, count, resolve } of calls) resolve(local.take(keyId, count));
    };
    // Reads what has arrived first: the slow part may be this process.
    const timer = setTimeout(() => {
      setImmediate(() => fallBack(new Error('Redis is slow')));
    }, timeoutMs);
    const args: (string | number)[] = [];
    for (const [keyId] of reported) args.push(bucketOf(keyId));
    for (const { keyId } of calls) args.push(bucketOf(keyId));
    args.push(tokenUs, rate.burst);
    for (const [, count] of reported) args.push(-count);
    for (const { count } of calls) args.push(count);
    redis.takeTokens(reported.length + calls.length, ...args).then((answers) => {
      if (answered) return;
      answered = true;
      clearTimeout(timer);
      isAway = false;
      reported.forEach(([keyId], index) => {
        learn(keyId, answers[2 * index + 1] as number);
      });
      calls.forEach(({ keyId, count, resolve }, call) => {
        const index = reported.length + call;
        const fullMs = learn(keyId, answers[2 * index + 1] as number);
        resolve(decide(rate, fullMs, answers[2 * index] === 1 ? 0 : count));
      });
    }, fallBack);
  };

  return {
    rate,
    take(keyId, count = 1) {
      // Tokens come no faster than this process knows, so Redis has no more than it.
      const known = local.peek(keyId, count);
      if (!known.allowed) return known;
      if (performance.now() < pausedUntil) return local.take(keyId, count);
      if (count === 1 && known.remaining === rate.burst - 1) {
        unreported.set(keyId, (unreported.get(keyId) ?? 0) + count);
        reportTimer ??= setTimeout(send, reportAfterMs);
        local.learn(keyId, known.fullMs);
        return known;
      }
      return new Promise((resolve) => {
        waiting.push({ keyId, count, resolve });
        if (waiting.length === 1) setImmediate(send);
      });
    },
    async close() {
      clearTimeout(reportTimer);
      redis.disconnect();
    },
  };
}

async function connect(url: string): Promise<TakingRedis> {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    // A server that never answers would pile up commands.
    commandTimeout: pauseMs,
    retryStrategy: (times) => Math.min(50 * times, pauseMs),
  });
  redis.on('error', () => undefined);
  redis.defineCommand('takeTokens', { lua: takeScript });
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, pauseMs);
    redis.once('ready', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  return redis as TakingRedis;
}
