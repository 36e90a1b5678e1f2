import { staffErrors } from '../../openapi/operator-errors.ts';
import {
  cents,
  format,
  integer,
  list,
  object,
  oneOf,
  query,
  ref,
  security,
  tabular,
  text,
  time,
} from '../../openapi/parts.ts';
import type { Description, Schema } from '../../openapi/types.ts';

const statement = (entry: Schema) =>
  object({
    account: object({ kind: oneOf(['customer', 'operator']), id: integer(), name: text() }),
    as_of: time(),
    credit_cents: cents('The credit that the next invoice uses up. Cents with GST.'),
    invoices: list(ref('Invoice'), 'Newest first.'),
    unbilled: object({ entries: list(entry, 'Oldest first.'), subtotal_cents: cents() }),
  });

export const statementDescription: Description = {
  paths: {
    '/api/staff/statement': {
      get: {
        operationId: 'getStatement',
        tags: ['Billing'],
        summary: 'How an account stands: its credit, its invoices, and what is on none yet',
        security: security.token,
        parameters: [
          query('customer', 'Of this customer; or `provider`', integer(), '1'),
          query('provider', 'Of this operator', integer()),
          format(),
        ],
        responses: {
          200: tabular('How the account stands; its invoices as CSV.', ref('Statement')),
          ...staffErrors({ 400: ['request_invalid'], 404: ['customer_unknown', 'provider_unknown'] }),
        },
      },
    },
  },
  schemas: { Statement: statement(ref('LedgerEntry')), OwnStatement: statement(ref('OwnLedgerEntry')) },
};
