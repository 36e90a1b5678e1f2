import { type Response, Router } from 'express';
import { answerPoint } from '../../core/coverage/answer.ts';
import type { Tier } from '../../core/coverage/catalog.ts';
import type { PointCoverage } from '../../core/coverage/lookup.ts';
import type { ApiContext } from '../app.ts';
import { answerAvailability, providerFields } from '../availability.ts';
import { httpDate } from '../http-date.ts';
import { requireKey } from '../middleware/api-key.ts';
import { readCoordinates } from '../middleware/coordinates.ts';
import { readOnly, sendJson } from '../middleware/errors.ts';
import { countQuery } from '../middleware/metering.ts';
import { limitRate, refuseRate2 } from '../middleware/rate-limit.ts';

/**
 * What broadband is at a position, version 2.0.
 *
 *     GET /api/2.0/availability/-36.9026834/174.8075834
 *     x-api-key: <key>
 *
 * 200 `{location: {lat, lng}, results: [{technology, availability, providers?}]}`, fastest technology first; 400 for
 * what is not a position in the service area, 403 without a good key, 429 for too many.
 */
export function availability2(context: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  router.use(
    '/api/2.0/availability',
    readCoordinates,
    readOnly,
    requireKey(context.keys, (request) => request.headers['x-api-key'], refuseKey2),
    limitRate(context.limit, refuseRate2),
    countQuery(context.meter),
    answerAvailability(context, {
      invalid: 'The given coordinates are not valid.',
      failed: 'Internal Server Error',
      location: ({ latText, lngText }) => `{"lat":"${latText}","lng":"${lngText}"}`,
      results,
    }),
  );
  return router;
}

/** The 403 of version 2.0, which has only a message. */
export function refuseKey2(response: Response): void {
  sendJson(response, 403, { message: 'Forbidden' });
}

function results({ catalog, tiers }: PointCoverage): object[] {
  return answerPoint(catalog, tiers, true).map(({ technology, availability, entries }) => ({
    technology: technology.name,
    availability,
    ...(availability === 'unavailable' ? {} : { providers: entries.map(provider) }),
  }));
}

function provider(tier: Tier): object {
  const planned_date = tier.plannedDate === null ? null : httpDate(tier.plannedDate);
  return { ...providerFields(tier), planned_date };
}
