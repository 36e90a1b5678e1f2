import type { Answer } from '../../client/client.ts';
import { useInAddress } from '../shared/address.ts';
import { CreditNoteTable } from '../shared/billing/credit-note.tsx';
import { FeeState, FeeStateSelect, feeFigures, feeStateNames } from '../shared/billing/fees.tsx';
import { SearchField } from '../shared/billing/search-field.tsx';
import { Statement } from '../shared/billing/statement.tsx';
import { dateName, dateOfMoment, money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import { CsvLink, PdfLink } from '../shared/ui/button.tsx';
import { Figures } from '../shared/ui/facts.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { count, moment } from '../shared/words.ts';
import { isStaff } from './context.ts';

type OwnFees = Answer<'/api/operator/processing-fees'>;
type OwnFee = OwnFees['fees'][number];

export function FeesView() {
  const state = useInAddress('state', '', feeStateNames);
  const q = useInAddress('q');
  const query = () => ({
    ...(state.value ? { state: state.value as OwnFee['state'] } : {}),
    ...(q.value ? { q: q.value } : {}),
  });
  const fees = useResource(() => api.get('/api/operator/processing-fees', { query: query() }), 'elsewhere');
  const notes = useResource(
    () => api.get('/api/operator/credit-notes', { query: { limit: 500 } }),
    'elsewhere',
  );
  return (
    <View title="Processing fees">
      <Card title="Fees" silent>
        <div class="filters">
          <SearchField label="Search fees" placeholder="File, invoice, amount" q={q} />
          <FeeStateSelect value={state} />
          <CsvLink
            href={`/api/operator/processing-fees?${new URLSearchParams({ ...query(), format: 'csv' })}`}
          />
        </div>
        <Loaded of={fees}>
          {(answer) => <Fees {...answer} isFiltered={Object.keys(query()).length > 0} />}
        </Loaded>
      </Card>
      <Card title="Credit notes">
        <Loaded of={notes}>
          {({ credit_notes }) => <CreditNoteTable notes={credit_notes} empty="No credit notes." />}
        </Loaded>
      </Card>
      {!isStaff() && <OwnStatement />}
    </View>
  );
}

function OwnStatement() {
  const statement = useResource(() => api.get('/api/operator/statement'));
  return (
    <Card title="Statement" actions={<PdfLink href="/api/operator/statement?format=pdf" />}>
      <Loaded of={statement}>
        {(statement) => <Statement of={statement} own="/api/operator" nothing="No invoices yet." />}
      </Loaded>
    </Card>
  );
}

function Fees({ fees, totals, terms, isFiltered }: OwnFees & { isFiltered: boolean }) {
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
        empty={isFiltered ? 'No matching fees.' : 'No fees yet.'}
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
    cell: ({ submission, kind, versions, provider }) => (
      <>
        <a href={`#/submission/${submission.id}`}>{submission.file}</a>
        <span class="small muted below">{kind === 'first' ? 'first-time setup' : 'update'}</span>
        {versions.map(({ id, technology }) => (
          <a
            key={id}
            class="small below"
            href={`#/versions/${encodeURIComponent(technology)}/${encodeURIComponent(provider.name)}`}
          >
            Version {id}, {technology}
          </a>
        ))}
      </>
    ),
  },
  { title: 'Submitted', cell: ({ submission }) => moment(submission.received_at) },
  { title: 'Accrued', cell: ({ accrued_on: on }) => dateName(on), sortBy: ({ accrued_on: on }) => on },
  {
    title: 'State',
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
      invoice === null ? (
        <span class="muted">–</span>
      ) : (
        <span>
          {isStaff() ? invoice : <a href={`#/invoices/${invoice}`}>{invoice}</a>}, {dateName(on as string)}
        </span>
      ),
  },
  {
    title: 'Due',
    cell: ({ due_on: due, paid_on: paid }) =>
      paid ? `paid ${dateName(paid)}` : due ? dateName(due) : <span class="muted">–</span>,
  },
  { title: 'Age', numeric: true, cell: ({ age_days: days }) => count(days, 'day') },
  { title: 'Amount', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
];
