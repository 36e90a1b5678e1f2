import { z } from 'zod';
import { dollars } from '../../../billing/money.ts';
import { AgedAccount, AgedTotals, agedReceivables, agedTotals } from '../../../billing/receivables/aged.ts';
import { dayOf } from '../../../platform/nz-time.ts';
import { day } from '../../../platform/schemas.ts';
import { answer, routesFor } from '../../define-route.ts';
import { invalidRequest } from '../../errors.ts';
import { type Column, csv } from '../../http/csv.ts';

const amounts = [
  ...(['current', 'days_30', 'days_60', 'days_90', 'older', 'owed', 'credit'] as const),
] as const;
const columns: readonly Column<AgedAccount>[] = [
  ['account_kind', ({ account }) => account.kind],
  ['account', ({ account }) => account.name],
  ...amounts.map((name): Column<AgedAccount> => [name, (account) => dollars(account[`${name}_cents`])]),
];

/** What is owed, by how long it has been due. */
export const receivables = [
  routesFor({ who: 'staff', tag: 'Billing' }).get('/api/staff/receivables', {
    id: 'getAgedReceivables',
    summary: 'Get aged receivables',
    query: z.object({ on: day().optional().describe('As of the end of this day; today by default') }),
    formats: ['json', 'csv'],
    answers: {
      200: answer(
        'The accounts that owe anything or have credit, by name.',
        z.object({ on: day(), accounts: z.array(AgedAccount), totals: AgedTotals }),
      ),
    },
    async handle({ database, now }, { query, format }) {
      const today = dayOf(now());
      const { on = today } = query;
      if (on > today) throw invalidRequest(`${on} is yet to come.`);
      const accounts = await agedReceivables(database, on, today);
      if (format === 'csv') return csv(`receivables-${on}`, columns, accounts);
      return { on, accounts, totals: agedTotals(accounts) };
    },
  }),
];
