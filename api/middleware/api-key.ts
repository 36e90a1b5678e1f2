import type { Request, RequestHandler, Response } from 'express';
import type { ApiKey, KeyRing } from '../../core/access/api-keys.ts';

/** Longer than any key of ours: not worth hashing. */
const longestKey = 200;

const keys = new WeakMap<Request, ApiKey>();

/**
 * Lets a request pass whose key is good. It is the first check: a caller without a key learns nothing more.
 * @param readKey where this version of the API carries the key
 * @param refuse answers in this version's shape
 */
export function requireKey(
  ring: KeyRing,
  readKey: (request: Request) => unknown,
  refuse: (response: Response) => void,
): RequestHandler {
  return async (request, response, next) => {
    const given = readKey(request);
    if (typeof given !== 'string' || given === '' || given.length > longestKey) return refuse(response);
    const key = await ring.find(given);
    if (!key) return refuse(response);
    keys.set(request, key);
    next();
  };
}

/** The key that {@link requireKey} let the request pass with. What is counted or limited by key goes after it. */
export function keyOf(request: Request): ApiKey {
  const key = keys.get(request);
  if (!key) throw new Error('keyOf was called before requireKey');
  return key;
}
