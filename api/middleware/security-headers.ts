import type { RequestHandler } from 'express';
import { areas, isBelow } from '../guards.ts';
import { everyAnswer } from '../http/every-answer.ts';
import { isHttps } from '../http/https.ts';

/** What takes a token or a session, and what is a customer's own. */
const privatePaths = [
  ...areas.map(({ path }) => path),
  '/api/session',
  '/api/2.0/usage',
  '/api/2.0/availability/jobs',
];
const isPrivate = (path: string) => privatePaths.some((one) => isBelow(path, one));
const headers = Object.entries(everyAnswer);

/** Headers of every answer, and no caching of what is private unless a route allows it. */
export const securityHeaders =
  ({ publicUrl }: { publicUrl?: string | undefined }): RequestHandler =>
  (request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    // For a year, browsers that were here come by https only.
    if (isHttps(request, publicUrl)) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    if (isPrivate(request.path)) response.setHeader('Cache-Control', 'no-store');
    next();
  };
