import type { ComponentChildren } from 'preact';
import { shownFacts } from '../../../billing/invoice-facts.ts';
import { monthName } from '../../../platform/nz-time.ts';
import { api } from '../client.ts';
import type { InvoiceDetail, OwnInvoiceDetail } from '../schemas.ts';
import { CsvLink } from '../ui/button.tsx';
import { Facts, type FactsProps } from '../ui/facts.tsx';
import { Icon } from '../ui/icon.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Card, View } from '../ui/view.tsx';
import { Loaded, useResource } from '../use-resource.tsx';
import { moment } from '../words.ts';
import { InvoiceState } from './invoice-state.tsx';
import { LineTable, Sums } from './lines.tsx';
import { dateName, money } from './words.ts';

type AnyInvoice = InvoiceDetail | OwnInvoiceDetail;

interface InvoiceProps {
  number: number;
  /** Its recipient's, not staff's. */
  own?: '/api/account' | '/api/operator';
  /** What staff can do about what is left to pay. */
  actions?(invoice: AnyInvoice): ComponentChildren;
  /** Below the lines. */
  below?(invoice: AnyInvoice): ComponentChildren;
  /** What else staff do with it. */
  more?: ComponentChildren;
}

/** An invoice: what has settled it, its lines with their calculations; for staff the ledger entries, too. */
export function InvoiceView({ number, own, actions, below, more }: InvoiceProps) {
  const all = `${own ?? '/api/staff'}/invoices` as const;
  const address = `${all}/${number}`;
  const invoice = useResource<AnyInvoice>(() => api.get(`${all}/{number}`, { path: { number } }), 'here');
  return (
    <View
      title={`Invoice ${number}`}
      back={
        own === '/api/operator'
          ? { href: '#/fees', label: 'Processing fees' }
          : { href: '#/invoices', label: 'Invoices' }
      }
      actions={
        <>
          <a class="button" href={`${address}?format=html`} target="_blank" rel="noopener">
            <Icon name="print" size={18} />
            Print
          </a>
          <a class="button" href={`${address}?format=pdf`} target="_blank" rel="noopener">
            PDF
          </a>
          <CsvLink href={`${address}?format=csv`} />
          {more}
        </>
      }
    >
      <Loaded of={invoice}>
        {(invoice) => (
          <>
            <Card title="About this invoice" silent>
              <Facts layout="across" list={aboutInvoice(invoice, own !== undefined)} />
            </Card>
            <Card title="Payment" actions={actions?.(invoice)}>
              <Settled of={invoice} isOwn={own !== undefined} />
            </Card>
            <Card title="Lines">
              <LineTable caption="Lines of the invoice" lines={invoice.lines} origin={entryOf} />
              <Sums of={invoice} gstPercent={invoice.gst_percent} />
            </Card>
            {below?.(invoice)}
          </>
        )}
      </Loaded>
    </View>
  );
}

/** What is left to pay, and what has settled the rest. */
function Settled({
  of: { state, balance_cents: left, total_cents: total, settlements },
  isOwn,
}: {
  of: AnyInvoice;
  isOwn: boolean;
}) {
  return (
    <>
      <p>
        <InvoiceState of={state} />{' '}
        {left > 0
          ? `${money(left)} of ${money(total)} is left to pay.`
          : total > 0 && 'Nothing is left to pay.'}
      </p>
      {settlements.length > 0 && (
        <Table
          caption="What has settled this invoice"
          columns={settledColumns(isOwn)}
          rows={settlements}
          rowKey={({ kind, number }) => `${kind} ${number}`}
        />
      )}
    </>
  );
}

const settledNames: Record<AnyInvoice['settlements'][number]['kind'], (number: number) => ComponentChildren> =
  {
    payment: () => 'Payment',
    write_off: () => 'Written off',
    credit_note: (number) => <a href={`#/credit-notes/${number}`}>Credit note {number}</a>,
    credit: () => 'Credit of the account',
  };

const settledColumns = (isOwn: boolean): Column<AnyInvoice['settlements'][number]>[] => [
  { title: 'Date', cell: ({ on_day: on }) => dateName(on) },
  {
    title: 'Description',
    heading: true,
    cell: ({ kind, number, words }) => (
      <span>
        {!isOwn && (kind === 'payment' || kind === 'write_off') ? (
          <a href={`#/payments/${number}`}>{settledNames[kind](number)}</a>
        ) : (
          settledNames[kind](number)
        )}
        {words && <span class="small muted below">{words}</span>}
      </span>
    ),
  },
  { title: 'Amount (incl. GST)', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
];

function aboutInvoice({ recipient, ...invoice }: AnyInvoice, isOwn: boolean): FactsProps['list'] {
  const { kind, id, name } = recipient;
  return [
    ['Customer', !isOwn && kind === 'customer' && <a href={`#/customers/${id}`}>{name}</a>],
    ['Operator', !isOwn && kind === 'operator' && <a href={`#/operators/${id}`}>{name}</a>],
    [kind === 'operator' ? 'Operator code' : 'Customer code', invoice.account_code],
    ['Billing period', monthName(invoice.month)],
    ['Issued', dateName(invoice.issued_on)],
    ...shownFacts({ recipient, ...invoice }).map(([term, value]) => {
      const isText = typeof value === 'string';
      return [term, isText ? value : 'day' in value ? dateName(value.day) : money(value.cents)] as const;
    }),
  ];
}

/** The calculation of a line, and for staff its ledger entry. */
function entryOf(line: AnyInvoice['lines'][number]) {
  if (!('entry' in line)) return { source: line.source };
  const { id, booked_at: at, booked_by: by, cause, source } = line.entry;
  return {
    source,
    more: (
      <p class="small muted">
        Ledger entry {id}, posted on {moment(at)} by {by}, cause: <code>{cause}</code>.
      </p>
    ),
  };
}
