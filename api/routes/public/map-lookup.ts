import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { ApiContext } from '../../context.ts';
import { answer, routesFor } from '../../define-route.ts';
import { sendError } from '../../errors.ts';
import { revalidated } from '../../http/conditional.ts';
import { callerAt, limitByAddress, limitByDay } from '../../middleware/address-limit.ts';
import { Availability } from '../../schemas/availability.ts';
import { fault2, notModified, plainError, tooManyRequests } from '../../schemas/document-errors.ts';
import { answerLookup, version2 } from '../availability/answer-lookup.ts';

const applications = 'Applications use /api/2.0/ with a key.';
const pagesOnly = `This lookup is for the map of this server. ${applications}`;
const noToken = `The map's token is missing, has expired, or is another address's. ${applications}`;
const enoughToday = `Your address has looked up as many places today as it may. Try again tomorrow. ${applications}`;

/**
 * The public map's lookup: for the map of this server only, not billed. An address may look up so many places a day, as a program can
 * be a page: it takes the token that the map gets, and says that it comes from there.
 */
export const mapLookup = [
  routesFor({ who: 'anyone', tag: 'Map' }).get('/api/map/lookup', {
    id: 'lookUpForMap',
    summary: 'Look up broadband for the public map',
    description: `For the map of this server only; limited by IP address, by the second and by the day. ${applications}`,
    headers: {
      'X-Map-Token': z.string().meta({ description: '`lookup_token` of the map’s settings', example: '0' }),
    },
    query: z.object({
      lat: z.string().meta({ description: 'Latitude', example: '-36.9026834' }),
      lng: z.string().meta({ description: 'Longitude', example: '174.8075834' }),
    }),
    answers: {
      200: answer('The coverage at the position, as in version 2.0.', Availability),
      304: notModified,
      400: plainError(
        400,
        'The coordinates are invalid or outside the service area.',
        version2.invalid.outside,
      ),
      403: plainError(
        403,
        'The request does not come from a page of this server, or its token is not valid.',
        pagesOnly,
      ),
      429: tooManyRequests(
        'The IP address has exceeded its rate limit, or its lookups of a day.',
        'Too many requests. Try again later.',
      ),
      500: fault2,
    },
    serve: (context) => [
      sameOriginOnly,
      requireMapToken(context),
      limitByAddress(context.config.mapLookupRate),
      limitByDay(context.config.mapLookupsPerDay, enoughToday, context.now),
      coordinatesInQuery,
      answerLookup(context, version2, () => 'map', revalidated.private),
    ],
  }),
];

const sameOriginOnly: RequestHandler = (request, response, next) => {
  response.setHeader('Vary', 'Sec-Fetch-Site, Origin, X-Map-Token');
  if (isSameOrigin(request)) return next();
  sendError(response, 403, pagesOnly);
};

const requireMapToken =
  ({ mapTokens }: ApiContext): RequestHandler =>
  (request, response, next) => {
    if (mapTokens.isValid(request.get('x-map-token') ?? '', callerAt(request.ip ?? ''))) return next();
    sendError(response, 403, noToken);
  };

function isSameOrigin(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  // Browsers before 2023, and over plain HTTP to another machine, do not send it.
  const page = request.get('origin') ?? request.get('referer');
  return page !== undefined && URL.canParse(page) && new URL(page).host === request.host;
}

const coordinatesInQuery: RequestHandler = (request, response, next) => {
  const { lat, lng } = request.query;
  response.locals.coordinates = [lat, lng].map((value) => (typeof value === 'string' ? value : ''));
  next();
};
