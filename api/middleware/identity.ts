import type { Request, RequestHandler } from 'express';
import type { Actor } from '../../core/access/actor.ts';
import { findSession } from '../../core/access/sessions.ts';
import { findToken, type Identity } from '../../core/access/tokens.ts';
import type { Database } from '../../core/database/database.ts';
import { CovermapError } from '../../core/errors.ts';

export const sessionCookie = 'covermap_session';
/** Longer than any secret of ours: not worth hashing. */
const longestSecret = 200;

const identities = new WeakMap<Request, Identity>();

/**
 * Lets a request pass whose token or session is good: `Authorization: Bearer <token>`, or the cookie that a sign-in has
 * set. A request that changes something and comes with a cookie has to come from a page of this origin.
 * @throws CovermapError `not_signed_in`, `not_same_origin`
 */
export function requireIdentity(database: Database): RequestHandler {
  return async (request, _response, next) => {
    const identity = await identify(database, request);
    if (!identity) throw notSignedIn();
    identities.set(request, identity);
    next();
  };
}

/** Lets only staff pass. @throws CovermapError `staff_only` */
export const requireStaff: RequestHandler = (request, _response, next) => {
  if (identityOf(request).role !== 'staff') {
    throw new CovermapError('staff_only', 'This is for the staff of the service.');
  }
  next();
};

/** Lets operators and staff pass, but no customers. @throws CovermapError `operators_only` */
export const requireOperator: RequestHandler = (request, _response, next) => {
  if (identityOf(request).role === 'customer') {
    throw new CovermapError(
      'operators_only',
      'This is for network operators.',
      'Your account is at /account.',
    );
  }
  next();
};

/** Lets only customers pass. @throws CovermapError `customers_only` */
export const requireCustomer: RequestHandler = (request, _response, next) => {
  if (identityOf(request).role !== 'customer') {
    throw new CovermapError(
      'customers_only',
      'This is for customers, who have tokens of their own.',
      'Staff see the same under /api/staff/customers.',
    );
  }
  next();
};

/** Who {@link requireIdentity} let pass. */
export function identityOf(request: Request): Identity {
  const identity = identities.get(request);
  if (!identity) throw new Error('identityOf was called before requireIdentity');
  return identity;
}

/** Who does what the request asks for. */
export function actorOf(request: Request): Actor {
  const { role, name, tokenId } = identityOf(request);
  return { kind: role, name, tokenId, address: request.ip };
}

/** Whose submissions the request may see. */
export function viewerOf(request: Request): { providerId: number | null } {
  return { providerId: identityOf(request).provider?.id ?? null };
}

async function identify(database: Database, request: Request): Promise<Identity | undefined> {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    return token && token.length <= longestSecret ? findToken(database, token) : undefined;
  }
  const secret = sessionSecretOf(request);
  if (secret === undefined) return undefined;
  requireSameOrigin(request);
  return (await findSession(database, secret))?.identity;
}

/** What the session's cookie says, if it is there. */
export function sessionSecretOf(request: Request): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at < 0 || pair.slice(0, at).trim() !== sessionCookie) continue;
    const secret = pair.slice(at + 1).trim();
    if (/^[0-9A-Za-z]+$/.test(secret) && secret.length <= longestSecret) return secret;
  }
  return undefined;
}

/**
 * Refuses what a page of another origin makes a browser do. The cookie is SameSite=Strict already; this also holds for
 * other origins of the same site.
 * @throws CovermapError `not_same_origin`
 */
export function requireSameOrigin(request: Request): void {
  if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  if (site === 'same-origin') return;
  if (site === undefined && hostOf(request.headers.origin) === request.host) return;
  throw new CovermapError(
    'not_same_origin',
    'This did not come from a page of this service.',
    'Scripts send their token as "Authorization: Bearer <token>", and no cookie.',
  );
}

function hostOf(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined;
}

function notSignedIn(): CovermapError {
  return new CovermapError(
    'not_signed_in',
    'This takes a token, or a session that was begun with one.',
    'Send "Authorization: Bearer <token>".',
  );
}
