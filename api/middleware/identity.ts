import type { Request, RequestHandler } from 'express';
import type { Actor, Identity } from '../../access/actor.ts';
import { findSession } from '../../access/sessions.ts';
import { findToken } from '../../access/tokens.ts';
import { CovermapError } from '../../platform/errors.ts';
import type { ApiContext } from '../context.ts';
import { isHttps } from '../http/every-request.ts';
import { callerAt } from './address-limit.ts';
import { isLocalCaller } from './local-caller.ts';

/** Longer than any valid secret: not worth hashing. */
const maxSecretLength = 200;
/** A browser sends the service's cookie once, besides those of the same name that other hosts of the domain have set. */
const maxSessions = 10;

const identities = new WeakMap<Request, Identity>();

/**
 * Passes a request on if it has a valid token (`Authorization: Bearer <token>`) or session cookie. With a cookie, a request that changes data has
 * to come from a page of this origin. @throws CovermapError `not_signed_in`, `not_same_origin`, `too_many_attempts`
 */
export function requireIdentity(context: ApiContext): RequestHandler {
  return async (request, _response, next) => {
    const identity = await identify(context, request);
    if (!identity) {
      const hasToken = /^Bearer \S/i.test(request.headers.authorization ?? '');
      // One code, on which callers rely, and the sentence of the case.
      const { message, hint } = new CovermapError(hasToken ? 'token_unknown' : 'not_signed_in');
      throw new CovermapError('not_signed_in', message, hint);
    }
    identities.set(request, identity);
    next();
  };
}

/** The caller that {@link requireIdentity} has accepted. */
export function identityOf(request: Request): Identity {
  const identity = identities.get(request);
  if (!identity) throw new Error('identityOf was called before requireIdentity');
  return identity;
}

/** The caller, for the audit log. */
export function actorOf(request: Request): Actor {
  const { role, name, tokenId } = identityOf(request);
  return { kind: role, name, tokenId, address: request.ip };
}

/** The provider whose data the caller may see; null: all. */
export function viewerOf(request: Request): { providerId: number | null } {
  return { providerId: identityOf(request).provider?.id ?? null };
}

/** The owner of a request's token or session; undefined if it is not valid. @throws CovermapError `not_same_origin`, `too_many_attempts` */
export async function identify(context: ApiContext, request: Request): Promise<Identity | undefined> {
  const { authorization } = request.headers;
  if (authorization === undefined) return (await sessionOf(context, request))?.identity;
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (!token || token.length > maxSecretLength) return undefined;
  return tokenOf(context, request, token, 'token');
}

/** The owner of a token; undefined if it is not valid, or not from this address. */
export function tokenOf(
  { database, attempts }: ApiContext,
  request: Request,
  token: string,
  kind: 'token' | 'sign_in',
): Promise<Identity | undefined> {
  return attempts.attempt(kind, callerAt(request.ip ?? ''), token, async () => {
    const identity = await findToken(database, token);
    return identity && isGoodFrom(request, identity) ? identity : undefined;
  });
}

/** The session of a request's cookie, unless it has ended. @throws CovermapError `not_same_origin`, `too_many_attempts` */
export async function sessionOf(context: ApiContext, request: Request) {
  const { database, attempts, config } = context;
  const secrets = sessionSecretsOf(request, sessionCookie(request, config.publicUrl));
  if (secrets.length === 0) return undefined;
  requireSameOrigin(request, config.publicUrl);
  // One attempt: cookies planted by others do not count against the caller.
  return attempts.attempt('token', callerAt(request.ip ?? ''), secrets.join(';'), async () => {
    for (const secret of secrets) {
      const session = await findSession(database, secret);
      if (session && isGoodFrom(request, session.identity)) return { ...session, secret };
    }
    return undefined;
  });
}

function isGoodFrom(request: Request, { localOnly }: Identity): boolean {
  return !localOnly || isLocalCaller(request);
}

/** The session's cookie. With the prefix `__Host-`, which needs https, no other host of the domain can plant one; browsers refuse it without https. */
export function sessionCookie(request: Request, publicUrl: string | undefined) {
  const secure = isHttps(request, publicUrl);
  return {
    name: secure ? '__Host-covermap_session' : 'covermap_session',
    options: { httpOnly: true, sameSite: 'strict', path: '/', secure } as const,
  };
}

/** The values of all cookies of this name: without https, another host of the domain, or another port, may have set one that comes first. */
function sessionSecretsOf(request: Request, { name }: { name: string }): string[] {
  const secrets = new Set<string>();
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at < 0 || pair.slice(0, at).trim() !== name) continue;
    const secret = pair.slice(at + 1).trim();
    if (/^[0-9A-Za-z]+$/.test(secret) && secret.length <= maxSecretLength) secrets.add(secret);
    if (secrets.size === maxSessions) break;
  }
  return [...secrets];
}

/** Refuses requests from pages of another origin, also of the same site, which SameSite=Strict allows. @throws CovermapError `not_same_origin` */
export function requireSameOrigin(request: Request, publicUrl: string | undefined): void {
  if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  if (site === 'same-origin') return;
  const host = hostOf(request.headers.origin);
  if (site === undefined && host !== undefined && [request.host, hostOf(publicUrl)].includes(host)) return;
  throw new CovermapError('not_same_origin');
}

function hostOf(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined;
}
