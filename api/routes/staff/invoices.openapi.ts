import { staffErrors } from '../../openapi/operator-errors.ts';
import {
  answer,
  boolean,
  cents,
  day,
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
import type { Answer, Description, Schema } from '../../openapi/types.ts';

const base = '/api/staff/invoices';
export const invoiceNumber = path('number', 'Of the invoice', { type: 'integer' }, 17);

export const listOfInvoices = object({ invoices: list(ref('Invoice')), totals: ref('InvoiceTotals') });

/** An invoice: JSON, its lines as CSV, or a page that prints. */
function invoiceAs(schema: 'InvoiceDetail' | 'OwnInvoiceDetail'): Answer {
  return {
    description: 'The invoice; its lines as CSV, or a page that prints on A4.',
    content: {
      [json]: { schema: ref(schema) },
      'text/csv': { schema: text() },
      'text/html': { schema: text() },
    },
  };
}
/** The same as its recipient has it, without the ledger behind it. */
export const ownInvoice = invoiceAs('OwnInvoiceDetail');

const account = object({ kind: oneOf(['customer', 'operator']), id: integer(), name: text() });
const amounts: Record<string, Schema> = {
  subtotal_cents: cents(),
  gst_cents: cents('The tax.'),
  total_cents: cents('Cents with GST; below zero it is a credit.'),
  due_cents: cents('What is to be paid, cents with GST.'),
};
const balance: Record<string, Schema> = {
  brought_forward_cents: cents('The credit that the invoice before has left, with GST.'),
  carried_forward_cents: cents('The credit that the next invoice begins with, with GST.'),
};
const occasion = oneOf(
  ['month', 'plan_start'],
  '`month`: its month was closed. `plan_start`: a plan has started in it, and its first month is paid in advance.',
);
const line: Record<string, Schema> = {
  position: integer(),
  kind: oneOf([
    'plan_fee',
    'overage',
    'adjustment',
    'processing_fee',
    'waiver',
    'credit',
    'charge',
    'reversal',
  ]),
  month: month(),
  description: text(),
  quantity: number(),
  unit_price_cents: cents(),
  amount_cents: cents('Cents without GST; waivers and credits are negative.'),
};
const usage = nullable(
  object({
    month: month(),
    queries: integer(),
    free: integer(),
    bundle: integer(),
    bundled: integer(),
    overage: integer(),
  }),
);
const anything: Schema = {
  type: 'object',
  additionalProperties: true,
  description: 'What the figure comes from.',
};
const contacted = object({
  kind: oneOf(['customer', 'operator']),
  id: integer(),
  name: text(),
  address: text(),
  contact: text(),
});
const detail: Record<string, Schema> = {
  number: integer(),
  occasion,
  month: month(),
  recipient: contacted,
  issued_on: day(),
  due_on: nullable(day('Null where nothing is to be paid.')),
  usage,
  ...amounts,
  ...balance,
  gst_percent: integer(),
  issuer: object({ name: text(), address: text(), gst_number: text(), payment: text() }),
};
const queryMonth = { ...query('month', 'The month', month(), '2026-11'), required: true };

export const invoicesDescription: Description = {
  paths: {
    [base]: {
      get: {
        operationId: 'listInvoices',
        tags: ['Billing'],
        summary: 'Invoices, newest first',
        security: security.token,
        parameters: [
          query('month', 'Only of this month', month()),
          query('customer', 'Only of this customer', integer()),
          query('provider', 'Only of this operator', integer()),
          format(),
        ],
        responses: {
          200: tabular('The invoices.', listOfInvoices),
          ...staffErrors({ 400: ['request_invalid'] }),
        },
      },
    },
    [`${base}/preview`]: {
      get: {
        operationId: 'previewClose',
        tags: ['Billing'],
        summary: 'What closing a month now would make; nothing happens',
        security: security.token,
        parameters: [queryMonth, format()],
        responses: {
          200: tabular(
            'The invoices that there would be.',
            object({
              month: month(),
              state: oneOf(['open', 'closable', 'waiting', 'closed']),
              before: list(month(), 'Those that have to be closed before it.'),
              invoices: list(
                object({
                  occasion,
                  month: month(),
                  recipient: contacted,
                  lacks_identifier: boolean(
                    'The law asks for an address or another identifier of the recipient, and there is none.',
                  ),
                  lines: list(
                    object({ ...line, cause: text(), source: anything, entry_id: nullable(integer()) }),
                  ),
                  usage,
                  ...amounts,
                  ...balance,
                  gst_percent: integer(),
                }),
              ),
              totals: ref('InvoiceTotals'),
            }),
          ),
          ...staffErrors({ 400: ['request_invalid'] }),
        },
      },
    },
    [`${base}/close`]: {
      post: {
        operationId: 'closeMonth',
        tags: ['Billing'],
        summary: 'Close a month and make its invoices',
        description: 'Closing one that is closed changes nothing.',
        security: security.token,
        parameters: [queryMonth],
        requestBody: {
          required: false,
          content: {
            [json]: {
              schema: object(
                { total_cents: cents('The total of the preview that was seen.') },
                { optional: ['total_cents'] },
              ),
              example: { total_cents: 14 },
            },
          },
        },
        responses: {
          200: answer(
            'The invoices of the month.',
            object({
              month: month(),
              closed: boolean('False where it had been closed before.'),
              invoices: list(ref('Invoice')),
              totals: ref('InvoiceTotals'),
            }),
          ),
          ...staffErrors({
            400: ['request_invalid'],
            403: ['not_same_origin'],
            409: ['month_not_over', 'month_not_next', 'preview_outdated'],
          }),
        },
      },
    },
    [`${base}/{number}`]: {
      get: {
        operationId: 'getInvoice',
        tags: ['Billing'],
        summary: 'One invoice, each line with where it comes from',
        security: security.token,
        parameters: [invoiceNumber, format(['json', 'csv', 'html'])],
        responses: {
          200: invoiceAs('InvoiceDetail'),
          ...staffErrors({ 400: ['request_invalid'], 404: ['invoice_unknown'] }),
        },
      },
    },
  },
  schemas: {
    Invoice: object({
      number: integer(),
      occasion,
      month: month(),
      recipient: account,
      issued_on: day(),
      due_on: nullable(day('Null where nothing is to be paid.')),
      ...amounts,
      ...balance,
    }),
    InvoiceTotals: object({ count: integer(), ...amounts }),
    InvoiceDetail: object({
      ...detail,
      lines: list(
        object({
          ...line,
          entry: object({
            id: integer(),
            cause: text(),
            booked_at: time(),
            booked_by: text(),
            source: anything,
          }),
        }),
      ),
    }),
    OwnInvoiceDetail: object({ ...detail, lines: list(object({ ...line, source: anything })) }),
  },
};
