import { type DayKeyQueries, queriesByDayAndKey } from '../../../billing/counts.ts';
import { dollars } from '../../../billing/money.ts';
import { customerUsage, type UsageOverview, usageOverview } from '../../../billing/usage.ts';
import { ownSide, type Side, shownLimit, staffSide, usageMonth } from '../../billing.ts';
import { answer, type Route, routesFor } from '../../define-route.ts';
import { type Column, csv, fields } from '../../http/csv.ts';
import { CustomerUsage, UsageOfAll, usageQuery } from '../../schemas/billing.ts';

const columns: readonly Column<DayKeyQueries>[] = [
  ...fields('date', 'key_id'),
  ['key', ({ hint }) => hint],
  ...fields('label', 'queries'),
];

const overviewColumns: readonly Column<UsageOverview['customers'][number]>[] = [
  ['customer_id', ({ customer }) => customer.id],
  ['customer', ({ customer }) => customer.name],
  ['plan', ({ plan }) => plan?.name ?? null],
  ...fields('queries', 'free', 'bundle', 'bundled', 'overage'),
  ['overage_amount', ({ overage_cents }) => dollars(overage_cents)],
  ['plan_fee', ({ plan_fee_cents }) => dollars(plan_fee_cents)],
];

function usageRoute(side: Side, id: string, summary: string): Route {
  return routesFor(side).get(`${side.base}/usage`, {
    id,
    summary,
    query: usageQuery,
    formats: ['json', 'csv'],
    answers: { 200: answer('The usage of the month.', CustomerUsage) },
    async handle({ database, now, limit }, asked) {
      const at = now();
      const month = usageMonth(asked.query, at);
      const customer = side.customerOf(asked);
      if (asked.format === 'csv') {
        return csv(`usage-${month}`, columns, await queriesByDayAndKey(database, month, customer));
      }
      return { ...(await customerUsage(database, customer, month, at)), limit: shownLimit(limit) };
    },
  });
}

export const usages = [
  routesFor({ who: 'staff', tag: 'Billing' }).get('/api/staff/usage', {
    id: 'getUsageOfAll',
    summary: 'Get the usage of all customers in a month',
    query: usageQuery,
    formats: ['json', 'csv'],
    answers: { 200: answer('The usage of the month.', UsageOfAll) },
    async handle({ database, now }, { query, format }) {
      const at = now();
      const overview = await usageOverview(database, usageMonth(query, at), at);
      return format === 'csv'
        ? csv(`usage-${overview.month}`, overviewColumns, overview.customers)
        : overview;
    },
  }),
  usageRoute(staffSide, 'getUsageOfCustomer', 'Get a customer’s usage in a month'),
  usageRoute(ownSide, 'getOwnUsage', 'Get the account’s usage in a month'),
];
