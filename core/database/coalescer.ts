interface Waiting<Request, Answer> {
  request: Request;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

export interface CoalescerOptions<Request, Answer> {
  /** Answers requests by one statement. @returns an answer each, in their order */
  answer: (requests: Request[]) => Promise<readonly Answer[]>;
  /** The size of a request; 1 unless given. */
  size?: (request: Request) => number;
  /** The size of the requests in one statement, unless a single one is larger. */
  maxSize: number;
  /** Statements under way at once. */
  concurrency: number;
  /** How many requests may wait for the database; further ones fail. */
  maxWaiting: number;
}

/** Requests that arrive while statements are under way share the next one. A request that arrives alone is sent at once. */
export class Coalescer<Request, Answer> {
  readonly #options: CoalescerOptions<Request, Answer>;
  #waiting: Waiting<Request, Answer>[] = [];
  #underWay = 0;

  constructor(options: CoalescerOptions<Request, Answer>) {
    this.#options = options;
  }

  ask(request: Request): Promise<Answer> {
    const { maxWaiting } = this.#options;
    if (this.#waiting.length >= maxWaiting) {
      return Promise.reject(new Error(`${maxWaiting} lookups are waiting for the database`));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#send();
    });
  }

  #send(): void {
    while (this.#underWay < this.#options.concurrency && this.#waiting.length > 0) {
      void this.#answer(this.#nextBatch());
    }
  }

  async #answer(batch: readonly Waiting<Request, Answer>[]): Promise<void> {
    this.#underWay++;
    let answers: readonly Answer[];
    try {
      answers = await this.#options.answer(batch.map(({ request }) => request));
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    } finally {
      this.#underWay--;
      this.#send();
    }
    for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
  }

  #nextBatch(): Waiting<Request, Answer>[] {
    const { maxSize, size = () => 1 } = this.#options;
    let total = 0;
    let count = 0;
    for (const { request } of this.#waiting) {
      total += size(request);
      if (count > 0 && total > maxSize) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }
}
