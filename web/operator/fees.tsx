import type { Answer } from '../../client/client.ts';
import { CreditNoteTable } from '../shared/billing/credit-note.tsx';
import { FeeState, feeFigures } from '../shared/billing/fees.tsx';
import { dateName, dateOfMoment, money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import { Figures } from '../shared/ui/facts.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { count, moment } from '../shared/words.ts';

type OwnFees = Answer<'/api/operator/processing-fees'>;
type OwnFee = OwnFees['fees'][number];

export function FeesView() {
  const fees = useResource(() => api.get('/api/operator/processing-fees'), 'elsewhere');
  const notes = useResource(
    () => api.get('/api/operator/credit-notes', { query: { limit: 500 } }),
    'elsewhere',
  );
  return (
    <View title="Processing fees">
      <Card title="Fees" silent>
        <Loaded of={fees}>{(answer) => <Fees {...answer} />}</Loaded>
      </Card>
      <Card title="Credit notes">
        <Loaded of={notes}>
          {({ credit_notes }) => <CreditNoteTable notes={credit_notes} empty="No credit notes." />}
        </Loaded>
      </Card>
    </View>
  );
}

function Fees({ fees, totals, terms }: OwnFees) {
  const first = money(terms.first_processing_cents);
  const later = money(terms.later_processing_cents);
  return (
    <>
      <p class="muted">
        For coverage that we model from your tower data: {first} for the first, {later} for each later update,
        excl. GST. A fee is charged when the coverage is published.
      </p>
      <Figures list={feeFigures(totals.by_state, 'not charged')} />
      <Table
        caption="Processing fees, newest first"
        columns={columns}
        rows={fees}
        empty="No fees yet."
        totals={{
          title: `Total (excl. GST), ${count(totals.count, 'fee')}`,
          cells: { Amount: money(totals.amount_cents) },
        }}
      />
    </>
  );
}

const columns: Column<OwnFee>[] = [
  {
    title: 'Submission',
    heading: true,
    cell: ({ submission, kind }) => (
      <>
        <a href={`#/submission/${submission.id}`}>{submission.file}</a>
        <span class="small muted below">{kind === 'first' ? 'first-time setup' : 'update'}</span>
      </>
    ),
  },
  { title: 'Uploaded', cell: ({ submission }) => moment(submission.received_at) },
  { title: 'Accrued', cell: ({ accrued_on: on }) => dateName(on) },
  {
    title: 'Status',
    cell: ({ state, changed_at: at }) => (
      <>
        <FeeState of={state} />
        {at && <span class="small muted below">on {dateName(dateOfMoment(at))}</span>}
      </>
    ),
  },
  {
    title: 'Invoice',
    cell: ({ invoice, invoiced_on: on }) =>
      invoice === null ? <span class="muted">–</span> : `${invoice}, ${dateName(on as string)}`,
  },
  {
    title: 'Due',
    cell: ({ due_on: due, paid_on: paid }) =>
      paid ? `paid ${dateName(paid)}` : due ? dateName(due) : <span class="muted">–</span>,
  },
  { title: 'Amount', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
];
