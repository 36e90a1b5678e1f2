import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  applyCredit,
  findPayment,
  type InvoicePart,
  listPayments,
  Payment,
  paymentMethods,
  recordPayment,
  recordRefund,
  reverseSettling,
  writeOff,
} from '../../../billing/receivables/payments.ts';
import { cents, day } from '../../../platform/schemas.ts';
import { accountNamed } from '../../billing.ts';
import { answer, reply, routesFor } from '../../define-route.ts';
import { pageOf } from '../../http/page.ts';
import { accountFilter, namesOneAtMost } from '../../schemas/billing.ts';
import { filledLine, line, nextPage, rowId, wholeNumber } from '../../schemas/values.ts';

const staff = routesFor({ who: 'staff', tag: 'Billing' });

const maxCents = 1_000_000_000;
const maxPage = 500;
const maxInvoices = 50;

const amount = () => cents('Cents of New Zealand dollars, including GST.').min(1).max(maxCents);
const row = () => z.int().min(1).max(999_999_999);
const account = {
  customer: row().optional().describe('The ID of the customer. Give this or `provider`.'),
  provider: row().optional(),
};
const namesOne = [
  ({ customer, provider }: { customer?: number | undefined; provider?: number | undefined }) =>
    (customer === undefined) !== (provider === undefined),
  { error: 'Name a "customer" or a "provider" by its number.' },
] as const;
const moved = {
  ...account,
  day: day().describe('The day on the bank’s statement.'),
  amount_cents: amount(),
  currency: z.literal('NZD', { error: 'has to be NZD: other currencies are not kept.' }).optional(),
  method: z.enum(paymentMethods).default('bank_transfer'),
  particulars: line(12).default(''),
  code: line(12).default(''),
  reference: line(12).default(''),
};
const once = {
  request_id: line(100).optional().describe('Nothing is recorded twice with the same one.'),
};
const confirmed = {
  confirm_amount_cents: amount()
    .optional()
    .describe('The same amount, repeated. Required from `confirm_from_cents` on.'),
  confirm: z.boolean().default(false).describe('Whether it is meant although `payment_unconfirmed` asks.'),
};
const seenLeft = 'What was seen to be left. If it has changed, as by the same request, nothing is done.';
const allocations = z.array(z.object({ invoice: row(), amount_cents: amount() })).max(maxInvoices);
const partsOf = (parts: readonly { invoice: number; amount_cents: number }[]): InvoicePart[] =>
  parts.map(({ invoice, amount_cents }) => ({ invoice, cents: amount_cents }));

const causeOf = (kind: string, { request_id: id }: { request_id?: string | undefined }) =>
  `${kind}:${id || randomUUID()}`;

