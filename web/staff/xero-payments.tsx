import { useSignal } from '@preact/signals';
import { dayOf } from '../../platform/nz-time.ts';
import { announce } from '../shared/announce.ts';
import { moneyColumn } from '../shared/billing/columns.tsx';
import { money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import type { Billing, XeroPayments as Preview } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { DropZone } from '../shared/ui/drop-zone.tsx';
import { Facts } from '../shared/ui/facts.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { ErrorNotice, Notice, useAttempt } from '../shared/ui/notice.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card } from '../shared/ui/view.tsx';
import { count } from '../shared/words.ts';
import { base64Of } from './bank-file.tsx';

const limitBytes = 2 * 1024 * 1024;

type XeroInvoice = Preview['invoices'][number];

/** Why payments are not recorded here, for pages that record them. */
export function InXero({ billing }: { billing: Billing }) {
  return (
    billing.debtors_ledger === 'xero' && (
      <Notice
        tone="info"
        title="Payments are recorded in Xero."
        text={
          <>
            They come back with its file, under <a href="#/books">Books</a>.
          </>
        }
      />
    )
  );
}

/** Payments that come back with Xero's file of sales invoices. */
export function XeroPayments({ billing }: { billing: Billing }) {
  return (
    <Card title="Payments from Xero">
      {billing.debtors_ledger === 'xero' ? (
        <TakePayments today={billing.today} />
      ) : (
        <p class="muted">
          Payments are recorded here, not in Xero, so none come back from there. If Xero is your debtors’
          ledger, say so under <a href="#/settings">Settings</a>.
        </p>
      )}
    </Card>
  );
}

interface Chosen {
  name: string;
  content_base64: string;
}

function TakePayments({ today }: { today: string }) {
  const chosen = useSignal<Chosen | undefined>(undefined);
  const preview = useSignal<Preview | undefined>(undefined);
  const day = useSignal(today);
  const { error, attempt } = useAttempt();
  const look = () =>
    attempt(async () => {
      preview.value = await api.post('/api/staff/xero/payments/preview', { body: chosen.value as Chosen });
    });
  const clear = () => {
    chosen.value = undefined;
    preview.value = undefined;
  };
  const choose = async (file: File) => {
    clear();
    const saved = dayOf(new Date(file.lastModified));
    day.value = saved < today ? saved : today;
    chosen.value = { name: file.name, content_base64: await base64Of(file) };
    await look();
  };
  const shown = preview.value;
  const take = ({ payments, amount_cents }: Preview) =>
    attempt(async () => {
      const body = { ...(chosen.value as Chosen), day: day.value, payments, amount_cents };
      await api.post('/api/staff/xero/payments', { body });
      announce(`${count(payments, 'payment')} taken.`);
      clear();
    });
  if (!chosen.value || !shown)
    return (
      <>
        <ErrorNotice error={error.value} />
        <DropZone
          title="Drop Xero’s file of sales invoices here, or"
          accept=".csv,text/csv"
          hint="In Xero: Business > Invoices > All > Export. It says what was paid of each invoice so far."
          limitBytes={limitBytes}
          tooLarge="Export a shorter period."
          several="Drop them one after the other: no payment is taken twice."
          onChoose={choose}
        />
      </>
    );
  const questions = shown.invoices.filter(({ question }) => question !== null);
  return (
    <>
      <p>
        <strong class="break">{chosen.value.name}</strong>
      </p>
      <ErrorNotice error={error.value}>
        <Button onClick={look}>Look again</Button>
      </ErrorNotice>
      <Facts
        list={[
          ['New', `${count(shown.payments, 'payment')}, ${money(shown.amount_cents)}`],
          ['Nothing new of', count(shown.known, 'invoice')],
          ['Not covermap’s', count(shown.others, 'number')],
        ]}
      />
      {shown.payments === 0 && <Notice tone="info" title="This file has no new payments." />}
      {questions.length > 0 && (
        <Notice
          tone="warning"
          title={`${count(questions.length, 'invoice')} of it ${questions.length === 1 ? 'is a question' : 'are questions'}: nothing is recorded of ${questions.length === 1 ? 'it' : 'them'}.`}
        />
      )}
      {shown.invoices.length > 0 && (
        <Table
          caption="Invoices with new payments or questions"
          rowKey={({ line }) => line}
          rows={shown.invoices}
          columns={columns}
        />
      )}
      {shown.payments > 0 && (
        <TextField
          label="Day of the payments"
          name="xero-day"
          type="date"
          required
          max={today}
          hint="The file has no days. Proposed: the day on which it was saved."
          value={day}
        />
      )}
      <div class="actions">
        {shown.payments > 0 && (
          <Button kind="primary" icon="check" onClick={() => take(shown)}>
            Take {count(shown.payments, 'payment')}
          </Button>
        )}
        <Button onClick={clear}>{shown.payments > 0 ? 'Cancel' : 'Close'}</Button>
      </div>
    </>
  );
}

/** Why nothing is recorded of an invoice, and what to do. */
const questionWords: Record<NonNullable<XeroInvoice['question']>, (of: XeroInvoice) => string> = {
  unknown: () => 'There is no such invoice here.',
  total_differs: () => 'Its total here is another: correct it in Xero.',
  other_currency: () => 'It is in another currency.',
  voided: () => 'It is voided in Xero, and not credited here.',
  paid_less: ({ known_cents: known }) =>
    `${money(known)} was paid as is known here. If Xero is right, reverse the payment on the page of its account.`,
  paid_too_much: ({ left_cents: left }) => `Only ${money(left)} is left to pay here.`,
  due_differs: ({ due_cents: due, left_cents: left }) =>
    `${money(due)} is due in Xero, and ${money(left)} here: a credit note or a write-off is missing in one of them.`,
};

const columns: Column<XeroInvoice>[] = [
  {
    title: 'Invoice',
    heading: true,
    cell: ({ invoice, contact, question }) => (
      <span>
        {question === 'unknown' ? `INV-${invoice}` : <a href={`#/invoices/${invoice}`}>INV-{invoice}</a>}
        <span class="small muted below">{contact}</span>
      </span>
    ),
  },
  {
    title: 'What happens',
    cell: (one) => {
      if (one.question !== null) return `Question: ${questionWords[one.question](one)}`;
      const here = one.left_cents - one.payment_cents;
      if (here === one.due_cents) return here === 0 ? 'Paid' : `${money(here)} is left to pay`;
      return `${money(here)} is left to pay here, and ${money(one.due_cents)} in Xero`;
    },
  },
  moneyColumn('Total', ({ total_cents: cents }) => cents),
  moneyColumn('Paid in Xero', ({ paid_cents: cents }) => cents),
  moneyColumn('New payment', ({ payment_cents: cents }) => cents),
];
