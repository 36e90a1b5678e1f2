import { commandActor } from '../../access/actor.ts';
import { confirmLine } from '../../billing/bank/lines.ts';
import { issueCreditNote, undoCreditNote } from '../../billing/credit-notes.ts';
import type { AccountId } from '../../billing/ledger.ts';
import {
  applyCredit,
  recordPayment,
  recordRefund,
  reverseSettling,
  writeOff,
} from '../../billing/receivables/payments.ts';
import type { Database } from '../../platform/database/database.ts';
import { openServerDatabase } from '../../platform/database/server/server.ts';
import { delegate } from './billing.ts';

/* Moves money, and is killed (SIGKILL) before one of its statements, or after the last: the end of a process cannot be any closer. */

export interface Step {
  action:
    | 'payment'
    | 'credit'
    | 'refund'
    | 'write-off'
    | 'reversal'
    | 'bank line'
    | 'credit note'
    | 'credit note undone';
  account: AccountId;
  at: string;
  day: string;
  /** Its open invoices, with what is left of each. */
  invoices: { number: number; left_cents: number }[];
  /** The entry that is reversed, the line that is confirmed, or the credit note that is undone. */
  id: number;
  cause: string;
}

/** Does a step, the same whenever it is called. */
export async function doStep(db: Database, step: Step): Promise<unknown> {
  const { action, account, day, invoices, id, cause } = step;
  const at = new Date(step.at);
  const asked = { confirmed: true, largeFromCents: Number.MAX_SAFE_INTEGER };
  const moved = { account, day, method: 'bank_transfer', cause } as const;
  const [one, two] = invoices as [Step['invoices'][0], Step['invoices'][0]];
  const parts = [
    { invoice: one.number, cents: one.left_cents, leftCents: one.left_cents },
    { invoice: two.number, cents: 2_000, leftCents: two.left_cents },
  ];
  const because = { reason: 'Test', cause };
  switch (action) {
    case 'payment': {
      const payment = { ...moved, cents: one.left_cents + 2_500, allocations: parts };
      return recordPayment(db, payment, asked, commandActor, at);
    }
    case 'credit':
      return applyCredit(db, account, parts, commandActor, at);
    case 'refund':
      return recordRefund(db, { ...moved, cents: 1_500 }, asked, commandActor, at);
    case 'write-off':
      return writeOff(db, one.number, because, asked, commandActor, at);
    case 'reversal':
      return reverseSettling(db, id, because, commandActor, at);
    case 'credit note': {
      const note = { ...because, invoice: one.number, lines: [{ position: 1, cents: 4_000 }] };
      return issueCreditNote(db, note, asked, commandActor, at);
    }
    case 'credit note undone':
      return undoCreditNote(db, id, because.reason, commandActor, at);
    case 'bank line': {
      const allocations = parts.map(({ invoice, cents, leftCents }) => ({
        ...{ invoice, amount_cents: cents, left_cents: leftCents },
      }));
      return confirmLine(db, id, { account, allocations }, commandActor, at);
    }
  }
}

/** Calls `before` with the number of each statement of a transaction, and of what follows its end. */
export function numbered(database: Database, before: (number: number) => void): Database {
  let number = 0;
  return delegate(database, {
    async transaction(work, isolation) {
      const result = await database.transaction(
        (connection) =>
          work({
            ...connection,
            copyFrom: connection.copyFrom.bind(connection),
            query(statement, values) {
              before(++number);
              return connection.query(statement, values);
            },
          }),
        isolation,
      );
      before(++number);
      return result;
    },
  });
}

if (process.argv[2] !== undefined && process.argv[1]?.endsWith('money-step.ts')) {
  const { url, step, killAt } = JSON.parse(process.argv[2]) as { url: string; step: Step; killAt: number };
  const database = await openServerDatabase(url);
  const killed = numbered(database, (number) => {
    if (number === killAt) process.kill(process.pid, 'SIGKILL');
  });
  await doStep(killed, step);
}
