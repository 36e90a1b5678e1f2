import { csvField } from '../../platform/csv-line.ts';
import type { Day } from '../../platform/nz-time.ts';
import type { Setting } from '../settings.ts';

/*
 * The lines of Xero's files. Sales invoices and credit notes: the template of Business > Invoices > Import, whose columns with an asterisk must be filled.
 * Payments: a bank statement, as Xero imports no payments; its person matches each there. Amounts of lines exclude GST, and days are as New Zealand has them.
 */

export const xeroKinds = ['invoices', 'credit_notes', 'payments'] as const;
export type XeroKind = (typeof xeroKinds)[number];

/** Xero takes 500 invoices a file, and 1,000 lines of a statement. */
export const maxLines = 500;

const salesHeadings = (
  '*ContactName EmailAddress POAddressLine1 POAddressLine2 POAddressLine3 POAddressLine4 POCity PORegion POPostalCode POCountry *InvoiceNumber Reference ' +
  '*InvoiceDate *DueDate Total InventoryItemCode *Description *Quantity *UnitAmount Discount *AccountCode *TaxType TaxAmount TrackingName1 TrackingOption1 ' +
  'TrackingName2 TrackingOption2 Currency BrandingTheme'
).split(' ');
const statementHeadings = ['*Date', '*Amount', 'Payee', 'Description', 'Reference', 'Check Number'];

type AccountCodes = Setting<'account_codes'>;

/** What a file has a line or several of. Cents; below zero: credit, or money out. */
export interface XeroDocument {
  kind: 'invoice' | 'credit_note' | 'entry';
  /** Of the invoice, the credit note or the ledger's entry. */
  id: number;
  on_day: Day;
  recipient: string;
  /** With GST. */
  total_cents: number;
}

export interface XeroSale extends XeroDocument {
  /** As Xero shows it. */
  number: string;
  reference: string;
  due_on: Day;
  address: string;
  contact: string;
  gst_percent: number;
  gst_cents: number;
  is_registered: boolean;
  lines: {
    kind: keyof AccountCodes;
    description: string;
    quantity: number;
    unit_price_cents: number;
    amount_cents: number;
  }[];
}

export interface XeroMoney extends XeroDocument {
  description: string;
  reference: string;
}

/** The number of an invoice in Xero. */
export const xeroNumber = (invoice: number): string => `INV-${invoice}`;

/** The invoice of a number in Xero; undefined for any that is not written exactly so, as Xero's own numbers begin alike. */
export function invoiceOfXero(number: string): number | undefined {
  const found = /^INV-([1-9]\d{0,8})$/.exec(number.trim());
  return found ? Number(found[1]) : undefined;
}

const amount = (cents: number): string => (cents / 100).toFixed(2);
const date = (day: Day): string => day.split('-').reverse().join('/');

function taxType({ gst_percent: percent, is_registered }: XeroSale): string {
  if (percent > 0) return `${percent}% GST on Income`;
  return is_registered ? 'Zero Rated' : 'No GST';
}

/** The GST of each line, in cents: what is cut off goes to the lines of which most is cut, so that they add up to the paper's. */
export function gstOfLines({
  lines,
  gst_percent,
  gst_cents,
}: Pick<XeroSale, 'lines' | 'gst_percent' | 'gst_cents'>) {
  const exact = lines.map(({ amount_cents }) => (amount_cents * gst_percent) / 100);
  const parts = exact.map(Math.floor);
  const left = gst_cents - parts.reduce((sum, part) => sum + part, 0);
  const cut = (i: number) => (exact[i] as number) - (parts[i] as number);
  const order = parts.map((_, i) => i).toSorted((a, b) => (cut(b) - cut(a)) * Math.sign(left));
  for (let given = 0; given < Math.abs(left); given++) {
    const i = order[given % order.length] as number;
    parts[i] = (parts[i] as number) + Math.sign(left);
  }
  return parts;
}

function salesLines(sale: XeroSale, codes: AccountCodes): string[][] {
  const address = sale.address.split('\n').map((line) => line.trim());
  const gst = gstOfLines(sale);
  const head = [
    sale.recipient,
    /^[^@\s]+@[^@\s]+$/.test(sale.contact) ? sale.contact : '',
    ...[0, 1, 2].map((i) => address[i] ?? ''),
    address.slice(3).join(', '),
    ...['', '', '', ''],
    sale.number,
    sale.reference,
    date(sale.on_day),
    date(sale.due_on),
    amount(sale.total_cents),
  ];
  return sale.lines.map(({ kind, description, quantity, unit_price_cents }, i) => [
    ...head,
    '',
    description,
    String(quantity),
    amount(unit_price_cents),
    '',
    codes[kind],
    taxType(sale),
    amount(gst[i] as number),
    ...['', '', '', ''],
    'NZD',
    '',
  ]);
}

const moneyLines = (money: XeroMoney): string[][] => [
  [date(money.on_day), amount(money.total_cents), money.recipient, money.description, money.reference, ''],
];

interface Lined extends XeroDocument {
  rows: string[][];
}

export interface XeroFileRows {
  kind: XeroKind;
  documents: number;
  lines: number;
  total_cents: number;
  text: string;
}

/** The files of documents: no more lines than Xero takes in each, and a paper's together. */
export function xeroFiles(
  sales: readonly XeroSale[],
  money: readonly XeroMoney[],
  codes: AccountCodes,
): XeroFileRows[] {
  // Below zero, a paper is a credit note, which Xero has on a page of its own.
  const kinds = [
    {
      kind: 'invoices',
      headings: salesHeadings,
      of: lined(sales.filter(({ total_cents }) => total_cents > 0)),
    },
    {
      kind: 'credit_notes',
      headings: salesHeadings,
      of: lined(sales.filter(({ total_cents }) => total_cents <= 0)),
    },
    {
      kind: 'payments',
      headings: statementHeadings,
      of: money.map((one) => ({ ...one, rows: moneyLines(one) })),
    },
  ] as const;
  function lined(papers: readonly XeroSale[]): Lined[] {
    return papers.map((one) => ({ ...one, rows: salesLines(one, codes) }));
  }
  return kinds.flatMap(({ kind, headings, of }) =>
    parted(of).map((part) => {
      const rows = part.flatMap((one) => one.rows);
      const text = [headings, ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
      const total_cents = part.reduce((sum, one) => sum + one.total_cents, 0);
      return { kind, documents: part.length, lines: rows.length, total_cents, text };
    }),
  );
}

/** Parts of at most {@link maxLines} lines; a paper with more has a part of its own. */
function parted(all: readonly Lined[]): Lined[][] {
  const parts: Lined[][] = [];
  let lines = Number.POSITIVE_INFINITY;
  for (const one of all) {
    if (lines + one.rows.length > maxLines) {
      parts.push([]);
      lines = 0;
    }
    parts.at(-1)?.push(one);
    lines += one.rows.length;
  }
  return parts;
}
