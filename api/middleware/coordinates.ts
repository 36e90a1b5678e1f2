import type { RequestHandler } from 'express';
import { readPair } from '../routes/availability/coordinates.ts';

/** Takes the two coordinates that a path ends with into `response.locals.coordinates`; any other path is not this one. */
export const readCoordinates: RequestHandler = (request, response, next) => {
  const pair = readPair(request.path);
  if (!pair) return next('router');
  response.locals.coordinates = pair;
  next();
};
