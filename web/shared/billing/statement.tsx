import type { OwnStatement } from '../schemas.ts';
import { Figures } from '../ui/facts.tsx';
import { Notice } from '../ui/notice.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { count } from '../words.ts';
import { InvoiceTable } from './invoice-table.tsx';
import { dateName, dateOfMoment, kindWords, money } from './words.ts';

/** An account's credit, its invoices with the credit left by each, and unbilled entries. */
export function Statement({ of, nothing }: { of: OwnStatement; nothing: string }) {
  const { credit_cents: credit, invoices, unbilled } = of;
  const { entries, subtotal_cents: open } = unbilled;
  const sum = (field: 'subtotal_cents' | 'gst_cents' | 'total_cents' | 'due_cents') =>
    invoices.reduce((total, invoice) => total + invoice[field], 0);
  return (
    <>
      {credit > 0 && (
        <Notice
          tone="good"
          title={`Credit: ${money(credit)} (incl. GST)`}
          text="The next invoices use it up."
        />
      )}
      {entries.length > 0 && (
        <>
          <Figures
            list={[
              {
                label: 'Unbilled (excl. GST)',
                value: money(open),
                note: `${count(entries.length, 'entry', 'entries')} for the next invoice`,
              },
            ]}
          />
          <Table caption="Unbilled entries, oldest first" columns={columns} rows={entries} />
        </>
      )}
      <InvoiceTable
        invoices={invoices}
        empty={nothing}
        totals={{
          count: invoices.length,
          subtotal_cents: sum('subtotal_cents'),
          gst_cents: sum('gst_cents'),
          total_cents: sum('total_cents'),
          due_cents: sum('due_cents'),
        }}
      />
    </>
  );
}

const columns: Column<OwnStatement['unbilled']['entries'][number]>[] = [
  { title: 'Description', heading: true, cell: ({ description }) => description },
  { title: 'Type', cell: ({ kind }) => <span class="muted">{kindWords[kind]}</span> },
  { title: 'Posted', cell: ({ booked_at: at }) => dateName(dateOfMoment(at)) },
  { title: 'Amount (excl. GST)', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
];
