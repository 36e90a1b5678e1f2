import type { Database } from '../platform/database/database.ts';
import { invoiceTotals, listInvoices } from './invoices.ts';
import { type AccountId, requireAccount, unbilledEntries } from './ledger.ts';
import { creditOf } from './receivables/allocations.ts';

/** An account's credit in cents with GST, its invoices, newest first, with their totals, and unbilled entries, oldest first. @throws as {@link requireAccount} */
export function statementOf(db: Database, account: AccountId, at: Date) {
  // One snapshot: an entry that is invoiced meanwhile is either on an invoice or among the entries.
  return db.transaction(async (connection) => {
    const name = await requireAccount(connection, account);
    const entries = await unbilledEntries(connection, { account });
    const invoices = await listInvoices(connection, { account });
    return {
      account: { ...account, name },
      as_of: at,
      credit_cents: await creditOf(connection, account),
      invoices,
      totals: invoiceTotals(invoices),
      unbilled: { entries, subtotal_cents: entries.reduce((sum, entry) => sum + entry.amount_cents, 0) },
    };
  }, 'repeatable read, read only');
}
