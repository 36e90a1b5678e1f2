import type { RequestHandler, Response } from 'express';
import type { ApiContext } from '../context.ts';
import { sendJson } from '../errors.ts';
import { requireKey } from './api-key.ts';
import { limitRate, tooManyRequests } from './rate-limit.ts';

/* What every route of version 2.0 does with keys. Its 403 and 429 have only a message. */

/** Lets a request with a good key pass; the others get a 403, or a 429 where too many keys were wrong. */
export const requireKey2 = (context: ApiContext): RequestHandler =>
  requireKey(
    context,
    (request) => request.headers['x-api-key'],
    (response, tooMany) => refuse(response, tooMany === undefined ? 403 : 429, tooMany ?? 'Forbidden'),
  );

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
