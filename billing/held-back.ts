import type { Actor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import {
  type Connection,
  type Database,
  inOneTransaction,
  type Queryable,
} from '../platform/database/database.ts';
import { nzTimeSql } from '../platform/database/nz-time.ts';
import { raw, sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import { addMonths, type Day, type Month, startOfMonth } from '../platform/nz-time.ts';
import {
  type DraftInvoice,
  draft,
  entryLine,
  type InvoiceContent,
  issue,
  postLines,
  requireComplete,
  subtotalOf,
} from './invoicing.ts';
import {
  type Account,
  type AccountId,
  accountSql,
  ofAccountSql,
  ownerOf,
  unbilledEntries,
} from './ledger.ts';
import { closedThrough, lockMonths } from './months.ts';
import { termsOf } from './terms.ts';

/*
 * Invoices that lack what the law asks for are not issued. Their entries are posted all the same, and are on no invoice until staff issue it or the
 * next close does, once nothing is lacking. An account's entries that a close or a plan's start has left open are what is held back of it.
 */

/** Posts the lines of an invoice that is not issued. */
export async function holdBack(
  connection: Connection,
  invoice: DraftInvoice,
  actor: Actor,
  at: Date,
): Promise<void> {
  const { recipient, lines, month, total_cents, lacks } = invoice;
  await postLines(connection, recipient, lines, actor.name, at);
  const details = { month, total_cents, lacks };
  await record(connection, actor, { action: 'invoice_held_back', ...ownerOf(recipient), details });
}

/** What is held back, with all else that is on no invoice of the account yet, as it would be issued now. @param account undefined: of all */
export async function heldBack(db: Queryable, account?: AccountId) {
  const closed = await closedThrough(db);
  const { rows } = await db.query<{ account: Account; month: Month; since: Day }>(sql`
    select account, month, since::date as since from (
      select ${accountSql('e', 'min(coalesce(c.name, p.name))')} as account,
        to_char(coalesce(max(e.month) filter (where e.kind <> 'plan_fee'), min(e.month)), 'YYYY-MM') as month,
        ${raw(nzTimeSql('min(e.booked_at)'))} as since
      from open_entry o join ledger_entry e on e.id = o.entry_id
      left join customer c on c.id = e.customer_id left join provider p on p.id = e.provider_id
      where ${ofAccountSql('e', account)} and (e.kind in ('overage', 'adjustment', 'plan_fee')
        or e.booked_at < ${closed ? startOfMonth(addMonths(closed, 1)) : null}::timestamptz)
      group by e.customer_id, e.provider_id
      -- Entries that sum to nothing wait for more.
      having sum(e.amount_cents) <> 0
    ) as held order by since, account->>'name'`);
  const contents: InvoiceContent[] = [];
  for (const { account, month } of rows) {
    const lines = (await unbilledEntries(db, { account })).map(entryLine);
    contents.push({ occasion: 'held_back', account, month, lines, usage: null });
  }
  const since = new Map(rows.map((row) => [row.account.kind + row.account.id, row.since]));
  const drafts = await draft(
    db,
    contents.filter(({ lines }) => subtotalOf(lines) !== 0),
  );
  return drafts.map((one) => ({ ...one, since: since.get(one.recipient.kind + one.recipient.id) as Day }));
}

/**
 * Issues what is held back of an account, as of today. @param expectedCents the total, GST included, as it was seen @returns the number of the invoice
 * @throws CovermapError `nothing_held_back`, `invoice_held_back` where something is lacking, `preview_outdated`
 */
export function issueHeldBack(
  db: Database | Connection,
  account: AccountId,
  expectedCents: number | undefined,
  actor: Actor,
  at: Date,
): Promise<number> {
  return inOneTransaction(db, async (connection) => {
    await lockMonths(connection);
    const [invoice] = await heldBack(connection, account);
    if (!invoice) throw new CovermapError('nothing_held_back');
    requireComplete(invoice);
    const { month, total_cents } = invoice;
    if (expectedCents !== undefined && expectedCents !== total_cents)
      throw new CovermapError('preview_outdated');
    const number = await issue(connection, invoice, await termsOf(connection, month), actor.name, at);
    const details = { invoice: number, month, total_cents };
    await record(connection, actor, { action: 'invoice_issued', ...ownerOf(account), details });
    return number;
  });
}
