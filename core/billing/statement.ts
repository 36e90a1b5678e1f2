import type { Queryable } from '../database/database.ts';
import { type ListedInvoice, listInvoices } from './invoices.ts';
import { creditOf } from './issue.ts';
import {
  type AccountId,
  type EntryRow,
  entryColumns,
  entryJoins,
  entryOf,
  type LedgerEntry,
  requireAccount,
} from './ledger.ts';

/** How an account stands: its invoices, what they left to its credit, and what is on none of them yet. */
export interface Statement {
  account: AccountId & { name: string };
  as_of: Date;
  /** The credit that the next invoice uses up. Cents with GST. */
  credit_cents: number;
  /** Newest first. */
  invoices: ListedInvoice[];
  /** What is booked and on no invoice yet, oldest first. Cents without GST. */
  unbilled: { entries: LedgerEntry[]; subtotal_cents: number };
}

/** @throws CovermapError `customer_unknown`, `provider_unknown` */
export async function statementOf(db: Queryable, account: AccountId, at: Date): Promise<Statement> {
  const name = await requireAccount(db, account);
  const { rows } = await db.query<EntryRow>(
    `select ${entryColumns} from open_entry o join ledger_entry e on e.id = o.entry_id ${entryJoins}
     where case $1 when 'customer' then e.customer_id else e.provider_id end = $2
     order by e.id`,
    [account.kind, account.id],
  );
  const entries = rows.map(entryOf);
  return {
    account: { ...account, name },
    as_of: at,
    credit_cents: await creditOf(db, account),
    invoices: await listInvoices(db, { account }),
    unbilled: {
      entries,
      subtotal_cents: entries.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
    },
  };
}
