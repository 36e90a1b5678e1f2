import { z } from 'zod';
import { plainHeading } from './texts.ts';

/* Which column of a bank's file is which, by its headings. */

/** Fields of a line, and the headings of their columns. `amount` is signed; where it is absent or empty, `credit` less `debit`. */
export const BankColumns = z
  .object({
    date: z.string().min(1),
    amount: z.string().optional(),
    credit: z.string().optional(),
    debit: z.string().optional(),
    payer: z.string().optional(),
    particulars: z.string().optional(),
    code: z.string().optional(),
    reference: z.string().optional(),
    id: z.string().optional().describe('The bank’s own ID of the line.'),
    account: z.string().optional().describe('The account into which it was paid.'),
    currency: z.string().optional(),
  })
  .refine(({ amount, credit }) => amount !== undefined || credit !== undefined, {
    error: 'Name the column of amounts, or of credits.',
  });
export type BankColumns = z.output<typeof BankColumns>;

const dateOrders = ['dmy', 'mdy', 'ymd'] as const;
/** The order of day, month and year. */
export type DateOrder = (typeof dateOrders)[number];

export interface Layout {
  bank: string;
  /** All of them, in order. */
  headings: readonly string[];
  columns: BankColumns;
  /** Null: as the file shows. */
  dates: DateOrder | null;
  /** What its account is called in lines before the headings. */
  accountBefore?: RegExp;
}

const bank = (name: string, headings: string, dates: DateOrder, columns: BankColumns, rest = {}): Layout => ({
  bank: name,
  headings: headings.split(','),
  columns,
  dates,
  ...rest,
});

/** As the banks' internet banking of 2026 exports them. */
export const banks: readonly Layout[] = [
  bank(
    'ANZ',
    'Type,Details,Particulars,Code,Reference,Amount,Date,ForeignCurrencyAmount,ConversionCharge',
    'dmy',
    {
      ...{ date: 'Date', amount: 'Amount', payer: 'Details' },
      ...{ particulars: 'Particulars', code: 'Code', reference: 'Reference' },
    },
  ),
  bank(
    'ASB',
    'Date,Unique Id,Tran Type,Cheque Number,Payee,Memo,Amount',
    'ymd',
    { date: 'Date', amount: 'Amount', payer: 'Payee', reference: 'Memo', id: 'Unique Id' },
    { accountBefore: /^Bank (\d{1,4}); Branch (\d{1,6}); Account ([\d-]{1,20})/ },
  ),
  bank(
    'BNZ',
    'Date,Amount,Payee,Particulars,Code,Reference,Tran Type,This Party Account,Other Party Account,Serial,Transaction Code,Batch Number,Originating Bank/Branch,Processed Date',
    'dmy',
    {
      ...{ date: 'Date', amount: 'Amount', payer: 'Payee', account: 'This Party Account' },
      ...{ particulars: 'Particulars', code: 'Code', reference: 'Reference' },
    },
  ),
  bank('Westpac', 'Date,Amount,Other Party,Description,Reference,Particulars,Analysis Code', 'dmy', {
    ...{ date: 'Date', amount: 'Amount', payer: 'Other Party' },
    ...{ particulars: 'Particulars', code: 'Analysis Code', reference: 'Reference' },
  }),
  bank(
    'Kiwibank',
    'Account number,Date,Memo/Description,Source Code (payment type),TP ref,TP part,TP code,OP ref,OP part,OP code,OP name,OP Bank Account Number,Amount (credit),Amount (debit),Amount,Balance',
    'dmy',
    {
      ...{ date: 'Date', amount: 'Amount', credit: 'Amount (credit)', debit: 'Amount (debit)' },
      ...{ payer: 'OP name', particulars: 'TP part', code: 'TP code', reference: 'TP ref' },
      account: 'Account number',
    },
  ),
];

/** Headings are compared without case, quotes and spaces around. */
export const sameHeadings = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, i) => plainHeading(one) === plainHeading(b[i] ?? ''));
