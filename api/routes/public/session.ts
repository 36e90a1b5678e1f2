import express, { type Response, Router } from 'express';
import { beginSession, endSession, type Session } from '../../../core/access/sessions.ts';
import { CovermapError } from '../../../core/errors.ts';
import type { ApiContext } from '../../context.ts';
import { sendJson } from '../../middleware/errors.ts';
import { requireSameOrigin, sessionCookie, sessionOf, tokenOf } from '../../middleware/identity.ts';
import { invalidRequest, otherMethods } from '../../middleware/operator-errors.ts';
import { bodyObject } from '../../request-values.ts';

/**
 * Signing in and out, for browsers.
 *
 *     POST   /api/session   {"token": "..."}: 200 the session, and its cookie
 *     GET    /api/session   200 the session; 401 where there is none
 *     DELETE /api/session   204
 */
export function session(context: ApiContext): Router {
  const { database, config } = context;
  const router = Router({ caseSensitive: true });
  const path = '/api/session';
  router.get(path, async (request, response) => {
    const found = await sessionOf(context, request);
    if (!found) throw new CovermapError('not_signed_in', 'Nobody is signed in.', 'Sign in with your token.');
    sendSession(response, found);
  });
  // A form of another page cannot send JSON, so nobody is signed in as somebody else without knowing.
  router.post(path, express.json({ limit: '10kb' }), async (request, response) => {
    const fromPage = request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined;
    if (fromPage) requireSameOrigin(request, config.publicUrl);
    const { token } = bodyObject(request);
    if (typeof token !== 'string' || token.trim() === '' || token.length > 200) {
      throw invalidRequest('"token" is missing.', 'Send {"token": "..."} as application/json.');
    }
    const identity = await tokenOf(context, request, token.trim(), 'sign_in');
    if (!identity) throw tokenUnknown();
    const begun = await beginSession(database, identity, request.ip);
    const { name, options } = sessionCookie(request, config.publicUrl);
    response.cookie(name, begun.secret, { ...options, expires: begun.expiresAt });
    sendSession(response, begun);
  });
  router.delete(path, async (request, response) => {
    const found = await sessionOf(context, request);
    if (found) await endSession(database, found.secret);
    const { name, options } = sessionCookie(request, config.publicUrl);
    response.clearCookie(name, options);
    response.status(204).end();
  });
  router.all(path, otherMethods('GET', 'POST', 'DELETE'));
  return router;
}

function tokenUnknown(): CovermapError {
  return new CovermapError(
    'token_unknown',
    'This token is not known, has been revoked, or has expired.',
    'Check that it was copied whole. The people who run this service can make you a new one.',
  );
}

function sendSession(response: Response, { identity, expiresAt }: Session): void {
  const { role, name, provider, customer, expiresAt: tokenEnds } = identity;
  const ends = { expires_at: expiresAt, token_expires_at: tokenEnds };
  sendJson(response, 200, { role, name, provider, customer, ...ends });
}
