import type { Span } from '../tracing/span.ts';
import { currentSpan, inSharedSpan } from '../tracing/tracing.ts';

interface Waiting<Request, Answer> {
  request: Request;
  /** Of whoever waits, where that is traced. */
  span: Span | undefined;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

export interface CoalescerOptions<Request, Answer> {
  /** What traces call the statement with what belongs to it. */
  name: string;
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
  /**
   * Whether requests are sent at the end of a turn of the event loop, in which those of many connections arrive, and not each at once:
   * a statement costs several times what one request more in it does.
   */
  byTurn?: boolean;
}

/** Requests that arrive while statements are under way share the next one, as do those of one turn of the event loop if wanted. */
export function coalesced<Request, Answer>({
  name,
  answer,
  size = () => 1,
  maxSize,
  concurrency,
  maxWaiting,
  byTurn = false,
}: CoalescerOptions<Request, Answer>): (request: Request) => Promise<Answer> {
  const waiting: Waiting<Request, Answer>[] = [];
  let underWay = 0;
  let turnEnds = false;
  const nextBatch = () => {
    let total = 0;
    let count = 0;
    for (const { request } of waiting) {
      total += size(request);
      if (count > 0 && total > maxSize) break;
      count++;
    }
    return waiting.splice(0, count);
  };
  const send = () => {
    while (underWay < concurrency && waiting.length > 0) void answerBatch(nextBatch());
  };
  const sendSoon = () => {
    if (!byTurn) return send();
    if (turnEnds) return;
    turnEnds = true;
    setImmediate(() => {
      turnEnds = false;
      send();
    });
  };
  const answerBatch = async (batch: readonly Waiting<Request, Answer>[]) => {
    underWay++;
    let answers: readonly Answer[];
    try {
      answers = await inSharedSpan(
        name,
        () => batch.map(({ span }) => span),
        () => answer(batch.map(({ request }) => request)),
      );
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    } finally {
      underWay--;
      send();
    }
    for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
  };
  return (request) => {
    if (waiting.length >= maxWaiting) {
      return Promise.reject(new Error(`${maxWaiting} lookups are waiting for the database`));
    }
    return new Promise((resolve, reject) => {
      waiting.push({ request, span: currentSpan(), resolve, reject });
      sendSoon();
    });
  };
}
