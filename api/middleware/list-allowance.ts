import type { Response } from 'express';
import type { RateLimit, Taken } from '../../access/rate-limit/rate-limit.ts';
import { Refusal } from '../errors.ts';
import { rateReporter } from './key.ts';

/** The part of its customer's allowance that a list of coordinates takes. */
export class ListAllowance {
  readonly #limit: RateLimit;
  readonly #customerId: number;
  #paid = 0;
  #last: Taken | undefined;

  constructor(limit: RateLimit, customerId: number) {
    this.#limit = limit;
    this.#customerId = customerId;
  }

  /** Takes coordinates until the list has paid for this many. @param expected the whole list's, for the error @throws Refusal if fewer are left */
  async pay(coordinates: number, expected = coordinates): Promise<void> {
    const missing = coordinates - this.#paid;
    if (missing <= 0) return;
    const taken = await this.#limit.take(this.#customerId, missing);
    this.#last = taken;
    if (taken.allowed) this.#paid = coordinates;
    else {
      // A repeated request has to pay for the whole list, also for its unread part.
      const wanted = Math.max(coordinates, expected);
      const seconds = Math.max(1, Math.ceil((wanted - taken.remaining) / this.#limit.rate.perSecond));
      const sentence = `Your allowance is ${taken.remaining} coordinates now, and ${wanted} in ${seconds} s.`;
      throw new Refusal(429, sentence, { retrySeconds: seconds });
    }
  }

  /** Adds the remaining allowance to the answer. */
  report(response: Response): void {
    if (this.#last) rateReporter(this.#limit.rate, 'customer')(response, this.#last);
  }
}
