import { accountErrors } from '../../openapi/operator-errors.ts';
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
} from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';
import { contactBody } from '../staff/customers.openapi.ts';
import { invoiceNumber, listOfInvoices, ownInvoice } from '../staff/invoices.openapi.ts';
import { queryMonth } from '../staff/usage.openapi.ts';

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
              terms: object({
                overage_cents: cents(),
                gst_percent: integer(),
                free_queries: integer(),
                due_days: integer('From an invoice to when it is due.'),
              }),
              limit: ref('ShownLimit'),
              since: month('The first month of which there is something to show.'),
            }),
          ),
          ...accountErrors(),
        },
      },
    },
    '/api/account/statement': {
      get: {
        operationId: 'getOwnStatement',
        tags: ['Account'],
        summary: 'The credit, the invoices, and what is on none yet',
        security: security.token,
        parameters: [format()],
        responses: {
          200: tabular('How the account stands; its invoices as CSV.', ref('OwnStatement')),
          ...accountErrors({ 400: ['request_invalid'] }),
        },
      },
    },
    '/api/account/contact': {
      post: {
        operationId: 'setOwnContact',
        tags: ['Account'],
        summary: 'The address and contact on invoices, from the next one on',
        security: security.token,
        requestBody: contactBody,
        responses: {
          200: answer('As it is noted.', ref('BillingContact')),
          ...accountErrors({ 400: ['request_invalid'], 403: ['not_same_origin'] }),
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
          200: ownInvoice,
          ...accountErrors({ 400: ['request_invalid'], 404: ['invoice_unknown'] }),
        },
      },
    },
  },
};
