import type { ComponentChildren } from 'preact';
import { api } from '../client.ts';
import type { CreditNoteDetail, OwnCreditNote, OwnCreditNoteDetail } from '../schemas.ts';
import { Facts } from '../ui/facts.tsx';
import { Icon } from '../ui/icon.tsx';
import { type Column, Table, type TableProps } from '../ui/table.tsx';
import { Card, View } from '../ui/view.tsx';
import { Loaded, useResource } from '../use-resource.tsx';
import { moment } from '../words.ts';
import { dateName, money } from './words.ts';

type AnyCreditNote = CreditNoteDetail | OwnCreditNoteDetail;

const bases = {
  staff: '/api/staff/credit-notes',
  customer: '/api/account/credit-notes',
  operator: '/api/operator/credit-notes',
} as const;

interface CreditNoteProps {
  number: number;
  whose: keyof typeof bases;
  back: { href: string; label: string };
  actions?(note: AnyCreditNote): ComponentChildren;
}

/** A credit note: what it corrects, why, and what is credited. */
export function CreditNoteView({ number, whose, back, actions }: CreditNoteProps) {
  const address = `${bases[whose]}/${number}`;
  const note = useResource<AnyCreditNote>(
    () => api.get(`${bases[whose]}/{number}`, { path: { number } }),
    'here',
  );
  const shown = note.data.value;
  return (
    <View
      title={`Credit note ${number}`}
      back={back}
      actions={
        <>
          <a class="button" href={`${address}?format=html`} target="_blank" rel="noopener">
            <Icon name="print" size={18} />
            Print
          </a>
          <a class="button" href={`${address}?format=pdf`} target="_blank" rel="noopener">
            PDF
          </a>
          {shown && actions?.(shown)}
        </>
      }
    >
      <Loaded of={note}>
        {(note) => (
          <>
            <Card title="About this credit note" silent>
              <Facts layout="across" list={aboutNote(note, whose)} />
            </Card>
            <Card title="Lines">
              <Table caption="Lines of the credit note" columns={lineColumns} rows={note.lines} />
              <dl class="stack close sums">
                {sumsOf(note).map(([name, cents]) => (
                  <div key={name} class="between">
                    <dt>{name}</dt>
                    <dd>{money(cents)}</dd>
                  </div>
                ))}
              </dl>
            </Card>
          </>
        )}
      </Loaded>
    </View>
  );
}

function aboutNote(note: AnyCreditNote, whose: CreditNoteProps['whose']) {
  const { kind, id, name } = note.recipient;
  const accounts = kind === 'customer' ? 'customers' : 'operators';
  const invoice = `Invoice ${note.invoice}`;
  const link = (number: number | null) =>
    number !== null && <a href={`#/credit-notes/${number}`}>Credit note {number}</a>;
  return [
    ['To', whose === 'staff' && <a href={`#/${accounts}/${id}`}>{name}</a>],
    ['Issued', dateName(note.issued_on)],
    ['Corrects', whose === 'operator' ? invoice : <a href={`#/invoices/${note.invoice}`}>{invoice}</a>],
    ['Of', dateName(note.invoice_issued_on)],
    ['Undoes', link(note.undoes)],
    ['Undone by', link(note.undone_by)],
    ['Reason', note.reason],
    ['Left as credit', note.left_cents > 0 && money(note.left_cents)],
    ['Issued by', 'created_by' in note && `${note.created_by}, ${moment(note.created_at)}`],
  ] as const;
}

const sumsOf = (note: AnyCreditNote): [name: string, cents: number][] => [
  ['Credited (excl. GST)', note.subtotal_cents],
  [`GST (${note.gst_percent}%)`, note.gst_cents],
  ['Credited (incl. GST)', note.total_cents],
  [`Invoice ${note.invoice} as it was issued`, note.invoice_total_cents],
  [`Invoice ${note.invoice} corrected`, note.corrected_total_cents],
];

const lineColumns: Column<AnyCreditNote['lines'][number]>[] = [
  { title: 'Description', heading: true, cell: ({ description }) => description },
  { title: 'Invoiced', numeric: true, cell: ({ invoiced_cents: cents }) => money(cents) },
  { title: 'Credited (excl. GST)', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
];

/** Credit notes, each a link to its view. */
export function CreditNoteTable({
  notes,
  empty,
}: {
  notes: readonly OwnCreditNote[];
  empty: TableProps<OwnCreditNote>['empty'];
}) {
  return <Table caption="Credit notes, newest first" columns={noteColumns} rows={notes} empty={empty} />;
}

const noteColumns: Column<OwnCreditNote>[] = [
  {
    title: 'Credit note',
    heading: true,
    cell: ({ number, invoice, undoes, undone_by: undone }) => (
      <span>
        <a href={`#/credit-notes/${number}`}>Credit note {number}</a>
        <span class="small muted below">
          {undoes !== null ? `undoes ${undoes}, ` : undone !== null && `undone by ${undone}, `}
          invoice {invoice}
        </span>
      </span>
    ),
  },
  { title: 'Issued', cell: ({ issued_on: on }) => dateName(on) },
  { title: 'Reason', cell: ({ reason }) => reason },
  { title: 'Total (incl. GST)', numeric: true, cell: ({ total_cents: cents }) => money(cents) },
];
