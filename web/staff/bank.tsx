import { signal, useSignal } from '@preact/signals';
import { useInAddress } from '../shared/address.ts';
import { announce } from '../shared/announce.ts';
import { SearchField } from '../shared/billing/search-field.tsx';
import { dateName, money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import { asValue, set } from '../shared/field-value.ts';
import type { BankFile, BankLine, BankLines, Billing } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { Checkbox, Select } from '../shared/ui/fields.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { count, moment } from '../shared/words.ts';
import './bank.css';
import { BankFileForm } from './bank-file.tsx';
import { BankLineRow, confirmFirst } from './bank-line.tsx';
import { InXero } from './xero-payments.tsx';

const states = [
  ['unmatched', 'To reconcile'],
  ['matched', 'Reconciled'],
  ['ignored', 'Set aside'],
] as const;

/** Money in by a bank's file: its lines are proposed, and a person confirms each. */
export function BankView({ billing }: { billing: Billing }) {
  const state = useInAddress(
    'state',
    'unmatched',
    states.map(([one]) => one),
  );
  const file = useInAddress('file');
  const q = useInAddress('q');
  const after = useSignal<number | undefined>(undefined);
  const lines = useResource(
    () =>
      api.get('/api/staff/bank/lines', {
        query: {
          state: state.value as BankLine['state'],
          ...(file.value ? { file: Number(file.value) } : {}),
          ...(q.value ? { q: q.value } : {}),
          ...(after.value === undefined ? {} : { after: after.value }),
        },
      }),
    'here',
  );
  const files = useResource(() => api.get('/api/staff/bank/files'), 'here');
  const first = <T extends string>(of: typeof state) =>
    asValue(of.value as T, (value: T) => {
      set(after, undefined);
      set(of, value);
    });
  const names = files.data.value?.files.map(({ id, name }) => [String(id), name] as const) ?? [];
  return (
    <View
      title="Bank"
      lead="Payments by a bank’s file. Each is proposed an invoice; nothing is applied until you confirm it."
    >
      <InXero billing={billing} />
      <Card title="Add a file">
        <BankFileForm />
      </Card>
      <Card title="Lines" silent>
        <div class="filters">
          <SearchField label="Search lines" placeholder="Name, text, amount" q={q} />
          <Select label="State" name="line-state" options={states} value={first(state)} />
          <Select label="File" name="line-file" options={[['', 'All'], ...names]} value={first(file)} />
          {lines.data.value && state.value === 'unmatched' && (
            <ConfirmCertain lines={lines.data.value.lines} />
          )}
        </div>
        <Loaded of={lines}>{(answer) => <Lines {...answer} state={state.value} after={after} />}</Loaded>
      </Card>
      <Card title="Files">
        <Loaded of={files}>
          {({ files: taken }) => (
            <Table caption="Files, newest first" columns={fileColumns} rows={taken} empty="No file yet." />
          )}
        </Loaded>
      </Card>
    </View>
  );
}

type LinesProps = BankLines & { state: string; after: { value: number | undefined } };

function Lines({ lines, counts, next, state, after }: LinesProps) {
  const hasMore = next !== null;
  return (
    <>
      <p class="muted">
        {counts.unmatched === 0
          ? 'Nothing is left to reconcile.'
          : `${count(counts.unmatched, 'line')} to reconcile.`}
        {state === 'unmatched' && lines.length > 0 && (
          <span class="wide-only"> Enter confirms a line and goes to the next; ↑ and ↓ move.</span>
        )}
      </p>
      {lines.length > 0 && (
        <ol class="bank-lines" aria-label="Lines" onKeyDown={moveByArrows}>
          {lines.map((line) => (
            <BankLineRow key={line.id} line={line} />
          ))}
        </ol>
      )}
      {(hasMore || after.value !== undefined) && (
        <div class="actions">
          {after.value !== undefined && <Button onClick={() => set(after, undefined)}>First page</Button>}
          {hasMore && <Button onClick={() => set(after, next)}>Next page</Button>}
        </div>
      )}
    </>
  );
}

/** Arrows go from one line's first button to the next one's. */
function moveByArrows(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const list = event.currentTarget as HTMLElement;
  const rows = [...list.querySelectorAll<HTMLElement>('.bank-line')];
  const at = rows.findIndex((row) => row.contains(event.target as Node));
  const to = rows[at + step];
  if (step === 0 || at < 0 || !to) return;
  event.preventDefault();
  to.querySelector<HTMLElement>('button')?.focus();
}

/** One click for all certain lines of the page: they are shown first, and each can be left out. */
function ConfirmCertain({ lines }: { lines: readonly BankLine[] }) {
  const certain = lines.filter(({ confidence }) => confidence === 'certain');
  if (certain.length < 2) return null;
  const confirm = async () => {
    const chosen = certain.map((line) => ({ line, isIn: signal(true) }));
    const failed: string[] = [];
    const done = await ask(
      {
        title: `Confirm ${count(certain.length, 'certain line')}?`,
        body: chosen.map(({ line, isIn }) => (
          <Checkbox key={line.id} name={`certain-${line.id}`} value={isIn}>
            {`${money(line.amount_cents)} from ${line.payer || 'no name'}, ${dateName(line.on_day)}: ${proposalWords(line)}`}
          </Checkbox>
        )),
        confirm: 'Confirm these',
      },
      async () => {
        for (const { line, isIn } of chosen) {
          if (isIn.value)
            await confirmFirst(line).catch((error) => failed.push(`${line.payer}: ${error.message}`));
        }
      },
    );
    const confirmed = chosen.filter(({ isIn }) => isIn.value).length - failed.length;
    if (done) announce([`${count(confirmed, 'line')} confirmed.`, ...failed].join(' '));
  };
  return (
    <Button icon="check" onClick={confirm}>
      Confirm all {certain.length} certain
    </Button>
  );
}

/** "Kea Networks, invoice 12". */
function proposalWords({ candidates: [first] }: BankLine): string {
  const numbers = first?.allocations.map(({ invoice }) => invoice).join(', ');
  return first ? `${first.account.name}${numbers ? `, invoice ${numbers}` : ''}` : '';
}

const fileColumns: Column<BankFile>[] = [
  {
    title: 'File',
    heading: true,
    cell: ({ name, bank, account }) => (
      <span>
        <span class="break">{name}</span>
        <span class="small muted below">{[bank, account].filter(Boolean).join(' ')}</span>
      </span>
    ),
  },
  {
    title: 'Days',
    cell: ({ from, to }) => (from && to ? `${dateName(from)} to ${dateName(to)}` : ''),
  },
  {
    title: 'Payments',
    numeric: true,
    cell: ({ lines, known }) => (
      <span>
        {lines}
        {known > 0 && <span class="small muted below">{known} known before</span>}
      </span>
    ),
  },
  { title: 'Amount', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
  {
    title: 'Added',
    cell: ({ created_at: at, created_by: by }) => (
      <span>
        {moment(at)}
        <span class="small muted below">{by}</span>
      </span>
    ),
  },
  {
    title: 'Actions',
    silent: true,
    cell: ({ id, name, lines, decided }) =>
      decided === 0 && (
        <Button
          kind="quiet"
          label={`Take back ${name}`}
          onClick={() =>
            ask(
              {
                title: `Take ${name} back?`,
                body: `Its ${count(lines, 'line')} ${lines === 1 ? 'goes' : 'go'}. None is reconciled yet.`,
                confirm: 'Take back',
                danger: true,
                done: `${name} was taken back.`,
              },
              () => api.delete('/api/staff/bank/files/{id}', { path: { id } }),
            )
          }
        >
          Take back
        </Button>
      ),
  },
];
