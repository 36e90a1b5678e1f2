import { type Request, type RequestHandler, Router } from 'express';
import type { ApiContext } from '../../context.ts';
import { limitByAddress } from '../../middleware/address-limit.ts';
import { readOnly, sendError } from '../../middleware/errors.ts';
import { answerAvailability } from '../availability/answer.ts';
import { version2 } from '../availability/availability-2.0.ts';
import { notKept } from '../availability/lookup-response.ts';

/**
 * The lookup of the public map: for pages of this server only, limited by address, neither counted nor billed.
 *
 *     GET /api/map/lookup?lat=-36.9026834&lng=174.8075834
 *
 * 200 as version 2.0; 400, 403 where it does not come from a page of this server, 429.
 */
export function mapLookup(context: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  router.all(
    '/api/map/lookup',
    readOnly,
    sameOriginOnly,
    limitByAddress(context.config.mapLookupRate),
    coordinatesInQuery,
    answerAvailability(context, { ...version2, cacheControl: notKept }),
  );
  return router;
}

/** Browsers say where a request comes from, and pages cannot say otherwise. */
const sameOriginOnly: RequestHandler = (request, response, next) => {
  response.setHeader('Vary', 'Sec-Fetch-Site, Origin');
  if (isSameOrigin(request)) return next();
  sendError(
    response,
    403,
    'This lookup is for the map of this server. Applications use /api/2.0/ with a key.',
  );
};

function isSameOrigin(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  // Over plain HTTP to another machine, and before 2023, browsers do not say it in so many words.
  const page = request.get('origin') ?? request.get('referer');
  return page !== undefined && URL.canParse(page) && new URL(page).host === request.host;
}

const coordinatesInQuery: RequestHandler = (request, response, next) => {
  const { lat, lng } = request.query;
  response.locals.coordinates = [lat, lng].map((value) => (typeof value === 'string' ? value : ''));
  next();
};
