import { type Response, Router } from 'express';
import { results2 } from '../../../core/coverage/lookup/answer-2.0.ts';
import type { ApiContext } from '../../context.ts';
import { requireKey } from '../../middleware/api-key.ts';
import { readCoordinates } from '../../middleware/coordinates.ts';
import { readOnly, sendJson } from '../../middleware/errors.ts';
import { limitFreeQueries } from '../../middleware/free-queries.ts';
import { countQuery } from '../../middleware/metering.ts';
import { limitRate, refuseRate2 } from '../../middleware/rate-limit.ts';
import { type AvailabilityVersion, answerAvailability } from './answer.ts';
import { answerTraced } from './traced.ts';

/** What version 2.0 says, wherever it is asked. */
export const version2: AvailabilityVersion = {
  invalid: {
    no_number: 'The given coordinates are not valid.',
    outside: 'The given coordinates are not valid.',
  },
  failed: 'Internal Server Error',
  location: ({ latText, lngText }) => `{"lat":"${latText}","lng":"${lngText}"}`,
  results: results2,
};

/**
 * What broadband is at a position, version 2.0.
 *
 *     GET /api/2.0/availability/-36.9026834/174.8075834
 *     x-api-key: <key>
 *
 * 200 `{location: {lat, lng}, results: [{technology, availability, providers?}]}`, fastest technology first; 400 for
 * what is not a position in the service area, 403 without a good key, 429 for too many. With `?explain=1` each provider
 * says where its entry comes from; with `?at=2026-05-01` it is the answer of that day.
 */
export function availability2(context: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  router.use(
    '/api/2.0/availability',
    // Those have a route of their own.
    (request, _response, next) => next(request.path.startsWith('/jobs/') ? 'router' : undefined),
    readCoordinates,
    readOnly,
    requireKey(context, (request) => request.headers['x-api-key'], refuseKey2),
    limitRate(context.limit, refuseRate2),
    limitFreeQueries(context, refuseFreeQueries2),
    countQuery(context.meter),
    answerTraced(context, version2),
    answerAvailability(context, version2),
  );
  return router;
}

/** The 403 of version 2.0 for a key without a plan. */
export function refuseFreeQueries2(response: Response, message: string): void {
  sendJson(response, 403, { message });
}

/** The 403 of version 2.0, or its 429 where too many keys were wrong; they have only a message. */
export function refuseKey2(response: Response, tooMany?: string): void {
  sendJson(response, tooMany === undefined ? 403 : 429, { message: tooMany ?? 'Forbidden' });
}
