import { hash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Tier } from '../../../coverage/lookup/catalog.ts';
import type { PointCoverage } from '../../../coverage/lookup/lookup.ts';
import {
  type AskedPosition,
  isPosition,
  type PositionFault,
  readPosition,
} from '../../../coverage/lookup/position.ts';
import { results1, results2 } from '../../../coverage/lookup/results.ts';
import { onceForEach } from '../../../platform/once-for-each.ts';
import type { ApiContext } from '../../context.ts';
import { Refusal } from '../../errors.ts';
import { answerNotModified, namesTag, sendJsonText } from '../../http/conditional.ts';
import { tracingOf } from '../../http/parameters.ts';
import { keyOf } from '../../middleware/key.ts';

/** The differences between the versions of the availability API. */
export interface AvailabilityVersion {
  invalid: Record<PositionFault, string>;
  failed: string;
  /** `location` as JSON. The position's texts need no escaping. */
  location: (position: AskedPosition) => string;
  /** @param more further fields of each provider */
  results: (coverage: PointCoverage, more?: (tier: Tier) => object) => string;
}

export const version1: AvailabilityVersion = {
  invalid: {
    no_number: 'The coordinates are not plain decimal numbers, as -36.9026834.',
    outside: 'The coordinates are outside the service coverage area.',
  },
  failed: 'The coverage data could not be obtained from the map data service.',
  // The longitude first, which version 1.0 calls x.
  location: ({ latText, lngText }) => `["${lngText}","${latText}"]`,
  results: (coverage, more) => JSON.stringify(results1(coverage, more)),
};

export const version2: AvailabilityVersion = {
  invalid: {
    no_number: 'The given coordinates are not valid.',
    outside: 'The given coordinates are not valid.',
  },
  failed: 'Internal Server Error',
  location: ({ latText, lngText }) => `{"lat":"${latText}","lng":"${lngText}"}`,
  results: results2,
};

/** Ten days. The terms allow caching lookup data for ten business days. */
export const tenDays = 'private, max-age=864000';

/** The key of a request, as the asker of an answer. */
export const keyAsks = (request: Request) => `key ${keyOf(request).id}`;

/** Looks up the position in `response.locals.coordinates`; does nothing for invalid ones. */
function lookUp({ lookup, config }: ApiContext, { locals }: Response) {
  const [lat, lng] = locals.coordinates as [string, string];
  const position = readPosition(lat, lng, config.serviceArea);
  const pendingCoverage = isPosition(position) ? lookup.at(position.lat, position.lng) : undefined;
  pendingCoverage?.catch(() => undefined);
  return { position, pendingCoverage };
}

type Begun = ReturnType<typeof lookUp> | undefined;

/** Begins the lookup for {@link answerLookup}, unless the request may still be refused. */
export const beginLookup = (context: ApiContext) => (request: Request, response: Response) => {
  if (keyOf(request).limits !== null || tracingOf(request) !== undefined) return;
  response.locals.begun = lookUp(context, response);
};

/** Answers with the coverage at `response.locals.coordinates`, as the version does. @param askerOf the asker, for whom alone tags count */
export function answerLookup(
  context: ApiContext,
  version: AvailabilityVersion,
  askerOf = keyAsks,
  cacheControl = tenDays,
): RequestHandler {
  const writeResults = onceForEach((coverage: PointCoverage) => {
    const results = version.results(coverage);
    // They are long: hashed once for all positions that share them.
    return { results, digest: hash('sha256', results, 'base64url') };
  });
  return async (request, response) => {
    const { position, pendingCoverage } = (response.locals.begun as Begun) ?? lookUp(context, response);
    if (!isPosition(position)) throw new Refusal(400, version.invalid[position]);
    let coverage: PointCoverage;
    try {
      coverage = (await pendingCoverage) as PointCoverage;
    } catch (cause) {
      throw new Refusal(500, version.failed, { cause });
    }
    const location = version.location(position);
    const { results, digest } = writeResults(coverage);
    const address = addressPart(response);
    const body = `{"location":${location},${address}"results":${results}}`;
    const about = `${askerOf(request)} ${coverage.catalog.version} ${address}${digest}`;
    sendTagged(context, request, response, about, cacheControl, body);
  };
}

/** The address that was asked for, in front of the results; empty where a position was. */
export const addressPart = ({ locals }: Response): string =>
  locals.address === undefined ? '' : `"address":${JSON.stringify(locals.address)},`;

/**
 * Answers with JSON, or 304 to a caller that names its tag; `If-None-Match: *` names none. A 304 is not billed, so it must tell nothing to a caller
 * without the counted answer: the tag is a code made with the service's secret, for this address with its query.
 * @param about the asker, the catalog's version, and a digest of the rest of the answer
 */
export function sendTagged(
  { secret }: ApiContext,
  request: Request,
  response: Response,
  about: string,
  cacheControl: string,
  body: string,
): void {
  const tag = `"${secret.sign('lookup tag', `${about} ${request.originalUrl}`)}"`;
  const isKnown = namesTag(request.headers, tag);
  if (!answerNotModified(request, response, cacheControl, tag, isKnown)) sendJsonText(response, body);
}
