import type { Request, RequestHandler, Response } from 'express';
import type { Rate, RateLimit, Taken } from '../../core/access/rate-limit/rate-limit.ts';
import { type KeyScheme, keyOf } from './api-key.ts';

/**
 * Takes a token of the request's key, and refuses the request if there is none. The answer says how many remain, in the fields of
 * draft-ietf-httpapi-ratelimit-headers. What follows in the chain runs for admitted requests only.
 * @param begin begins what takes time while another process is asked for the token; it answers nothing
 */
export function limitRate(
  limit: RateLimit,
  { refuseTooMany }: Pick<KeyScheme, 'refuseTooMany'>,
  begin?: (request: Request, response: Response) => void,
): RequestHandler {
  if (!Number.isFinite(limit.rate.perSecond)) return (_request, _response, next) => next();
  const policy = ratePolicy(limit.rate);
  return async (request, response, next) => {
    let taken = limit.take(keyOf(request).id);
    if (taken instanceof Promise) {
      begin?.(request, response);
      taken = await taken;
    }
    tellRate(response, policy, taken);
    if (taken.allowed) return next();
    response.setHeader('Retry-After', Math.ceil(taken.retryMs / 1000));
    refuseTooMany(response, tooManyRequests);
  };
}

/** The policy as a structured field: so many calls in so many seconds. */
export function ratePolicy({ perSecond, burst }: Rate, whose = 'key'): string {
  return `"${whose}";q=${burst};w=${Math.max(1, Math.round(burst / perSecond))}`;
}

/** Says what remains of a rate. */
export function tellRate(response: Response, policy: string, taken: Taken, whose = 'key'): void {
  const { remaining, fullMs } = taken;
  response.setHeader('RateLimit-Policy', policy);
  response.setHeader('RateLimit', `"${whose}";r=${remaining};t=${Math.ceil(fullMs / 1000)}`);
}

/** The sentence of a 429 for a key. */
const tooManyRequests =
  'There were too many requests with this key. Try again after the time in Retry-After.';
