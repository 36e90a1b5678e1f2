import express, { type Response, Router } from 'express';
import { beginSession, endSession, findSession, type Session } from '../../core/access/sessions.ts';
import { CovermapError } from '../../core/errors.ts';
import type { ApiContext } from '../app.ts';
import { sendJson } from '../middleware/errors.ts';
import { requireSameOrigin, sessionCookie, sessionSecretOf } from '../middleware/identity.ts';
import { invalidRequest, otherMethods } from '../middleware/operator-errors.ts';
import { bodyObject } from '../request-values.ts';

/**
 * Signing in and out, for browsers.
 *
 *     POST   /api/session   {"token": "..."}: 200 the session, and its cookie
 *     GET    /api/session   200 the session; 401 where there is none
 *     DELETE /api/session   204
 */
export function session({ database }: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  const path = '/api/session';
  router.get(path, async (request, response) => {
    const secret = sessionSecretOf(request);
    const found = secret === undefined ? undefined : await findSession(database, secret);
    if (!found) throw new CovermapError('not_signed_in', 'Nobody is signed in.', 'Sign in with your token.');
    sendSession(response, found);
  });
  // A form of another page cannot send JSON, so nobody is signed in as somebody else without knowing.
  router.post(path, express.json({ limit: '10kb' }), async (request, response) => {
    const fromPage = request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined;
    if (fromPage) requireSameOrigin(request);
    const { token } = bodyObject(request);
    if (typeof token !== 'string' || token.trim() === '' || token.length > 200) {
      throw invalidRequest('"token" is missing.', 'Send {"token": "..."} as application/json.');
    }
    const begun = await beginSession(database, token.trim(), request.ip);
    response.cookie(sessionCookie, begun.secret, {
      ...cookieOptions(request.secure),
      expires: begun.expiresAt,
    });
    sendSession(response, begun);
  });
  router.delete(path, async (request, response) => {
    const secret = sessionSecretOf(request);
    if (secret !== undefined) {
      requireSameOrigin(request);
      await endSession(database, secret);
    }
    response.clearCookie(sessionCookie, cookieOptions(request.secure));
    response.status(204).end();
  });
  router.all(path, otherMethods('GET', 'POST', 'DELETE'));
  return router;
}

function cookieOptions(secure: boolean) {
  return { httpOnly: true, sameSite: 'strict', path: '/', secure } as const;
}

function sendSession(response: Response, { identity, expiresAt }: Session): void {
  const { role, name, provider, customer } = identity;
  response.setHeader('Cache-Control', 'no-store');
  sendJson(response, 200, { role, name, provider, customer, expires_at: expiresAt });
}
