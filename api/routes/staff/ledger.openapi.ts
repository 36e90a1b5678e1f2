import { staffErrors } from '../../openapi/operator-errors.ts';
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
  path,
  query,
  ref,
  security,
  tabular,
  text,
  time,
} from '../../openapi/parts.ts';
import type { Description, Operation, Schema } from '../../openapi/types.ts';

const confirmed = cents('The same amount again: needed where it is large (`confirm_from_cents`).');

/** Something that staff book by hand. */
function byHand(operationId: string, summary: string, example: object): Operation {
  return {
    operationId,
    tags: ['Billing'],
    summary,
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
              confirm_amount_cents: confirmed,
              reason: text('The recipient reads it on the invoice.'),
              reference: text('The same one is booked once.'),
            },
            { optional: ['customer', 'provider', 'confirm_amount_cents', 'reference'] },
          ),
          example,
        },
      },
    },
    responses: {
      201: answer('Booked.', ref('LedgerEntry')),
      ...staffErrors({
        400: ['request_invalid'],
        403: ['not_same_origin'],
        404: ['customer_unknown', 'provider_unknown'],
        409: ['amount_unconfirmed', 'entry_exists'],
      }),
    },
  };
}

const entry: Record<string, Schema> = {
  id: integer(),
  account: object({ kind: oneOf(['customer', 'operator']), id: integer(), name: text() }),
  kind: text(),
  month: month(),
  description: text(),
  quantity: number(),
  unit_price_cents: cents(),
  amount_cents: cents(),
  booked_at: time(),
  corrects: nullable(integer('The entry that it takes back.')),
  left_cents: cents('What of it has not been taken back; 0 where it cannot be.'),
  invoice: nullable(integer('The number of the invoice that it is on.')),
  state: oneOf(
    ['unbilled', 'invoiced', 'settled'],
    '`unbilled`: the next invoice has it. `settled`: none has, as it was taken back before.',
  ),
};

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
    '/api/staff/ledger/{id}/reversal': {
      post: {
        operationId: 'reverseEntry',
        tags: ['Billing'],
        summary: 'Take an entry back, all that is left of it or a part: the reversal names it',
        security: security.token,
        parameters: [path('id', 'Of the entry', { type: 'integer' }, 311)],
        requestBody: {
          required: true,
          content: {
            [json]: {
              schema: object(
                {
                  reason: text(),
                  amount_cents: cents('Above zero. All that is left unless given.'),
                  confirm_amount_cents: confirmed,
                  reference: text('The same one is booked once.'),
                },
                { optional: ['amount_cents', 'confirm_amount_cents', 'reference'] },
              ),
              example: { reason: 'A digit too many' },
            },
          },
        },
        responses: {
          201: answer('Booked.', ref('LedgerEntry')),
          ...staffErrors({
            400: ['request_invalid'],
            403: ['not_same_origin'],
            404: ['entry_unknown'],
            409: ['entry_not_reversible', 'amount_too_large', 'amount_unconfirmed', 'entry_exists'],
          }),
        },
      },
    },
    '/api/staff/charges': {
      post: byHand('bookCharge', 'Charge a customer or an operator: it is on their next invoice', {
        customer: 1,
        amount_cents: 12000,
        reason: 'Support on Sunday, 8 November',
        reference: 'ticket-31',
      }),
    },
    '/api/staff/credits': {
      post: byHand('bookCredit', 'Credit a customer or an operator: it is on their next invoice', {
        customer: 1,
        amount_cents: 500,
        reason: 'Outage on 3 November',
        reference: 'ticket-12',
      }),
    },
  },
  schemas: {
    LedgerEntry: object({
      ...entry,
      cause: text(),
      source: { type: 'object', additionalProperties: true },
      booked_by: text(),
    }),
    OwnLedgerEntry: object(entry),
  },
};
