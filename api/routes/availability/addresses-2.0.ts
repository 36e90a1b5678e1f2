import type { RequestHandler } from 'express';
import { z } from 'zod';
import { aliasesOf } from '../../../addresses/address.ts';
import { maxTextLength } from '../../../addresses/finder.ts';
import { isPosition, readPosition } from '../../../coverage/lookup/position.ts';
import type { ApiContext } from '../../context.ts';
import { answer, routesFor } from '../../define-route.ts';
import { Refusal, sendJson } from '../../errors.ts';
import { revalidated } from '../../http/conditional.ts';
import { readOnly } from '../../http/every-request.ts';
import { requireOnce } from '../../http/parameters.ts';
import { admitAddressSearch } from '../../middleware/address-search.ts';
import type { DescribedLimits } from '../../openapi/types.ts';
import { AddressView, FoundPlaces, NearestAddress } from '../../schemas/addresses.ts';
import { latitude, longitude } from '../../schemas/availability.ts';
import { forbidden2, keyErrors2, plainError } from '../../schemas/document-errors.ts';
import { addressView, foundView, missingAddress } from '../../views/addresses.ts';

const maxResults = 20;
const usualResults = 8;

export const textMissing = `q has to be a text of 1 to ${maxTextLength} characters.`;
const nearWrong = 'near has to be a latitude and a longitude in the service area, as -36.9027,174.8076.';
const limitWrong = `limit has to be a number from 1 to ${maxResults}.`;
const noneNear = 'There is no address within 20 km of the position.';

/** Of a search, whose bounds are its own. */
const searchErrors = {
  ...keyErrors2,
  403: forbidden2,
  429: { ...keyErrors2[429], description: 'The key or the IP address has searched for too many addresses.' },
};

/** What a route with an address in its path answers where there is none. */
export const addressErrors = {
  404: plainError(
    404,
    'No address has this ID, or no list of addresses was imported.',
    missingAddress.unknown,
  ),
  410: plainError(410, 'The list of addresses no longer has it.', missingAddress.gone),
};

export const reference = z.string().meta({
  description: 'The ID of an address in the list, or of another system as `<system>:<id>`',
  example: '1234567',
});

export const searchQuery = z.object({
  q: z.string().describe('The text').meta({ example: '2/14 rata st' }),
  limit: z.string().optional().describe(`How many results: 1 to ${maxResults}; ${usualResults} by default`),
  near: z
    .string()
    .optional()
    .describe('A position, latitude first: of results that are as likely, near ones come first')
    .meta({ example: '-36.9027,174.8076' }),
});

/** `q` of a search. @throws Refusal */
export function askedTextOf(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '' || text.length > maxTextLength) throw new Refusal(400, textMissing);
  return text;
}

/** Finding addresses: GET /api/2.0/addresses?q=14+rata. Not billed. */
export function addresses2({ serviceArea }: DescribedLimits) {
  const routes = routesFor({ who: 'key', tag: 'Addresses' });
  return [
    routes.get('/api/2.0/addresses', {
      id: 'searchAddresses',
      summary: 'Search for an address',
      description:
        'Finds addresses, streets, suburbs and towns by a text as somebody types it, best first. Does not count as a query. It has a rate of its own, and a limit by the day: it is no way to copy the list, which its owner publishes.',
      query: searchQuery,
      answers: {
        200: answer('What the text may mean.', FoundPlaces),
        400: plainError(400, '`q` is missing or too long, or another parameter is invalid.', textMissing),
        ...searchErrors,
      },
      serve: (context) => [
        readOnly,
        ...admitAddressSearch(context),
        requireOnce('q', 'limit', 'near'),
        search(context),
      ],
    }),
    routes.get('/api/2.0/addresses/nearest/{lat}/{lng}', {
      id: 'getNearestAddress',
      summary: 'Find the address nearest to a position',
      description: 'Does not count as a query; it has the rate of the search.',
      params: { lat: latitude(serviceArea), lng: longitude(serviceArea) },
      answers: {
        200: answer('The nearest address.', NearestAddress),
        400: plainError(
          400,
          'The coordinates are invalid or outside the service area.',
          'The given coordinates are not valid.',
        ),
        404: plainError(404, 'There is no address within 20 km.', noneNear),
        ...searchErrors,
      },
      serve: (context) => [readOnly, ...admitAddressSearch(context), nearest(context)],
    }),
    routes.get('/api/2.0/addresses/{address}', {
      id: 'getAddress',
      summary: 'Get an address',
      description: 'Does not count as a query; it has the rate of the search.',
      params: { address: reference },
      answers: { 200: answer('The address.', AddressView), ...addressErrors, ...searchErrors },
      serve: (context) => [readOnly, ...admitAddressSearch(context), byId(context)],
    }),
  ];
}

/** Searches for `?q=`: of the API, and of the public map. */
export function search({ addresses, config }: ApiContext): RequestHandler {
  return async ({ query }, response) => {
    const text = askedTextOf(query.q);
    const limit = query.limit === undefined ? usualResults : Number(query.limit);
    if (!/^\d+$/.test(String(query.limit ?? 1)) || limit < 1 || limit > maxResults)
      throw new Refusal(400, limitWrong);
    const [lat = '', lng = '', ...more] = typeof query.near === 'string' ? query.near.split(',') : [];
    const near =
      query.near === undefined ? undefined : readPosition(lat.trim(), lng.trim(), config.serviceArea);
    if (near !== undefined && (!isPosition(near) || more.length > 0)) throw new Refusal(400, nearWrong);
    const found = await addresses.search(text, { limit, near });
    response.setHeader('Cache-Control', revalidated.private);
    sendJson(response, 200, { results: found.map(foundView) });
  };
}

/** Answers with the address of the path's `address`: of the API, and of the public map. */
export function byId({ addresses, newestDatabase }: ApiContext): RequestHandler {
  return async ({ params }, response) => {
    const found = await addresses.byReference(String(params.address));
    if (typeof found === 'string') throw new Refusal(found === 'gone' ? 410 : 404, missingAddress[found]);
    response.setHeader('Cache-Control', revalidated.private);
    sendJson(response, 200, addressView(found, await aliasesOf(newestDatabase, found.id)));
  };
}

function nearest({ addresses, newestDatabase, config }: ApiContext): RequestHandler {
  return async ({ params }, response) => {
    const position = readPosition(String(params.lat), String(params.lng), config.serviceArea);
    if (!isPosition(position)) throw new Refusal(400, 'The given coordinates are not valid.');
    const found = await addresses.nearest(position.lat, position.lng);
    if (!found) throw new Refusal(404, noneNear);
    const { address, distanceMetres } = found;
    response.setHeader('Cache-Control', revalidated.private);
    sendJson(response, 200, {
      ...addressView(address, await aliasesOf(newestDatabase, address.id)),
      distance_m: Math.round(distanceMetres),
    });
  };
}
