import { z } from 'zod';
import { statementOf } from '../../../billing/statement.ts';
import { accountNamed, ownId } from '../../billing.ts';
import { answer, routesFor } from '../../define-route.ts';
import { invalidRequest } from '../../errors.ts';
import { csv } from '../../http/csv.ts';
import { namesOneAtMost, OwnStatement, Statement } from '../../schemas/billing.ts';
import { rowNumber } from '../../schemas/values.ts';
import { invoiceColumns } from '../../views/invoice-columns.ts';

const description = 'The credit, invoices and unbilled entries; as CSV, the invoices only.';

/** An account's credit, its invoices, and its unbilled entries. */
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
      })
      .refine(...namesOneAtMost),
    formats: ['json', 'csv'],
    answers: { 200: answer(description, Statement) },
    errors: ['customer_unknown', 'provider_unknown'],
    async handle({ database, now }, { query, format }) {
      const account = accountNamed(query);
      if (!account) throw invalidRequest('Name a "customer" or a "provider" by its number.');
      const found = await statementOf(database, account, now());
      return format === 'csv' ? csv('statement', invoiceColumns, found.invoices) : found;
    },
  }),
  routesFor({ who: 'customer', tag: 'Account' }).get('/api/account/statement', {
    id: 'getOwnStatement',
    summary: 'Get the statement of the account',
    formats: ['json', 'csv'],
    answers: { 200: answer(description, OwnStatement) },
    async handle({ database, now }, { identity, format }) {
      const found = await statementOf(database, { kind: 'customer', id: ownId(identity) }, now());
      if (format === 'csv') return csv('statement', invoiceColumns, found.invoices);
      const { entries, subtotal_cents } = found.unbilled;
      const own = entries.map(({ cause: _, source: __, booked_by: ___, ...entry }) => entry);
      return { ...found, unbilled: { entries: own, subtotal_cents } };
    },
  }),
];
