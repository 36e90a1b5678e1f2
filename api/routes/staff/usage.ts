import { type Request, type RequestHandler, Router } from 'express';
import { type DayKeyQueries, queriesByDayAndKey } from '../../../core/billing/counts.ts';
import { dollars } from '../../../core/billing/money.ts';
import { customerUsage, type UsageOverview, usageOverview } from '../../../core/billing/usage.ts';
import { shownLimit } from '../../billing-response.ts';
import { customerOf, usageMonth } from '../../billing-values.ts';
import type { ApiContext } from '../../context.ts';
import { type Column, sendCsv, wantedFormat } from '../../http/csv.ts';
import { sendJson } from '../../middleware/errors.ts';
import { otherMethods } from '../../middleware/operator-errors.ts';

const overviewColumns: readonly Column<UsageOverview['customers'][number]>[] = [
  ['customer_id', ({ customer }) => customer.id],
  ['customer', ({ customer }) => customer.name],
  ['plan', ({ plan }) => plan?.name ?? null],
  ['queries', ({ queries }) => queries],
  ['free', ({ free }) => free],
  ['bundle', ({ bundle }) => bundle],
  ['bundled', ({ bundled }) => bundled],
  ['overage', ({ overage }) => overage],
  ['overage_amount', ({ overage_cents }) => dollars(overage_cents)],
  ['plan_fee', ({ plan_fee_cents }) => dollars(plan_fee_cents)],
];

const dayColumns: readonly Column<DayKeyQueries>[] = [
  ['date', ({ date }) => date],
  ['key_id', ({ key_id }) => key_id],
  ['key', ({ hint }) => hint],
  ['label', ({ label }) => label],
  ['queries', ({ queries }) => queries],
];

/**
 * How much customers ask.
 *
 *     GET /api/staff/usage?month=2026-11                  JSON or CSV
 *     GET /api/staff/customers/<id>/usage?month=2026-11   JSON or CSV
 */
export function usage(context: ApiContext): Router {
  const { database, now } = context;
  const router = Router({ caseSensitive: true });
  router.get('/api/staff/usage', async (request, response) => {
    const at = now();
    const overview = await usageOverview(database, usageMonth(request, at), at);
    if (wantedFormat(request) === 'csv') {
      return sendCsv(response, `usage-${overview.month}`, overviewColumns, overview.customers);
    }
    sendJson(response, 200, overview);
  });
  router.all('/api/staff/usage', otherMethods('GET'));
  router.get('/api/staff/customers/:id/usage', sendCustomerUsage(context, customerOf));
  router.all('/api/staff/customers/:id/usage', otherMethods('GET'));
  return router;
}

/** Answers with a customer's usage of a month. @param whose tells the customer's id */
export function sendCustomerUsage(
  { database, now, limit }: ApiContext,
  whose: (request: Request) => number,
): RequestHandler {
  return async (request, response) => {
    const at = now();
    const month = usageMonth(request, at);
    const id = whose(request);
    const body = await customerUsage(database, id, month, at);
    if (wantedFormat(request) === 'csv') {
      return sendCsv(response, `usage-${month}`, dayColumns, await queriesByDayAndKey(database, month, id));
    }
    sendJson(response, 200, { ...body, limit: shownLimit(limit) });
  };
}
