import type { Request, RequestHandler, Response } from 'express';
import type { Rate, RateLimit, Taken } from '../../core/access/rate-limit/rate-limit.ts';
import { tooMany } from '../schemas/document-errors.ts';
import { type KeyScheme, keyOf } from './api-key.ts';

/**
 * Takes a token of the request's key, and refuses the request if there is none. The answer has the remaining tokens, in the fields of
 * draft-ietf-httpapi-ratelimit-headers. Later handlers run for admitted requests only.
 * @param begin begins slow work while another process is asked for the token; it answers nothing
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
    refuseTooMany(response, tooMany);
  };
}

/** The policy as a structured field: the calls in a number of seconds. */
export function ratePolicy({ perSecond, burst }: Rate, whose = 'key'): string {
  return `"${whose}";q=${burst};w=${Math.max(1, Math.round(burst / perSecond))}`;
}

/** Adds the remaining tokens of a rate to the answer. */
export function tellRate(response: Response, policy: string, taken: Taken, whose = 'key'): void {
  const { remaining, fullMs } = taken;
  response.setHeader('RateLimit-Policy', policy);
  response.setHeader('RateLimit', `"${whose}";r=${remaining};t=${Math.ceil(fullMs / 1000)}`);
}
