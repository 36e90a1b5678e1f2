/*
 * The turns of a key's requests. A key has a bucket of tokens that all its requests share (docs/user/billing.md#rate-limit): what it holds
 * is known from the fields RateLimit and RateLimit-Policy of each answer, and a request that finds none waits here, first come first
 * served. Waits are jittered: other processes with the same key read the same fields.
 */

/** Requests at once: before the first answer nobody knows what the bucket holds. */
const atOnceUnknown = 4;
const atOnce = 20;
/** A bucket that goes on refusing is shared with others: waits are doubled this often. */
const maxDoublings = 5;

/** A key's bucket as its latest answer described it. */
interface Bucket {
  burst: number;
  tokensPerMs: number;
  /** Below zero during a wait that a refusal asked for. */
  tokens: number;
  /** When it held them, in ms of `performance.now()`. */
  at: number;
}

export class Pace {
  readonly #maxWaiting: number;
  readonly #left: RegExp;
  readonly #policy: RegExp;
  #waiting: (() => void)[] = [];
  #begun = 0;
  #ended = 0;
  #isAnswered = false;
  #bucket: Bucket | undefined;
  #refusals = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param name of the bucket in the fields: searches for addresses have one of their own */
  constructor(maxWaiting: number, name: 'key' | 'addresses' = 'key') {
    this.#maxWaiting = maxWaiting;
    this.#left = new RegExp(`"${name}";r=(\\d+)`);
    this.#policy = new RegExp(`"${name}";q=(\\d+);w=(\\d+)`);
  }

  get isFull(): boolean {
    return this.#waiting.length >= this.#maxWaiting;
  }

  /**
   * Waits for the turn of a request; {@link end} ends it.
   * @param isAgain was its turn before: it goes ahead of the others
   * @returns how many had ended then
   * @throws the signal's reason
   */
  begin(signal: AbortSignal, isAgain: boolean): Promise<number> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const go = () => {
        signal.removeEventListener('abort', giveUp);
        resolve(this.#ended);
      };
      const giveUp = () => {
        this.#waiting = this.#waiting.filter((other) => other !== go);
        this.#goOn();
        reject(signal.reason);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      if (isAgain) this.#waiting.unshift(go);
      else this.#waiting.push(go);
      this.#goOn();
    });
  }

  /**
   * @param endedBefore what {@link begin} returned
   * @param response none where the request failed
   * @returns whether the bucket refused it: the next turn then waits as it asked
   */
  end(endedBefore: number, response?: Response): boolean {
    const beside = this.#begun - endedBefore - 1;
    this.#ended++;
    const isRefused = response !== undefined && this.#learn(response, beside);
    this.#goOn();
    return isRefused;
  }

  /** @param beside the requests that were on their way together with this one */
  #learn({ headers, status }: Response, beside: number): boolean {
    this.#isAnswered = true;
    const left = this.#left.exec(headers.get('ratelimit') ?? '');
    const policy = this.#policy.exec(headers.get('ratelimit-policy') ?? '');
    if (!left || !policy) return false;
    const [burst, windowMs] = [Number(policy[1]), Number(policy[2]) * 1000];
    const tokensPerMs = burst / windowMs;
    // Those beside it may have taken theirs after this one. The field has whole tokens, so there may be a part of one more.
    const min = Number(left[1]) - beside;
    const max = Number(left[1]) + 1;
    const known = this.#bucket ? this.#tokens(this.#bucket) : min;
    let tokens = Math.min(Math.max(known, min), max);
    // Others refuse, too: too many jobs, for example.
    const isRefused = status === 429 && left[1] === '0';
    if (isRefused) {
      if (known >= 0) this.#refusals = Math.min(this.#refusals + 1, maxDoublings);
      const waitMs = retryAfterMs(headers) ?? windowMs / burst;
      // The wait of a refusal that came before, of the same moment, stands.
      tokens = Math.min(known, 1 - jittered(waitMs, this.#refusals) * tokensPerMs);
    } else this.#refusals = 0;
    this.#bucket = { burst, tokensPerMs, tokens, at: performance.now() };
    return isRefused;
  }

  #tokens({ burst, tokensPerMs, tokens, at }: Bucket): number {
    return Math.min(burst, tokens + (performance.now() - at) * tokensPerMs);
  }

  /** Sends all whose turn it is, and sets the timer for the next. */
  #goOn(): void {
    clearTimeout(this.#timer);
    const max = this.#isAnswered ? atOnce : atOnceUnknown;
    while (this.#waiting.length > 0 && this.#begun - this.#ended < max) {
      const bucket = this.#bucket;
      if (bucket) {
        const tokens = this.#tokens(bucket);
        if (tokens < 1) {
          const tokenMs = 1 / bucket.tokensPerMs;
          const waitMs = (1 - tokens) * tokenMs + (Math.random() * tokenMs) / 2;
          this.#timer = setTimeout(() => this.#goOn(), waitMs);
          return;
        }
        this.#bucket = { ...bucket, tokens: tokens - 1, at: performance.now() };
      }
      this.#begun++;
      this.#waiting.shift()?.();
    }
  }
}

/** A wait of at least so long. @param doublings how much longer it may be: those who were refused together do not come back together */
export const jittered = (ms: number, doublings: number): number =>
  ms * (1 + Math.random() * (2 ** doublings - 1));

/** The wait that an answer asks for, in ms: seconds, or a date as proxies write it. */
export function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
