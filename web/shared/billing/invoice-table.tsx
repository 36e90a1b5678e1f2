import type { Invoice, Invoices } from '../schemas.ts';
import { type Column, Table, type TableProps } from '../ui/table.tsx';
import { count } from '../words.ts';
import { dateName, money, monthName } from './words.ts';

export interface InvoiceTableProps extends Invoices {
  /** Whether they are of more than one; those of one are a statement, with GST. */
  showsRecipient?: boolean;
  empty: TableProps<Invoice>['empty'];
}

/** Invoices, each a link to its view, and their totals. */
export function InvoiceTable({ invoices, totals, showsRecipient, empty }: InvoiceTableProps) {
  return (
    <Table
      caption="Invoices, newest first"
      columns={[
        ...allColumns.filter((column) => showsRecipient || !ofSeveral.includes(column)),
        ...(invoices.some(({ carried_forward_cents: cents }) => cents > 0) ? [creditColumn] : []),
      ]}
      rows={invoices}
      empty={empty}
      rowKey={({ number }) => number}
      totals={{
        title: count(totals.count, 'invoice'),
        cells: {
          'Excl. GST': money(totals.subtotal_cents),
          GST: money(totals.gst_cents),
          Total: money(totals.total_cents),
          'Amount due': money(totals.due_cents),
        },
      }}
    />
  );
}

const none = <span class="muted">–</span>;

const recipientColumn: Column<Invoice> = {
  title: 'Customer',
  cell: ({ recipient }) => (
    <span>
      {recipient.name}
      {recipient.kind === 'operator' && <span class="muted">, operator</span>}
    </span>
  ),
};
const gstColumns: Column<Invoice>[] = [
  { title: 'Excl. GST', numeric: true, cell: ({ subtotal_cents: cents }) => money(cents) },
  { title: 'GST', numeric: true, cell: ({ gst_cents: cents }) => money(cents) },
];
const ofSeveral = [recipientColumn, ...gstColumns];

const allColumns: Column<Invoice>[] = [
  {
    title: 'Invoice',
    heading: true,
    cell: ({ number }) => <a href={`#/invoices/${number}`}>Invoice {number}</a>,
  },
  recipientColumn,
  {
    title: 'Billing period',
    cell: ({ month, occasion }) => (
      <span>
        {monthName(month)}
        {occasion === 'plan_start' && <span class="small muted below">start of the plan</span>}
      </span>
    ),
  },
  { title: 'Issued', cell: ({ issued_on: on }) => dateName(on) },
  { title: 'Due', cell: ({ due_on: on }) => (on ? dateName(on) : none) },
  ...gstColumns,
  { title: 'Total', numeric: true, cell: ({ total_cents: cents }) => money(cents) },
  { title: 'Amount due', numeric: true, cell: ({ due_cents: cents }) => <strong>{money(cents)}</strong> },
];
/** Of an account, each begins with what the one below has left. */
const creditColumn: Column<Invoice> = {
  title: 'Credit carried forward',
  numeric: true,
  cell: ({ carried_forward_cents: cents }) => (cents > 0 ? money(cents) : none),
};
