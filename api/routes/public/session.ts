import { z } from 'zod';
import { beginSession, endSession, type Session as Started } from '../../../access/sessions.ts';
import { CovermapError } from '../../../platform/errors.ts';
import { NamedCustomer, NamedProvider, named, time } from '../../../platform/schemas.ts';
import type { ApiContext } from '../../context.ts';
import { answer, reply, routesFor } from '../../define-route.ts';
import { requireSameOrigin, sessionCookie, sessionOf, tokenOf } from '../../middleware/identity.ts';
import { filledLine } from '../../schemas/values.ts';

const Session = named('Session', {
  role: z.enum(['operator', 'staff', 'customer']),
  name: z.string().describe('The name of the token.'),
  provider: NamedProvider.nullable(),
  customer: NamedCustomer.nullable(),
  expires_at: time(),
  token_expires_at: time().describe('When the token behind the session expires.'),
  rehearsed_now: time()
    .nullable()
    .describe('In the demo, while a month is practised: what the clock of billing shows.'),
});

const path = '/api/session';
const tag = 'Sessions';
const setCookie = { headers: { 'Set-Cookie': { description: 'The session.' } } };

/** Signing in and out, for browsers. */
export const session = [
  routesFor({ who: 'anyone', tag }).post(path, {
    id: 'signIn',
    summary: 'Sign in with a token',
    description:
      'For browsers. Sets an HTTP-only session cookie that lasts 12 hours, but no longer than the token.',
    // A form of another page cannot send JSON, so it cannot sign anybody in as somebody else.
    body: z.object({ token: filledLine() }),
    example: { token: 'operator-demo' },
    answers: { 200: answer('The session.', Session, setCookie) },
    errors: ['token_unknown', 'not_same_origin', 'too_many_attempts', 'internal_error'],
    async handle(context, { body, request, response }) {
      const { database, config } = context;
      const fromPage =
        request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined;
      if (fromPage) requireSameOrigin(request, config.publicUrl);
      const identity = await tokenOf(context, request, body.token, 'sign_in');
      if (!identity) throw new CovermapError('token_unknown');
      const started = await beginSession(database, identity, request.ip);
      const { name, options } = sessionCookie(request, config.publicUrl);
      response.cookie(name, started.secret, { ...options, expires: started.expiresAt });
      return shown(context, started);
    },
  }),
  routesFor({ who: 'session', tag }).get(path, {
    id: 'getSession',
    summary: 'Get the current session',
    answers: { 200: answer('The session.', Session) },
    async handle(context, { request }) {
      const found = await sessionOf(context, request);
      if (!found) {
        throw new CovermapError('not_signed_in', 'Nobody is signed in.', 'Sign in with your token.');
      }
      return shown(context, found);
    },
  }),
  routesFor({ who: 'sessionOrAnyone', tag }).delete(path, {
    id: 'signOut',
    summary: 'Sign out',
    answers: { 204: { description: 'No session is left.' } },
    errors: ['not_same_origin', 'too_many_attempts', 'internal_error'],
    async handle(context, { request, response }) {
      const found = await sessionOf(context, request);
      if (found) await endSession(context.database, found.secret);
      const { name, options } = sessionCookie(request, context.config.publicUrl);
      response.clearCookie(name, options);
      return reply(204, undefined as never);
    },
  }),
];

function shown({ rehearsal }: ApiContext, { identity, expiresAt }: Started) {
  const { role, name, provider, customer, expiresAt: tokenEnds } = identity;
  const rehearsed_now = rehearsal?.isUnderWay() ? rehearsal.now() : null;
  return {
    role,
    name,
    provider,
    customer,
    expires_at: expiresAt,
    token_expires_at: tokenEnds,
    rehearsed_now,
  };
}
