import type { RequestHandler } from 'express';
import { onceForEachApi } from '../../context.ts';
import { answer, routesFor } from '../../define-route.ts';
import { sendError } from '../../errors.ts';
import { requireOnce } from '../../http/parameters.ts';
import { limitByAddress, limitByDay } from '../../middleware/address-limit.ts';
import { enoughToday } from '../../middleware/key.ts';
import { applications, mapErrors, requireMapPage } from '../../middleware/map-page.ts';
import { AddressView, FoundPlaces } from '../../schemas/addresses.ts';
import { plainError } from '../../schemas/document-errors.ts';
import { mapToken } from '../../schemas/map.ts';
import {
  addressErrors,
  byId,
  reference,
  search,
  searchQuery,
  textMissing,
} from '../availability/addresses-2.0.ts';

const map = routesFor({ who: 'anyone', tag: 'Map' });
const forThisMap = {
  description: `For the map of this server only; limited by IP address, by the second and by the day. ${applications}`,
  headers: mapToken,
};
const refusals = mapErrors('searches');

/** Both share the limits of an address. */
const admit = onceForEachApi((context): RequestHandler[] => [
  ...requireMapPage(context),
  limitByAddress(context.config.mapAddressRate),
  limitByDay(context.config.mapAddressesPerDay, context.presentNow, (response) =>
    sendError(response, 429, `${enoughToday} ${applications}`),
  ),
]);

/** The public map's search for addresses, as somebody types. */
export const mapAddresses = [
  map.get('/api/map/addresses', {
    id: 'searchAddressesForMap',
    summary: 'Search for an address, for the public map',
    ...forThisMap,
    query: searchQuery,
    answers: {
      200: answer('What the text may mean.', FoundPlaces),
      400: plainError(400, '`q` is missing or too long, or another parameter is invalid.', textMissing),
      ...refusals,
    },
    serve: (context) => [...admit(context), requireOnce('q', 'limit', 'near'), search(context)],
  }),
  map.get('/api/map/addresses/{address}', {
    id: 'getAddressForMap',
    summary: 'Get an address by its ID, for the public map',
    ...forThisMap,
    params: { address: reference },
    answers: { 200: answer('The address.', AddressView), ...addressErrors, ...refusals },
    serve: (context) => [...admit(context), byId(context)],
  }),
];
