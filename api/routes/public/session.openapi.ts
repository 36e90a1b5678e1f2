import {
  answer,
  codedErrors,
  integer,
  json,
  nullable,
  object,
  oneOf,
  ref,
  security,
  text,
  time,
} from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';

const setCookie = { 'Set-Cookie': { description: 'The session.', schema: text() } };

export const sessionDescription: Description = {
  paths: {
    '/api/session': {
      post: {
        operationId: 'signIn',
        tags: ['Sessions'],
        summary: 'Sign in with a token',
        description:
          'For browsers: the session is a cookie that no script can read, and lasts 12 hours, at most as long as the token.',
        security: security.nobody,
        requestBody: {
          required: true,
          content: { [json]: { schema: object({ token: text() }), example: { token: 'operator-demo' } } },
        },
        responses: {
          200: { ...answer('Signed in.', ref('Session')), headers: setCookie },
          ...codedErrors({
            400: ['request_invalid'],
            401: ['token_unknown'],
            403: ['not_same_origin'],
            429: ['too_many_attempts'],
            500: ['internal_error'],
          }),
        },
      },
      get: {
        operationId: 'getSession',
        tags: ['Sessions'],
        summary: 'Who is signed in',
        security: [{ session: [] }],
        responses: {
          200: answer('The session.', ref('Session')),
          ...codedErrors({ 401: ['not_signed_in'], 429: ['too_many_attempts'], 500: ['internal_error'] }),
        },
      },
      delete: {
        operationId: 'signOut',
        tags: ['Sessions'],
        summary: 'Sign out',
        security: [{ session: [] }, {}],
        responses: {
          204: { description: 'The session has ended, also where there was none.' },
          ...codedErrors({ 403: ['not_same_origin'], 429: ['too_many_attempts'], 500: ['internal_error'] }),
        },
      },
    },
  },
  schemas: {
    Session: object({
      role: oneOf(['operator', 'staff', 'customer']),
      name: text('Whose token it is.'),
      provider: nullable(ref('NamedProvider')),
      customer: nullable(ref('NamedCustomer')),
      expires_at: time(),
      token_expires_at: time('When the token ends that it was begun with.'),
    }),
    NamedProvider: object({ id: integer(), name: text() }),
    NamedCustomer: object({ id: integer(), name: text() }),
  },
};
