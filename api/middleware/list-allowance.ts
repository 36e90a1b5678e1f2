import type { Response } from 'express';
import type { RateLimit, Taken } from '../../core/access/rate-limit/rate-limit.ts';
import { Refusal } from '../errors.ts';
import { ratePolicy, tellRate } from './rate-limit.ts';

/** What a list of coordinates takes from its customer's allowance. */
export class ListAllowance {
  readonly #limit: RateLimit;
  readonly #customerId: number;
  #paid = 0;
  #last: Taken | undefined;

  constructor(limit: RateLimit, customerId: number) {
    this.#limit = limit;
    this.#customerId = customerId;
  }

  /**
   * Takes what is missing until the list has cost so many coordinates.
   * @param expected what the whole list will cost, as far as known: the error says when there will be so many
   * @throws Refusal if there are fewer; what was paid before stays paid
   */
  async pay(coordinates: number, expected = coordinates): Promise<void> {
    const missing = coordinates - this.#paid;
    if (missing <= 0) return;
    const taken = await this.#limit.take(this.#customerId, missing);
    this.#last = taken;
    if (taken.allowed) this.#paid = coordinates;
    else {
      // Sent again, it has to pay for all of it, also for what has not been read yet.
      const wanted = Math.max(coordinates, expected);
      const seconds = Math.max(1, Math.ceil((wanted - taken.remaining) / this.#limit.rate.perSecond));
      const sentence = `Your allowance is ${taken.remaining} coordinates now, and ${wanted} in ${seconds} s.`;
      throw new Refusal(429, sentence, { retrySeconds: seconds });
    }
  }

  /** Says in the answer what is left. */
  tell(response: Response): void {
    if (this.#last) tellRate(response, ratePolicy(this.#limit.rate), this.#last);
  }
}