/** Money in and out of accounts, and what it settles. */
export const payments = [
  staff.get('/api/staff/payments', {
    id: 'listPayments',
    summary: 'List payments, refunds and write-offs',
    query: z
      .object({ ...accountFilter, before: nextPage(), limit: wholeNumber(1, maxPage).optional() })
      .refine(...namesOneAtMost),
    answers: {
      200: answer(
        'A page, newest first.',
        z.object({ payments: z.array(Payment), next: z.string().nullable() }),
      ),
    },
    async handle({ database }, { query }) {
      const count = query.limit ?? 100;
      const before = query.before === undefined ? undefined : Number(query.before);
      const found = await listPayments(database, { account: accountNamed(query), before, limit: count + 1 });
      const { rows, next } = pageOf(found, count);
      return { payments: rows, next };
    },
  }),
  staff.get('/api/staff/payments/{id}', {
    id: 'getPayment',
    summary: 'Get a payment, a refund, a write-off or a reversal',
    params: { id: rowId('The ID of its entry', 311) },
    unknown: 'entry_unknown',
    answers: { 200: answer('It, with what it settles.', Payment) },
    handle: ({ database }, { params }) => findPayment(database, params.id),
  }),
  staff.post('/api/staff/payments', {
    id: 'recordPayment',
    summary: 'Record a payment',
    description: 'What is allocated to no invoice becomes the account’s credit, which its next invoice uses.',
    body: z
      .object({
        ...moved,
        allocations: allocations.default([]).describe('The invoices that it pays, each with its part.'),
        ...once,
        confirm: confirmed.confirm,
      })
      .refine(...namesOne),
    example: {
      customer: 1,
      day: '2026-11-02',
      amount_cents: 57500,
      reference: 'INV 12',
      allocations: [{ invoice: 12, amount_cents: 57500 }],
    },
    answers: { 201: answer('The payment.', Payment) },
    errors: [
      'customer_unknown',
      'provider_unknown',
      'payments_in_xero',
      'payment_day_invalid',
      'period_locked',
      'allocation_invalid',
      'payment_unconfirmed',
      'payment_exists',
    ],
    async handle({ database, config, now }, { body, actor }) {
      const payment = {
        ...body,
        account: accountOf(body),
        cents: body.amount_cents,
        allocations: partsOf(body.allocations),
        cause: causeOf('payment', body),
      };
      const id = await recordPayment(
        database,
        payment,
        answered(body, config.confirmFromCents),
        actor,
        now(),
      );
      return reply(201, await findPayment(database, id));
    },
  }),
  staff.post('/api/staff/refunds', {
    id: 'recordRefund',
    summary: 'Record that credit was paid back',
    body: z.object({ ...moved, ...once, ...confirmed }).refine(...namesOne),
    example: { customer: 1, day: '2026-11-02', amount_cents: 500 },
    answers: { 201: answer('The refund.', Payment) },
    errors: [
      'customer_unknown',
      'provider_unknown',
      'payments_in_xero',
      'payment_day_invalid',
      'period_locked',
      'credit_too_small',
      'amount_unconfirmed',
      'payment_unconfirmed',
      'payment_exists',
    ],
    async handle({ database, config, now }, { body, actor }) {
      const refund = {
        ...body,
        account: accountOf(body),
        cents: body.amount_cents,
        cause: causeOf('refund', body),
      };
      const id = await recordRefund(database, refund, answered(body, config.confirmFromCents), actor, now());
      return reply(201, await findPayment(database, id));
    },
  }),
  staff.post('/api/staff/credit-allocations', {
    id: 'applyCredit',
    summary: 'Pay invoices with an account’s credit',
    body: z
      .object({
        ...account,
        allocations: z
          .array(
            z.object({ invoice: row(), amount_cents: amount(), left_cents: amount().describe(seenLeft) }),
          )
          .min(1)
          .max(maxInvoices),
      })
      .refine(...namesOne),
    example: { customer: 1, allocations: [{ invoice: 12, amount_cents: 500, left_cents: 57500 }] },
    answers: { 204: { description: 'The credit is allocated.' } },
    errors: [
      'customer_unknown',
      'provider_unknown',
      'payments_in_xero',
      'allocation_invalid',
      'preview_outdated',
    ],
    async handle({ database, now }, { body, actor }) {
      const parts = body.allocations.map(({ invoice, amount_cents, left_cents }) => {
        return { invoice, cents: amount_cents, leftCents: left_cents };
      });
      await applyCredit(database, accountOf(body), parts, actor, now());
      return reply(204, undefined);
    },
  }),
  staff.post('/api/staff/invoices/{number}/write-off', {
    id: 'writeOffInvoice',
    summary: 'Write off what is left to pay of an invoice',
    params: { number: rowId('The number of the invoice') },
    unknown: 'invoice_unknown',
    body: z.object({
      reason: filledLine(300),
      amount_cents: amount()
        .optional()
        .describe('What was seen to be left. If it has changed, nothing is done.'),
      confirm_amount_cents: confirmed.confirm_amount_cents,
      ...once,
    }),
    example: { reason: 'The company is in liquidation' },
    answers: { 201: answer('The write-off.', Payment) },
    errors: [
      'payments_in_xero',
      'invoice_settled',
      'preview_outdated',
      'amount_unconfirmed',
      'payment_exists',
    ],
    async handle({ database, config, now }, { params, body, actor }) {
      const about = {
        reason: body.reason,
        expectedCents: body.amount_cents,
        cause: causeOf('write_off', body),
      };
      const asked = { confirmedCents: body.confirm_amount_cents, largeFromCents: config.confirmFromCents };
      const id = await writeOff(database, params.number, about, asked, actor, now());
      return reply(201, await findPayment(database, id));
    },
  }),
  staff.post('/api/staff/payments/{id}/reversal', {
    id: 'reversePayment',
    summary: 'Reverse a payment, a refund or a write-off',
    description:
      'As a whole, as of today: the invoices that it settled are open again, and refunded credit is back.',
    params: { id: rowId('The ID of its entry', 311) },
    unknown: 'entry_unknown',
    body: z.object({ reason: filledLine(300), ...once }),
    example: { reason: 'Recorded for the wrong customer' },
    answers: { 201: answer('The reversal.', Payment) },
    errors: ['entry_not_reversible', 'payments_in_xero', 'payment_exists'],
    async handle({ database, now }, { params, body, actor }) {
      const about = { reason: body.reason, cause: causeOf('reversal', body) };
      const id = await reverseSettling(database, params.id, about, actor, now());
      return reply(201, await findPayment(database, id));
    },
  }),
];

function accountOf(named: Parameters<typeof accountNamed>[0]) {
  const found = accountNamed(named);
  if (!found) throw new Error('no account is named');
  return found;
}

const answered = (
  body: { confirm_amount_cents?: number | undefined; confirm: boolean },
  largeFromCents: number,
) => ({ confirmedCents: body.confirm_amount_cents, confirmed: body.confirm, largeFromCents });
