import { type DayKeyQueries, queriesByDayAndKey } from '../../../core/billing/counts.ts';
import { customerUsage } from '../../../core/billing/usage.ts';
import { ownSide, type Side, shownLimit, staffSide, usageMonth } from '../../billing.ts';
import { answer, type Route, routesFor } from '../../define-route.ts';
import { type Column, csv, fields } from '../../http/csv.ts';
import { CustomerUsage, usageQuery } from '../../schemas/billing.ts';

const columns: readonly Column<DayKeyQueries>[] = [
  ...fields('date', 'key_id'),
  ['key', ({ hint }) => hint],
  ...fields('label', 'queries'),
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

/** The usage of a customer. */
export const customerUsages = [
  usageRoute(staffSide, 'getUsageOfCustomer', 'Get a customer’s usage in a month'),
  usageRoute(ownSide, 'getOwnUsage', 'Get the account’s usage in a month'),
];
