import type { RequestHandler } from 'express';
import { areas, isBelow } from '../access.ts';

/** What takes a token or a session, and what is a customer's own. */
const privatePaths = [
  ...areas.map(({ path }) => path),
  '/api/session',
  '/api/2.0/usage',
  '/api/2.0/availability/jobs',
];
const isPrivate = (path: string) => privatePaths.some((one) => isBelow(path, one));

/** Headers of every answer: no guessing of types, and no caching of what is private unless a route allows it. */
export const securityHeaders: RequestHandler = (request, response, next) => {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (isPrivate(request.path)) {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    response.setHeader('Referrer-Policy', 'no-referrer');
  }
  next();
};
