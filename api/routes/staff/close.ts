import { z } from 'zod';
import { closeMonth, previewClose } from '../../../billing/close.ts';
import { invoiceTotals, listInvoices } from '../../../billing/invoices.ts';
import { cents } from '../../../platform/schemas.ts';
import { answer, routesFor } from '../../define-route.ts';
import { csv } from '../../http/csv.ts';
import { ClosedMonth, Preview, requiredMonth } from '../../schemas/billing.ts';
import { ledgerLineColumns } from '../../views/invoice-columns.ts';

const staff = routesFor({ who: 'staff', tag: 'Billing' });
const query = z.object({ month: requiredMonth() });

/** The closing of a month, which issues its invoices. */
export const close = [
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
      'Issues invoices for the overage and processing fees of the month and the plan fees of the next. Closing a closed month changes nothing.',
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
