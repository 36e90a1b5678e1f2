import type { RequestHandler } from 'express';
import type { ApiContext } from '../context.ts';
import { sendError } from '../errors.ts';
import { isSameOrigin } from '../http/same-origin.ts';
import { fault2, plainError, tooManyOfAddress } from '../schemas/document-errors.ts';
import { callerAt } from './address-limit.ts';

/* What is for the map of this server only, without a key. */

export const applications = 'Applications use /api/2.0/ with a key.';
const pagesOnly = `This lookup is for the map of this server. ${applications}`;
const noToken = `The map's token is missing, has expired, or is another address's. ${applications}`;

/** The errors of what is for the map. @param what is bounded by the day, as in "lookups" */
export const mapErrors = (what: string) => ({
  403: plainError(
    403,
    'The request does not come from a page of this server, or its token is not valid.',
    pagesOnly,
  ),
  429: {
    ...tooManyOfAddress,
    description: `The IP address has exceeded its rate limit, or its ${what} of a day.`,
  },
  500: fault2,
});

/** Refuses requests that are not of a page of this server with the map's token. A program can imitate both. */
export const requireMapPage = ({ mapTokens }: ApiContext): RequestHandler[] => [
  (request, response, next) => {
    response.setHeader('Vary', 'Sec-Fetch-Site, Origin, X-Map-Token');
    if (isSameOrigin(request)) return next();
    sendError(response, 403, pagesOnly);
  },
  (request, response, next) => {
    if (mapTokens.isValid(request.get('x-map-token') ?? '', callerAt(request.ip ?? ''))) return next();
    sendError(response, 403, noToken);
  },
];
