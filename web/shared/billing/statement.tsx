import type { OwnStatement } from '../schemas.ts';
import { Figures } from '../ui/facts.tsx';
import { Notice } from '../ui/notice.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { count } from '../words.ts';
import { InvoiceTable } from './invoice-table.tsx';
import { dateName, dateOfMoment, kindWords, money } from './words.ts';

/** An account's credit, its invoices with the credit left by each, and unbilled entries. */
export function Statement({ of, nothing }: { of: OwnStatement; nothing: string }) {
  const { credit_cents: credit, invoices, totals, unbilled } = of;
  const { entries, subtotal_cents: open } = unbilled;
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
      <InvoiceTable invoices={invoices} totals={totals} empty={nothing} />
    </>
  );
}

const columns: Column<OwnStatement['unbilled']['entries'][number]>[] = [
  { title: 'Description', heading: true, cell: ({ description }) => description },
  { title: 'Type', cell: ({ kind }) => <span class="muted">{kindWords[kind]}</span> },
  { title: 'Posted', cell: ({ booked_at: at }) => dateName(dateOfMoment(at)) },
  { title: 'Amount (excl. GST)', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
];
