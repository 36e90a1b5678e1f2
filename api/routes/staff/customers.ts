import { z } from 'zod';
import { CustomerToken, listTokens, makeToken, revokeToken, tokenDays } from '../../../access/tokens.ts';
import { setContact } from '../../../billing/contacts.ts';
import {
  allowOverage,
  createCustomer,
  findCustomer,
  type ListedCustomer as Listed,
  listCustomers,
} from '../../../billing/customers.ts';
import { needsGstNumber, needsIdentifier } from '../../../billing/invoicing.ts';
import { previewPlan } from '../../../billing/plan-preview.ts';
import { cancelCustomer, cancelUpcomingPlan, setPlan, withdrawCancellation } from '../../../billing/plans.ts';
import { foundAmong } from '../../../billing/search.ts';
import type { ApiContext } from '../../context.ts';
import { answer, located, reply, routesFor } from '../../define-route.ts';
import { type Column, csv, fields } from '../../http/csv.ts';
import { Customer, contactBody, ListedCustomer, PlanPreview, planBilling } from '../../schemas/billing.ts';
import {
  dayIfGiven,
  filledLine,
  lineIfGiven,
  rowId,
  rowNumber,
  soughtIfGiven,
} from '../../schemas/values.ts';

const base = '/api/staff/customers';
const staff = routesFor({ who: 'staff', tag: 'Billing' });
const customer = { id: rowId('The ID of the customer') };
const ofCustomer = routesFor({ who: 'staff', tag: 'Billing', params: customer });
const theCustomer = { 200: answer('The customer.', Customer) };

const columns: readonly Column<Listed>[] = [
  ...fields('id', 'name'),
  ['plan', ({ plan }) => plan?.name ?? null],
  ['next_plan', ({ next_plan }) => next_plan?.name ?? null],
  ['next_plan_begins', ({ next_plan }) => next_plan?.begins ?? null],
  ...fields('cancelled_on', 'ends_on', 'free_left'),
  ['overage_allowed', ({ overage_allowed }) => String(overage_allowed)],
  ['queries_this_month', ({ month }) => month.queries],
  ['bundle_this_month', ({ month }) => month.bundle],
  ...fields('active_keys'),
];

