import type { RequestHandler, Response } from 'express';
import type { ApiContext } from '../context.ts';
import { sendJson } from '../errors.ts';
import { limitByDay } from './address-limit.ts';
import { keyOf, requireKey } from './api-key.ts';
import { limitRate, tooManyRequests } from './rate-limit.ts';

const enoughToday = 'Your address has looked up as many places today as it may. Try again tomorrow.';

/* What every route of version 2.0 does with keys. Its 403 and 429 have only a message. */

/**
 * Lets a request with a good key pass; the others get a 403, or a 429 where too many keys were wrong.
 * @param accepts as {@link requireKey} takes it
 */
export const requireKey2 = (
  context: ApiContext,
  accepts?: Parameters<typeof requireKey>[3],
): RequestHandler =>
  requireKey(
    context,
    (request) => request.headers['x-api-key'],
    (response, tooMany) => refuse(response, tooMany === undefined ? 403 : 429, tooMany ?? 'Forbidden'),
    accepts,
  );

/** Whoever reads a key in the source of a page asks no more with it than the map answers an address. */
export function limitVisitors2({ config, now }: ApiContext): RequestHandler {
  const limit = limitByDay(config.mapLookupsPerDay, now, (response) => refuse(response, 429, enoughToday));
  return (request, response, next) =>
    keyOf(request).origin === null ? next() : limit(request, response, next);
}

/** @param begin as {@link limitRate} takes it */
export const limitRate2 = ({ limit }: ApiContext, begin?: Parameters<typeof limitRate>[2]): RequestHandler =>
  limitRate(limit, (response) => refuse(response, 429, tooManyRequests), begin);

/** Passes a request on whose key is active and within its rate. */
export const admitKey = (context: ApiContext) => [requireKey2(context), limitRate2(context)];

/** The 403 for a key without a plan. */
export const refuseFreeQueries2 = (response: Response, message: string) => refuse(response, 403, message);

function refuse(response: Response, status: number, message: string): void {
  sendJson(response, status, { message });
}
