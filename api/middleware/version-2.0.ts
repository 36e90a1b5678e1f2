import type { RequestHandler } from 'express';
import type { ApiContext } from '../context.ts';
import { sendJson } from '../errors.ts';
import { limitByDay } from './address-limit.ts';
import { type KeyScheme, keyOf, requireKey } from './api-key.ts';
import { limitRate } from './rate-limit.ts';

export const enoughToday = 'Your address has looked up as many places today as it may. Try again tomorrow.';

/** Version 2.0: its 403 and 429 have only a message. */
export const scheme2: KeyScheme = {
  readKey: ({ headers }) => headers['x-api-key'],
  refuse: (response, message = 'Forbidden') => sendJson(response, 403, { message }),
  refuseTooMany: (response, message) => sendJson(response, 429, { message }),
};

/** A visitor who reads the key in a page's source can ask no more with it than the map answers an address. */
export function limitVisitors2({ config, now }: ApiContext): RequestHandler {
  const limit = limitByDay(config.mapLookupsPerDay, now, (response) =>
    scheme2.refuseTooMany(response, enoughToday),
  );
  return (request, response, next) =>
    keyOf(request).origin === null ? next() : limit(request, response, next);
}

/** Passes a request of version 2.0 on if its key is active and within its rate. */
export const admitKey = (context: ApiContext) => [
  requireKey(context, scheme2),
  limitRate(context.limit, scheme2),
];
