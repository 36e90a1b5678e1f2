import { announce } from '../shared/announce.ts';
import { request } from '../shared/api.ts';
import { csvLink } from '../shared/billing/csv-link.ts';
import { fold } from '../shared/billing/lines.ts';
import type { LedgerEntry } from '../shared/billing/types.ts';
import { kindWords, money } from '../shared/billing/words.ts';
import { button } from '../shared/button.ts';
import { ask } from '../shared/dialog.ts';
import { h, icons } from '../shared/dom.ts';
import { textField } from '../shared/fields.ts';
import { type Part, part, section } from '../shared/part.ts';
import { type Column, table } from '../shared/table.ts';
import { when } from '../shared/words.ts';

const pageSize = 20;

/** What has been booked for a customer, newest first, and credits. */
export function ledgerSection(customer: number): HTMLElement {
  const address = `/api/staff/ledger?customer=${customer}`;
  let entries: LedgerEntry[] = [];
  let next: string | number | null = null;
  const list: Part = part(
    async () => {
      const before = next === null ? '' : `&before=${encodeURIComponent(next)}`;
      const page = await request<{ entries: LedgerEntry[]; next: string | number | null }>(
        'GET',
        `${address}&limit=${pageSize}${before}`,
      );
      entries = [...entries, ...page.entries];
      next = page.next;
    },
    () => [
      entries.length === 0
        ? h('p', { class: 'muted' }, 'Nothing has been booked yet.')
        : table('Entries of the ledger, newest first', columns, entries),
      next === null ? null : h('div', { class: 'actions' }, button('Show earlier entries', list.load)),
    ],
  );
  const reload = () => {
    entries = [];
    next = null;
    return list.load();
  };
  void list.load();
  return section(
    'Ledger',
    [button('Give a credit', credit, { icon: icons.plus }), csvLink(`${address}&format=csv`)],
    list.element,
  );

  async function credit(): Promise<void> {
    const asked = { amount: '', reason: '', reference: '' };
    const done = await ask(
      {
        title: 'Give a credit',
        body: [
          'It is taken off the next invoice. It cannot be taken back.',
          textField(
            'Amount in dollars, without GST',
            'amount',
            (text) => {
              asked.amount = text;
            },
            {
              hint: 'Such as 25 or 12.50.',
              required: true,
              inputmode: 'decimal',
              pattern: '[0-9]+([.][0-9]{1,2})?',
            },
          ),
          textField(
            'Reason',
            'reason',
            (text) => {
              asked.reason = text;
            },
            { hint: 'The customer reads it on the invoice.', required: true, maxlength: 200 },
          ),
          textField(
            'Reference',
            'reference',
            (text) => {
              asked.reference = text;
            },
            {
              hint: 'Such as a ticket’s number; may be left empty. The same one is not booked twice.',
              maxlength: 100,
            },
          ),
        ],
        confirm: 'Book the credit',
      },
      () =>
        request('POST', '/api/staff/credits', {
          customer,
          amount_cents: centsOf(asked.amount),
          reason: asked.reason,
          ...(asked.reference ? { reference: asked.reference } : {}),
        }),
    );
    if (done) {
      announce('The credit has been booked.');
      await reload();
    }
  }
}

const columns: Column<LedgerEntry>[] = [
  {
    title: 'What',
    heading: true,
    cell: ({ description, source }) => h('div', {}, description, fold(source)),
  },
  { title: 'Kind', cell: ({ kind }) => h('span', { class: 'muted' }, kindWords[kind]) },
  {
    title: 'Booked',
    cell: ({ booked_at: at, booked_by: by }) =>
      h('span', {}, when(at), h('span', { class: 'small muted below' }, by)),
  },
  {
    title: 'Invoice',
    cell: ({ invoice }) =>
      invoice === null
        ? h('span', { class: 'muted' }, 'the next one')
        : h('a', { href: `#/invoices/${invoice}`, 'aria-label': `Invoice ${invoice}` }, String(invoice)),
  },
  { title: 'Amount', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
];

/** Dollars with up to two digits after the point, as cents; digit by digit, so that nothing is rounded. */
function centsOf(dollars: string): number {
  const [whole = '', part = ''] = dollars.split('.');
  return Number(whole) * 100 + Number(part.padEnd(2, '0'));
}
