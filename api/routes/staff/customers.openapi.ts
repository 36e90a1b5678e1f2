import { staffErrors } from '../../openapi/operator-errors.ts';
import {
  answer,
  boolean,
  day,
  format,
  integer,
  json,
  list,
  month,
  nullable,
  object,
  oneOf,
  path,
  ref,
  security,
  tabular,
  text,
  time,
} from '../../openapi/parts.ts';
import type { Description, Operation, Schema } from '../../openapi/types.ts';

const base = '/api/staff/customers';
export const customerId = path('id', 'Of the customer', { type: 'integer' }, 1);
const tokenId = path('token', 'Of the token', { type: 'integer' }, 9);
const body = (schema: Schema, example: object): NonNullable<Operation['requestBody']> => ({
  required: true,
  content: { [json]: { schema, example } },
});
/** How a recipient of invoices can be reached. */
export const contactBody = body(
  object({ address: text(), contact: text() }, { optional: ['address', 'contact'] }),
  { address: '1 Queen Street\nAuckland 1010', contact: 'accounts@example.com' },
);
const changing = { 400: ['request_invalid'], 403: ['not_same_origin'], 404: ['customer_unknown'] };
const theCustomer = answer('The customer.', ref('Customer'));

export const customersDescription: Description = {
  paths: {
    [base]: {
      get: {
        operationId: 'listCustomers',
        tags: ['Billing'],
        summary: 'Customers, by name',
        security: security.token,
        parameters: [format()],
        responses: {
          200: tabular('The customers.', object({ customers: list(ref('ListedCustomer')) })),
          ...staffErrors({ 400: ['request_invalid'] }),
        },
      },
      post: {
        operationId: 'createCustomer',
        tags: ['Billing'],
        summary: 'A new customer, perhaps with a plan from a day',
        security: security.token,
        requestBody: body(
          object(
            { name: text(), plan: text(), begins: day('Today unless given.') },
            { optional: ['plan', 'begins'] },
          ),
          { name: 'Kea Homes', plan: 'low', begins: '2026-12-01' },
        ),
        responses: {
          201: { ...theCustomer, headers: { Location: { description: 'Where it is.', schema: text() } } },
          ...staffErrors({
            400: ['request_invalid'],
            403: ['not_same_origin'],
            409: ['customer_exists'],
            422: ['plan_unknown', 'plan_date_invalid'],
          }),
        },
      },
    },
    [`${base}/{id}`]: {
      get: {
        operationId: 'getCustomer',
        tags: ['Billing'],
        summary: 'A customer with plans, keys and tokens',
        security: security.token,
        parameters: [customerId],
        responses: { 200: theCustomer, ...staffErrors({ 404: ['customer_unknown'] }) },
      },
    },
    [`${base}/{id}/plan`]: {
      post: {
        operationId: 'setPlan',
        tags: ['Billing'],
        summary: 'Begin a plan, or change it from the first of a month to come',
        security: security.token,
        parameters: [customerId],
        requestBody: body(object({ plan: text(), begins: day() }, { optional: ['begins'] }), {
          plan: 'medium',
          begins: '2027-01-01',
        }),
        responses: {
          200: theCustomer,
          ...staffErrors({
            ...changing,
            409: ['customer_cancelled'],
            422: ['plan_unknown', 'plan_date_invalid'],
          }),
        },
      },
    },
    [`${base}/{id}/cancel`]: {
      post: {
        operationId: 'cancelCustomer',
        tags: ['Billing'],
        summary: 'Notice: the plan ends with the month after',
        security: security.token,
        parameters: [customerId],
        requestBody: body(object({ notice_on: day('Today unless given.') }, { optional: ['notice_on'] }), {
          notice_on: '2026-11-20',
        }),
        responses: {
          200: theCustomer,
          ...staffErrors({ ...changing, 409: ['customer_cancelled', 'no_plan'], 422: ['plan_date_invalid'] }),
        },
      },
      delete: {
        operationId: 'withdrawCancellation',
        tags: ['Billing'],
        summary: 'Take the notice back, before it takes effect',
        security: security.token,
        parameters: [customerId],
        responses: {
          200: theCustomer,
          ...staffErrors({
            403: ['not_same_origin'],
            404: ['customer_unknown'],
            409: ['customer_not_cancelled'],
          }),
        },
      },
    },
    [`${base}/{id}/overage`]: {
      post: {
        operationId: 'allowOverage',
        tags: ['Billing'],
        summary: 'Whether a customer without a plan is answered, and charged, after the free queries',
        security: security.token,
        parameters: [customerId],
        requestBody: body(object({ allowed: boolean() }), { allowed: true }),
        responses: { 200: theCustomer, ...staffErrors(changing) },
      },
    },
    [`${base}/{id}/contact`]: {
      post: {
        operationId: 'setContact',
        tags: ['Billing'],
        summary: 'The address and contact on invoices, from the next one on',
        security: security.token,
        parameters: [customerId],
        requestBody: contactBody,
        responses: { 200: theCustomer, ...staffErrors(changing) },
      },
    },
    [`${base}/{id}/tokens`]: {
      get: {
        operationId: 'listCustomerTokens',
        tags: ['Billing'],
        summary: 'The tokens with which a customer looks at its account',
        security: security.token,
        parameters: [customerId],
        responses: {
          200: answer('The tokens.', object({ tokens: list(ref('CustomerToken')) })),
          ...staffErrors({ 404: ['customer_unknown'] }),
        },
      },
      post: {
        operationId: 'createCustomerToken',
        tags: ['Billing'],
        summary: 'A new token',
        security: security.token,
        parameters: [customerId],
        requestBody: body(
          object(
            {
              name: text('Who will use it.'),
              days: integer('How long it is good; 365 unless given.', { minimum: 1, maximum: 3650 }),
            },
            { optional: ['days'] },
          ),
          { name: 'Ana', days: 365 },
        ),
        responses: {
          201: answer(
            'The secret is shown this once.',
            object({ token: ref('CustomerToken'), secret: text() }),
          ),
          ...staffErrors(changing),
        },
      },
    },
    [`${base}/{id}/tokens/{token}/revoke`]: {
      post: {
        operationId: 'revokeCustomerToken',
        tags: ['Billing'],
        summary: 'End a token, and the sessions begun with it',
        security: security.token,
        parameters: [customerId, tokenId],
        responses: {
          200: answer('The token.', ref('CustomerToken')),
          ...staffErrors({ 403: ['not_same_origin'], 404: ['customer_token_unknown'] }),
        },
      },
    },
  },
  schemas: {
    PlanPeriod: object({
      name: text(),
      label: text(),
      begins: day(),
      ends: nullable(day('The first day that is not in it.')),
    }),
    Customer: customerSchema(
      {
        periods: list(object({ plan: text(), label: text(), begins: day(), ends: nullable(day()) })),
        keys: list(ref('Key')),
        tokens: list(ref('CustomerToken'), 'For staff only.'),
        contact: ref('BillingContact'),
      },
      ['tokens'],
    ),
    BillingContact: object({
      address: text('As it is printed; empty where it is not known.'),
      contact: text('A mail address, a telephone number, an NZBN or a website; may be empty.'),
    }),
    ListedCustomer: customerSchema({ active_keys: integer() }),
    CustomerToken: object({
      id: integer(),
      name: text(),
      hint: text('How it begins.'),
      created_at: time(),
      expires_at: time(),
      revoked_at: nullable(time()),
      state: oneOf(['active', 'expiring', 'expired', 'revoked'], '`expiring`: it ends within 30 days.'),
    }),
  },
};

function customerSchema(more: Record<string, Schema>, optional: string[] = []): Schema {
  return object(
    {
      id: integer(),
      name: text(),
      created_at: time(),
      plan: nullable(ref('PlanPeriod')),
      next_plan: nullable(ref('PlanPeriod')),
      cancelled_on: nullable(day()),
      ends_on: nullable(day('The first day on which neither plan nor keys are good.')),
      free_queries: integer(),
      free_left: integer(),
      overage_allowed: boolean('Without a plan: answered, and charged, after the free queries.'),
      month: object({ month: month(), queries: integer(), bundle: integer() }),
      ...more,
    },
    { optional },
  );
}
