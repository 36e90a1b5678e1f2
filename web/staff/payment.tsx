import { dateName, kindWords, money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import type { Payment } from '../shared/schemas.ts';
import { Button, PdfLink } from '../shared/ui/button.tsx';
import { ask, tell } from '../shared/ui/dialog.tsx';
import { Facts } from '../shared/ui/facts.tsx';
import { Notice } from '../shared/ui/notice.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { moment } from '../shared/words.ts';
import { accountHref } from './account.ts';
import { askReversal, isReversible, methodNames } from './payments.tsx';

/** A payment, a refund, a write-off or a reversal: what it settles, the bank's words, who recorded it and when. */
export function PaymentView({ id }: { id: number }) {
  const payment = useResource(() => api.get('/api/staff/payments/{id}', { path: { id } }), 'here');
  const of = payment.data.value;
  return (
    <View
      title={of ? `${kindWords[of.kind]} of ${money(Math.abs(of.amount_cents))}` : 'Payment'}
      back={of && { href: accountHref(of.account), label: of.account.name }}
      actions={of && isReversible(of) && <Actions payment={of} />}
    >
      <Loaded of={payment}>
        {(payment) => (
          <>
            {payment.reversed_by !== null && (
              <Notice
                tone="warning"
                title="This was reversed."
                text={<a href={`#/payments/${payment.reversed_by}`}>The reversal</a>}
              />
            )}
            <Card title="About it" silent>
              <About {...payment} />
            </Card>
            <Card title={payment.kind === 'refund' ? 'Paid back' : 'Settles'}>
              <Table
                caption="What it settles"
                columns={columns}
                rows={partsOf(payment)}
                rowKey={({ href }) => href}
                empty="Nothing."
              />
            </Card>
          </>
        )}
      </Loaded>
    </View>
  );
}

function Actions({ payment }: { payment: Payment }) {
  const { id } = payment;
  const send = async () => {
    let mail: number | undefined;
    const question = {
      title: 'E-mail the receipt?',
      body: 'It is sent once, with the receipt as PDF.',
      confirm: 'E-mail receipt',
    };
    const done = await ask(question, async () => {
      ({ mail } = await api.post('/api/staff/receipts/{id}/mail', { path: { id } }));
    });
    if (done) await tell('The receipt is queued', <a href={`#/mail/${mail}`}>See the e-mail.</a>, 'Close');
  };
  return (
    <>
      {payment.kind === 'payment' && (
        <>
          <PdfLink href={`/api/staff/receipts/${id}?format=pdf`}>Receipt</PdfLink>
          <Button onClick={send}>E-mail receipt</Button>
        </>
      )}
      <Button onClick={() => askReversal(payment)}>Reverse</Button>
    </>
  );
}

function About({ account, bank_line: line, ...payment }: Payment) {
  const { gst_cents: gst, particulars, code, reference, corrects } = payment;
  return (
    <Facts
      layout="across"
      list={[
        [
          account.kind === 'customer' ? 'Customer' : 'Operator',
          <a key="account" href={accountHref(account)}>
            {account.name}
          </a>,
        ],
        ['Description', payment.description],
        ['Date', dateName(payment.on_day)],
        ['Amount (incl. GST)', money(payment.amount_cents)],
        ['GST in it', gst !== null && money(gst)],
        ['Method', payment.method && methodNames[payment.method]],
        ['Particulars', particulars],
        ['Code', code],
        ['Reference', reference],
        ['Payer', line?.payer],
        ['Bank’s other words', line?.details],
        ['Bank’s file', line && `${line.file}, line ${line.line}`],
        [
          'Reverses',
          corrects !== null && (
            <a key="corrects" href={`#/payments/${corrects}`}>
              Entry {corrects}
            </a>
          ),
        ],
        ['Recorded', `${moment(payment.booked_at)} by ${payment.booked_by}`],
        ['Ledger entry', String(payment.id)],
      ]}
    />
  );
}

interface Part {
  href: string;
  name: string;
  cents: number;
}

const pages = {
  invoice: ['invoices', 'Invoice'],
  credit_note: ['credit-notes', 'Credit note'],
  payment: ['payments', 'Payment'],
  refund: ['payments', 'Refund'],
} as const;

function partsOf({ account, allocations, credits, left_cents: left }: Payment): Part[] {
  const part = (of: keyof typeof pages, number: number, cents: number): Part => {
    const [page, name] = pages[of];
    return { href: `#/${page}/${number}`, name: `${name} ${number}`, cents };
  };
  return [
    ...allocations.map(({ invoice, amount_cents: cents }) => part('invoice', invoice, cents)),
    ...credits.map(({ kind: of, number, amount_cents: cents }) => part(of, number, cents)),
    ...(left > 0 ? [{ href: accountHref(account), name: 'Credit of the account', cents: left }] : []),
  ];
}

const columns: Column<Part>[] = [
  { title: 'For', heading: true, cell: ({ href, name }) => <a href={href}>{name}</a> },
  { title: 'Amount (incl. GST)', numeric: true, cell: ({ cents }) => money(cents) },
];
