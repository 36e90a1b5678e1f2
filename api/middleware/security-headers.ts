import type { RequestHandler } from 'express';
import { areas } from '../access.ts';

/** Beside what takes a token or a session: what is a customer's own. */
const privatePaths = [
  ...areas.map(({ path }) => path),
  '/api/session',
  '/api/2.0/usage',
  '/api/2.0/availability/jobs',
];
const isPrivate = (path: string) => privatePaths.some((one) => path === one || path.startsWith(`${one}/`));

/** What is said of every answer: nobody guesses its type, and what is private is kept by nobody, unless a route says so. */
export const securityHeaders: RequestHandler = (request, response, next) => {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (isPrivate(request.path)) {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    response.setHeader('Referrer-Policy', 'no-referrer');
  }
  next();
};
