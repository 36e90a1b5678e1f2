import type { RequestHandler } from 'express';
import type { Tier } from '../core/coverage/catalog.ts';
import type { PointCoverage } from '../core/coverage/lookup.ts';
import type { ApiContext } from './app.ts';
import { type AskedPosition, readPosition } from './coordinates.ts';
import { rememberResults, sendLookupData } from './lookup-response.ts';
import { sendError } from './middleware/errors.ts';
import { isAdmitted } from './middleware/rate-limit.ts';

/** What the versions of the availability API say differently. */
export interface AvailabilityVersion {
  /** The sentence of a 400. */
  invalid: string;
  /** The sentence of a 500. */
  failed: string;
  /** `location` as JSON. The position's texts are digits, points and signs: they need no escaping. */
  location: (position: AskedPosition) => string;
  results: (coverage: PointCoverage) => object[];
}

/** Looks up the position that a path ends with, and answers in the version's words. */
export function answerAvailability(context: ApiContext, version: AvailabilityVersion): RequestHandler {
  const { lookup, config, logger } = context;
  const writeResults = rememberResults(version.results);
  return async (request, response) => {
    const [lat, lng] = response.locals.coordinates as [string, string];
    const position = readPosition(lat, lng, config.serviceArea);
    // Begins while the key's rate is still being looked at.
    const looking = position && lookup.at(position.lat, position.lng);
    looking?.catch(() => undefined);
    if (!(await isAdmitted(response))) return;
    if (!position) return sendError(response, 400, version.invalid);
    let coverage: PointCoverage;
    try {
      coverage = (await looking) as PointCoverage;
    } catch (error) {
      logger.error({ err: error }, 'lookup failed');
      return sendError(response, 500, version.failed);
    }
    const location = version.location(position);
    sendLookupData(request, response, `{"location":${location},"results":${writeResults(coverage)}}`);
  };
}

/** What both versions say of a provider. */
export function providerFields({ provider, ...tier }: Tier): object {
  return {
    name: provider.name,
    wholesale_network: provider.wholesaleNetwork,
    url: provider.url,
    bandwidth_min_mbps: tier.bandwidthMin,
    bandwidth_max_mbps: tier.bandwidthMax,
    bandwidth_up_min_mbps: tier.bandwidthUpMin,
    bandwidth_up_max_mbps: tier.bandwidthUpMax,
  };
}
