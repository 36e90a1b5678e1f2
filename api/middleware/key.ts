import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { TooManyAttempts } from '../../access/failed-attempts.ts';
import type { ApiKey } from '../../access/key-ring.ts';
import type { Rate, RateLimit, Taken } from '../../access/rate-limit/rate-limit.ts';
import { CapReached } from '../../billing/query-holds.ts';
import { CovermapError } from '../../platform/errors.ts';
import { type ApiContext, onceForEachApi, type QueryCounter } from '../context.ts';
import { Refusal, sendJson } from '../errors.ts';
import { holdsUnavailable, tooMany } from '../schemas/document-errors.ts';
import { callerAt, limitByDay } from './address-limit.ts';
import { isLocalCaller } from './local-caller.ts';

/* What a request with a key passes, in this order: the key is active, is within its rate, is within its customer's limits; then it is counted. */

/** Longer than any valid key: not worth hashing. */
const maxKeyLength = 200;

/** The way a version of the API takes keys, and the shape of its refusals. */
export interface KeyScheme {
  readKey(request: Request): unknown;
  /** Refuses a key without a plan, with a sentence; else a missing or wrong key. */
  refuse(response: Response, sentence?: string): void;
  refuseTooMany(response: Response, sentence: string): void;
}

/** The accepted key of a request: cheaper than an entry of a WeakMap for each. */
const acceptedKey = Symbol('key');
type KeyedRequest = Request & { [acceptedKey]?: ApiKey };

/** Decides which active keys a request may use. */
type Accepts = (key: ApiKey, request: Request) => boolean;

export const forPrograms: Accepts = ({ origin }) => origin === null;

/**
 * Passes a request on if its key is active and accepted. As the first check, so that a caller without a key learns nothing more.
 * @param accepts everybody can read a key for pages, so it opens only routes that say so
 */
export function requireKey(
  { keys: ring, attempts }: Pick<ApiContext, 'keys' | 'attempts'>,
  { readKey, refuse, refuseTooMany }: KeyScheme,
  accepts = forPrograms,
): RequestHandler {
  const isGood = (request: Request, key: ApiKey | undefined): key is ApiKey =>
    key !== undefined && (!key.localOnly || isLocalCaller(request)) && accepts(key, request);
  return (request: KeyedRequest, response, next) => {
    const given = readKey(request);
    if (typeof given !== 'string' || given === '' || given.length > maxKeyLength) return refuse(response);
    const known = ring.peek(given);
    if (!isGood(request, known)) return find(given, request, response, next);
    request[acceptedKey] = known;
    next();
  };

  /** Looks up a key that is not in memory, or invalid there. */
  async function find(given: string, request: KeyedRequest, response: Response, next: NextFunction) {
    // Requests that arrive while a key is read are no further attempts.
    let key = await ring.underWay(given);
    if (!isGood(request, key)) {
      try {
        key = await attempts.attempt('key', callerAt(request.ip ?? ''), given, async () => {
          const found = await ring.find(given);
          return isGood(request, found) ? found : undefined;
        });
      } catch (error) {
        if (!(error instanceof TooManyAttempts)) throw error;
        response.setHeader('Retry-After', Math.ceil(error.retryMs / 1000));
        return refuseTooMany(response, error.message);
      }
    }
    if (!key) return refuse(response);
    request[acceptedKey] = key;
    next();
  }
}

/** The key that {@link requireKey} has accepted. */
export function keyOf(request: KeyedRequest): ApiKey {
  const key = request[acceptedKey];
  if (!key) throw new Error('keyOf was called before requireKey');
  return key;
}

/**
 * Takes a token of the request's key, and refuses the request if there is none. The answer has the remaining tokens, in the fields of
 * draft-ietf-httpapi-ratelimit-headers. Later handlers run for admitted requests only.
 * @param begin begins slow work while another process is asked for the token; it answers nothing @param whose the bucket's name in those fields
 */
export function limitRate(
  limit: RateLimit,
  { refuseTooMany }: Pick<KeyScheme, 'refuseTooMany'>,
  begin?: (request: Request, response: Response) => void,
  whose?: string,
): RequestHandler {
  if (!Number.isFinite(limit.rate.perSecond)) return (_request, _response, next) => next();
  const reportRate = rateReporter(limit.rate, whose);
  return async (request, response, next) => {
    let taken = limit.take(keyOf(request).id);
    if (taken instanceof Promise) {
      begin?.(request, response);
      taken = await taken;
    }
    reportRate(response, taken);
    if (taken.allowed) return next();
    response.setHeader('Retry-After', Math.ceil(taken.retryMs / 1000));
    refuseTooMany(response, tooMany);
  };
}

