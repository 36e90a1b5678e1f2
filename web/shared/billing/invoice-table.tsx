import { monthName } from '../../../platform/nz-time.ts';
import type { Invoice, Invoices } from '../schemas.ts';
import { type Column, Table, type TableProps } from '../ui/table.tsx';
import { count } from '../words.ts';
import { moneyColumn } from './columns.tsx';
import { InvoiceState } from './invoice-state.tsx';
import { dateName, money } from './words.ts';

export interface InvoiceTableProps extends Invoices {
  /** True for invoices of several recipients; those of one are a statement, with GST. */
  showsRecipient?: boolean;
  empty: TableProps<Invoice>['empty'];
}

/** Invoices, each a link to its view, and their totals. */
export function InvoiceTable({ invoices, totals, showsRecipient, empty }: InvoiceTableProps) {
  const ofSeveral = (...columns: Column<Invoice>[]) => (showsRecipient ? columns : []);
  return (
    <Table
      caption="Invoices, newest first"
      columns={[
        invoiceColumn,
        ...ofSeveral(recipientColumn),
        periodColumn,
        { title: 'Issued', cell: ({ issued_on: on }) => dateName(on), sortBy: ({ issued_on: on }) => on },
        {
          title: 'Due',
          cell: ({ due_on: on }) => (on ? dateName(on) : none),
          sortBy: ({ due_on: on }) => on ?? '',
        },
        ...ofSeveral(
          { title: 'Excl. GST', numeric: true, cell: ({ subtotal_cents: cents }) => money(cents) },
          { title: 'GST', numeric: true, cell: ({ gst_cents: cents }) => money(cents) },
        ),
        moneyColumn<Invoice>('Total', ({ total_cents: cents }) => cents),
        {
          title: 'Left to pay',
          numeric: true,
          cell: ({ balance_cents: cents }) => <strong>{money(cents)}</strong>,
          sortBy: ({ balance_cents: cents }) => cents,
        },
        { title: 'State', cell: ({ state }) => <InvoiceState of={state} />, sortBy: ({ state }) => state },
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
          'Left to pay': money(totals.balance_cents),
        },
      }}
    />
  );
}

const none = <span class="muted">–</span>;

const invoiceColumn: Column<Invoice> = {
  title: 'Invoice',
  heading: true,
  cell: ({ number }) => <a href={`#/invoices/${number}`}>Invoice {number}</a>,
  sortBy: ({ number }) => number,
};
const recipientColumn: Column<Invoice> = {
  title: 'Billed to',
  sortBy: ({ recipient }) => recipient.name,
  cell: ({ recipient }) => (
    <span>
      {recipient.name}
      {recipient.kind === 'operator' && <span class="muted">, operator</span>}
    </span>
  ),
};
const periodColumn: Column<Invoice> = {
  title: 'Billing period',
  cell: ({ month, occasion }) => (
    <span>
      {monthName(month)}
      {occasion === 'plan_start' && <span class="small muted below">start of the plan</span>}
    </span>
  ),
};
