import { z } from 'zod';
import { dollars } from '../../../billing/money.ts';
import { type StatementLine, statementOf } from '../../../billing/statement.ts';
import { accountNamed, ownId } from '../../billing.ts';
import { answer, routesFor } from '../../define-route.ts';
import { invalidRequest } from '../../errors.ts';
import { type Column, csv, fields } from '../../http/csv.ts';
import { namesOneAtMost, OwnStatement, Statement, statementDays } from '../../schemas/billing.ts';
import { rowNumber } from '../../schemas/values.ts';

const description =
  'What was owed, each invoice, credit note and payment in order, and what is owed; credit and unbilled entries. As CSV, the lines only.';

const columns: readonly Column<StatementLine>[] = [
  ...fields('on_day', 'kind', 'number', 'description'),
  ['amount', ({ amount_cents }) => dollars(amount_cents)],
  ['balance', ({ balance_cents }) => dollars(balance_cents)],
];

/** Without staff's facts of unbilled entries. */
function ownOf(found: Awaited<ReturnType<typeof statementOf>>) {
  const { entries, subtotal_cents } = found.unbilled;
  const own = entries.map(({ cause: _, source: __, booked_by: ___, ...entry }) => entry);
  return { ...found, unbilled: { entries: own, subtotal_cents } };
}

/** Statements: staff's of any account, and those of customers and operators of their own. */
export const statement = [
  routesFor({ who: 'staff', tag: 'Billing' }).get('/api/staff/statement', {
    id: 'getStatement',
    summary: 'Get the statement of an account',
    query: z
      .object({
        customer: rowNumber('The ID of the customer. Give this or `provider`')
          .optional()
          .meta({ example: 1 }),
        provider: rowNumber('The ID of the operator’s provider').optional(),
        ...statementDays,
      })
      .refine(...namesOneAtMost),
    formats: ['json', 'csv'],
    answers: { 200: answer(description, Statement) },
    errors: ['customer_unknown', 'provider_unknown'],
    async handle({ database, now }, { query, format }) {
      const account = accountNamed(query);
      if (!account) throw invalidRequest('Name a "customer" or a "provider" by its number.');
      const found = await statementOf(database, account, query, now());
      return format === 'csv' ? csv('statement', columns, found.lines) : found;
    },
  }),
  routesFor({ who: 'customer', tag: 'Account' }).get('/api/account/statement', {
    id: 'getOwnStatement',
    summary: 'Get the statement of the account',
    query: z.object(statementDays),
    formats: ['json', 'csv'],
    answers: { 200: answer(description, OwnStatement) },
    async handle({ database, now }, { query, identity, format }) {
      const found = await statementOf(database, { kind: 'customer', id: ownId(identity) }, query, now());
      return format === 'csv' ? csv('statement', columns, found.lines) : ownOf(found);
    },
  }),
  routesFor({ who: 'operator', tag: 'Submissions' }).get('/api/operator/statement', {
    id: 'getOperatorStatement',
    summary: 'Get an operator’s statement',
    query: z.object(statementDays),
    formats: ['json', 'csv'],
    answers: { 200: answer(description, OwnStatement) },
    async handle({ database, now }, { query, viewer: { providerId }, format }) {
      if (providerId === null) throw invalidRequest('Staff ask for it at /api/staff/statement.');
      const found = await statementOf(database, { kind: 'operator', id: providerId }, query, now());
      return format === 'csv' ? csv('statement', columns, found.lines) : ownOf(found);
    },
  }),
];
