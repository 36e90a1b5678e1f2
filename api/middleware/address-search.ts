import type { Request, RequestHandler } from 'express';
import { onceForEachApi } from '../context.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import { limitByAddress, limitByDay } from './address-limit.ts';
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

/** The routes of addresses share these bounds. */
export const admitAddressSearch = onceForEachApi((context): RequestHandler[] => {
  const { config, now } = context;
  const { mapAddressRate, mapAddressesPerDay, addressesPerDay } = config;
  return [
    requireKey(context, scheme2, forPages),
    visitorsOnly(limitByAddress(mapAddressRate)),
    visitorsOnly(
      limitByDay(mapAddressesPerDay, now, (response) => scheme2.refuseTooMany(response, enoughOfAddress)),
    ),
    limitRate(context.addressLimit, scheme2, undefined, 'addresses'),
    limitByDay(
      ...([addressesPerDay, now] as const),
      (response) => scheme2.refuseTooMany(response, enoughOfKey),
      (request) => [`key ${keyOf(request).id}`],
    ),
  ];
});
