import type { Logger } from '../../platform/logger.ts';
import { LocalBuckets, type Rate, type RateLimit } from './rate-limit.ts';
import { openRedisBuckets } from './redis.ts';

const defaultTimeoutMs = 50;

/** The limit of keys: shared through Redis, or of this process where there is none. @param name a key has a bucket in each */
export async function openRateLimit(
  rate: Rate,
  redisUrl: string | undefined,
  logger: Logger,
  timeoutMs = defaultTimeoutMs,
  name = 'rate',
): Promise<RateLimit> {
  if (redisUrl) return openRedisBuckets(rate, redisUrl, logger, timeoutMs, name);
  const buckets = new LocalBuckets(rate);
  return { rate, take: (keyId, count) => buckets.take(keyId, count), close: async () => undefined };
}
