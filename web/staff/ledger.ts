import { announce } from '../shared/announce.ts';
import { request } from '../shared/api.ts';
import { csvLink } from '../shared/billing/csv-link.ts';
import { fold } from '../shared/billing/lines.ts';
import type { Billing, LedgerEntry } from '../shared/billing/types.ts';
import { kindWords, money } from '../shared/billing/words.ts';
import { button } from '../shared/button.ts';
import { ask } from '../shared/dialog.ts';
import { h, icons } from '../shared/dom.ts';
import { textField } from '../shared/fields.ts';
import { type Part, part, section } from '../shared/part.ts';
import { type Column, table } from '../shared/table.ts';
import { when } from '../shared/words.ts';

const pageSize = 20;

/**
 * What has been booked for a customer, newest first, and what staff book: credits, charges, and what takes an entry back.
 * @param changed called once something was booked
 */
export function ledgerSection(customer: number, billing: Billing, changed: () => unknown): Part {
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
        ? h('p', { class: 'muted' }, 'No entries yet.')
        : table('Entries of the ledger, newest first', [...columns, actions], entries),
      next === null ? null : h('div', { class: 'actions' }, button('Show earlier entries', list.load)),
    ],
  );
  const reload = async () => {
    entries = [];
    next = null;
    await list.load();
  };
  const actions: Column<LedgerEntry> = {
    title: 'Actions',
    silent: true,
    cell: (entry) =>
      entry.left_cents !== 0 && entry.kind !== 'processing_fee' && entry.kind !== 'waiver'
        ? button('Reverse', () => reverse(entry), {
            kind: 'quiet',
            label: `Reverse entry ${entry.id}: ${entry.description}`,
          })
        : '',
  };
  void list.load();
  const element = section(
    'Ledger',
    [
      button('Add credit', () => book('credit'), { icon: icons.plus }),
      button('Add charge', () => book('charge')),
      csvLink(`${address}&format=csv`),
    ],
    list.element,
  );
  return { element, load: reload };

  async function book(kind: 'credit' | 'charge'): Promise<void> {
    const asked = { amount: '', again: '', reason: '', reference: '' };
    const done = await ask(
      {
        title: kind === 'credit' ? 'Add credit' : 'Add charge',
        body: [
          'Applied to the next invoice. It can be reversed.',
          ...amountFields(asked, 'Amount in dollars (excl. GST)', billing.confirm_from_cents),
          reasonField('Shown on the invoice.', asked),
          textField(
            'Reference',
            'reference',
            (text) => {
              asked.reference = text;
            },
            { hint: 'Optional; must be unique.', maxlength: 100 },
          ),
        ],
        confirm: kind === 'credit' ? 'Add credit' : 'Add charge',
      },
      () =>
        request('POST', `/api/staff/${kind}s`, {
          customer,
          ...amounts(asked),
          reason: asked.reason,
          ...(asked.reference ? { reference: asked.reference } : {}),
        }),
    );
    if (!done) return;
    announce(kind === 'credit' ? 'Credit added.' : 'Charge added.');
    await reload();
    changed();
  }

  async function reverse(entry: LedgerEntry): Promise<void> {
    const left = Math.abs(entry.left_cents);
    const asked = { amount: (left / 100).toFixed(2), again: '', reason: '' };
    const done = await ask(
      {
        title: `Reverse entry ${entry.id}?`,
        body: [
          `${entry.description}: ${money(entry.amount_cents)}, of which ${money(left)} can be reversed.`,
          entry.state === 'unbilled'
            ? 'It is on no invoice yet. Reversed in full, it will be on none.'
            : 'The reversal is on the next invoice.',
          ...amountFields(asked, 'Amount to reverse, in dollars (excl. GST)', billing.confirm_from_cents),
          reasonField('Shown on the invoice.', asked),
        ],
        confirm: 'Reverse entry',
        danger: true,
      },
      () =>
        request('POST', `/api/staff/ledger/${entry.id}/reversal`, {
          ...amounts(asked),
          reason: asked.reason,
        }),
    );
    if (!done) return;
    announce(`Entry ${entry.id} is reversed.`);
    await reload();
    changed();
  }
}

interface AskedAmount {
  amount: string;
  again: string;
}

/** An amount, and where it is large a second field that has to say the same. */
function amountFields(asked: AskedAmount, label: string, confirmFrom: number): HTMLElement[] {
  const options = { required: true, inputmode: 'decimal', pattern: '[0-9]+([.][0-9]{1,2})?' };
  const again = textField(
    'Repeat the amount',
    'amount-again',
    (text) => {
      asked.again = text;
    },
    { ...options, required: false, hint: 'This is a large amount: please enter it a second time.' },
  );
  const second = again.querySelector('input') as HTMLInputElement;
  const look = () => {
    const isLarge = centsOf(asked.amount) >= confirmFrom;
    again.hidden = !isLarge;
    second.required = isLarge;
    if (!isLarge) {
      second.value = '';
      asked.again = '';
    }
  };
  const first = textField(
    label,
    'amount',
    (text) => {
      asked.amount = text;
      look();
    },
    { ...options, value: asked.amount, hint: 'e.g. 25 or 12.50' },
  );
  look();
  return [first, again];
}

function amounts({ amount, again }: AskedAmount): object {
  return {
    amount_cents: centsOf(amount),
    ...(again ? { confirm_amount_cents: centsOf(again) } : {}),
  };
}

function reasonField(hint: string, asked: { reason: string }): HTMLElement {
  return textField(
    'Reason',
    'reason',
    (text) => {
      asked.reason = text;
    },
    { hint, required: true, maxlength: 200 },
  );
}

const columns: Column<LedgerEntry>[] = [
  {
    title: 'Description',
    heading: true,
    cell: ({ description, source }) => h('div', {}, description, fold(source)),
  },
  {
    title: 'Type',
    cell: ({ kind, corrects }) =>
      h(
        'span',
        { class: 'muted' },
        kindWords[kind],
        corrects === null ? null : h('span', { class: 'small below' }, `of entry ${corrects}`),
      ),
  },
  {
    title: 'Posted',
    cell: ({ booked_at: at, booked_by: by }) =>
      h('span', {}, when(at), h('span', { class: 'small muted below' }, by)),
  },
  {
    title: 'Invoice',
    cell: ({ invoice, state }) =>
      invoice === null
        ? h('span', { class: 'muted' }, state === 'settled' ? 'none: reversed before' : 'Unbilled')
        : h('a', { href: `#/invoices/${invoice}`, 'aria-label': `Invoice ${invoice}` }, String(invoice)),
  },
  { title: 'Amount', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
];

/** Dollars with up to two digits after the point, as cents; digit by digit, so that nothing is rounded. */
function centsOf(dollars: string): number {
  const [whole = '', part = ''] = dollars.split('.');
  return Number(whole) * 100 + Number(part.padEnd(2, '0'));
}
