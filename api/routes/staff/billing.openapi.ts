import { staffErrors } from '../../openapi/operator-errors.ts';
import {
  answer,
  boolean,
  cents,
  day,
  integer,
  list,
  month,
  nullable,
  object,
  ref,
  security,
  text,
  time,
} from '../../openapi/parts.ts';
import type { Description } from '../../openapi/types.ts';

export const billingDescription: Description = {
  paths: {
    '/api/staff/billing': {
      get: {
        operationId: 'getBilling',
        tags: ['Billing'],
        summary: 'Plans, terms, and the month that is to be closed',
        security: security.token,
        responses: {
          200: answer(
            'What pages begin with.',
            object({
              today: day(),
              month: month(),
              since: month('The first month of which there is something to show.'),
              closed_through: nullable(month('Null where nothing was ever closed.')),
              next_close: object({ month: month(), over: boolean(), scheduled_for: nullable(time()) }),
              plans: list(ref('Plan')),
              terms: object({
                overage_cents: cents(),
                gst_percent: integer(),
                free_queries: integer(),
                due_days: integer('From an invoice to when it is due.'),
                first_processing_cents: cents(),
                later_processing_cents: cents(),
              }),
              limit: ref('ShownLimit'),
              confirm_from_cents: cents('An amount that is booked by hand is said twice from here on.'),
              has_gst_number: boolean('Whether invoices are tax invoices.'),
            }),
          ),
          ...staffErrors(),
        },
      },
    },
  },
  schemas: {
    Plan: object({
      name: text(),
      label: text(),
      bundled_queries: integer('A month.'),
      price_cents: cents('A month, cents without GST.'),
      offered: boolean('Whether it can be begun.'),
    }),
  },
};
