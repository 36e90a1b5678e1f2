import express, { type Request, type RequestHandler, Router } from 'express';
import { closeMonth, previewClose } from '../../../core/billing/close.ts';
import {
  findInvoice,
  type InvoiceLine,
  invoiceTotals,
  listInvoices,
} from '../../../core/billing/invoices.ts';
import type { AccountId } from '../../../core/billing/ledger.ts';
import { dollars } from '../../../core/billing/money.ts';
import { CovermapError } from '../../../core/errors.ts';
import type { Month } from '../../../core/nz-time.ts';
import { invoiceColumns, recipientsCopy } from '../../billing-response.ts';
import { bodyNumber, queryAccount, queryMonth } from '../../billing-values.ts';
import type { ApiContext } from '../../context.ts';
import { type Column, sendCsv, wantedFormat } from '../../http/csv.ts';
import { sendJson } from '../../middleware/errors.ts';
import { actorOf } from '../../middleware/identity.ts';
import { invalidRequest, otherMethods } from '../../middleware/operator-errors.ts';
import { rowNumber } from '../../request-values.ts';
import { invoicePolicy, writeInvoicePage } from '../account/invoice-page.ts';

const base = '/api/staff/invoices';

type ShownLine = Omit<InvoiceLine, 'entry'> & {
  number: number | null;
  recipient: string;
  entry: { id: number | null; cause: string };
};

/** What the recipient has of a line. */
const lineColumns: readonly Column<ShownLine>[] = [
  ['invoice', ({ number }) => number],
  ['recipient', ({ recipient }) => recipient],
  ['position', ({ position }) => position],
  ['kind', ({ kind }) => kind],
  ['month', ({ month }) => month],
  ['description', ({ description }) => description],
  ['quantity', ({ quantity }) => quantity],
  ['unit_price', ({ unit_price_cents }) => dollars(unit_price_cents)],
  ['amount', ({ amount_cents }) => dollars(amount_cents)],
];
/** And what staff have. */
const ledgerColumns: readonly Column<ShownLine>[] = [
  ...lineColumns,
  ['entry', ({ entry }) => entry.id],
  ['cause', ({ entry }) => entry.cause],
];

/**
 * Invoices, and the closing of a month, which makes them.
 *
 *     GET  /api/staff/invoices?month=2026-10           JSON or CSV
 *     GET  /api/staff/invoices/<number>                JSON, CSV, or a page to print
 *     GET  /api/staff/invoices/preview?month=2026-11   JSON or CSV
 *     POST /api/staff/invoices/close?month=2026-11     {"total_cents": 57514}
 */
export function invoices(context: ApiContext): Router {
  const { database, now } = context;
  const router = Router({ caseSensitive: true });
  router.get(base, sendInvoices(context, queryAccount));
  router.all(base, otherMethods('GET'));
  router.get(`${base}/preview`, async (request, response) => {
    const preview = await previewClose(database, neededMonth(request), now());
    if (wantedFormat(request) === 'csv') {
      const rows = preview.invoices.flatMap(({ recipient, lines }) =>
        lines.map(({ entry_id, cause, ...line }) => ({
          ...line,
          number: null,
          recipient: recipient.name,
          entry: { id: entry_id, cause },
        })),
      );
      return sendCsv(response, `preview-${preview.month}`, ledgerColumns, rows);
    }
    sendJson(response, 200, preview);
  });
  router.all(`${base}/preview`, otherMethods('GET'));
  router.post(`${base}/close`, express.json({ limit: '10kb' }), async (request, response) => {
    const month = neededMonth(request);
    const expected = bodyNumber(request, 'total_cents', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    const { closed } = await closeMonth(database, month, actorOf(request), now(), expected);
    const made = (await listInvoices(database, { month })).filter(({ occasion }) => occasion === 'month');
    sendJson(response, 200, { month, closed, invoices: made, totals: invoiceTotals(made) });
  });
  router.all(`${base}/close`, otherMethods('POST'));
  router.get(
    `${base}/:number`,
    sendInvoice(context, () => undefined),
  );
  router.all(`${base}/:number`, otherMethods('GET'));
  return router;
}

/** Answers with a list of invoices. @param whose tells whose account; undefined: all */
export function sendInvoices(
  { database }: ApiContext,
  whose: (request: Request) => AccountId | undefined,
): RequestHandler {
  return async (request, response) => {
    const list = await listInvoices(database, { account: whose(request), month: queryMonth(request) });
    if (wantedFormat(request) === 'csv') return sendCsv(response, 'invoices', invoiceColumns, list);
    sendJson(response, 200, { invoices: list, totals: invoiceTotals(list) });
  };
}

/**
 * Answers with an invoice: to its recipient without the ledger behind it.
 * @param whose tells whose it has to be; undefined: anybody's, for staff
 */
export function sendInvoice(
  { database, config }: ApiContext,
  whose: (request: Request) => AccountId | undefined,
): RequestHandler {
  return async (request, response) => {
    const number = rowNumber(request.params.number);
    if (number === undefined) throw new CovermapError('invoice_unknown', 'There is no such invoice.');
    const own = whose(request);
    const invoice = await findInvoice(database, number, own);
    const { name, address, gstNumber, payment } = config.invoiceIssuer;
    const issuer = { name, address, gst_number: gstNumber, payment };
    switch (wantedFormat(request, ['json', 'csv', 'html'])) {
      case 'csv':
        return sendCsv(
          response,
          `invoice-${number}`,
          own ? lineColumns : ledgerColumns,
          invoice.lines.map((line) => ({ ...line, number, recipient: invoice.recipient.name })),
        );
      case 'html':
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.setHeader('Content-Security-Policy', invoicePolicy);
        response.setHeader('X-Content-Type-Options', 'nosniff');
        response.setHeader('Cache-Control', 'no-store');
        response.end(writeInvoicePage(invoice, issuer));
        return;
      default:
        sendJson(response, 200, { ...(own ? recipientsCopy(invoice) : invoice), issuer });
    }
  };
}

function neededMonth(request: Request): Month {
  const month = queryMonth(request);
  if (month === undefined) throw invalidRequest('"month" is missing.', 'As in ?month=2026-11.');
  return month;
}
