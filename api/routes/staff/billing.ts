import { Router } from 'express';
import type { RateLimit } from '../../../core/access/rate-limit/rate-limit.ts';
import { closedThrough, closingTime, isOver, nextToClose } from '../../../core/billing/months.ts';
import { listPlans, termsOf } from '../../../core/billing/terms.ts';
import { firstMonthOf } from '../../../core/billing/usage.ts';
import type { Queryable } from '../../../core/database/database.ts';
import { dayOf, monthOf } from '../../../core/nz-time.ts';
import { shownLimit } from '../../billing-response.ts';
import type { ApiContext } from '../../context.ts';
import { sendJson } from '../../middleware/errors.ts';
import { otherMethods } from '../../middleware/operator-errors.ts';

/**
 * What staff's page begins with: today, the plans, the terms, which month is next to be closed.
 *
 *     GET /api/staff/billing
 */
export function billing({ database, config, limit, now }: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  const path = '/api/staff/billing';
  router.get(path, async (_request, response) => {
    const at = now();
    const month = monthOf(at);
    const closed = await closedThrough(database);
    const next = await nextToClose(database, at);
    const { first_processing_cents, later_processing_cents } = await termsOf(database, month);
    const { terms, ...shown } = await commonTerms(database, limit, at);
    sendJson(response, 200, {
      ...shown,
      since: await firstMonthOf(database, undefined, at),
      closed_through: closed ?? null,
      next_close: {
        month: next,
        over: isOver(next, at),
        scheduled_for: config.closeTime === undefined ? null : closingTime(next, config.closeTime),
      },
      terms: {
        ...terms,
        first_processing_cents,
        later_processing_cents,
      },
      confirm_from_cents: config.confirmFromCents,
      has_gst_number: config.invoiceIssuer.gstNumber !== '',
    });
  });
  router.all(path, otherMethods('GET'));
  return router;
}

/** What staff and customers are told alike. */
export async function commonTerms(db: Queryable, limit: RateLimit, at: Date) {
  const month = monthOf(at);
  const { overage_cents, gst_percent, free_queries, due_days } = await termsOf(db, month);
  return {
    today: dayOf(at),
    month,
    plans: await listPlans(db),
    terms: { overage_cents, gst_percent, free_queries, due_days },
    limit: shownLimit(limit),
  };
}
