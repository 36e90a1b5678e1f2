import type { Request, Response } from 'express';
import type { RateLimit } from '../../core/access/rate-limit/rate-limit.ts';
import { sendError } from './errors.ts';
import { ratePolicy, tellRate } from './rate-limit.ts';
import { registrarOf } from './registrar-address.ts';

/** Says whether a request may go on that asks for so many names; where not, it has been answered. */
export type NameRate = (request: Request, response: Response, names: number) => Promise<boolean>;

/**
 * The rate of registrars, in names: of a registrar over all its addresses, whatever it asks for. The answer says what is left, in
 * the fields of draft-ietf-httpapi-ratelimit-headers.
 */
export function limitNames(limit: RateLimit): NameRate {
  if (!Number.isFinite(limit.rate.perSecond)) return async () => true;
  const policy = ratePolicy(limit.rate, 'registrar');
  return async (request, response, names) => {
    // A list that is longer than the burst takes all of it: else it could never be asked for.
    const taken = await limit.take(registrarOf(request), Math.min(Math.max(names, 1), limit.rate.burst));
    tellRate(response, policy, taken, 'registrar');
    if (taken.allowed) return true;
    const seconds = Math.ceil(taken.retryMs / 1000);
    response.setHeader('Retry-After', seconds);
    sendError(response, 429, `You have asked for too many names. Try again in ${seconds} s.`);
    return false;
  };
}
