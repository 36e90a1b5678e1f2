import { announce } from '../shared/announce.ts';
import { request } from '../shared/api.ts';
import { csvLink } from '../shared/billing/csv-link.ts';
import { figures } from '../shared/billing/figures.ts';
import {
  type Billing,
  type FeeState,
  feeStates,
  type ProcessingFee,
  type ProcessingFees,
} from '../shared/billing/types.ts';
import { addMonths, dateName, money, monthName, monthsDown } from '../shared/billing/words.ts';
import { button } from '../shared/button.ts';
import { ask } from '../shared/dialog.ts';
import { h } from '../shared/dom.ts';
import { field, select, textField } from '../shared/fields.ts';
import type { Tone } from '../shared/notice.ts';
import { type Part, part } from '../shared/part.ts';
import { addressQuery, keepInAddress, type View } from '../shared/router.ts';
import { type Column, table } from '../shared/table.ts';
import { count, when } from '../shared/words.ts';

const stateWords: Record<FeeState, string> = {
  accrued: 'Accrued',
  invoiced: 'Invoiced',
  paid: 'Paid',
  waived: 'Waived',
};
const stateNotes: Record<FeeState, string> = {
  accrued: 'not on an invoice yet',
  invoiced: 'to be paid',
  paid: 'settled',
  waived: 'not asked for',
};
const stateTones: Record<FeeState, Tone | ''> = {
  accrued: 'info',
  invoiced: 'warning',
  paid: 'good',
  waived: '',
};

/** How far back the period can begin, in months. */
const reach = 60;

/** What operators owe for coverage that the service has processed. */
export function feesView({ month, terms }: Billing): View {
  const asked = addressQuery();
  const filter: { state: FeeState | ''; from: string; to: string } = {
    state: feeStates.find((state) => state === asked.get('state')) ?? '',
    from: asked.get('from') ?? '',
    to: asked.get('to') ?? '',
  };
  const months = monthsDown(month, addMonths(month, -reach)).map((one) => [one, monthName(one)] as const);
  const download = csvLink('');
  const chosen = () => {
    keepInAddress(filter);
    void list.load();
  };
  const list: Part = part(() => {
    const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
    const address = `/api/staff/processing-fees?${query}`;
    download.href = `${address}${query.size > 0 ? '&' : ''}format=csv`;
    return request<ProcessingFees>('GET', address);
  }, show);
  void list.load();
  return {
    title: 'Processing fees',
    element: h(
      'div',
      { class: 'stack large' },
      h(
        'div',
        { class: 'page-head' },
        h('h1', {}, 'Processing fees'),
        h(
          'p',
          { class: 'muted' },
          `For coverage that was worked out from an operator’s towers: ${money(terms.first_processing_cents)} for an operator’s first, ${money(terms.later_processing_cents)} for each later one, without GST.`,
        ),
      ),
      h(
        'section',
        { class: 'card stack', 'aria-label': 'Fees' },
        h(
          'div',
          { class: 'filters' },
          field(
            'State',
            select<FeeState | ''>(
              'fee-state',
              [['', 'All'], ...feeStates.map((state) => [state, stateWords[state]] as const)],
              filter.state,
              (value) => {
                filter.state = value;
                chosen();
              },
            ),
          ),
          field(
            'From',
            select('fee-from', [['', 'Beginning'], ...months], filter.from, (value) => {
              filter.from = value;
              chosen();
            }),
          ),
          field(
            'To',
            select('fee-to', [['', 'Today'], ...months], filter.to, (value) => {
              filter.to = value;
              chosen();
            }),
          ),
          download,
        ),
        list.element,
      ),
    ),
  };

  function show({ fees, totals }: ProcessingFees): Node[] {
    const isFiltered = Object.values(filter).some(Boolean);
    return [
      figures([
        { label: 'All', value: money(totals.amount_cents), note: count(totals.count, 'fee') },
        ...feeStates.map((state) => ({
          label: stateWords[state],
          value: money(totals.by_state[state].amount_cents),
          note: `${count(totals.by_state[state].count, 'fee')}, ${stateNotes[state]}`,
        })),
      ]),
      fees.length === 0
        ? h(
            'p',
            { class: 'muted' },
            isFiltered
              ? 'No fee is like that.'
              : 'There is none yet. A fee accrues when coverage that we worked out is published.',
          )
        : table('Processing fees, newest first', columns(actions), fees, {
            title: count(totals.count, 'fee'),
            cells: { Amount: money(totals.amount_cents) },
          }),
    ];
  }

  async function change(fee: ProcessingFee, to: keyof typeof questions): Promise<void> {
    const { title, body, confirm, asksReason } = questions[to];
    let reason = '';
    const done = await ask(
      {
        title: `${title} ${money(fee.amount_cents)} of ${fee.provider.name}?`,
        body: [
          body(fee),
          ...(asksReason
            ? [
                textField(
                  'Reason',
                  'reason',
                  (text) => {
                    reason = text;
                  },
                  { hint: 'It is kept with the fee.', required: true, maxlength: 200 },
                ),
              ]
            : []),
        ],
        confirm,
      },
      () =>
        request('POST', `/api/staff/processing-fees/${fee.id}/state`, {
          state: to,
          ...(asksReason ? { reason } : {}),
        }),
    );
    if (done)
      announce(
        `The fee of ${fee.provider.name}: ${to === 'unwaived' ? 'charged again' : stateWords[to].toLowerCase()}.`,
      );
    await list.load();
  }

  function actions(fee: ProcessingFee): Node {
    const about = `${fee.provider.name}, ${fee.submission.file}`;
    const act = (text: string, to: keyof typeof questions) =>
      button(text, () => change(fee, to), { kind: 'quiet', label: `${text}: ${about}` });
    return h(
      'div',
      { class: 'actions end' },
      fee.state === 'invoiced' ? act('Mark as paid', 'paid') : null,
      fee.state === 'paid' ? act('Not paid', 'invoiced') : null,
      fee.state === 'accrued' || fee.state === 'invoiced' ? act('Waive', 'waived') : null,
      fee.state === 'waived' ? act('Undo waiver', 'unwaived') : null,
    );
  }
}

