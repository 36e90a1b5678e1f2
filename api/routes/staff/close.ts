import { z } from 'zod';
import { closeMonth, previewClose, previewOf } from '../../../billing/close.ts';
import { heldBack, issueHeldBack } from '../../../billing/held-back.ts';
import { findInvoice, Invoice, invoiceTotals, listInvoices } from '../../../billing/invoices.ts';
import type { AccountId } from '../../../billing/ledger.ts';
import { cents } from '../../../platform/schemas.ts';
import { accountNamed } from '../../billing.ts';
import { answer, reply, routesFor } from '../../define-route.ts';
import { csv } from '../../http/csv.ts';
import { ClosedMonth, HeldBack, Preview, requiredMonth } from '../../schemas/billing.ts';
import { ledgerLineColumns } from '../../views/invoice-columns.ts';

const staff = routesFor({ who: 'staff', tag: 'Billing' });
const query = z.object({ month: requiredMonth() });

/** The closing of a month, which issues its invoices or holds them back. */
export const close = [
  staff.get('/api/staff/invoices/held-back', {
    id: 'listHeldBackInvoices',
    summary: 'List invoices that are held back',
    description:
      'Invoices that lack what the law asks for are not issued: their entries wait. Each is shown with all unbilled entries of its account, as it would be issued now.',
    answers: { 200: answer('The invoices, the one that waits longest first.', HeldBack) },
    async handle({ database }) {
      const invoices = await heldBack(database);
      return {
        invoices: invoices.map((one) => ({ ...previewOf(one), since: one.since })),
        totals: invoiceTotals(invoices),
      };
    },
  }),
  staff.post('/api/staff/invoices/held-back', {
    id: 'issueHeldBackInvoice',
    summary: 'Issue an invoice that was held back',
    description: 'As of today. Once nothing is lacking, the next close of a month issues it, too.',
    body: z
      .object({
        customer: z.int().positive().optional().describe('The ID of the customer. Give this or `provider`.'),
        provider: z.int().positive().optional(),
        total_cents: cents('The total that was seen. If it has changed, nothing is issued.').optional(),
      })
      .refine(({ customer, provider }) => (customer === undefined) !== (provider === undefined), {
        error: 'Name a "customer" or a "provider".',
      }),
    example: { customer: 1 },
    answers: { 201: answer('The invoice.', Invoice) },
    errors: ['nothing_held_back', 'invoice_held_back', 'preview_outdated'],
    async handle({ database, now }, { body, actor }) {
      const account = accountNamed(body) as AccountId;
      const number = await issueHeldBack(database, account, body.total_cents, actor, now());
      return reply(201, await findInvoice(database, number, now()));
    },
  }),
  staff.get('/api/staff/invoices/preview', {
    id: 'previewClose',
    query,
    summary: 'Preview the invoices of a month',
    formats: ['json', 'csv'],
    answers: { 200: answer('The draft invoices.', Preview) },
    async handle({ database, now }, { query, format }) {
      const preview = await previewClose(database, query.month, now());
      if (format !== 'csv') return preview;
      const rows = preview.invoices.flatMap(({ recipient, lines }) =>
        lines.map((line) => ({ ...line, invoice: null, recipient: recipient.name })),
      );
      return csv(`preview-${preview.month}`, ledgerLineColumns, rows);
    },
  }),
  staff.post('/api/staff/invoices/close', {
    id: 'closeMonth',
    query,
    summary: 'Close a month and issue its invoices',
    description:
      'Issues invoices for the overage and processing fees of the month and the plan fees of the next. Those that lack what the law asks for are held back. Closing a closed month changes nothing.',
    body: z.object({
      total_cents: cents('The total of the preview. If it has changed, the month is not closed.').optional(),
    }),
    bodyOptional: true,
    example: { total_cents: 14 },
    answers: { 200: answer('The invoices issued for the month.', ClosedMonth) },
    errors: ['month_not_over', 'month_not_next', 'preview_outdated'],
    async handle({ database, now }, { query: { month }, body, actor }) {
      const { closed } = await closeMonth(database, month, actor, now(), body.total_cents);
      const issued = await listInvoices(database, { month }, now());
      const invoices = issued.filter(({ occasion }) => occasion === 'month');
      return { month, closed, invoices, totals: invoiceTotals(invoices) };
    },
  }),
];
