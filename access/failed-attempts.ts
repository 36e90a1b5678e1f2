import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../platform/database/database.ts';
import { CovermapError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { serviceActor } from './actor.ts';
import { record } from './audit.ts';
import { LocalBuckets, type Rate } from './rate-limit/rate-limit.ts';

/** `token`: or a session cookie; `registrar`: an address to the registry. */
type AttemptKind = 'key' | 'token' | 'sign_in' | 'registrar';

/** Valid credentials in memory, which keep working while their address is slowed. */
const maxValid = 20_000;
const validTtlMs = 24 * 3_600_000;
const reportEveryMs = 60_000;
/** Callers that are counted between reports, and those that a report names. */
const maxCallers = 1_000;
const namedCallers = 10;

/** An address has presented too many wrong credentials. */
export class TooManyAttempts extends CovermapError {
  /** The wait before another may be tried. */
  readonly retryMs: number;

  constructor(retryMs: number) {
    super('too_many_attempts');
    this.retryMs = retryMs;
  }
}

/**
 * Slows guessing and reports it, in each API process for itself. After too many wrong credentials, a caller's others are refused without asking the
 * database, unless this process found them valid within the last day: neighbours behind the same address keep working.
 */
export function failedAttempts(rate: Rate, database: Queryable, logger: Logger) {
  const bucketsOf = new Map<AttemptKind, LocalBuckets<string>>();
  const valid = new LRUCache<string, true>({ max: maxValid, ttl: validTtlMs });
  let refusals = new Map<AttemptKind, Refused>();
  let reporting: Promise<void> = Promise.resolve();

  const count = (kind: AttemptKind, caller: string) => {
    const refused = refusals.get(kind) ?? { attempts: 0, callers: new LRUCache({ max: maxCallers }) };
    refusals.set(kind, refused);
    refused.attempts++;
    refused.callers.set(caller, (refused.callers.get(caller) ?? 0) + 1);
  };
  /** One line in the log for each kind, and for sign-ins one entry in the audit. */
  const report = () => {
    const all = refusals;
    refusals = new Map();
    reporting = reporting.then(async () => {
      for (const [kind, refused] of all) {
        const summary = summaryOf(refused);
        logger.warn({ kind, ...summary }, 'credentials were refused');
        if (kind !== 'sign_in') continue;
        const recorded = record(database, serviceActor, { action: 'sign_ins_refused', details: summary });
        await recorded.catch((err) => logger.warn({ err }, 'refused sign-ins could not be recorded'));
      }
    });
    return reporting;
  };
  const timer = setInterval(() => void report(), reportEveryMs).unref();
  return {
    /**
     * Looks a credential up, unless its caller has to wait. @throws TooManyAttempts
     * @param caller an address, as `callerAt` gives it @param find gives undefined where the credential is not valid
     */
    async attempt<T>(kind: AttemptKind, caller: string, secret: string, find: () => Promise<T | undefined>) {
      const buckets = bucketsOf.get(kind) ?? new LocalBuckets<string>(rate);
      bucketsOf.set(kind, buckets);
      const digest = hash('sha256', secret, 'base64');
      if (valid.has(digest)) {
        const found = await find();
        if (found === undefined) {
          valid.delete(digest);
          buckets.take(caller);
          count(kind, caller);
        }
        return found;
      }
      // Taken first and given back, so that concurrent guesses count too.
      const { allowed, retryMs } = buckets.take(caller);
      if (!allowed) {
        count(kind, caller);
        throw new TooManyAttempts(retryMs);
      }
      let found: T | undefined;
      try {
        found = await find();
      } catch (error) {
        buckets.giveBack(caller);
        throw error;
      }
      if (found === undefined) count(kind, caller);
      else {
        buckets.giveBack(caller);
        valid.set(digest, true);
      }
      return found;
    },
    count,
    close(): Promise<void> {
      clearInterval(timer);
      return report();
    },
  };
}

type Refused = { attempts: number; callers: LRUCache<string, number> };

function summaryOf({ attempts, callers }: Refused) {
  const addresses = [...callers.entries()]
    .sort((a, b) => b[1] - a[1])
    .slice(0, namedCallers)
    .map(([address, count]) => ({ address, attempts: count }));
  return { attempts, callers: callers.size, addresses };
}
