import type { RequestHandler } from 'express';
import type { PointCoverage } from '../../../core/coverage/lookup/lookup.ts';
import {
  type AskedPosition,
  isPosition,
  type PositionFault,
  readPosition,
} from '../../../core/coverage/lookup/position.ts';
import { rememberResults } from '../../../core/coverage/lookup/remember-results.ts';
import type { ApiContext } from '../../context.ts';
import { sendError } from '../../middleware/errors.ts';
import { isAdmitted } from '../../middleware/rate-limit.ts';
import { sendLookupData } from './lookup-response.ts';

/** What the versions of the availability API say differently. */
export interface AvailabilityVersion {
  /** The sentences of a 400. */
  invalid: Record<PositionFault, string>;
  /** The sentence of a 500. */
  failed: string;
  /** `location` as JSON. The position's texts are digits, points and signs: they need no escaping. */
  location: (position: AskedPosition) => string;
  results: (coverage: PointCoverage) => object[];
  /** Whether and how long answers may be kept, where that is not what the terms allow. */
  cacheControl?: string;
}

/** Looks up the position that a path ends with, and answers in the version's words. */
export function answerAvailability(context: ApiContext, version: AvailabilityVersion): RequestHandler {
  const { lookup, config, logger } = context;
  const writeResults = rememberResults(version.results);
  return async (request, response) => {
    const [lat, lng] = response.locals.coordinates as [string, string];
    const position = readPosition(lat, lng, config.serviceArea);
    // Begins while the key's rate is still being looked at.
    const looking = isPosition(position) ? lookup.at(position.lat, position.lng) : undefined;
    looking?.catch(() => undefined);
    if (!(await isAdmitted(response))) return;
    if (!isPosition(position)) return sendError(response, 400, version.invalid[position]);
    let coverage: PointCoverage;
    try {
      coverage = (await looking) as PointCoverage;
    } catch (error) {
      logger.error({ err: error }, 'lookup failed');
      return sendError(response, 500, version.failed);
    }
    const location = version.location(position);
    const body = `{"location":${location},"results":${writeResults(coverage)}}`;
    sendLookupData(request, response, body, version.cacheControl);
  };
}