/** Adds a rate and what remains of it to answers, as structured fields. The policy is the calls in a number of seconds. */
export function rateReporter({ perSecond, burst }: Rate, whose = 'key') {
  const policy = `"${whose}";q=${burst};w=${Math.max(1, Math.round(burst / perSecond))}`;
  return (response: Response, { remaining, fullMs }: Taken): void => {
    response.setHeader('RateLimit-Policy', policy);
    response.setHeader('RateLimit', `"${whose}";r=${remaining};t=${Math.ceil(fullMs / 1000)}`);
  };
}

const counted = Symbol('counted');
/** When a limited query was asked for, in ms since 1970: it counts for that month, as it was held of it. */
const askedAt = Symbol('asked at');
type CountedResponse = Response & { [counted]?: true; [askedAt]?: number };

/** Says so where queries cannot be held for now, as while the database is away: what is not held is not answered. @throws Refusal 503 */
export const orUnavailable = <T>(held: Promise<T>): Promise<T> =>
  held.catch((cause: unknown) => {
    if (cause instanceof CovermapError) throw cause;
    throw new Refusal(503, holdsUnavailable, { cause, retrySeconds: 1 });
  });

/** Refuses a request of a customer that has reached its cap, or has neither a plan nor a free query left. Keys without limits pass at once. */
export function limitQueries(
  { queryHolds, now }: ApiContext,
  { refuse, refuseTooMany }: KeyScheme,
): RequestHandler {
  return (request, response, next) => {
    const key = keyOf(request);
    return key.limits === null ? next() : limit(key, response, next);
  };

  async function limit(key: ApiKey, response: CountedResponse, next: NextFunction) {
    const at = now().getTime();
    const taken = queryHolds.take(key, at);
    const hold = taken instanceof Promise ? await orUnavailable(taken) : taken;
    if (hold instanceof CapReached) {
      response.setHeader('Retry-After', hold.retrySeconds);
      return refuseTooMany(response, hold.message);
    }
    if (hold instanceof CovermapError) return refuse(response, hold.message);
    response[askedAt] = at;
    // If the caller has left, its connection emits no more events.
    if (response.closed) queryHolds.end(hold, false);
    else response.once('close', () => queryHolds.end(hold, response[counted] === true));
    next();
  }
}

/** Counts the request as a query of its key after a 2xx answer was sent completely; errors and 304 do not count. */
export function countQuery(meter: QueryCounter): RequestHandler {
  return (request, response: CountedResponse, next) => {
    response.on('finish', () => {
      const { statusCode } = response;
      const { destroyed, errored } = request.socket;
      // The event also follows a failed write. A caller that only half-closes its connection has been answered.
      if (statusCode >= 200 && statusCode < 300 && !destroyed && !errored) {
        meter.count(keyOf(request).id, 1, response[askedAt]);
        response[counted] = true;
      }
    });
    next();
  };
}

export const enoughToday = 'Your address has looked up as many places today as it may. Try again tomorrow.';

/** Version 2.0: its 403 and 429 have only a message. */
export const scheme2: KeyScheme = {
  readKey: ({ headers }) => headers['x-api-key'],
  refuse: (response, message = 'Forbidden') => sendJson(response, 403, { message }),
  refuseTooMany: (response, message) => sendJson(response, 429, { message }),
};

/** A visitor who reads the key in a page's source can ask no more with it than the map answers an address. */
export const limitVisitors2 = onceForEachApi(({ config, now }): RequestHandler => {
  const limit = limitByDay(config.mapLookupsPerDay, now, (response) =>
    scheme2.refuseTooMany(response, enoughToday),
  );
  return (request, response, next) =>
    keyOf(request).origin === null ? next() : limit(request, response, next);
});

/** Passes a request of version 2.0 on if its key is active and within its rate. */
export const admitKey = (context: ApiContext) => [
  requireKey(context, scheme2),
  limitRate(context.limit, scheme2),
];
