import type { Span } from '../tracing/span.ts';
import { currentSpan, inSharedSpan } from '../tracing/tracing.ts';
import type { Database } from './database.ts';

interface Waiting<Request, Answer> {
  request: Request;
  /** The time of arrival, to the nearest check. ms */
  since: number;
  /** The traced span that waits for the answer. */
  span: Span | undefined;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

export interface CoalescerOptions<Request, Answer> {
  name: string;
  /** Answers requests with one statement. @returns the answers, in order of the requests */
  answer: (requests: Request[]) => Promise<readonly Answer[]>;
  size?: (request: Request) => number;
  /** The max size of one statement, unless a single request is larger. */
  maxSize: number;
  /** Max statements at once: a further one begins when those that wait fill it, or after {@link overlapMs}. */
  concurrency: number;
  /** Max waiting requests; further ones fail. */
  maxWaiting: number;
  /** Sends requests at the end of a turn of the event loop, together with those of other connections, and not each at once. */
  byTurn?: boolean;
  /** A request fails after waiting this long, to a quarter of a second. Undefined: no limit. */
  withinMs?: number | undefined;
}

/** Requests wait this long for a silent database. The embedded one is never silent, but may be busy with one statement for longer. */
export const silenceMs = ({ kind }: Pick<Database, 'kind'>) => (kind === 'server' ? 4_000 : undefined);

const checkEveryMs = 250;
/**
 * Requests wait this long for the statement under way before another begins beside it: two half-full statements cost both processes more than a full
 * one, but a slow one must not hold up the rest.
 */
const overlapMs = 10;

/** Requests that arrive while statements are under way share the next one, as do requests of one turn of the event loop if wanted. */
export function coalesced<Request, Answer>({
  name,
  answer,
  size = () => 1,
  maxSize,
  concurrency,
  maxWaiting,
  byTurn = false,
  withinMs,
}: CoalescerOptions<Request, Answer>): (request: Request) => Promise<Answer> {
  type Batch = Waiting<Request, Answer>[];
  const waiting: Batch = [];
  /** When each statement under way began, in ms. */
  const underWay = new Map<Batch, number>();
  let checking: NodeJS.Timeout | undefined;
  let now = 0;
  let stoodStill = false;
  /** Fails requests that have waited too long, also those under way. */
  const check = (limitMs: number) => {
    stoodStill = !stoodStill && performance.now() - now > 2 * checkEveryMs;
    now = performance.now();
    // While the process stood still, answers may have come that are handled after this: the next check decides.
    if (stoodStill) return;
    const isLate = ({ since }: Waiting<Request, Answer>) => now - since > limitMs;
    const inTime = waiting.findIndex((one) => !isLate(one));
    const late = waiting.splice(0, inTime < 0 ? waiting.length : inTime);
    for (const batch of underWay.keys()) late.push(...batch.filter(isLate));
    for (const { reject } of late) reject(new Error(`the database has been silent for ${limitMs} ms`));
    if (waiting.length > 0 || underWay.size > 0) return;
    clearInterval(checking);
    checking = undefined;
  };
  const startChecking = (limitMs: number) => {
    now = performance.now();
    checking = setInterval(check, checkEveryMs, limitMs).unref();
  };
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
  const doWaitingFill = () => {
    let total = 0;
    for (const { request } of waiting) {
      total += size(request);
      if (total >= maxSize) return true;
    }
    return false;
  };
  let waitsToOverlap = false;
  const mayBegin = () => {
    if (underWay.size === 0) return true;
    if (underWay.size >= concurrency) return false;
    const leftMs = Math.max(...underWay.values()) + overlapMs - performance.now();
    if (leftMs <= 0 || doWaitingFill()) return true;
    if (waitsToOverlap) return false;
    waitsToOverlap = true;
    setTimeout(() => {
      waitsToOverlap = false;
      send();
    }, leftMs);
    return false;
  };
  const send = () => {
    while (waiting.length > 0 && mayBegin()) void answerBatch(nextBatch());
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
  const answerBatch = async (batch: Batch) => {
    underWay.set(batch, performance.now());
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
      underWay.delete(batch);
      send();
    }
    for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
  };
  return (request) => {
    if (waiting.length >= maxWaiting) {
      return Promise.reject(new Error(`${maxWaiting} lookups are waiting for the database`));
    }
    return new Promise((resolve, reject) => {
      if (withinMs && !checking) startChecking(withinMs);
      waiting.push({ request, since: now, span: currentSpan(), resolve, reject });
      sendSoon();
    });
  };
}
