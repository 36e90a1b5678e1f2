import type { RequestHandler } from 'express';
import { areas, isBelow } from '../guards.ts';
import { everyAnswer } from '../http/every-answer.ts';
import { isHttps } from '../http/https.ts';

/** Paths that take a token or a session, and customers' own. */
const privatePaths = [
  ...areas.map(({ path }) => path),
  '/api/session',
  '/api/2.0/usage',
  '/api/2.0/availability/jobs',
];
const isPrivate = (path: string) => privatePaths.some((one) => isBelow(path, one));
const headers = Object.entries(everyAnswer);

/** Headers of every answer. Private answers are not cached unless a route allows it. */
export const securityHeaders =
  ({ publicUrl }: { publicUrl?: string | undefined }): RequestHandler =>
  (request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    // For a year, returning browsers use https only.
    if (isHttps(request, publicUrl)) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    if (isPrivate(request.path)) response.setHeader('Cache-Control', 'no-store');
    next();
  };
