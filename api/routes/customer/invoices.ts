import { z } from 'zod';
import { findInvoice, Invoice, invoiceTotals, listInvoices, OwnInvoice } from '../../../billing/invoices.ts';
import { invoicePaper } from '../../../billing/papers/invoice-paper.ts';
import { invoiceStates } from '../../../billing/receivables/balances.ts';
import { foundAmong } from '../../../billing/search.ts';
import { accountNamed, operatorOf, ownId } from '../../billing.ts';
import type { ApiContext } from '../../context.ts';
import { type Asked, answer, type Format, routesFor } from '../../define-route.ts';
import { csv } from '../../http/csv.ts';
import { accountFilter, Invoices, monthFilter, namesOneAtMost } from '../../schemas/billing.ts';
import { rowId, soughtIfGiven } from '../../schemas/values.ts';
import { invoiceColumns, ledgerLineColumns, lineColumns } from '../../views/invoice-columns.ts';
import { sendKeptPaper } from '../../views/papers.ts';

const staff = routesFor({ who: 'staff', tag: 'Billing' });
const own = routesFor({ who: 'customer', tag: 'Account' });
const operator = routesFor({ who: 'operator', tag: 'Submissions' });

const list = {
  method: 'get',
  summary: 'List invoices',
  formats: ['json', 'csv'],
  answers: { 200: answer('The invoices, newest first, and their totals.', Invoices) },
} as const;
const which = {
  month: monthFilter('Filter by month'),
  state: z.enum(invoiceStates).optional().describe('Filter by state'),
};

const one = {
  method: 'get',
  params: { number: rowId('The number of the invoice', 17) },
  formats: ['json', 'csv', 'html', 'pdf'],
  unknown: 'invoice_unknown',
  errors: ['prints_too_many'],
} as const;
const description = 'The invoice. Its HTML page prints on A4. Its PDF is kept as it was first printed.';

export const invoices = [
  staff.get('/api/staff/invoices', {
    ...list,
    id: 'listInvoices',
    query: z.object({ ...which, ...accountFilter, q: soughtIfGiven() }).refine(...namesOneAtMost),
    handle: (context, { query, format }) =>
      listed(context, { ...query, account: accountNamed(query) }, format, query.q),
  }),
  own.get('/api/account/invoices', {
    ...list,
    id: 'listOwnInvoices',
    query: z.object(which),
    handle: (context, { query, identity, format }) =>
      listed(context, { ...query, account: { kind: 'customer', id: ownId(identity) } }, format),
  }),
  staff.get('/api/staff/invoices/{number}', {
    ...one,
    id: 'getInvoice',
    summary: 'Get an invoice with its ledger entries',
    answers: { 200: answer(description, Invoice) },
    async handle(context, asked) {
      const invoice = await findInvoice(context.database, asked.params.number, context.now());
      return formatted(context, asked, invoice, ledgerLineColumns, invoice);
    },
  }),
  own.get('/api/account/invoices/{number}', {
    ...one,
    id: 'getOwnInvoice',
    summary: 'Get an invoice',
    answers: { 200: answer(description, OwnInvoice) },
    async handle(context, asked) {
      const account = { kind: 'customer', id: ownId(asked.identity) } as const;
      const invoice = await findInvoice(context.database, asked.params.number, context.now(), account);
      return formatted(context, asked, invoice, lineColumns, recipientsCopy(invoice));
    },
  }),
  operator.get('/api/operator/invoices/{number}', {
    ...one,
    id: 'getOperatorInvoice',
    summary: 'Get an operator’s invoice',
    answers: { 200: answer(description, OwnInvoice) },
    async handle(context, asked) {
      const account = operatorOf(asked.viewer);
      const invoice = await findInvoice(context.database, asked.params.number, context.now(), account);
      return formatted(context, asked, invoice, lineColumns, recipientsCopy(invoice));
    },
  }),
];

async function listed(
  { database, now }: ApiContext,
  filter: Parameters<typeof listInvoices>[1],
  format: Format,
  q?: string,
) {
  const found = foundAmong(await listInvoices(database, filter, now()), q, (invoice) => ({
    names: [invoice.recipient.name],
    number: invoice.number,
    cents: [invoice.total_cents, invoice.due_cents],
  }));
  if (format === 'csv') return csv('invoices', invoiceColumns, found);
  return { invoices: [...found], totals: invoiceTotals(found) };
}

/** An invoice in the format that the caller wants. @param shown as JSON */
function formatted<Shown extends object>(
  context: ApiContext,
  asked: Pick<Asked<unknown, unknown, unknown>, 'format' | 'response' | 'identity'>,
  invoice: Invoice,
  columns: typeof ledgerLineColumns,
  shown: Shown,
) {
  const { number, recipient, lines } = invoice;
  const { format } = asked;
  if (format === 'html' || format === 'pdf') {
    return sendKeptPaper(context, asked, 'invoice', number, () => invoicePaper(invoice));
  }
  if (format === 'json') return shown;
  const rows = lines.map(({ entry: { id, cause }, ...line }) => {
    return { ...line, invoice: number, recipient: recipient.name, entry_id: id, cause };
  });
  return csv(`invoice-${number}`, columns, rows);
}

/** The fields of an entry's source that its recipient sees. */
const sharedSource = new Set([
  'plan',
  'price_cents',
  'days',
  'days_in_month',
  'queries',
  'free',
  'bundle',
  'bundled',
  'overage',
  'booked_before',
  'keys',
]);

/** An invoice as its recipient has it: with the figures of each line, and without its entry in the ledger. */
function recipientsCopy({ lines, ...invoice }: Invoice) {
  return {
    ...invoice,
    lines: lines.map(({ entry, ...line }) => ({
      ...line,
      source: Object.fromEntries(Object.entries(entry.source).filter(([name]) => sharedSource.has(name))),
    })),
  };
}
