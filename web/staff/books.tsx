import { addDays, addMonths, firstDay } from '../../platform/nz-time.ts';
import { useInAddress } from '../shared/address.ts';
import { moneyColumn } from '../shared/billing/columns.tsx';
import { dateName, money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import { set } from '../shared/field-value.ts';
import type { Billing, GstItem, GstReturn } from '../shared/schemas.ts';
import { Button, CsvLink } from '../shared/ui/button.tsx';
import { Select, TextField } from '../shared/ui/fields.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { count } from '../shared/words.ts';
import { XeroFiles } from './xero-files.tsx';
import { XeroPayments } from './xero-payments.tsx';

const bases = [
  ['', 'As in the settings'],
  ['invoice', 'Invoice basis'],
  ['payments', 'Payments basis'],
] as const;

/** What goes into the books: the GST of a period, Xero's files of it, and payments that come back from Xero. */
export function BooksView({ billing }: { billing: Billing }) {
  const monthsAgo = (months: number) => firstDay(addMonths(billing.month, -months));
  const lastDay = addDays(monthsAgo(0), -1);
  const from = useInAddress('from', monthsAgo(1));
  const to = useInAddress('to', lastDay);
  const basis = useInAddress('basis', '', ['invoice', 'payments']);
  const choose = (months: number) => {
    set(from, monthsAgo(months));
    set(to, lastDay);
  };
  const gst = useResource(
    () => api.get('/api/staff/gst', { query: { from: from.value, to: to.value, ...basisOf(basis.value) } }),
    'here',
  );
  const period = { from: from.value, to: to.value };
  return (
    <View title="Books" lead="The GST of a period, its files for Xero, and payments from Xero.">
      <Card title="Period" silent>
        <div class="filters">
          <TextField label="From" name="from" type="date" required value={from} />
          <TextField label="To" name="to" type="date" required value={to} />
          <Button onClick={() => choose(1)}>Last month</Button>
          <Button onClick={() => choose(2)}>Last 2 months</Button>
          <Button onClick={() => choose(6)}>Last 6 months</Button>
        </div>
      </Card>
      <Card title="GST return">
        <div class="filters">
          <Select label="Accounting basis" name="basis" options={bases} value={basis} />
          <CsvLink
            href={`/api/staff/gst?${new URLSearchParams({ ...period, ...basisOf(basis.value), format: 'csv' })}`}
          />
        </div>
        <Loaded of={gst}>{(answer) => <Gst {...answer} />}</Loaded>
      </Card>
      <XeroFiles from={from} to={to} today={billing.today} />
      <XeroPayments billing={billing} />
    </View>
  );
}

const basisOf = (basis: string) => (basis === '' ? {} : { basis: basis as 'invoice' | 'payments' });

type GstProps = { from: string; to: string; basis: string; boxes: GstReturn; items: GstItem[] };

const boxNames: [box: string, name: keyof GstReturn, words: string][] = [
  ['5', 'box_5_cents', 'Total sales and income, including GST'],
  ['6', 'box_6_cents', 'Zero-rated supplies in box 5'],
  ['7', 'box_7_cents', 'Box 5 less box 6'],
  ['8', 'box_8_cents', 'Box 7 times 3, divided by 23'],
  ['9', 'box_9_cents', 'Adjustments: written-off debts that were recovered'],
  ['10', 'box_10_cents', 'GST collected'],
  ['13', 'box_13_cents', 'Credit adjustments: debts written off'],
];

/** The boxes of the return, and what makes them. */
function Gst({ from, to, basis, boxes, items }: GstProps) {
  const title = `${dateName(from)} to ${dateName(to)}, ${basis === 'invoice' ? 'invoice' : 'payments'} basis`;
  return (
    <>
      <p class="muted">{title}. Sales only: your purchases are in your own books.</p>
      <Table
        caption={`Boxes of the GST return, ${title}`}
        rowKey={([box]) => box}
        rows={boxNames}
        columns={[
          { title: 'Box', heading: true, cell: ([box, , words]) => `${box}: ${words}` },
          { title: 'Amount', numeric: true, cell: ([, name]) => money(boxes[name]) },
        ]}
      />
      <p class="small muted">
        GST on the papers: {money(boxes.exact_gst_cents)}. It differs from box 10 less box 13 by rounding.
      </p>
      <details>
        <summary>What makes it: {count(items.length, 'row')}</summary>
        <Table
          caption={`What makes the GST, ${title}`}
          columns={itemColumns}
          rows={items}
          empty="Nothing in this period."
          rowKey={({ kind, number }) => `${kind}:${number}`}
        />
      </details>
    </>
  );
}

const itemWords: Record<GstItem['kind'], string> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  payment: 'Payment of invoice',
  refund: 'Refund of',
  write_off: 'Write-off, entry',
  recovery: 'Recovered, entry',
};

const itemColumns: Column<GstItem>[] = [
  {
    title: 'Row',
    heading: true,
    cell: ({ kind, number, recipient }) => (
      <span>
        {kind === 'invoice' || kind === 'payment' ? (
          <a href={`#/invoices/${number}`}>{`${itemWords[kind]} ${number}`}</a>
        ) : (
          `${itemWords[kind]} ${number}`
        )}
        <span class="small muted below">{recipient}</span>
      </span>
    ),
  },
  { title: 'Date', cell: ({ on_day: on }) => dateName(on) },
  { title: 'GST rate', numeric: true, cell: ({ gst_percent: percent }) => `${percent}%` },
  moneyColumn('Total', ({ total_cents: cents }) => cents),
  moneyColumn('GST', ({ gst_cents: cents }) => cents),
];
