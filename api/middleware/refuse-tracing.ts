import type { Request, RequestHandler } from 'express';
import { sendError } from '../errors.ts';

/** Parameters of the lookup of version 2.0 that change what is asked. */
const tracing = ['at', 'explain'];

/** The one of them that a request has. */
export function tracingOf(request: Request): string | undefined {
  // Express reads the query each time.
  if (!request.url.includes('?')) return undefined;
  const { query } = request;
  return tracing.find((name) => query[name] !== undefined);
}

/**
 * Refuses `?at=` and `?explain=` where only another lookup knows them: who asks for the coverage of a day would take the answer of now
 * for it, and pay for it.
 */
export const refuseTracing: RequestHandler = (request, response, next) => {
  const given = tracingOf(request);
  if (given === undefined) return next();
  const sentence = `${given} is not a parameter of this request, only of GET /api/2.0/availability/<lat>/<lng>.`;
  sendError(response, 400, sentence);
};
