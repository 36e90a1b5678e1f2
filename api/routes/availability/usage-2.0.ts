import { customerUsage } from '../../../core/billing/usage.ts';
import { monthOf } from '../../../core/nz-time.ts';
import { shownLimit } from '../../billing.ts';
import type { ApiContext } from '../../context.ts';
import { keyOf } from '../../middleware/api-key.ts';
import { sendJson } from '../../middleware/errors.ts';
import { whenAdmitted } from '../../middleware/rate-limit.ts';
import { limitRate2, requireKey2 } from '../../middleware/version-2.0.ts';
import { answer, routesFor } from '../../route.ts';
import { KeyUsage } from '../../schemas/availability.ts';
import { fault2, forbidden2, tooManyRequests2 } from '../../schemas/errors.ts';

/** How much of its month's bundle a customer has used, for its own programs. Not billed. */
export const usage2 = [
  routesFor({ who: 'key', tag: 'Coverage' }).get('/api/2.0/usage', {
    id: 'getUsage',
    summary: 'Get this month’s usage',
    description:
      'Returns the usage of the customer’s bundle. Does not count as a query. Queries of the last second may be missing. Amounts are in cents, excluding GST.',
    answers: {
      200: answer('The usage of all of the customer’s keys.', KeyUsage),
      403: forbidden2,
      429: tooManyRequests2,
      500: fault2,
    },
    serve: (context) => [
      requireKey2(context),
      limitRate2(context),
      whenAdmitted,
      async (request, response) => {
        const { id, customerId } = keyOf(request);
        try {
          const usage = await usageOf(context, customerId, id);
          response.setHeader('Cache-Control', 'no-store');
          sendJson(response, 200, usage);
        } catch (error) {
          context.logger.error({ err: error }, 'usage could not be read');
          sendJson(response, 500, { code: 500, error: 'Internal Server Error' });
        }
      },
    ],
  }),
];

async function usageOf({ database, limit, now }: ApiContext, customerId: number, keyId: number) {
  const at = now();
  const usage = await customerUsage(database, customerId, monthOf(at), at);
  const { month, begins_at, ends_at, as_of, queries, free, free_left } = usage;
  const { bundle, overage_allowed, overage, overage_cents } = usage;
  return {
    month,
    begins_at,
    ends_at,
    as_of,
    plan: usage.plan?.name ?? null,
    queries,
    key_queries: usage.keys.find((key) => key.id === keyId)?.queries ?? 0,
    bundle,
    bundle_left: bundle - usage.bundled,
    free,
    free_left,
    overage_allowed,
    overage,
    overage_cents,
    limit: shownLimit(limit),
  };
}
