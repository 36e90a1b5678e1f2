import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { revalidated } from '../../http/conditional.ts';
import { limitByAddress } from '../../middleware/address-limit.ts';
import { answerLookup, version2 } from '../../middleware/answer-lookup.ts';
import { sendError } from '../../middleware/errors.ts';
import { answer, routesFor } from '../../route.ts';
import { Availability } from '../../schemas/availability.ts';
import { fault2, notModified, plainError, tooManyRequests } from '../../schemas/errors.ts';

const pagesOnly = 'This lookup is for the map of this server. Applications use /api/2.0/ with a key.';

/** The public map's lookup: for pages of this server only, limited by address, not billed. */
export const mapLookup = [
  routesFor({ who: 'anyone', tag: 'Map' }).get('/api/map/lookup', {
    id: 'lookUpForMap',
    summary: 'Look up broadband for the public map',
    description:
      'For pages of this server only; rate-limited by IP address. Applications use version 2.0 with a key.',
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
      403: plainError(403, 'The request does not come from a page of this server.', pagesOnly),
      429: tooManyRequests(
        'The IP address has exceeded its rate limit.',
        'Too many requests. Try again later.',
      ),
      500: fault2,
    },
    serve: (context) => [
      sameOriginOnly,
      limitByAddress(context.config.mapLookupRate),
      coordinatesInQuery,
      answerLookup(context, version2, () => 'map', revalidated.private),
    ],
  }),
];

const sameOriginOnly: RequestHandler = (request, response, next) => {
  response.setHeader('Vary', 'Sec-Fetch-Site, Origin');
  if (isSameOrigin(request)) return next();
  sendError(response, 403, pagesOnly);
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
