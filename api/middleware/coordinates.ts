import type { RequestHandler } from 'express';
import { decodePercent } from '../http/form-parameters.ts';

/**
 * Reads the two coordinates at the end of a path, which may be empty, into `response.locals.coordinates`; passes other paths to the next route.
 * The router's own parameters would refuse an undecodable path before the caller's key is checked.
 */
export const readCoordinates: RequestHandler = (request, response, next) => {
  const [, first, second] = /^\/([^/]*)\/([^/]*)\/?$/.exec(request.path) ?? [];
  if (first === undefined || second === undefined) return next('router');
  response.locals.coordinates = [decodePercent(first), decodePercent(second)];
  next();
};
