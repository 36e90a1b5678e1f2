import type { Request, RequestHandler, Response } from 'express';
import { type ApiContext, onceForEachApi } from '../context.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import { dayLimit, limitByAddress, limitByDay } from './address-limit.ts';
import { forPrograms, keyOf, limitRate, requireKey, scheme2 } from './key.ts';

/* What a search for an address with a key passes: it is not billed, and so that nobody draws the whole list with it, bounded by key and by address. */

const enoughOfKey = 'This key has searched for as many addresses today as it may. Try again tomorrow.';
const enoughOfAddress =
  'Your address has searched for as many addresses today as it may. Try again tomorrow.';

/** Keys for pages are for their visitors alone, as lookups are. */
export const forPages = (key: Parameters<typeof forPrograms>[0], request: Request): boolean =>
  forPrograms(key, request) || isSameOrigin(request);

/** Visitors of other sites share a key: each address has the bounds of the public map. */
const visitorsOnly =
  (handler: RequestHandler): RequestHandler =>
  (request, response, next) =>
    keyOf(request).origin === null ? next() : handler(request, response, next);

const ofDay = onceForEachApi(({ config, now }) => dayLimit(config.addressesPerDay, now));

/** Takes one of the day's searches of the request's key, also for an answer that names candidates. @returns false where they are used up */
export const takeSearch = (context: ApiContext, request: Request): boolean =>
  ofDay(context).take(`key ${keyOf(request).id}`);

export function refuseSearch(context: ApiContext, response: Response): void {
  response.setHeader('Retry-After', String(ofDay(context).retrySeconds()));
  scheme2.refuseTooMany(response, enoughOfKey);
}

/** The routes of addresses share these bounds. */
export const admitAddressSearch = onceForEachApi((context): RequestHandler[] => {
  const { config, now } = context;
  const { mapAddressRate, mapAddressesPerDay } = config;
  return [
    requireKey(context, scheme2, forPages),
    visitorsOnly(limitByAddress(mapAddressRate)),
    visitorsOnly(
      limitByDay(mapAddressesPerDay, now, (response) => scheme2.refuseTooMany(response, enoughOfAddress)),
    ),
    limitRate(context.addressLimit, scheme2, undefined, 'addresses'),
    (request, response, next) => {
      if (takeSearch(context, request)) return next();
      refuseSearch(context, response);
    },
  ];
});
