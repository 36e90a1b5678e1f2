import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { record } from '../audit.ts';
import type { Queryable } from '../database/database.ts';
import { CovermapError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { serviceActor } from './actor.ts';
import { LocalBuckets } from './rate-limit/local.ts';
import type { Rate } from './rate-limit/rate-limit.ts';

/** What was shown: a key, a token or a session's cookie, a token at a sign-in, an address to the registry. */
export type AttemptKind = 'key' | 'token' | 'sign_in' | 'registrar';

/** Credentials that were good go on when their address is being slowed: so many, for so long. */
const rememberedGood = 20_000;
const rememberedGoodMs = 24 * 3_600_000;
/** How often it is told what was refused. */
const tellEveryMs = 60_000;
/** Callers that are told apart in between, and those that are named. */
const mostCallers = 1_000;
const namedCallers = 10;

/** An address has shown too many credentials that were wrong. */
export class TooManyAttempts extends CovermapError {
  /** Until another may be tried. ms */
  readonly retryMs: number;

  constructor(retryMs: number) {
    super(
      'too_many_attempts',
      'Too many wrong keys or tokens came from your address.',
      'Try again after the time in Retry-After.',
    );
    this.retryMs = retryMs;
  }
}

/**
 * Slows guessing, and makes it seen. A caller may be wrong so often; after that what it shows is refused without a look at
 * the database, unless this process has found it to be good within the last day: neighbours behind the same address go on
 * working, and only a credential that is new here has to wait. Each API process counts for itself.
 */
export class FailedAttempts {
  readonly #rate: Rate;
  readonly #buckets = new Map<AttemptKind, LocalBuckets<string>>();
  readonly #good = new LRUCache<string, true>({ max: rememberedGood, ttl: rememberedGoodMs });
  readonly #database: Queryable;
  readonly #logger: Logger;
  readonly #timer: NodeJS.Timeout;
  #refused = new Map<AttemptKind, Refused>();
  #telling: Promise<void> = Promise.resolve();

  constructor(rate: Rate, database: Queryable, logger: Logger) {
    this.#rate = rate;
    this.#database = database;
    this.#logger = logger;
    this.#timer = setInterval(() => void this.#tell(), tellEveryMs);
    this.#timer.unref();
  }

  /**
   * Looks whether a credential is good, where its caller may still ask.
   * @param caller an address, as `callerAt` has it
   * @param find gives undefined where it is not good
   * @throws TooManyAttempts
   */
  async attempt<T>(
    kind: AttemptKind,
    caller: string,
    secret: string,
    find: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const buckets = this.#bucketsOf(kind);
    const digest = hash('sha256', secret, 'base64');
    if (!this.#good.has(digest)) {
      // Taken before and given back: of many at once no more are let through.
      const { allowed, retryMs } = buckets.take(caller);
      if (!allowed) {
        this.note(kind, caller);
        throw new TooManyAttempts(retryMs);
      }
      let found: T | undefined;
      try {
        found = await find();
      } catch (error) {
        buckets.giveBack(caller);
        throw error;
      }
      if (found === undefined) this.note(kind, caller);
      else {
        buckets.giveBack(caller);
        this.#good.set(digest, true);
      }
      return found;
    }
    const found = await find();
    if (found === undefined) {
      this.#good.delete(digest);
      buckets.take(caller);
      this.note(kind, caller);
    }
    return found;
  }

  /** Counts what was refused, for the next report. */
  note(kind: AttemptKind, caller: string): void {
    const refused = this.#refused.get(kind) ?? { attempts: 0, callers: new LRUCache({ max: mostCallers }) };
    this.#refused.set(kind, refused);
    refused.attempts++;
    refused.callers.set(caller, (refused.callers.get(caller) ?? 0) + 1);
  }

  /** Tells what has not been told yet. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#tell();
  }

  #bucketsOf(kind: AttemptKind): LocalBuckets<string> {
    const buckets = this.#buckets.get(kind) ?? new LocalBuckets<string>(this.#rate);
    this.#buckets.set(kind, buckets);
    return buckets;
  }

  /** One line in the log for each kind, and for sign-ins one entry in the audit. */
  #tell(): Promise<void> {
    const all = this.#refused;
    this.#refused = new Map();
    this.#telling = this.#telling.then(async () => {
      for (const [kind, refused] of all) {
        const summary = summaryOf(refused);
        this.#logger.warn({ kind, ...summary }, 'credentials were refused');
        if (kind !== 'sign_in') continue;
        await record(this.#database, serviceActor, { action: 'sign_ins_refused', details: summary }).catch(
          (error) => this.#logger.warn({ err: error }, 'refused sign-ins could not be noted'),
        );
      }
    });
    return this.#telling;
  }
}

interface Refused {
  attempts: number;
  callers: LRUCache<string, number>;
}

function summaryOf({ attempts, callers }: Refused) {
  const addresses = [...callers.entries()]
    .sort((a, b) => b[1] - a[1])
    .slice(0, namedCallers)
    .map(([address, count]) => ({ address, attempts: count }));
  return { attempts, callers: callers.size, addresses };
}
