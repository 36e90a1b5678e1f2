import { type Signal, signal, useSignal } from '@preact/signals';
import { dateName, kindWords, money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import { newest } from '../shared/newest.ts';
import type { Billing, Invoice, Payment } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { Select, TextField } from '../shared/ui/fields.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import type { AccountQuery } from './account.ts';
import { AmountFields, amountsOf, centsOf, makeAmount, newReference } from './amount.tsx';
import { askIfUnusual } from './ask-if-unusual.ts';
import { Reason } from './fields.tsx';
import { InXero } from './xero-payments.tsx';

type Method = NonNullable<Payment['method']>;
const methods: readonly (readonly [Method, string])[] = [
  ['bank_transfer', 'Bank transfer'],
  ['card', 'Card'],
  ['cash', 'Cash'],
  ['other', 'Other'],
];
export const methodNames = Object.fromEntries(methods);

/** The fields of money in or out. */
function makeMoved(today: string, amount: ReturnType<typeof makeAmount>) {
  return {
    amount,
    day: signal(today),
    method: signal<Method>('bank_transfer'),
    particulars: signal(''),
    code: signal(''),
    reference: signal(''),
    request_id: newReference(),
  };
}
type Moved = ReturnType<typeof makeMoved>;

function MovedFields({ of, label, today }: { of: Moved; label: string; today: string }) {
  const words = (name: 'particulars' | 'code' | 'reference', shown: string) => (
    <TextField label={shown} name={name} maxLength={12} value={of[name]} />
  );
  return (
    <>
      <AmountFields label={label} amount={of.amount} />
      <TextField
        label="Date on the bank statement"
        name="day"
        type="date"
        required
        max={today}
        value={of.day}
      />
      <Select label="Method" name="method" options={methods} value={of.method} />
      {words('particulars', 'Particulars')}
      {words('code', 'Code')}
      {words('reference', 'Reference')}
    </>
  );
}

const bodyOf = ({ amount, day, method, particulars, code, reference, request_id }: Moved) => ({
  ...amountsOf(amount),
  day: day.value,
  method: method.value,
  particulars: particulars.value.trim(),
  code: code.value.trim(),
  reference: reference.value.trim(),
  request_id,
});

/** Asks for a payment of invoices, the first of which is filled in, and records it. */
export async function askPayment(
  account: AccountQuery,
  { first, billing }: { first?: number | undefined; billing: Billing },
): Promise<boolean> {
  const { invoices } = await api.get('/api/staff/invoices', { query: account });
  const open = invoices.filter(({ balance_cents: left }) => left > 0).reverse();
  const parts = new Map<Invoice, Signal<string>>(
    open.map((invoice) => [invoice, signal(invoice.number === first ? dollars(invoice.balance_cents) : '')]),
  );
  const chosen = open.find(({ number }) => number === first);
  // What is more than the invoices is asked about, whatever its size.
  const amount = makeAmount(Number.POSITIVE_INFINITY, chosen && dollars(chosen.balance_cents));
  const moved = makeMoved(billing.today, amount);
  return ask(
    {
      title: 'Record a payment',
      body: [
        <MovedFields key="fields" of={moved} label="Amount in dollars (incl. GST)" today={billing.today} />,
        <Parts key="parts" of={parts} />,
      ],
      confirm: 'Record payment',
      done: 'Payment recorded.',
    },
    () => {
      const allocations = [...parts].flatMap(([{ number }, part]) =>
        part.value.trim() ? [{ invoice: number, amount_cents: centsOf(part.value) }] : [],
      );
      return askIfUnusual((confirm) =>
        api.post('/api/staff/payments', { body: { ...account, ...bodyOf(moved), allocations, confirm } }),
      );
    },
  );
}

/** The part of each open invoice, in dollars. */
function Parts({ of }: { of: ReadonlyMap<Invoice, Signal<string>> }) {
  if (of.size === 0)
    return <p class="muted">No invoice is open: the payment becomes the account’s credit.</p>;
  return (
    <fieldset class="stack close">
      <legend>Pays</legend>
      {[...of].map(([{ number, balance_cents: left, due_on: due }, part]) => (
        <TextField
          key={number}
          label={`Invoice ${number}: ${money(left)} left${due ? `, due ${dateName(due)}` : ''}`}
          name={`part-${number}`}
          inputMode="decimal"
          pattern="[0-9]+([.][0-9]{1,2})?"
          placeholder="Nothing"
          value={part}
        />
      ))}
      <p class="small muted">What is allocated to no invoice becomes the account’s credit.</p>
    </fieldset>
  );
}

/** Asks why what is left of an invoice is written off, and does it. */
export function askWriteOff(
  { number, balance_cents: left, gst_cents, total_cents }: Invoice,
  billing: Billing,
) {
  const reason = signal('');
  const request_id = newReference();
  const gst = gst_cents - Math.round(((total_cents - left) * gst_cents) / total_cents);
  const isLarge = left >= billing.confirm_from_cents;
  return ask(
    {
      title: `Write off ${money(left)} of invoice ${number}?`,
      body: [
        `A bad debt as of today, of it ${money(gst)} GST. It can be reversed.`,
        <Reason key="reason" hint="Kept in the ledger." value={reason} />,
      ],
      confirm: 'Write off',
      danger: true,
      done: `Invoice ${number} is written off.`,
    },
    () =>
      api.post('/api/staff/invoices/{number}/write-off', {
        path: { number },
        body: {
          reason: reason.value.trim(),
          amount_cents: left,
          request_id,
          ...(isLarge ? { confirm_amount_cents: left } : {}),
        },
      }),
  );
}

/** Asks whether an account's credit pays an invoice, and does it. @param credit in cents */
export function askCredit(account: AccountQuery, { number, balance_cents: left }: Invoice, credit: number) {
  const cents = Math.min(credit, left);
  return ask(
    {
      title: `Pay ${money(cents)} of invoice ${number} with credit?`,
      body: `The account’s credit is ${money(credit)}.`,
      confirm: 'Apply credit',
      done: 'Credit applied.',
    },
    () =>
      api.post('/api/staff/credit-allocations', {
        body: { ...account, allocations: [{ invoice: number, amount_cents: cents, left_cents: left }] },
      }),
  );
}

const pageSize = 20;
/** The API's page size. */
const maxPage = 500;

/** An account's payments, refunds and write-offs, newest first. @param credit in cents */
export function Payments({
  account,
  billing,
  credit,
}: {
  account: AccountQuery;
  billing: Billing;
  credit: number;
}) {
  const wanted = useSignal(pageSize);
  const payments = useResource(
    () =>
      newest('payments', wanted, maxPage, (page) =>
        api.get('/api/staff/payments', { query: { ...account, ...page } }),
      ),
    'here',
  );
  const refund = () => {
    const moved = makeMoved(billing.today, makeAmount(billing.confirm_from_cents, dollars(credit)));
    return ask(
      {
        title: 'Record a refund',
        body: [
          `The account’s credit is ${money(credit)}. This records that it was paid back.`,
          <MovedFields key="fields" of={moved} label="Amount in dollars (incl. GST)" today={billing.today} />,
        ],
        confirm: 'Record refund',
        done: 'Refund recorded.',
      },
      () =>
        askIfUnusual((confirm) =>
          api.post('/api/staff/refunds', { body: { ...account, ...bodyOf(moved), confirm } }),
        ),
    );
  };
  return (
    <Card
      title="Payments"
      actions={
        billing.debtors_ledger === 'covermap' && (
          <>
            <Button icon="plus" onClick={() => askPayment(account, { billing })}>
              Record payment
            </Button>
            {credit > 0 && <Button onClick={refund}>Refund credit</Button>}
          </>
        )
      }
    >
      <InXero billing={billing} />
      <Loaded of={payments}>
        {({ entries, hasMore }) => (
          <>
            <Table
              caption="Payments, refunds and write-offs, newest first"
              columns={columns}
              rows={entries}
              empty="No payments yet."
            />
            {hasMore && (
              <div class="actions">
                <Button
                  onClick={() => {
                    wanted.value += pageSize;
                  }}
                >
                  Show earlier payments
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** Asks why a payment, a refund or a write-off is reversed, and does it. */
export function askReversal({ id, kind, amount_cents: cents }: Payment) {
  const reason = signal('');
  const request_id = newReference();
  const name = kindWords[kind]?.toLowerCase();
  return ask(
    {
      title: `Reverse this ${name}?`,
      body: [
        `${money(Math.abs(cents))}. ${kind === 'refund' ? 'The credit is back.' : 'The invoices that it settled are open again.'}`,
        <Reason key="reason" hint="Kept in the ledger." value={reason} />,
      ],
      confirm: `Reverse ${name}`,
      danger: true,
      done: 'Reversed.',
    },
    () =>
      api.post('/api/staff/payments/{id}/reversal', {
        path: { id },
        body: { reason: reason.value.trim(), request_id },
      }),
  );
}

/** Whether it can be reversed. */
export const isReversible = ({ kind, reversed_by: by }: Payment): boolean =>
  kind !== 'reversal' && by === null;

const columns: Column<Payment>[] = [
  { title: 'Date', cell: ({ on_day: on }) => dateName(on) },
  {
    title: 'Description',
    heading: true,
    cell: ({ id, description, method, particulars, code, reference, booked_by: by }) => (
      <span>
        <a href={`#/payments/${id}`}>{description}</a>
        <span class="small muted below">
          {[method && methodNames[method], particulars, code, reference, `recorded by ${by}`]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
    ),
  },
  {
    title: 'Settles',
    cell: ({ allocations, left_cents: left, reversed_by }) => (
      <span>
        {allocations.map(({ invoice, amount_cents: cents }) => (
          <span key={invoice} class="below">
            <a href={`#/invoices/${invoice}`}>Invoice {invoice}</a>: {money(cents)}
          </span>
        ))}
        {left > 0 && <span class="below">Credit: {money(left)}</span>}
        {reversed_by !== null && <span class="muted below">reversed</span>}
      </span>
    ),
  },
  { title: 'Amount', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
  {
    title: 'Actions',
    silent: true,
    cell: (payment) =>
      isReversible(payment) && (
        <Button kind="quiet" label={`Reverse ${payment.description}`} onClick={() => askReversal(payment)}>
          Reverse
        </Button>
      ),
  },
];

const dollars = (cents: number): string => (cents / 100).toFixed(2);
