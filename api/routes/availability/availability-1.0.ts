import { type RequestHandler, type Response, Router } from 'express';
import { answerPoint, type ShownAvailability } from '../../../core/coverage/lookup/answer-1.0.ts';
import { providerFields } from '../../../core/coverage/lookup/answer-2.0.ts';
import type { Tier } from '../../../core/coverage/lookup/catalog.ts';
import type { PointCoverage } from '../../../core/coverage/lookup/lookup.ts';
import { plannedDateText } from '../../../core/coverage/lookup/planned-date.ts';
import type { ApiContext } from '../../context.ts';
import { requireKey } from '../../middleware/api-key.ts';
import { readCoordinates } from '../../middleware/coordinates.ts';
import { readOnly, sendError } from '../../middleware/errors.ts';
import { limitFreeQueries } from '../../middleware/free-queries.ts';
import { countQuery } from '../../middleware/metering.ts';
import { limitRate, refuseRate1 } from '../../middleware/rate-limit.ts';
import { answerAvailability } from './answer.ts';

/** 1 February 2022, 00:00 in New Zealand, as RFC 9745 writes it. */
const deprecatedSince = '@1643626800';

const availabilityNames: Record<ShownAvailability, string> = {
  available: 'Available',
  underway: 'Underway',
  planned: 'Planned',
  unavailable: 'Not Available',
};

/**
 * What broadband is at a position, version 1.0: y is the latitude, x the longitude.
 *
 *     GET /api/1.0/availability/yx/-36.9026834/174.8075834?api_key=<key>
 *
 * 200 `{location: [x, y], results: [{technology, availability, completion?, set_id, providers?}]}`; 400 for what is not
 * a position in the service area, 401 without a good key, 429 for too many.
 */
export function availability1(context: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  router.use(
    '/api/1.0/availability/yx',
    readCoordinates,
    announceDeprecation,
    readOnly,
    requireKey(context, (request) => request.query.api_key, refuseKey1),
    limitRate(context.limit, refuseRate1),
    limitFreeQueries(context, refuseKeyWith),
    countQuery(context.meter),
    answerAvailability(context, {
      invalid: {
        no_number: 'The coordinates are not plain decimal numbers, as -36.9026834.',
        outside: 'The coordinates are outside the service coverage area.',
      },
      failed: 'The coverage data could not be obtained from the map data service.',
      // The longitude first: what the version calls x.
      location: ({ latText, lngText }) => `["${lngText}","${latText}"]`,
      results,
    }),
  );
  return router;
}

const announceDeprecation: RequestHandler = (_request, response, next) => {
  const [y, x] = response.locals.coordinates as [string, string];
  response.setHeader('Deprecation', deprecatedSince);
  response.setHeader(
    'Link',
    `</api/2.0/availability/${encodeURIComponent(y)}/${encodeURIComponent(x)}>; rel="successor-version"`,
  );
  next();
};

function refuseKey1(response: Response, tooMany?: string): void {
  if (tooMany !== undefined) {
    sendError(response, 429, tooMany);
    return;
  }
  refuseKeyWith(response, 'The server could not verify that you are authorised to access this address.');
}

function refuseKeyWith(response: Response, sentence: string): void {
  // RFC 9110, section 15.5.2: a 401 names what to authenticate with.
  response.setHeader('WWW-Authenticate', 'ApiKey realm="covermap", in="query", name="api_key"');
  sendError(response, 401, sentence);
}

function results({ catalog, tiers }: PointCoverage): object[] {
  return answerPoint(catalog, tiers, false).map(({ technology, availability, entries, earliestDate }) => ({
    technology: technology.label,
    availability: availabilityNames[availability],
    ...(earliestDate === undefined ? {} : { completion: plannedDateText(earliestDate) }),
    set_id: technology.setId,
    ...(availability === 'unavailable' ? {} : { providers: entries.map(provider) }),
  }));
}

function provider(tier: Tier): object {
  return { ...providerFields(tier), timing_id: tier.datasetId };
}
