import { staffErrors } from '../../openapi/operator-errors.ts';
import {
  answer,
  integer,
  list,
  nullable,
  object,
  oneOf,
  query,
  ref,
  security,
  text,
  time,
  uuid,
} from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';

export const auditDescription: Description = {
  paths: {
    '/api/staff/audit': {
      get: {
        operationId: 'listAuditEvents',
        tags: ['Staff'],
        summary: 'Who did what, when, from where; newest first',
        security: security.token,
        parameters: [
          query('limit', 'How many, 100 unless given', integer(undefined, { minimum: 1, maximum: 500 })),
          query('before', 'What the page before had as `next`', text()),
          query('submission', 'Only of this submission', uuid()),
          query('dataset', 'Only of this version', integer()),
          query('provider', 'Only of the provider with this name', text()),
        ],
        responses: {
          200: answer('A page of them.', object({ events: list(ref('AuditEvent')), next: nullable(text()) })),
          ...staffErrors({ 400: ['request_invalid'] }),
        },
      },
    },
  },
  schemas: {
    AuditEvent: object({
      id: integer(),
      at: time(),
      actor: object({
        kind: oneOf(['operator', 'staff', 'customer', 'command', 'service']),
        name: text(),
        token_id: nullable(integer()),
      }),
      address: nullable(text()),
      action: text(),
      provider: nullable(text()),
      customer: nullable(text()),
      submission_id: nullable(uuid()),
      dataset_id: nullable(integer()),
      details: { type: 'object', additionalProperties: true },
    }),
  },
};
