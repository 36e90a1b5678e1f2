import type { OwnStatement } from '../schemas.ts';
import { type Figure, Figures } from '../ui/facts.tsx';
import { Notice } from '../ui/notice.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { count } from '../words.ts';
import { dateName, dateOfMoment, kindWords, money } from './words.ts';

type Line = OwnStatement['lines'][number];

interface StatementProps {
  of: OwnStatement;
  nothing: string;
  /** Where the API has the account’s own papers; undefined: staff look at it. */
  own?: '/api/account' | '/api/operator';
}

/** An account from day to day: what is due, papers and payments with the balance after each, and unbilled entries. */
export function Statement({ of, nothing, own }: StatementProps) {
  const { credit_cents: credit, unbilled, lines } = of;
  const { entries, subtotal_cents: open } = unbilled;
  return (
    <>
      <Figures list={figuresOf(of)} />
      <p class="small muted">
        {of.account.kind === 'operator' ? 'Operator' : 'Customer'} code {of.code}: payments with it are
        recognised.
      </p>
      {credit > 0 && (
        <Notice
          tone="good"
          title={`Credit: ${money(credit)} (incl. GST)`}
          text="The next invoices use it up."
        />
      )}
      <Table
        caption={`Invoices, credit notes and payments from ${dateName(of.from)} to ${dateName(of.to)}`}
        columns={lineColumns(own)}
        rows={lines}
        empty={nothing}
        totals={{ title: `Balance on ${dateName(of.to)}`, cells: { Balance: balance(of.closing_cents) } }}
      />
      {of.opening_cents !== 0 && (
        <p class="small muted">
          Balance before {dateName(of.from)}: {balance(of.opening_cents)}.
        </p>
      )}
      {entries.length > 0 && (
        <>
          <p class="muted">
            Not invoiced yet: {count(entries.length, 'entry', 'entries')}, {money(open)} (excl. GST).
          </p>
          <Table caption="Entries for the next invoice, oldest first" columns={entryColumns} rows={entries} />
        </>
      )}
    </>
  );
}

function figuresOf({ due_cents: due, overdue_cents: overdue, unbilled }: OwnStatement): Figure[] {
  return [
    {
      label: 'Due',
      value: money(due),
      note: overdue > 0 ? `of it overdue: ${money(overdue)}` : 'nothing overdue',
    },
    {
      label: 'For the next invoice',
      value: money(unbilled.subtotal_cents),
      note: 'excl. GST',
    },
  ];
}

/** What is owed, or a credit. */
const balance = (cents: number) => (cents < 0 ? `${money(-cents)} credit` : money(cents));

/** The pages of papers. Payments have one for staff alone, others see the receipt. */
const papers: Partial<Record<Line['kind'], string>> = { invoice: 'invoices', credit_note: 'credit-notes' };

const lineColumns = (own: StatementProps['own']): Column<Line>[] => [
  { title: 'Date', cell: ({ on_day: on }) => dateName(on) },
  {
    title: 'Description',
    heading: true,
    cell({ kind, number, description }) {
      if (kind === 'payment' && own) {
        return (
          <a href={`${own}/receipts/${number}?format=pdf`} target="_blank" rel="noopener">
            {description}
          </a>
        );
      }
      const page = papers[kind] ?? (own ? undefined : 'payments');
      return page ? <a href={`#/${page}/${number}`}>{description}</a> : description;
    },
  },
  { title: 'Amount', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
  { title: 'Balance', numeric: true, cell: ({ balance_cents: cents }) => balance(cents) },
];

const entryColumns: Column<OwnStatement['unbilled']['entries'][number]>[] = [
  { title: 'Description', heading: true, cell: ({ description }) => description },
  { title: 'Type', cell: ({ kind }) => <span class="muted">{kindWords[kind]}</span> },
  { title: 'Posted', cell: ({ booked_at: at }) => dateName(dateOfMoment(at)) },
  { title: 'Amount (excl. GST)', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
];
