import { signal } from '@preact/signals';
import { addMonths } from '../../platform/nz-time.ts';
import { useInAddress } from '../shared/address.ts';
import { invoiceColumn, moneyColumn } from '../shared/billing/columns.tsx';
import { FeeState, FeeStateSelect, feeFigures, feeStateNames } from '../shared/billing/fees.tsx';
import { SearchField } from '../shared/billing/search-field.tsx';
import { dateName, money, monthOptions } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import type { Billing, ProcessingFee, ProcessingFees } from '../shared/schemas.ts';
import { Button, CsvLink } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { Figures } from '../shared/ui/facts.tsx';
import { Select } from '../shared/ui/fields.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { count, moment } from '../shared/words.ts';
import { Reason } from './fields.tsx';

/** The months back at which the period can start. */
const reach = 60;

/** Operators' fees for coverage modelled by the service. */
export function FeesView({ billing: { month, terms } }: { billing: Billing }) {
  const state = useInAddress('state', '', feeStateNames);
  const from = useInAddress('from');
  const to = useInAddress('to');
  const q = useInAddress('q');
  const query = () => ({
    ...(state.value ? { state: state.value as ProcessingFee['state'] } : {}),
    ...(from.value ? { from: from.value } : {}),
    ...(to.value ? { to: to.value } : {}),
    ...(q.value ? { q: q.value } : {}),
  });
  const fees = useResource(() => api.get('/api/staff/processing-fees', { query: query() }), 'here');
  const months = monthOptions(month, addMonths(month, -reach));
  const first = money(terms.first_processing_cents);
  const later = money(terms.later_processing_cents);
  return (
    <View
      title="Processing fees"
      lead={`For coverage modelled from an operator’s tower data: ${first} for an operator’s first, ${later} for each later one, excl. GST.`}
    >
      <Card title="Fees" silent>
        <div class="filters">
          <SearchField label="Search fees" placeholder="Name, file, invoice, amount" q={q} />
          <FeeStateSelect value={state} />
          <Select label="From" name="fee-from" options={[['', 'Beginning'], ...months]} value={from} />
          <Select label="To" name="fee-to" options={[['', 'Today'], ...months]} value={to} />
          <CsvLink
            href={`/api/staff/processing-fees?${new URLSearchParams({ ...query(), format: 'csv' })}`}
          />
        </div>
        <Loaded of={fees}>
          {(answer) => <Fees {...answer} isFiltered={Object.keys(query()).length > 0} />}
        </Loaded>
      </Card>
    </View>
  );
}

function Fees({ fees, totals, isFiltered }: ProcessingFees & { isFiltered: boolean }) {
  return (
    <>
      <Figures
        list={[
          { label: 'All', value: money(totals.amount_cents), note: count(totals.count, 'fee') },
          ...feeFigures(totals.by_state, 'written off'),
        ]}
      />
      <Table
        caption="Processing fees, newest first"
        columns={columns}
        rows={fees}
        empty={
          isFiltered
            ? 'No matching fees.'
            : 'No fees yet. A fee accrues when coverage modelled from tower data is published.'
        }
        totals={{ title: count(totals.count, 'fee'), cells: { Amount: money(totals.amount_cents) } }}
      />
    </>
  );
}

const columns: Column<ProcessingFee>[] = [
  {
    title: 'Operator',
    heading: true,
    cell: ({ provider }) => <a href={`#/operators/${provider.id}`}>{provider.name}</a>,
    sortBy: ({ provider }) => provider.name,
  },
  {
    title: 'Submission',
    cell: ({ submission, kind, versions, provider }) => (
      <span>
        <a href={`/operator#/submission/${encodeURIComponent(submission.id)}`}>{submission.file}</a>
        <span class="small muted below">{kind === 'first' ? 'first-time setup' : 'update'}</span>
        {versions.map(({ id, technology }) => (
          <a
            key={id}
            class="small below"
            href={`/operator#/versions/${encodeURIComponent(technology)}/${encodeURIComponent(provider.name)}`}
          >
            Version {id}, {technology}
          </a>
        ))}
      </span>
    ),
  },
  { title: 'Submitted', cell: ({ submission }) => moment(submission.received_at) },
  { title: 'Accrued', cell: ({ accrued_on: on }) => dateName(on), sortBy: ({ accrued_on: on }) => on },
  {
    title: 'State',
    cell: ({ state, reason, changed_at: at, changed_by: by }) => (
      <span>
        <FeeState of={state} />
        {reason && <span class="small below break">“{reason}”</span>}
        {at && (
          <span class="small muted below">
            {moment(at)}, {by}
          </span>
        )}
      </span>
    ),
  },
  invoiceColumn(),
  {
    title: 'Due',
    cell: ({ due_on: due, paid_on: paid }) =>
      paid ? `paid ${dateName(paid)}` : due ? dateName(due) : <span class="muted">–</span>,
    sortBy: ({ due_on: due }) => due ?? '',
  },
  {
    title: 'Age',
    numeric: true,
    cell: ({ age_days: days }) => count(days, 'day'),
    sortBy: ({ age_days: days }) => days,
  },
  moneyColumn('Amount', ({ amount_cents: cents }) => cents),
  { title: 'Actions', silent: true, cell: (fee) => <Actions fee={fee} /> },
];

type Change = keyof typeof questions;

/** The confirmation of a change of a fee's state, by the new state. */
const questions = {
  waived: {
    title: 'Waive',
    body: ({ invoice }: ProcessingFee) =>
      invoice === null
        ? 'It is unbilled, and will not be invoiced.'
        : `It is on invoice ${invoice}. The next invoice shows an offsetting waiver.`,
    confirm: 'Waive fee',
    done: 'waived',
  },
  unwaived: {
    title: 'Undo the waiver of',
    body: () => 'The fee is charged again, on the next invoice.',
    confirm: 'Undo waiver',
    done: 'charged again',
  },
};

function change(fee: ProcessingFee, to: Change): Promise<boolean> {
  const { title, body, confirm, done } = questions[to];
  const reason = signal('');
  return ask(
    {
      title: `${title} ${money(fee.amount_cents)} of ${fee.provider.name}?`,
      body: [body(fee), <Reason key="reason" hint="Saved with the fee." value={reason} />],
      confirm,
      done: `The fee of ${fee.provider.name} is ${done}.`,
    },
    () =>
      api.post('/api/staff/processing-fees/{id}/state', {
        path: { id: fee.id },
        body: { state: to, reason: reason.value.trim() },
      }),
  );
}

/** What was paid, written off or credited is not waived. */
const waivable: readonly ProcessingFee['state'][] = ['accrued', 'invoiced', 'due', 'part_paid', 'overdue'];

function Actions({ fee }: { fee: ProcessingFee }) {
  const { state, provider, submission } = fee;
  const act = (text: string, to: Change) => (
    <Button
      kind="quiet"
      label={`${text}: ${provider.name}, ${submission.file}`}
      onClick={() => change(fee, to)}
    >
      {text}
    </Button>
  );
  return (
    <div class="actions end">
      {waivable.includes(state) && act('Waive', 'waived')}
      {state === 'waived' && act('Undo waiver', 'unwaived')}
    </div>
  );
}