/** What is asked before a fee's state is changed, by the state it comes to. */
const questions = {
  paid: {
    title: 'Mark as paid:',
    body: (fee: ProcessingFee) => `That invoice ${fee.invoice} has been paid, as far as this fee goes.`,
    confirm: 'Mark as paid',
    asksReason: false,
  },
  invoiced: {
    title: 'Not paid after all:',
    body: () => 'It was called paid by mistake, and is open again.',
    confirm: 'Open it again',
    asksReason: true,
  },
  waived: {
    title: 'Waive',
    body: ({ invoice }: ProcessingFee) =>
      invoice === null
        ? 'It is on no invoice yet, and will be on none.'
        : `It is on invoice ${invoice}. The next invoice shows the waiver.`,
    confirm: 'Waive fee',
    asksReason: true,
  },
  unwaived: {
    title: 'Undo the waiver of',
    body: () => 'The fee is charged again, on the next invoice.',
    confirm: 'Undo waiver',
    asksReason: true,
  },
};

function columns(actions: (fee: ProcessingFee) => Node): Column<ProcessingFee>[] {
  return [
    { title: 'Operator', heading: true, cell: ({ provider }) => provider.name },
    {
      title: 'For',
      cell: ({ submission, kind }) =>
        h(
          'span',
          {},
          h('a', { href: `/operator#/submission/${encodeURIComponent(submission.id)}` }, submission.file),
          h('span', { class: 'small muted below' }, kind === 'first' ? 'first-time set-up' : 'update'),
        ),
    },
    { title: 'Handed in', cell: ({ submission }) => when(submission.received_at) },
    { title: 'Accrued', cell: ({ accrued_on: on }) => dateName(on) },
    {
      title: 'State',
      cell: (fee) =>
        h(
          'span',
          {},
          h('span', { class: `badge ${stateTones[fee.state]}` }, stateWords[fee.state]),
          fee.reason ? h('span', { class: 'small below break' }, `“${fee.reason}”`) : null,
          fee.changed_at
            ? h('span', { class: 'small muted below' }, `${when(fee.changed_at)}, ${fee.changed_by}`)
            : null,
        ),
    },
    {
      title: 'Invoice',
      cell: ({ invoice }) =>
        invoice === null
          ? h('span', { class: 'muted' }, '–')
          : h('a', { href: `#/invoices/${invoice}`, 'aria-label': `Invoice ${invoice}` }, String(invoice)),
    },
    { title: 'Amount', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
    { title: 'Actions', silent: true, cell: actions },
  ];
}
