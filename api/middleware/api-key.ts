import type { Request, RequestHandler, Response } from 'express';
import { TooManyAttempts } from '../../core/access/failed-attempts.ts';
import type { ApiKey } from '../../core/access/key-ring.ts';
import type { ApiContext } from '../context.ts';
import { callerAt } from './address-limit.ts';
import { isLocalCaller } from './local-caller.ts';

/** Longer than any key of ours: not worth hashing. */
const longestKey = 200;

const keys = new WeakMap<Request, ApiKey>();

/**
 * Passes a request on if its key is active. It is the first check: a caller without a key learns nothing more.
 * @param refuse answers in this version's shape; with a 429 and a sentence if too many wrong keys came from the address
 */
export function requireKey(
  { keys: ring, attempts }: Pick<ApiContext, 'keys' | 'attempts'>,
  readKey: (request: Request) => unknown,
  refuse: (response: Response, tooMany?: string) => void,
): RequestHandler {
  const isGood = (request: Request, key: ApiKey | undefined) =>
    key && (!key.localOnly || isLocalCaller(request));
  return async (request, response, next) => {
    const given = readKey(request);
    if (typeof given !== 'string' || given === '' || given.length > longestKey) return refuse(response);
    let key = await ring.peek(given);
    if (!isGood(request, key)) {
      try {
        key = await attempts.attempt('key', callerAt(request.ip ?? ''), given, async () => {
          const found = await ring.find(given);
          return isGood(request, found) ? found : undefined;
        });
      } catch (error) {
        if (!(error instanceof TooManyAttempts)) throw error;
        response.setHeader('Retry-After', Math.ceil(error.retryMs / 1000));
        return refuse(response, error.message);
      }
    }
    if (!key) return refuse(response);
    keys.set(request, key);
    next();
  };
}

/** The key that {@link requireKey} has accepted. */
export function keyOf(request: Request): ApiKey {
  const key = keys.get(request);
  if (!key) throw new Error('keyOf was called before requireKey');
  return key;
}
