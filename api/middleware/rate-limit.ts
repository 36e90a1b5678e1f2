import type { RequestHandler, Response } from 'express';
import type { Rate, RateLimit, Taken } from '../../core/access/rate-limit/rate-limit.ts';
import { keyOf } from './api-key.ts';

/** Where a response has whether its request may go on, if another process has to be asked. */
const undecided = Symbol('undecided');
type UndecidedResponse = Response & { [undecided]?: Promise<boolean> };

/**
 * Takes a token of the request's key, and refuses the request if there is none. The answer says how many remain, in the fields of
 * draft-ietf-httpapi-ratelimit-headers. If another process has to be asked, the request goes on meanwhile: nothing may be answered
 * before {@link isAdmitted}.
 * @param refuse answers in the shape of this version, once the headers are set
 */
export function limitRate(limit: RateLimit, refuse: (response: Response) => void): RequestHandler {
  if (!Number.isFinite(limit.rate.perSecond)) return (_request, _response, next) => next();
  const policy = ratePolicy(limit.rate);
  return (request, response: UndecidedResponse, next) => {
    const taken = limit.take(keyOf(request).id);
    if (taken instanceof Promise) {
      response[undecided] = taken.then((answer) => admit(response, answer, policy, refuse));
      next();
    } else if (admit(response, taken, policy, refuse)) next();
  };
}

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

/** Whether a request may go on that {@link limitRate} has passed on so far. If not, it has been answered. */
export function isAdmitted(response: UndecidedResponse): Promise<boolean> | boolean {
  return response[undecided] ?? true;
}

/** Waits for {@link isAdmitted}, before what need not begin earlier. */
export const whenAdmitted: RequestHandler = async (_request, response, next) => {
  if (await isAdmitted(response)) next();
};

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
export const tooManyRequests =
  'There were too many requests with this key. Try again after the time in Retry-After.';
