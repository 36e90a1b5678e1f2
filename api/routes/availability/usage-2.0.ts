import { customerUsage } from '../../../billing/usage.ts';
import { monthOf } from '../../../platform/nz-time.ts';
import { shownLimit } from '../../billing.ts';
import { answer, routesFor } from '../../define-route.ts';
import { keyOf } from '../../middleware/key.ts';
import { KeyUsage } from '../../schemas/availability.ts';
import { keyErrors2 } from '../../schemas/document-errors.ts';

/** A customer's used part of the month's bundle, for its own programs. Not billed. */
export const usage2 = [
  routesFor({ who: 'key', tag: 'Coverage' }).get('/api/2.0/usage', {
    id: 'getUsage',
    summary: 'Get this month’s usage',
    description:
      'Does not count as a query. Queries of the last second may be missing. Amounts are in cents, excluding GST.',
    answers: { 200: answer('The usage of all of the customer’s keys.', KeyUsage), ...keyErrors2 },
    async handle({ database, limit, now }, { request }) {
      const { id, customerId } = keyOf(request);
      const at = now();
      const { plan, bundled, keys, ...usage } = await customerUsage(database, customerId, monthOf(at), at);
      const { month, begins_at, ends_at, as_of, queries, free, free_left } = usage;
      const { caps, bundle, overage_allowed, overage, overage_cents } = usage;
      return {
        ...{ month, begins_at, ends_at, as_of, queries, free, free_left },
        ...{ caps, bundle, overage_allowed, overage, overage_cents },
        plan: plan?.name ?? null,
        key_queries: keys.find((key) => key.id === id)?.queries ?? 0,
        bundle_left: bundle - bundled,
        limit: shownLimit(limit),
      };
    },
  }),
];
