import type { Queryable } from '../database/database.ts';
import { invoiceTotals, listInvoices } from './invoices.ts';
import { creditOf } from './invoicing.ts';
import { type AccountId, requireAccount, unbilledEntries } from './ledger.ts';

/** An account's credit in cents with GST, its invoices, newest first, with their totals, and unbilled entries, oldest first. @throws as {@link requireAccount} */
export async function statementOf(db: Queryable, account: AccountId, at: Date) {
  const name = await requireAccount(db, account);
  const entries = await unbilledEntries(db, { account });
  const invoices = await listInvoices(db, { account });
  return {
    account: { ...account, name },
    as_of: at,
    credit_cents: await creditOf(db, account),
    invoices,
    totals: invoiceTotals(invoices),
    unbilled: { entries, subtotal_cents: entries.reduce((sum, entry) => sum + entry.amount_cents, 0) },
  };
}
