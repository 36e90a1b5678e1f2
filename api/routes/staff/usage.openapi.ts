import { staffErrors } from '../../openapi/operator-errors.ts';
import {
  boolean,
  cents,
  day,
  format,
  integer,
  list,
  month,
  nullable,
  object,
  query,
  ref,
  security,
  tabular,
  text,
  time,
} from '../../openapi/parts.ts';
import type { Description, Schema } from '../../openapi/types.ts';
import { customerId } from './customers.openapi.ts';

export const queryMonth = query('month', 'The current one unless given', month(), '2026-11');

const figures: Record<string, Schema> = {
  queries: integer('Free, bundled and overage together.'),
  free: integer(),
  bundled: integer(),
  overage: integer(),
  overage_cents: cents(),
  plan_fee_cents: cents(),
};

export const usageDescription: Description = {
  paths: {
    '/api/staff/usage': {
      get: {
        operationId: 'getUsageOfAll',
        tags: ['Billing'],
        summary: 'Usage of a month, by customer and by day',
        security: security.token,
        parameters: [queryMonth, format()],
        responses: {
          200: tabular(
            'The month.',
            object({
              month: month(),
              closed: boolean(),
              as_of: time(),
              days: list(ref('DayQueries')),
              totals: object(figures),
              damaged_files: list(
                object({
                  host: text('The machine that has the file.'),
                  file: text('Where the file was moved to.'),
                  reason: text(),
                  found_at: time(),
                }),
                'Counts on the disks of API processes that were found in this month and could not be read: queries that are billed to nobody.',
              ),
              customers: list(
                object({
                  customer: ref('NamedCustomer'),
                  plan: nullable(object({ name: text(), label: text() })),
                  ...figures,
                  bundle: integer('What the plan includes.'),
                  projection: ref('Projection'),
                }),
              ),
            }),
          ),
          ...staffErrors({ 400: ['request_invalid'] }),
        },
      },
    },
    '/api/staff/customers/{id}/usage': {
      get: {
        operationId: 'getUsageOfCustomer',
        tags: ['Billing'],
        summary: 'A customer’s usage of a month, by day and key',
        security: security.token,
        parameters: [customerId, queryMonth, format()],
        responses: {
          200: tabular('The month.', ref('CustomerUsage')),
          ...staffErrors({ 400: ['request_invalid'], 404: ['customer_unknown'] }),
        },
      },
    },
  },
  schemas: {
    DayQueries: object({ date: day(), queries: integer() }),
    Projection: nullable(
      object(
        {
          queries: integer(),
          free: integer(),
          overage: integer(),
          overage_cents: cents(),
          plan_fee_cents: cents(),
          total_cents: cents(),
        },
        { description: 'What the month will come to if it goes on like this; null for one that is over.' },
      ),
    ),
    CustomerUsage: object({
      customer: ref('NamedCustomer'),
      month: month(),
      begins_at: time(),
      ends_at: time(),
      closed: boolean(),
      as_of: time(),
      plan: nullable(
        object({
          name: text(),
          label: text(),
          bundled_queries: integer(),
          price_cents: cents(),
          days: integer('For how many days of the month it holds.'),
          days_in_month: integer(),
        }),
      ),
      ...figures,
      bundle: integer('What the plan includes.'),
      free_left: integer(),
      overage_allowed: boolean('Whether queries after the free ones are answered now.'),
      projection: ref('Projection'),
      days: list(ref('DayQueries')),
      keys: list(object({ id: integer(), label: text(), hint: text(), queries: integer() })),
      limit: ref('ShownLimit'),
      invoice: nullable(integer('Its number, once the month is closed.')),
    }),
  },
};
