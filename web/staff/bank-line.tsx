import { type Signal, signal, useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { dateName, money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import { asValue, set } from '../shared/field-value.ts';
import type { BankLine, OpenAccount } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { Select, TextField } from '../shared/ui/fields.tsx';
import { Badge, ErrorNotice, type Tone, useAttempt } from '../shared/ui/notice.tsx';
import { moment } from '../shared/words.ts';
import { askIfUnusual } from './ask-if-unusual.ts';

type Candidate = BankLine['candidates'][number];
type Allocations = { invoice: number; amount_cents: number; left_cents: number }[];

const confidenceWords: Record<NonNullable<BankLine['confidence']>, { name: string; tone: Tone }> = {
  certain: { name: 'Certain', tone: 'good' },
  likely: { name: 'Likely', tone: 'info' },
  unsure: { name: 'Unsure', tone: 'warning' },
};

const ownerOf = ({ kind, id }: Candidate['account']) =>
  kind === 'customer' ? { customer: id } : { provider: id };

const confirm = (line: BankLine, account: Candidate['account'], allocations: Allocations) =>
  askIfUnusual((confirmed) =>
    api.post('/api/staff/bank/lines/{id}/confirm', {
      path: { id: line.id },
      body: { ...ownerOf(account), allocations, confirmed },
    }),
  );

/** Confirms a line as it is proposed. */
export async function confirmFirst(line: BankLine): Promise<void> {
  const [first] = line.candidates;
  if (first) await confirm(line, first.account, first.allocations);
}

/** A line with what is proposed or was decided. Its first button is the one that Enter presses. */
export function BankLineRow({ line }: { line: BankLine }) {
  const element = useRef<HTMLLIElement>(null);
  const { error, attempt } = useAttempt();
  const { id, state, match, candidates, confidence } = line;
  const [first, ...others] = candidates;
  const texts = [line.particulars, line.code, line.reference, line.details].filter(Boolean).join(' · ');
  const what = `${money(line.amount_cents)} from ${line.payer || 'no name'}`;
  /** Acts, and goes to the next line: this one leaves the list. */
  const act = (work: () => Promise<unknown>) =>
    attempt(async () => {
      const next = element.current?.nextElementSibling ?? element.current?.previousElementSibling;
      await work();
      next?.querySelector<HTMLElement>('button')?.focus();
    });
  const change = () => act(() => changeAllocation(line));
  const label = (verb: string) => `${verb}: ${what}`;
  return (
    <li class="bank-line" ref={element}>
      <div class="bank-money">
        <strong>{money(line.amount_cents)}</strong>
        <span class="small muted below">{dateName(line.on_day)}</span>
      </div>
      <div class="bank-from">
        <strong class="break">{line.payer || 'No name'}</strong>
        {texts && <span class="small muted below break">{texts}</span>}
      </div>
      <div class="bank-to">
        {first && confidence && (
          <>
            <Badge tone={confidenceWords[confidence].tone}>{confidenceWords[confidence].name}</Badge>{' '}
            <ProposalWords of={first} />
            <span class="small muted below">{first.reasons.join('; ')}</span>
            {others.length > 0 && (
              <span class="small muted below">
                Or: {others.map(({ account }) => account.name).join(', ')}
              </span>
            )}
          </>
        )}
        {state === 'unmatched' && !first && <span class="muted">No proposal.</span>}
        {match && <Decided match={match} />}
        <ErrorNotice error={error.value} />
      </div>
      <div class="actions end">
        {first && (
          <Button kind="primary" label={label('Confirm')} onClick={() => act(() => confirmFirst(line))}>
            Confirm
          </Button>
        )}
        {state === 'unmatched' && (
          <>
            <Button
              kind={first ? 'quiet' : undefined}
              label={label(first ? 'Change' : 'Choose')}
              onClick={change}
            >
              {first ? 'Change' : 'Choose'}
            </Button>
            <Button
              kind="quiet"
              label={label('Set aside')}
              onClick={() => act(() => api.post('/api/staff/bank/lines/{id}/ignore', { path: { id } }))}
            >
              Set aside
            </Button>
          </>
        )}
        {state === 'ignored' && (
          <Button
            kind="quiet"
            label={label('Restore')}
            onClick={() => act(() => api.post('/api/staff/bank/lines/{id}/restore', { path: { id } }))}
          >
            Restore
          </Button>
        )}
      </div>
    </li>
  );
}

function ProposalWords({ of: { account, allocations, credit_cents: credit } }: { of: Candidate }) {
  const parts = allocations.map(({ invoice, amount_cents: cents, left_cents: left }) => (
    <span key={invoice}>
      , <a href={`#/invoices/${invoice}`}>invoice {invoice}</a>
      {cents < left
        ? ` (${money(cents)} of ${money(left)})`
        : allocations.length > 1
          ? ` (${money(cents)})`
          : ''}
    </span>
  ));
  return (
    <>
      <strong>{account.name}</strong>
      {parts}
      {credit > 0 && `, ${money(credit)} credit`}
    </>
  );
}

function Decided({ match }: { match: NonNullable<BankLine['match']> }) {
  const { account, invoices, at, by } = match;
  return (
    <>
      {account ? (
        <>
          <strong>{account.name}</strong>
          {invoices.map((number) => (
            <span key={number}>
              , <a href={`#/invoices/${number}`}>invoice {number}</a>
            </span>
          ))}
        </>
      ) : (
        'Set aside: nobody’s payment'
      )}
      <span class="small muted below">
        {moment(at)}, {by}
      </span>
    </>
  );
}

/** Asks for another account and other invoices. */
async function changeAllocation(line: BankLine): Promise<void> {
  const { accounts } = await api.get('/api/staff/bank/accounts');
  const keyOf = ({ kind, id }: Candidate['account']) => `${kind} ${id}`;
  const [first] = line.candidates;
  const chosen = signal(first ? keyOf(first.account) : '');
  const parts = signal<Record<number, string>>({});
  const account = () => accounts.find((one) => keyOf(one.account) === chosen.value);
  const fill = () => {
    const isFirst = first && chosen.value === keyOf(first.account);
    const amounts = isFirst
      ? first.allocations.map((one) => [one.invoice, one.amount_cents] as const)
      : spread(line.amount_cents, account()?.invoices ?? []);
    set(parts, Object.fromEntries(amounts.map(([invoice, cents]) => [invoice, (cents / 100).toFixed(2)])));
  };
  fill();
  const choose = asValueOf(chosen, fill);
  await ask(
    {
      title: `Whose payment is ${money(line.amount_cents)}?`,
      body: [
        `${line.payer || 'No name'}, ${dateName(line.on_day)}`,
        <Allocate key="allocate" {...{ accounts, line, chosen: choose, parts, account }} />,
      ],
      confirm: 'Confirm payment',
    },
    async () => {
      const of = account();
      if (!of) throw new Error('no account is chosen');
      const allocations = of.invoices.flatMap(({ number, left_cents }) => {
        const amount_cents = centsOf(parts.value[number] ?? '');
        return amount_cents > 0 ? [{ invoice: number, amount_cents, left_cents }] : [];
      });
      await confirm(line, of.account, allocations);
    },
  );
}

const asValueOf = (of: Signal<string>, changed: () => void) => ({
  get value() {
    return of.value;
  },
  set value(value: string) {
    of.value = value;
    changed();
  },
});

/** The oldest first. */
function spread(cents: number, invoices: OpenAccount['invoices']): [number, number][] {
  let left = cents;
  return invoices.map(({ number, left_cents }) => {
    const part = Math.min(left, left_cents);
    left -= part;
    return [number, part];
  });
}

interface AllocateProps {
  accounts: readonly OpenAccount[];
  line: BankLine;
  chosen: { value: string };
  parts: Signal<Record<number, string>>;
  account(): OpenAccount | undefined;
}

function Allocate({ accounts, line, chosen, parts, account }: AllocateProps) {
  const left = useComputed(
    () => line.amount_cents - Object.values(parts.value).reduce((sum, text) => sum + centsOf(text), 0),
  );
  const options = accounts.map(
    ({ account: { kind, id, name } }) =>
      [`${kind} ${id}`, kind === 'operator' ? `${name} (operator)` : name] as const,
  );
  return (
    <div class="stack">
      <Select label="Account" name="bank-account" options={[['', 'Choose one'], ...options]} value={chosen} />
      {account()?.invoices.map(({ number, left_cents, due_on }) => (
        <TextField
          key={number}
          label={`Invoice ${number}: ${money(left_cents)} left`}
          name={`invoice-${number}`}
          hint={due_on ? `Due ${dateName(due_on)}` : undefined}
          inputMode="decimal"
          pattern="[0-9]*([.][0-9]{1,2})?"
          value={asValue(parts.value[number] ?? '', (text) => set(parts, { ...parts.value, [number]: text }))}
        />
      ))}
      <p>
        {left.value < 0
          ? `${money(-left.value)} more than was paid.`
          : left.value > 0
            ? `${money(left.value)} becomes credit of the account.`
            : 'All of it is allocated.'}
      </p>
    </div>
  );
}

/** Dollars with up to two decimals as cents; digit by digit, to avoid rounding. */
function centsOf(dollars: string): number {
  const [whole = '', part = ''] = dollars.trim().split('.');
  return (Number(whole) || 0) * 100 + (Number(part.padEnd(2, '0')) || 0);
}
