import { type Response, Router } from 'express';
import { customerUsage } from '../../../core/billing/usage.ts';
import { monthOf } from '../../../core/nz-time.ts';
import { shownLimit } from '../../billing.ts';
import type { ApiContext } from '../../context.ts';
import { keyOf, requireKey } from '../../middleware/api-key.ts';
import { readOnly, sendJson } from '../../middleware/errors.ts';
import { isAdmitted, limitRate, refuseRate2 } from '../../middleware/rate-limit.ts';
import { refuseKey2 } from './availability-2.0.ts';

/**
 * How much of its month's bundle a customer has used, for its own programs. Not billed.
 *
 *     GET /api/2.0/usage
 *     x-api-key: <key>
 */
export function usage2(context: ApiContext): Router {
  const { limit, database, now, logger } = context;
  const router = Router({ caseSensitive: true });
  router.all(
    '/api/2.0/usage',
    readOnly,
    requireKey(context, (request) => request.headers['x-api-key'], refuseKey2),
    limitRate(limit, refuseRate2),
    async (request, response: Response) => {
      if (!(await isAdmitted(response))) return;
      const { id, customerId } = keyOf(request);
      const at = now();
      try {
        const usage = await customerUsage(database, customerId, monthOf(at), at);
        response.setHeader('Cache-Control', 'no-store');
        sendJson(response, 200, {
          month: usage.month,
          begins_at: usage.begins_at,
          ends_at: usage.ends_at,
          as_of: usage.as_of,
          plan: usage.plan?.name ?? null,
          queries: usage.queries,
          key_queries: usage.keys.find((key) => key.id === id)?.queries ?? 0,
          bundle: usage.bundle,
          bundle_left: usage.bundle - usage.bundled,
          free: usage.free,
          free_left: usage.free_left,
          overage_allowed: usage.overage_allowed,
          overage: usage.overage,
          overage_cents: usage.overage_cents,
          limit: shownLimit(limit),
        });
      } catch (error) {
        logger.error({ err: error }, 'usage could not be read');
        sendJson(response, 500, { code: 500, error: 'Internal Server Error' });
      }
    },
  );
  return router;
}
