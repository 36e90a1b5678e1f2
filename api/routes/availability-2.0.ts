import { type RequestHandler, type Response, Router } from 'express';
import { answerPoint } from '../../core/coverage/answer.ts';
import type { Tier } from '../../core/coverage/catalog.ts';
import type { PointCoverage } from '../../core/coverage/lookup.ts';
import type { ApiContext } from '../app.ts';
import { readPosition } from '../coordinates.ts';
import { httpDate } from '../http-date.ts';
import { rememberResults, sendLookupData } from '../lookup-response.ts';
import { requireKey } from '../middleware/api-key.ts';
import { readCoordinates } from '../middleware/coordinates.ts';
import { readOnly, sendError, sendJson } from '../middleware/errors.ts';

/**
 * What broadband is at a position, version 2.0.
 *
 *     GET /api/2.0/availability/-36.9026834/174.8075834
 *     x-api-key: <key>
 *
 * 200 `{location: {lat, lng}, results: [{technology, availability, providers?}]}`, fastest technology first; 400 for
 * what is not a position in the service area, 403 without a good key.
 */
export function availability2(context: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  router.use(
    '/api/2.0/availability',
    readCoordinates,
    readOnly,
    requireKey(context.keys, (request) => request.headers['x-api-key'], refuseKey2),
    // What limits a key's rate or counts its queries goes here: after the key, before the coordinates are looked at.
    answer(context),
  );
  return router;
}

/** The 403 of version 2.0, which has only a message. */
export function refuseKey2(response: Response): void {
  sendJson(response, 403, { message: 'Forbidden' });
}

function answer({ lookup, serviceArea, logger }: ApiContext): RequestHandler {
  const writeResults = rememberResults(results);
  return async (request, response) => {
    const [latText, lngText] = response.locals.coordinates as [string, string];
    const position = readPosition(latText, lngText, serviceArea);
    if (!position) return sendError(response, 400, 'The given coordinates are not valid.');
    let coverage: PointCoverage;
    try {
      coverage = await lookup.at(position.lat, position.lng);
    } catch (error) {
      logger.error({ err: error }, 'lookup failed');
      return sendError(response, 500, 'Internal Server Error');
    }
    // Coordinate text is digits, a point and a sign: it needs no escaping.
    const location = `{"lat":"${position.latText}","lng":"${position.lngText}"}`;
    sendLookupData(request, response, `{"location":${location},"results":${writeResults(coverage)}}`);
  };
}

function results({ catalog, tiers }: PointCoverage): object[] {
  return answerPoint(catalog, tiers, true).map(({ technology, availability, entries }) => ({
    technology: technology.name,
    availability,
    ...(availability === 'unavailable' ? {} : { providers: entries.map(provider) }),
  }));
}

function provider(tier: Tier): object {
  return {
    name: tier.provider.name,
    wholesale_network: tier.provider.wholesaleNetwork,
    url: tier.provider.url,
    bandwidth_min_mbps: tier.bandwidthMin,
    bandwidth_max_mbps: tier.bandwidthMax,
    bandwidth_up_min_mbps: tier.bandwidthUpMin,
    bandwidth_up_max_mbps: tier.bandwidthUpMax,
    planned_date: tier.plannedDate === null ? null : httpDate(tier.plannedDate),
  };
}
