import type { RequestHandler } from 'express';
import { sendError } from '../errors.ts';
import { isAdmitted } from './rate-limit.ts';

/** Parameters of the lookup of version 2.0 that change what is asked. */
const tracing = ['at', 'explain'];

/**
 * Refuses `?at=` and `?explain=` where only another lookup knows them: who asks for the coverage of a day would take the answer of now
 * for it, and pay for it.
 */
export const refuseTracing: RequestHandler = async (request, response, next) => {
  const given = tracing.find((name) => request.query[name] !== undefined);
  if (given === undefined) return next();
  if (!(await isAdmitted(response))) return;
  const sentence = `${given} is not a parameter of this request, only of GET /api/2.0/availability/<lat>/<lng>.`;
  sendError(response, 400, sentence);
};
