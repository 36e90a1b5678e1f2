import { dollars } from '../../../core/billing/money.ts';
import { type UsageOverview, usageOverview } from '../../../core/billing/usage.ts';
import { usageMonth } from '../../billing.ts';
import { answer, routesFor } from '../../define-route.ts';
import { type Column, csv, fields } from '../../http/csv.ts';
import { UsageOfAll, usageQuery } from '../../schemas/billing.ts';

const columns: readonly Column<UsageOverview['customers'][number]>[] = [
  ['customer_id', ({ customer }) => customer.id],
  ['customer', ({ customer }) => customer.name],
  ['plan', ({ plan }) => plan?.name ?? null],
  ...fields('queries', 'free', 'bundle', 'bundled', 'overage'),
  ['overage_amount', ({ overage_cents }) => dollars(overage_cents)],
  ['plan_fee', ({ plan_fee_cents }) => dollars(plan_fee_cents)],
];

/** The usage of all customers. */
export const usage = [
  routesFor({ who: 'staff', tag: 'Billing' }).get('/api/staff/usage', {
    id: 'getUsageOfAll',
    summary: 'Get the usage of all customers in a month',
    query: usageQuery,
    formats: ['json', 'csv'],
    answers: { 200: answer('The usage of the month.', UsageOfAll) },
    async handle({ database, now }, { query, format }) {
      const at = now();
      const overview = await usageOverview(database, usageMonth(query, at), at);
      return format === 'csv' ? csv(`usage-${overview.month}`, columns, overview.customers) : overview;
    },
  }),
];
