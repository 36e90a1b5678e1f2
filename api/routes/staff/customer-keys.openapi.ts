import { accountErrors, staffErrors } from '../../openapi/operator-errors.ts';
import {
  answer,
  integer,
  json,
  list,
  nullable,
  object,
  oneOf,
  path,
  ref,
  security,
  text,
  time,
} from '../../openapi/parts.ts';
import type { Description, Parameter, PathItem } from '../../openapi/types.ts';
import { customerId } from './customers.openapi.ts';

const keyId = path('key', 'Of the key', { type: 'integer' }, 3);

/** The keys of a customer, for staff and for the customer. @param name ends the ids of the operations */
function keyPaths(
  base: string,
  name: string,
  tag: 'Billing' | 'Account',
  parameters: Parameter[],
  errors: typeof staffErrors,
): Record<string, PathItem> {
  const noCustomer = parameters.length > 0 ? ['customer_unknown'] : [];
  const unknown = noCustomer.length > 0 ? { 404: noCustomer } : {};
  const common = { tags: [tag] as [string], security: security.token };
  return {
    [base]: {
      get: {
        ...common,
        operationId: `listKeys${name}`,
        summary: 'Keys, newest first',
        parameters,
        responses: { 200: answer('The keys.', object({ keys: list(ref('Key')) })), ...errors(unknown) },
      },
      post: {
        ...common,
        operationId: `createKey${name}`,
        summary: 'A new key',
        parameters,
        requestBody: {
          required: false,
          content: {
            [json]: {
              schema: object({ label: text() }, { optional: ['label'] }),
              example: { label: 'Website' },
            },
          },
        },
        responses: {
          201: answer('The secret is shown this once.', object({ key: ref('Key'), secret: text() })),
          ...errors({
            400: ['request_invalid'],
            403: ['not_same_origin'],
            ...unknown,
            409: ['too_many_keys'],
          }),
        },
      },
    },
    [`${base}/{key}/rotate`]: {
      post: {
        ...common,
        operationId: `rotateKey${name}`,
        summary: 'Replace a key; both are good for a while',
        parameters: [...parameters, keyId],
        requestBody: {
          required: false,
          content: {
            [json]: {
              schema: object(
                { overlap_hours: integer('72 unless given.', { minimum: 0, maximum: 720 }) },
                { optional: ['overlap_hours'] },
              ),
              example: { overlap_hours: 72 },
            },
          },
        },
        responses: {
          201: answer(
            'The new key; its secret is shown this once.',
            object({ key: ref('Key'), secret: text(), replaced: ref('Key') }),
          ),
          ...errors({
            400: ['request_invalid'],
            403: ['not_same_origin'],
            404: ['key_unknown'],
            409: ['key_not_active'],
          }),
        },
      },
    },
    [`${base}/{key}/revoke`]: {
      post: {
        ...common,
        operationId: `revokeKey${name}`,
        summary: 'End a key at once',
        parameters: [...parameters, keyId],
        responses: {
          200: answer('The key.', ref('Key')),
          ...errors({ 403: ['not_same_origin'], 404: ['key_unknown'] }),
        },
      },
    },
  };
}

export const customerKeysDescription: Description = {
  paths: {
    ...keyPaths('/api/staff/customers/{id}/keys', 'OfCustomer', 'Billing', [customerId], staffErrors),
    ...keyPaths('/api/account/keys', '', 'Account', [], accountErrors),
  },
  schemas: {
    Key: object({
      id: integer(),
      label: text(),
      hint: text('How it begins.'),
      created_at: time(),
      state: oneOf(['active', 'expiring', 'expired', 'revoked']),
      expires_at: nullable(time()),
      revoked_at: nullable(time()),
      replaced_by: nullable(integer()),
      last_used: nullable(
        time('When the newest hour with a billable query began; when it was made, where that is later.'),
      ),
    }),
  },
};
