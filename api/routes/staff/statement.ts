import { type Request, type RequestHandler, Router } from 'express';
import type { AccountId } from '../../../core/billing/ledger.ts';
import { statementOf } from '../../../core/billing/statement.ts';
import { invoiceColumns } from '../../billing-response.ts';
import { queryAccount } from '../../billing-values.ts';
import type { ApiContext } from '../../context.ts';
import { sendCsv, wantedFormat } from '../../http/csv.ts';
import { sendJson } from '../../middleware/errors.ts';
import { identityOf } from '../../middleware/identity.ts';
import { invalidRequest, otherMethods } from '../../middleware/operator-errors.ts';

/**
 * How an account stands: its credit, its invoices, and what is on none of them yet.
 *
 *     GET /api/staff/statement?customer=1   (or provider=7) JSON, or its invoices as CSV
 */
export function statement(context: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  const path = '/api/staff/statement';
  router.get(
    path,
    sendStatement(context, (request) => {
      const account = queryAccount(request);
      if (!account) throw invalidRequest('Name a "customer" or a "provider" by its number.');
      return account;
    }),
  );
  router.all(path, otherMethods('GET'));
  return router;
}

/** Answers with a statement: to who is no staff without the ledger behind it. @param whose tells whose account */
export function sendStatement(
  { database, now }: ApiContext,
  whose: (request: Request) => AccountId,
): RequestHandler {
  return async (request, response) => {
    const found = await statementOf(database, whose(request), now());
    if (wantedFormat(request) === 'csv') {
      return sendCsv(response, 'statement', invoiceColumns, found.invoices);
    }
    const { entries, subtotal_cents } = found.unbilled;
    const isStaff = identityOf(request).role === 'staff';
    const shown = entries.map(({ cause: _, booked_by: __, source: ___, ...entry }) => entry);
    sendJson(response, 200, {
      ...found,
      unbilled: { entries: isStaff ? entries : shown, subtotal_cents },
    });
  };
}
