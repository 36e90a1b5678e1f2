import { invoiceFacts } from '../../billing/invoice-facts.ts';
import type { ListedInvoice } from '../../billing/invoices.ts';
import type { EntryFigures } from '../../billing/ledger.ts';
import { dollars } from '../../billing/money.ts';
import { type Column, fields } from '../http/csv.ts';

export const invoiceColumns: readonly Column<ListedInvoice>[] = [
  ...invoiceFacts.flatMap(({ csv }) => (csv ? [csv] : [])),
  ['state', ({ state }) => state],
  ['balance', ({ balance_cents }) => dollars(balance_cents)],
];

interface Line extends EntryFigures {
  invoice: number | null;
  recipient: string;
  position: number;
}

/** The figures of a line and of an entry of the ledger. */
export const figureColumns: readonly Column<EntryFigures>[] = [
  ...fields('kind', 'month', 'description', 'quantity'),
  ['unit_price', ({ unit_price_cents }) => dollars(unit_price_cents)],
  ['amount', ({ amount_cents }) => dollars(amount_cents)],
];

/** The columns of lines for the recipient. */
export const lineColumns: readonly Column<Line>[] = [
  ...fields('invoice', 'recipient', 'position'),
  ...figureColumns,
];

/** The columns of lines for staff, with the entry in the ledger. */
export const ledgerLineColumns: readonly Column<Line & { entry_id: number | null; cause: string }>[] = [
  ...lineColumns,
  ['entry', ({ entry_id }) => entry_id],
  ['cause', ({ cause }) => cause],
];
