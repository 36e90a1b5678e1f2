import { z } from 'zod';
import type { AccountId } from '../../../billing/ledger.ts';
import { dollars } from '../../../billing/money.ts';
import { printPdf } from '../../../billing/papers/kept.ts';
import { statementPaper } from '../../../billing/papers/statement-paper.ts';
import { type StatementLine, type StatementPeriod, statementOf } from '../../../billing/statement.ts';
import { accountNamed, askerOf, ownId } from '../../billing.ts';
import type { ApiContext } from '../../context.ts';
import { type Asked, answer, routesFor } from '../../define-route.ts';
import { invalidRequest } from '../../errors.ts';
import { type Column, csv, fields } from '../../http/csv.ts';
import { namesOneAtMost, OwnStatement, Statement, statementDays } from '../../schemas/billing.ts';
import { rowNumber } from '../../schemas/values.ts';
import { sendPaperPage, sendPdf } from '../../views/papers.ts';

const description =
  'What was owed, each invoice, credit note and payment in order, and what is owed; credit and unbilled entries. As CSV, the lines only; as HTML and PDF, a paper to print.';

const columns: readonly Column<StatementLine>[] = [
  ...fields('on_day', 'kind', 'number', 'description'),
  ['amount', ({ amount_cents }) => dollars(amount_cents)],
  ['balance', ({ balance_cents }) => dollars(balance_cents)],
];

const formats = ['json', 'csv', 'html', 'pdf'] as const;
/** In the format that the caller wants. @param shown as JSON */
async function formatted<Shown extends object>(
  { database, now }: ApiContext,
  {
    format,
    response,
    query,
    identity,
  }: Pick<Asked<unknown, StatementPeriod, unknown>, 'format' | 'response' | 'query' | 'identity'>,
  account: AccountId,
  shown: (found: Awaited<ReturnType<typeof statementOf>>) => Shown,
) {
  if (format === 'html' || format === 'pdf') {
    const paper = await statementPaper(database, account, query, now());
    if (format === 'html') return sendPaperPage(response, paper);
    return sendPdf(response, `statement-${paper.day}`, await printPdf(paper, askerOf(identity)));
  }
  const found = await statementOf(database, account, query, now());
  return format === 'csv' ? csv('statement', columns, found.lines) : shown(found);
}

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
    formats,
    answers: { 200: answer(description, Statement) },
    errors: ['customer_unknown', 'provider_unknown', 'prints_too_many'],
    async handle(context, asked) {
      const account = accountNamed(asked.query);
      if (!account) throw invalidRequest('Name a "customer" or a "provider" by its number.');
      return formatted(context, asked, account, (found) => found);
    },
  }),
  routesFor({ who: 'customer', tag: 'Account' }).get('/api/account/statement', {
    id: 'getOwnStatement',
    summary: 'Get the statement of the account',
    query: z.object(statementDays),
    formats,
    answers: { 200: answer(description, OwnStatement) },
    errors: ['prints_too_many'],
    handle: (context, asked) =>
      formatted(context, asked, { kind: 'customer', id: ownId(asked.identity) }, ownOf),
  }),
  routesFor({ who: 'operator', tag: 'Submissions' }).get('/api/operator/statement', {
    id: 'getOperatorStatement',
    summary: 'Get an operator’s statement',
    query: z.object(statementDays),
    formats,
    answers: { 200: answer(description, OwnStatement) },
    errors: ['prints_too_many'],
    async handle(context, asked) {
      const { providerId } = asked.viewer;
      if (providerId === null) throw invalidRequest('Staff ask for it at /api/staff/statement.');
      return formatted(context, asked, { kind: 'operator', id: providerId }, ownOf);
    },
  }),
];
