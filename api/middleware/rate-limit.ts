import type { RequestHandler, Response } from 'express';
import type { Rate, RateLimit, Taken } from '../../core/access/rate-limit/rate-limit.ts';
import { keyOf } from './api-key.ts';

/** Requests of which it is not known yet whether they may go on. */
const undecided = new WeakMap<Response, Promise<boolean>>();

/**
 * Takes a token of the request's key, and refuses the request where there is none. It comes after the key and before what
 * is asked for. The answer says how many are left, in the fields of draft-ietf-httpapi-ratelimit-headers.
 *
 * Where another process has to be asked, the request goes on meanwhile: what it leads to has to wait for
 * {@link isAdmitted} before it answers anything.
 * @param refuse answers in the shape of this version, once status and fields are set
 */
export function limitRate(limit: RateLimit, refuse: (response: Response) => void): RequestHandler {
  if (!Number.isFinite(limit.rate.perSecond)) return (_request, _response, next) => next();
  const policy = ratePolicy(limit.rate);
  return (request, response, next) => {
    const taken = limit.take(keyOf(request).id);
    if (taken instanceof Promise) {
      undecided.set(
        response,
        taken.then((answer) => admit(response, answer, policy, refuse)),
      );
      next();
    } else if (admit(response, taken, policy, refuse)) next();
  };
}

/** Says what is left, and refuses the request where nothing is. */
function admit(
  response: Response,
  taken: Taken,
  policy: string,
  refuse: (response: Response) => void,
): boolean {
  tellRate(response, policy, taken);
  if (taken.allowed) return true;
  response.setHeader('Retry-After', Math.ceil(taken.retryMs / 1000));
  refuse(response);
  return false;
}

/** Whether a request may go on that {@link limitRate} has let through so far; where not, it has been answered. */
export function isAdmitted(response: Response): Promise<boolean> | boolean {
  return undecided.get(response) ?? true;
}

/** Waits for what {@link limitRate} has found: before what need not begin earlier. */
export const whenAdmitted: RequestHandler = async (_request, response, next) => {
  if (await isAdmitted(response)) next();
};

/** The policy as a structured field: so many calls in so many seconds. @param whose the bucket is */
export function ratePolicy({ perSecond, burst }: Rate, whose = 'key'): string {
  return `"${whose}";q=${burst};w=${Math.max(1, Math.round(burst / perSecond))}`;
}

/** Says what is left of a rate. @param whose the bucket is */
export function tellRate(
  response: Response,
  policy: string,
  { remaining, fullMs }: Taken,
  whose = 'key',
): void {
  response.setHeader('RateLimit-Policy', policy);
  response.setHeader('RateLimit', `"${whose}";r=${remaining};t=${Math.ceil(fullMs / 1000)}`);
}

/** The sentence of a 429 for a key. */
export const tooManyRequests =
  'There were too many requests with this key. Try again after the time in Retry-After.';
