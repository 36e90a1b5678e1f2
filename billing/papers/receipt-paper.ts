import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import type { Day } from '../../platform/nz-time.ts';
import { contactOf } from '../contacts.ts';
import { issuerNow } from '../issuer.ts';
import { type Account, accountSql } from '../ledger.ts';
import { type Paper, paperDay, paperMoney, paperSum, recipientFact } from './paper.ts';

/** A payment as it was recorded: what it was allocated to then, whatever is done with the rest. Cents, including GST. */
export interface Receipt {
  /** The ID of the payment's entry. */
  id: number;
  account: Account;
  onDay: Day;
  cents: number;
  method: 'bank_transfer' | 'card' | 'cash' | 'other';
  /** Particulars, code and reference. */
  words: string;
  /** Null unless it was. */
  reversedOn: Day | null;
  invoices: { number: number; issuedOn: Day; totalCents: number; cents: number }[];
}

/** The receipt of a payment. @throws CovermapError `receipt_unknown` */
export async function findReceipt(db: Queryable, id: number): Promise<Receipt> {
  const { rows } = await db.query<Receipt>(sql`
    select e.id, ${accountSql('e', 'coalesce(c.name, p.name)')} as account, y.on_day as "onDay", -e.amount_cents as cents, y.method,
      (select r.on_day from ledger_entry o join payment r on r.entry_id = o.id where o.corrects = e.id) as "reversedOn",
      concat_ws(' ', nullif(y.particulars, ''), nullif(y.code, ''), nullif(y.reference, '')) as words,
      coalesce((
        select json_agg(json_build_object('number', i.number, 'issuedOn', i.issued_on, 'totalCents', i.total_cents, 'cents', a.amount_cents) order by i.number)
        from allocation a join invoice i on i.number = a.to_invoice where a.from_entry = e.id and a.at = e.booked_at), '[]') as invoices
    from ledger_entry e join payment y on y.entry_id = e.id
    left join customer c on c.id = e.customer_id left join provider p on p.id = e.provider_id
    where e.id = ${id} and e.kind = 'payment'`);
  if (!rows[0]) throw new CovermapError('receipt_unknown');
  return rows[0];
}

const methods = { bank_transfer: 'Bank transfer', card: 'Card', cash: 'Cash', other: 'Other' };

/** A receipt, with the account's contact of now. */
export async function receiptPaper(db: Queryable, { id, account, ...receipt }: Receipt): Promise<Paper> {
  const { onDay, cents, method, words, invoices, reversedOn } = receipt;
  const rest = cents - invoices.reduce((sum, invoice) => sum + invoice.cents, 0);
  return {
    title: `Receipt ${id}`,
    about: `Payment of ${paperDay(onDay)}`,
    recipient: account.name,
    issuer: await issuerNow(db),
    day: onDay,
    facts: [
      recipientFact({ name: account.name, ...(await contactOf(db, account)) }),
      { name: 'Received', value: paperMoney(cents) },
      { name: 'Date', value: paperDay(onDay) },
      { name: 'Method', value: methods[method], ...(words && { more: [words] }) },
    ],
    tables: [
      {
        columns: [
          { name: 'Paid' },
          { name: 'Total of the invoice', numeric: true },
          { name: 'Amount', numeric: true },
        ],
        rows: [
          ...invoices.map((invoice) => [
            `Invoice ${invoice.number} of ${paperDay(invoice.issuedOn)}`,
            paperMoney(invoice.totalCents),
            paperMoney(invoice.cents),
          ]),
          ...(rest > 0 ? [['Credit of your account, for your next invoices', '', paperMoney(rest)]] : []),
        ],
        sums: [paperSum('Received (incl. GST)', cents, true)],
      },
    ],
    notes: [reversedOn ? `This payment was reversed on ${paperDay(reversedOn)}.` : 'Thank you.'],
  };
}
