import type { Connection, Database } from '../../platform/database/database.ts';
import { dayOf } from '../../platform/nz-time.ts';
import { contactOf } from '../contacts.ts';
import { issuerNow } from '../issuer.ts';
import type { AccountId } from '../ledger.ts';
import { type StatementPeriod, statementOf } from '../statement.ts';
import { type Paper, paperDay, paperMoney, paperSum, recipientFact } from './paper.ts';

/** What is owed, or a credit. */
const balance = (cents: number) => (cents < 0 ? `${paperMoney(-cents)} credit` : paperMoney(cents));

/** An account from day to day, with how to pay what is owed. @throws as {@link statementOf} */
export async function statementPaper(
  db: Database | Connection,
  account: AccountId,
  period: StatementPeriod,
  at: Date,
): Promise<Paper> {
  const found = await statementOf(db, account, period, at);
  const issuer = await issuerNow(db);
  const { from, to, opening_cents, lines, closing_cents, overdue_cents } = found;
  const { name } = found.account;
  const overdue = Math.min(overdue_cents, closing_cents);
  return {
    title: 'Statement',
    about: `${paperDay(from)} to ${paperDay(to)}`,
    recipient: name,
    issuer,
    day: to,
    facts: [
      recipientFact({ name, ...(await contactOf(db, account)) }),
      { name: closing_cents < 0 ? 'Your credit' : 'To pay', value: paperMoney(Math.abs(closing_cents)) },
      // What is overdue is known of today alone; credit pays it first.
      ...(overdue > 0 && to >= dayOf(at) ? [{ name: 'Of it overdue', value: paperMoney(overdue) }] : []),
      { name: 'Your code', value: found.code },
    ],
    tables: [
      {
        columns: [
          { name: 'Date' },
          { name: 'Description' },
          { name: 'Amount', numeric: true },
          { name: 'Balance', numeric: true },
        ],
        rows: [
          [paperDay(from), 'Balance brought forward', '', balance(opening_cents)],
          ...lines.map((line) => [
            paperDay(line.on_day),
            line.description,
            paperMoney(line.amount_cents),
            balance(line.balance_cents),
          ]),
        ],
        sums: [
          closing_cents < 0
            ? paperSum('Your credit (incl. GST)', -closing_cents, true)
            : paperSum('To pay (incl. GST)', closing_cents, true),
        ],
      },
    ],
    notes: closing_cents > 0 && issuer.payment ? [issuer.payment] : [],
  };
}
