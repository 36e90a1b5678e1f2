import { accountErrors } from '../openapi/operator-errors.ts';
import {
  answer,
  cents,
  day,
  format,
  integer,
  list,
  month,
  object,
  query,
  ref,
  security,
  tabular,
} from '../openapi/parts.ts';
import type { Description } from '../openapi/types.ts';
import { invoiceNumber, listOfInvoices, oneInvoice } from './invoices.openapi.ts';
import { queryMonth } from './usage.openapi.ts';

export const accountDescription: Description = {
  paths: {
    '/api/account': {
      get: {
        operationId: 'getAccount',
        tags: ['Account'],
        summary: 'A customer’s own account',
        security: security.token,
        responses: {
          200: answer(
            'The customer, its plan and the terms.',
            object({
              customer: ref('Customer'),
              today: day(),
              month: month(),
              plans: list(ref('Plan')),
              terms: object({ overage_cents: cents(), gst_percent: integer(), free_queries: integer() }),
              limit: ref('ShownLimit'),
              since: month('The first month of which there is something to show.'),
            }),
          ),
          ...accountErrors(),
        },
      },
    },
    '/api/account/usage': {
      get: {
        operationId: 'getOwnUsage',
        tags: ['Account'],
        summary: 'Usage of a month, by day and key',
        security: security.token,
        parameters: [queryMonth, format()],
        responses: {
          200: tabular('The month.', ref('CustomerUsage')),
          ...accountErrors({ 400: ['request_invalid'] }),
        },
      },
    },
    '/api/account/invoices': {
      get: {
        operationId: 'listOwnInvoices',
        tags: ['Account'],
        summary: 'Invoices, newest first',
        security: security.token,
        parameters: [query('month', 'Only of this month', month()), format()],
        responses: {
          200: tabular('The invoices.', listOfInvoices),
          ...accountErrors({ 400: ['request_invalid'] }),
        },
      },
    },
    '/api/account/invoices/{number}': {
      get: {
        operationId: 'getOwnInvoice',
        tags: ['Account'],
        summary: 'One invoice',
        security: security.token,
        parameters: [invoiceNumber, format(['json', 'csv', 'html'])],
        responses: {
          200: oneInvoice,
          ...accountErrors({ 400: ['request_invalid'], 404: ['invoice_unknown'] }),
        },
      },
    },
  },
};
