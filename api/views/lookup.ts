import type { Request, Response } from 'express';
import type { ServiceSecret } from '../../core/access/service-secret.ts';
import { answerNotModified, namesTag, sendJsonText } from '../http/conditional.ts';

/* A 304 is not billed, so that it may tell nothing to who has not been given the counted answer before. */

/** The answer to a lookup. */
export interface LookupAnswer {
  /** JSON. */
  body: string;
  /** A digest of what the body has besides the position, which the address names. */
  digest: string;
  /** The version of the catalog that it was made from. */
  version: number;
}

/**
 * Answers a lookup, or 304 to who names its tag. Only who was given the answer knows the tag: it is a code made with the service's
 * secret, for this asker, this address with its query, and this version of the catalog. `If-None-Match: *` names none.
 * @param asker whose tags these are: another's are worth nothing to them
 */
export function sendLookupAnswer(
  secret: ServiceSecret,
  asker: string,
  request: Request,
  response: Response,
  { body, digest, version }: LookupAnswer,
  cacheControl: string,
): void {
  const tag = `"${secret.sign('lookup tag', `${asker} ${version} ${digest} ${request.originalUrl}`)}"`;
  const isKnown = namesTag(request.headers, tag);
  if (!answerNotModified(request, response, cacheControl, tag, isKnown)) sendJsonText(response, body);
}