/** Customers, their plans, and the tokens with which they sign in to their account. */
export const customers = [
  staff.get(base, {
    id: 'listCustomers',
    summary: 'List customers',
    query: z.object({ q: soughtIfGiven() }),
    formats: ['json', 'csv'],
    answers: { 200: answer('The customers, by name.', z.object({ customers: z.array(ListedCustomer) })) },
    async handle({ database, now }, { query, format }) {
      const listed = foundAmong(await listCustomers(database, now()), query.q, ({ id, name }) => ({
        names: [name],
        number: id,
        cents: [],
      }));
      return format === 'csv' ? csv('customers', columns, listed) : { customers: [...listed] };
    },
  }),
  staff.post(base, {
    id: 'createCustomer',
    summary: 'Create a customer, optionally with a plan',
    body: z
      .object({
        name: filledLine(),
        plan: lineIfGiven(),
        begins: dayIfGiven().describe('Today by default.'),
        ...planBilling,
      })
      .refine(({ plan, begins }) => plan !== undefined || begins === undefined, {
        error: '"begins" needs a "plan".',
      }),
    example: { name: 'Kea Homes', plan: 'low', begins: '2026-12-01', contact: contactBody.example },
    answers: { 201: answer('The customer.', Customer, located('The URL of the customer.')) },
    errors: ['customer_exists', 'plan_unknown', 'plan_date_invalid', 'invoice_held_back', 'preview_outdated'],
    async handle(context, { body: { total_cents: expectedCents, ...body }, actor }) {
      const { database, now } = context;
      const id = await createCustomer(database, { ...body, expectedCents }, actor, now());
      return reply(201, await shown(context, id), { Location: `${base}/${id}` });
    },
  }),
  staff.get('/api/staff/plans/preview', {
    id: 'previewPlan',
    summary: 'Preview what starting or changing a plan issues',
    query: z.object({
      plan: filledLine().meta({ example: 'medium' }),
      begins: dayIfGiven(),
      customer: rowNumber('The ID of the customer; a new one by default').optional(),
    }),
    answers: { 200: answer('The invoices.', PlanPreview) },
    errors: ['customer_unknown', 'customer_cancelled', 'plan_unknown', 'plan_date_invalid'],
    async handle({ database, now }, { query: { customer, ...change } }) {
      const { invoices, ...preview } = await previewPlan(database, customer, change, now());
      return {
        ...preview,
        invoices: invoices.map(
          ({ number: _, occasion: _o, recipient: _r, issuer, usage: _u, settlements: _s, ...invoice }) => {
            const {
              state: _t,
              paid_cents: _p,
              credited_cents: _c,
              written_off_cents: _w,
              balance_cents: _b,
              account_code: _a,
              ...drafted
            } = invoice;
            return {
              ...drafted,
              needs_identifier: needsIdentifier(invoice),
              lacks_gst_number: needsGstNumber(invoice) && issuer.gst_number === '',
              lines: invoice.lines.map(({ entry, ...line }) => ({ ...line, source: entry.source })),
            };
          },
        ),
      };
    },
  }),
  ofCustomer.get(`${base}/{id}`, {
    id: 'getCustomer',
    summary: 'Get a customer with its plans, keys and tokens',
    answers: theCustomer,
    handle: (context, { params }) => shown(context, params.id),
  }),
  ofCustomer.post(`${base}/{id}/plan`, {
    id: 'setPlan',
    summary: 'Start or change a plan',
    description:
      'A plan that begins today or earlier is invoiced at once, and not started where its invoice would lack what the law asks for. `GET /api/staff/plans/preview` shows the invoice.',
    body: z.object({
      plan: filledLine().describe('`none` cancels a plan or a change that is yet to begin.'),
      begins: dayIfGiven(),
      ...planBilling,
    }),
    example: { plan: 'medium', begins: '2027-01-01' },
    answers: theCustomer,
    errors: [
      'customer_cancelled',
      'no_plan',
      'plan_unknown',
      'plan_date_invalid',
      'invoice_held_back',
      'preview_outdated',
    ],
    async handle(context, { params: { id }, body: { total_cents: expectedCents, ...body }, actor }) {
      const { database, now } = context;
      if (body.plan === 'none') await cancelUpcomingPlan(database, id, actor, now());
      else await setPlan(database, id, { ...body, expectedCents }, actor, now());
      return shown(context, id);
    },
  }),
  ofCustomer.post(`${base}/{id}/cancel`, {
    id: 'cancelCustomer',
    summary: 'Cancel a customer’s subscription',
    body: z.object({ notice_on: dayIfGiven().describe('Today by default.') }),
    example: { notice_on: '2026-11-20' },
    answers: theCustomer,
    errors: ['customer_cancelled', 'no_plan', 'plan_date_invalid'],
    async handle(context, { params, body, actor }) {
      await cancelCustomer(context.database, params.id, body.notice_on, actor, context.now());
      return shown(context, params.id);
    },
  }),
  ofCustomer.delete(`${base}/{id}/cancel`, {
    id: 'withdrawCancellation',
    summary: 'Withdraw a cancellation',
    answers: theCustomer,
    errors: ['customer_not_cancelled'],
    async handle(context, { params, actor }) {
      await withdrawCancellation(context.database, params.id, actor, context.now());
      return shown(context, params.id);
    },
  }),
  ofCustomer.post(`${base}/{id}/overage`, {
    id: 'allowOverage',
    summary: 'Allow or refuse overage without a plan',
    body: z.object({ allowed: z.boolean() }),
    example: { allowed: true },
    answers: theCustomer,
    async handle(context, { params, body, actor }) {
      await allowOverage(context.database, params.id, body.allowed, actor);
      return shown(context, params.id);
    },
  }),
  ofCustomer.post(`${base}/{id}/contact`, {
    id: 'setContact',
    summary: 'Set the address and contact for invoices',
    ...contactBody,
    answers: theCustomer,
    async handle(context, { params, body, actor }) {
      await setContact(context.database, { kind: 'customer', id: params.id }, body, actor);
      return shown(context, params.id);
    },
  }),
  ofCustomer.get(`${base}/{id}/tokens`, {
    id: 'listCustomerTokens',
    summary: 'List a customer’s tokens',
    answers: { 200: answer('The tokens.', z.object({ tokens: z.array(CustomerToken) })) },
    handle: async (context, { params }) => ({ tokens: await tokensOf(context, params.id) }),
  }),
  ofCustomer.post(`${base}/{id}/tokens`, {
    id: 'createCustomerToken',
    summary: 'Create a token for a customer',
    body: z.object({
      name: filledLine().describe('Who uses the token.'),
      days: z
        .int()
        .min(1)
        .max(tokenDays.max)
        .optional()
        .describe('The days until the token expires; 365 by default.'),
    }),
    example: { name: 'Ana', days: 365 },
    answers: {
      201: answer(
        'The token and its secret, which is shown only once.',
        z.object({ token: CustomerToken, secret: z.string() }),
      ),
    },
    async handle(context, { params, body: { name, days }, actor }) {
      const owner = { role: 'customer', customerId: params.id } as const;
      const { id, secret } = await makeToken(context.database, owner, name, actor, { days });
      const token = await tokenOf(context, params.id, id);
      return reply(201, { token, secret }, { 'Cache-Control': 'no-store' });
    },
  }),
  staff.post(`${base}/{id}/tokens/{token}/revoke`, {
    id: 'revokeCustomerToken',
    summary: 'Revoke a token and end its sessions',
    params: { ...customer, token: rowId('The ID of the token', 9) },
    answers: { 200: answer('The token.', CustomerToken) },
    async handle(context, { params, actor }) {
      await revokeToken(context.database, params.token, actor, params.id);
      return tokenOf(context, params.id, params.token);
    },
  }),
];

async function shown(context: ApiContext, id: number) {
  return {
    ...(await findCustomer(context.database, id, context.now())),
    tokens: await tokensOf(context, id),
  };
}

async function tokensOf({ database }: ApiContext, id: number) {
  const tokens = await listTokens(database, id);
  return tokens.map(({ role: _, provider: __, customer: ___, ...token }) => token);
}

async function tokenOf(context: ApiContext, customerId: number, id: number) {
  const token = (await tokensOf(context, customerId)).find((one) => one.id === id);
  if (!token) throw new Error(`token ${id} is not one of customer ${customerId}`);
  return token;
}
