import type { Queryable } from '../database/database.ts';
import { type ListedInvoice, listInvoices } from './invoices.ts';
import { creditOf } from './invoicing.ts';
import { type Account, type AccountId, type LedgerEntry, requireAccount, unbilledEntries } from './ledger.ts';

/** How an account stands. */
export interface Statement {
  account: Account;
  as_of: Date;
  /** The credit that the next invoice uses up. Cents with GST. */
  credit_cents: number;
  /** Newest first. */
  invoices: ListedInvoice[];
  /** Oldest first. Cents without GST. */
  unbilled: { entries: LedgerEntry[]; subtotal_cents: number };
}

/** @throws CovermapError `customer_unknown`, `provider_unknown` */
export async function statementOf(db: Queryable, account: AccountId, at: Date): Promise<Statement> {
  const name = await requireAccount(db, account);
  const entries = await unbilledEntries(db, { account });
  return {
    account: { ...account, name },
    as_of: at,
    credit_cents: await creditOf(db, account),
    invoices: await listInvoices(db, { account }),
    unbilled: { entries, subtotal_cents: entries.reduce((sum, entry) => sum + entry.amount_cents, 0) },
  };
}
