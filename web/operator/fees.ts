import { request } from '../shared/api.ts';
import { type FeeState, feeStates, type ProcessingFees } from '../shared/billing/types.ts';
import { dateName, dateOfMoment, money } from '../shared/billing/words.ts';
import { keepFresh } from '../shared/changes.ts';
import { h } from '../shared/dom.ts';
import type { Tone } from '../shared/notice.ts';
import { part } from '../shared/part.ts';
import type { View } from '../shared/router.ts';
import { type Column, table } from '../shared/table.ts';
import { count, when } from '../shared/words.ts';

type OwnFees = ProcessingFees & {
  terms: { first_processing_cents: number; later_processing_cents: number };
};
type OwnFee = OwnFees['fees'][number];

const stateWords: Record<FeeState, [word: string, tone: Tone | '', note: string]> = {
  accrued: ['Accrued', 'info', 'unbilled'],
  invoiced: ['Invoiced', 'warning', 'outstanding'],
  paid: ['Paid', 'good', 'settled'],
  waived: ['Waived', '', 'not charged'],
};

/** What an operator owes for coverage that the service modelled from its towers. */
export function feesView(): View {
  const list = part(() => request<OwnFees>('GET', '/api/operator/processing-fees'), show);
  void list.load();
  const end = keepFresh(list.load);
  return {
    title: 'Processing fees',
    element: h(
      'div',
      { class: 'stack large' },
      h('div', { class: 'page-head' }, h('h1', {}, 'Processing fees')),
      h('section', { class: 'card stack', 'aria-label': 'Fees' }, list.element),
    ),
    leave: end,
  };
}

function show({ fees, totals, terms }: OwnFees): Node[] {
  return [
    h(
      'p',
      { class: 'muted' },
      `For coverage that we model from your tower data: ${money(terms.first_processing_cents)} for the first, ${money(terms.later_processing_cents)} for each later update, excl. GST. A fee is charged when the coverage is published.`,
    ),
    h(
      'dl',
      { class: 'figures' },
      ...feeStates.map((state) => {
        const { count: many, amount_cents: cents } = totals.by_state[state];
        const [word, , note] = stateWords[state];
        return h(
          'div',
          {},
          h('dt', {}, word),
          h('dd', {}, money(cents), h('small', {}, `${count(many, 'fee')}, ${note}`)),
        );
      }),
    ),
    fees.length === 0
      ? h('p', {}, 'No fees yet.')
      : table('Processing fees, newest first', columns, fees, {
          title: `Total (excl. GST), ${count(totals.count, 'fee')}`,
          cells: { Amount: money(totals.amount_cents) },
        }),
  ];
}

const columns: Column<OwnFee>[] = [
  {
    title: 'Submission',
    heading: true,
    cell: ({ submission, kind }) =>
      h(
        'span',
        {},
        h('a', { href: `#/submission/${encodeURIComponent(submission.id)}` }, submission.file),
        h('span', { class: 'small muted below' }, kind === 'first' ? 'first-time setup' : 'update'),
      ),
  },
  { title: 'Uploaded', cell: ({ submission }) => when(submission.received_at) },
  { title: 'Accrued', cell: ({ accrued_on: on }) => dateName(on) },
  {
    title: 'Status',
    cell: ({ state, changed_at: at }) => {
      const [word, tone] = stateWords[state];
      return h(
        'span',
        {},
        h('span', { class: `badge ${tone}` }, word),
        at && h('span', { class: 'small muted below' }, `on ${dateName(dateOfMoment(at))}`),
      );
    },
  },
  {
    title: 'Invoice',
    cell: ({ invoice, invoiced_on: on }) =>
      invoice === null ? h('span', { class: 'muted' }, '–') : `${invoice}, ${dateName(on as string)}`,
  },
  { title: 'Amount', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
];
