import { signal, useSignal } from '@preact/signals';
import { invoiceColumn } from '../shared/billing/columns.tsx';
import { CalculationDetails } from '../shared/billing/source.tsx';
import { dateName, dateOfMoment, kindWords, money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import { newest } from '../shared/newest.ts';
import type { Billing, LedgerEntry } from '../shared/schemas.ts';
import { Button, CsvLink } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { type AccountQuery, accountWords } from './account.ts';
import { AmountFields, amountsOf, makeAmount, newReference } from './amount.tsx';
import { Reason } from './fields.tsx';

const pageSize = 20;
/** The API's page size. */
const maxPage = 500;

/** An account's ledger entries, newest first. Staff post credits, charges and reversals. */
export function Ledger({ account, billing }: { account: AccountQuery; billing: Billing }) {
  const wanted = useSignal(pageSize);
  const ledger = useResource(
    () =>
      newest('entries', wanted, maxPage, (page) =>
        api.get('/api/staff/ledger', { query: { ...account, ...page } }),
      ),
    'here',
  );

  function post(kind: 'credit' | 'charge'): Promise<boolean> {
    const amount = makeAmount(billing.confirm_from_cents);
    const reason = signal('');
    const reference = signal('');
    const ownReference = newReference();
    const name = `Add ${kind}`;
    return ask(
      {
        title: name,
        body: [
          'Applied to the next invoice. It can be reversed.',
          <AmountFields key="amount" label="Amount in dollars (excl. GST)" amount={amount} />,
          <Reason key="reason" hint="Shown on the invoice." value={reason} />,
          <TextField
            key="reference"
            label="Reference"
            name="reference"
            hint="Optional; must be unique."
            maxLength={100}
            value={reference}
          />,
        ],
        confirm: name,
        done: kind === 'credit' ? 'Credit added.' : 'Charge added.',
      },
      () => {
        const about = { reason: reason.value.trim(), reference: reference.value.trim() || ownReference };
        return api.post(`/api/staff/${kind}s`, { body: { ...account, ...amountsOf(amount), ...about } });
      },
    );
  }

  function reverse(entry: LedgerEntry): Promise<boolean> {
    const left = Math.abs(entry.left_cents);
    const amount = makeAmount(billing.confirm_from_cents, (left / 100).toFixed(2));
    const reason = signal('');
    const reference = newReference();
    return ask(
      {
        title: `Reverse entry ${entry.id}?`,
        body: [
          `${entry.description}: ${money(entry.amount_cents)}, of which ${money(left)} can be reversed.`,
          entry.state === 'unbilled'
            ? 'It is unbilled. Reversed in full, it appears on no invoice.'
            : 'The reversal is on the next invoice.',
          <AmountFields key="amount" label="Amount to reverse, in dollars (excl. GST)" amount={amount} />,
          <Reason key="reason" hint="Shown on the invoice." value={reason} />,
        ],
        confirm: 'Reverse entry',
        danger: true,
        done: `Entry ${entry.id} is reversed.`,
      },
      () =>
        api.post('/api/staff/ledger/{id}/reversal', {
          path: { id: entry.id },
          body: { ...amountsOf(amount), reason: reason.value.trim(), reference },
        }),
    );
  }

  const actions: Column<LedgerEntry> = {
    title: 'Actions',
    silent: true,
    cell: (entry) =>
      entry.left_cents !== 0 &&
      // Those are reversed under payments.
      !entry.settles &&
      entry.kind !== 'processing_fee' &&
      entry.kind !== 'waiver' && (
        <Button
          kind="quiet"
          label={`Reverse entry ${entry.id}: ${entry.description}`}
          onClick={() => reverse(entry)}
        >
          Reverse
        </Button>
      ),
  };

  return (
    <Card
      title="Ledger"
      actions={
        <>
          <Button icon="plus" onClick={() => post('credit')}>
            Add credit
          </Button>
          <Button onClick={() => post('charge')}>Add charge</Button>
          <CsvLink href={`/api/staff/ledger?${accountWords(account)}&format=csv`} />
        </>
      }
    >
      <Loaded of={ledger}>
        {({ entries, hasMore }) => (
          <>
            <Table
              caption="Entries of the ledger, newest first"
              columns={[...columns, actions]}
              rows={entries}
              empty="No entries yet."
            />
            {hasMore && (
              <div class="actions">
                <Button
                  onClick={() => {
                    wanted.value += pageSize;
                  }}
                >
                  Show earlier entries
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

const columns: Column<LedgerEntry>[] = [
  {
    title: 'Description',
    heading: true,
    cell: ({ description, source }) => (
      <div>
        {description}
        <CalculationDetails source={source} />
      </div>
    ),
  },
  {
    title: 'Type',
    cell: ({ kind, corrects }) => (
      <span class="muted">
        {kindWords[kind]}
        {corrects !== null && <span class="small below">of entry {corrects}</span>}
      </span>
    ),
  },
  {
    title: 'Posted',
    cell: ({ booked_at: at, booked_by: by }) => (
      <span>
        {dateName(dateOfMoment(at))}
        <span class="small muted below">{by}</span>
      </span>
    ),
  },
  invoiceColumn(({ state, settles, credit_note }) =>
    settles
      ? '–'
      : credit_note
        ? `Credit note ${credit_note}`
        : state === 'settled'
          ? 'none: reversed before'
          : 'Unbilled',
  ),
  { title: 'Amount', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
];
