import type { RequestHandler } from 'express';
import { z } from 'zod';
import { isPosition, readPosition } from '../../../coverage/lookup/position.ts';
import { results2 } from '../../../coverage/lookup/results.ts';
import { type ApiContext, onceForEachApi } from '../../context.ts';
import { answer, routesFor } from '../../define-route.ts';
import { sendError, sendJson } from '../../errors.ts';
import { revalidated } from '../../http/conditional.ts';
import { requireOnce } from '../../http/parameters.ts';
import { limitByAddress, limitByDay } from '../../middleware/address-limit.ts';
import { enoughToday } from '../../middleware/key.ts';
import { applications, mapErrors, requireMapPage } from '../../middleware/map-page.ts';
import { orderableParameter } from '../../schemas/availability.ts';
import { notModified, plainError } from '../../schemas/document-errors.ts';
import { MapAvailability, mapToken, Nearest } from '../../schemas/map.ts';
import { type AvailabilityVersion, answerLookup, version2 } from '../availability/answer-lookup.ts';
import { answerOrderable } from '../availability/answer-traced.ts';

const question = {
  headers: mapToken,
  query: z.object({
    lat: z.string().meta({ description: 'Latitude', example: '-36.9026834' }),
    lng: z.string().meta({ description: 'Longitude', example: '174.8075834' }),
  }),
};
const refusals = {
  400: plainError(
    400,
    'The coordinates are invalid, given twice or with brackets, or outside the service area.',
    version2.invalid.outside,
  ),
  ...mapErrors('lookups'),
};
const forThisMap = `For the map of this server only; limited by IP address, by the second and by the day. ${applications}`;
/** Version 2.0 with the time at which each entry went live. */
const versionOfMap: AvailabilityVersion = {
  ...version2,
  results: (coverage, more) =>
    results2(coverage, (tier) => ({
      published_at: coverage.catalog.publishedAt.get(tier.datasetId),
      ...more?.(tier),
    })),
};
const map = routesFor({ who: 'anyone', tag: 'Map' });

/** Both share the limits of an address: a program can imitate a page, with the map's token. */
const admit = onceForEachApi((context): RequestHandler[] => [
  ...requireMapPage(context),
  limitByAddress(context.config.mapLookupRate),
  limitByDay(context.config.mapLookupsPerDay, context.presentNow, (response) =>
    sendError(response, 429, `${enoughToday} ${applications}`),
  ),
  requireOnce('lat', 'lng'),
  coordinatesInQuery,
]);

/** The public map's lookups: for the map of this server only, not billed. */
export const mapLookup = [
  map.get('/api/map/lookup', {
    id: 'lookUpForMap',
    summary: 'Look up broadband for the public map',
    description: forThisMap,
    ...question,
    query: question.query.extend({ orderable: orderableParameter }),
    answers: {
      200: answer(
        'The coverage at the position, as in version 2.0, and since when each entry is published.',
        MapAvailability,
      ),
      304: notModified,
      ...refusals,
    },
    serve: (context) => [
      ...admit(context),
      requireOnce('orderable'),
      answerOrderable(context, versionOfMap, () => 'map'),
      answerLookup(context, versionOfMap, () => 'map', revalidated.private),
    ],
  }),
  map.get('/api/map/nearest', {
    id: 'findNearestForMap',
    summary: 'Find the coverage nearest to a place that has none, for the public map',
    description: forThisMap,
    ...question,
    answers: { 200: answer('The nearest available coverage.', Nearest), ...refusals },
    serve: (context) => [...admit(context), answerNearest(context)],
  }),
];

const answerNearest =
  ({ lookup, config }: ApiContext): RequestHandler =>
  async (_request, response) => {
    const [lat, lng] = response.locals.coordinates as [string, string];
    const position = readPosition(lat, lng, config.serviceArea);
    if (!isPosition(position)) return sendError(response, 400, version2.invalid[position]);
    const found = await lookup.nearest(position.lat, position.lng);
    response.setHeader('Cache-Control', revalidated.private);
    sendJson(response, 200, {
      nearest: found
        ? { technology: found.technology.name, distance_m: Math.round(found.distanceMetres) }
        : null,
    } satisfies z.input<typeof Nearest>);
  };

const coordinatesInQuery: RequestHandler = (request, response, next) => {
  const { lat, lng } = request.query;
  response.locals.coordinates = [lat, lng].map((value) => (typeof value === 'string' ? value : ''));
  next();
};
