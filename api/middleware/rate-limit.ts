import type { Request, RequestHandler, Response } from 'express';
import type { Rate, RateLimit, Taken } from '../../access/rate-limit/rate-limit.ts';
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
  const tellRate = rateTeller(limit.rate);
  return async (request, response, next) => {
    let taken = limit.take(keyOf(request).id);
    if (taken instanceof Promise) {
      begin?.(request, response);
      taken = await taken;
    }
    tellRate(response, taken);
    if (taken.allowed) return next();
    response.setHeader('Retry-After', Math.ceil(taken.retryMs / 1000));
    refuseTooMany(response, tooMany);
  };
}

/** Adds a rate and what remains of it to answers, as structured fields. The policy is the calls in a number of seconds. */
export function rateTeller({ perSecond, burst }: Rate, whose = 'key') {
  const policy = `"${whose}";q=${burst};w=${Math.max(1, Math.round(burst / perSecond))}`;
  return (response: Response, { remaining, fullMs }: Taken): void => {
    response.setHeader('RateLimit-Policy', policy);
    response.setHeader('RateLimit', `"${whose}";r=${remaining};t=${Math.ceil(fullMs / 1000)}`);
  };
}
