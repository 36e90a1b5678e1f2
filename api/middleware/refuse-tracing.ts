import type { Request, RequestHandler } from 'express';
import { sendError } from '../errors.ts';
import { oddParameter } from '../http/plain-query.ts';

/** Parameters of version 2.0's lookup that change the question. */
const tracing = ['at', 'explain'];

export function tracingOf(request: Request): string | undefined {
  // Express reads the query each time.
  if (!request.url.includes('?')) return undefined;
  const { query } = request;
  return oddParameter(tracing, query) ?? tracing.find((name) => query[name] !== undefined);
}

/** Refuses `?at=` and `?explain=` on routes that do not know them: the caller would take, and pay for, the current answer as that of a day. */
export const refuseTracing: RequestHandler = (request, response, next) => {
  const given = tracingOf(request);
  if (given === undefined) return next();
  const sentence = `${given} is not a parameter of this request, only of GET /api/2.0/availability/<lat>/<lng>.`;
  sendError(response, 400, sentence);
};
