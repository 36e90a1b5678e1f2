import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { TooManyAttempts } from '../../access/failed-attempts.ts';
import type { ApiKey } from '../../access/key-ring.ts';
import type { ApiContext } from '../context.ts';
import { callerAt } from './address-limit.ts';
import { isLocalCaller } from './local-caller.ts';

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
