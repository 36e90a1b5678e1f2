import { staffErrors } from '../openapi/operator-errors.ts';
import {
  answer,
  cents,
  format,
  integer,
  json,
  list,
  month,
  nullable,
  number,
  object,
  oneOf,
  query,
  ref,
  security,
  tabular,
  text,
  time,
} from '../openapi/parts.ts';
import type { Description } from '../openapi/types.ts';

export const ledgerDescription: Description = {
  paths: {
    '/api/staff/ledger': {
      get: {
        operationId: 'listLedgerEntries',
        tags: ['Billing'],
        summary: 'What was booked, newest first',
        security: security.token,
        parameters: [
          query('customer', 'Only of this customer', integer()),
          query('provider', 'Only of this operator', integer()),
          query('month', 'Only of this month', month()),
          query('before', 'What the page before had as `next`', text()),
          query('limit', 'How many, 100 unless given', integer(undefined, { minimum: 1, maximum: 500 })),
          format(),
        ],
        responses: {
          200: tabular(
            'A page of entries.',
            object({ entries: list(ref('LedgerEntry')), next: nullable(text()) }),
          ),
          ...staffErrors({ 400: ['request_invalid'] }),
        },
      },
    },
    '/api/staff/credits': {
      post: {
        operationId: 'bookCredit',
        tags: ['Billing'],
        summary: 'Credit a customer or an operator: it is on their next invoice',
        security: security.token,
        requestBody: {
          required: true,
          content: {
            [json]: {
              schema: object(
                {
                  customer: integer('Its id; or `provider`.'),
                  provider: integer(),
                  amount_cents: cents(),
                  reason: text(),
                  reference: text('The same one is booked once.'),
                },
                { optional: ['customer', 'provider', 'reference'] },
              ),
              example: {
                customer: 1,
                amount_cents: 500,
                reason: 'Outage on 3 November',
                reference: 'ticket-12',
              },
            },
          },
        },
        responses: {
          201: answer('Booked.', ref('LedgerEntry')),
          ...staffErrors({
            400: ['request_invalid'],
            403: ['not_same_origin'],
            404: ['customer_unknown', 'provider_unknown'],
            409: ['entry_exists'],
          }),
        },
      },
    },
  },
  schemas: {
    LedgerEntry: object({
      id: integer(),
      account: object({ kind: oneOf(['customer', 'operator']), id: integer(), name: text() }),
      kind: text(),
      month: month(),
      description: text(),
      quantity: number(),
      unit_price_cents: cents(),
      amount_cents: cents(),
      cause: text(),
      source: { type: 'object', additionalProperties: true },
      booked_at: time(),
      booked_by: text(),
      invoice: nullable(integer('Its number; null for what the next one will have.')),
    }),
  },
};
