import { useSignal } from '@preact/signals';
import { announce } from '../shared/announce.ts';
import { dateName, money } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import { fieldOf } from '../shared/field-value.ts';
import type { BankFilePreview } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { DropZone } from '../shared/ui/drop-zone.tsx';
import { Facts } from '../shared/ui/facts.tsx';
import { Select, TextField } from '../shared/ui/fields.tsx';
import { ErrorNotice, Notice, useAttempt } from '../shared/ui/notice.tsx';
import { Table } from '../shared/ui/table.tsx';
import { count } from '../shared/words.ts';

const limitBytes = 2 * 1024 * 1024;

interface Chosen {
  name: string;
  content_base64: string;
}

const noColumns = {
  ...{ date: '', amount: '', credit: '', debit: '', payer: '', particulars: '', code: '', reference: '' },
  ...{ id: '', account: '', currency: '' },
};
const columnWords: [keyof typeof noColumns, string][] = [
  ['date', 'Date'],
  ['amount', 'Amount (money out below zero)'],
  ['credit', 'Money in, where it is a column of its own'],
  ['debit', 'Money out, where it is a column of its own'],
  ['payer', 'Payer'],
  ['particulars', 'Particulars'],
  ['code', 'Code'],
  ['reference', 'Reference'],
  ['id', 'The bank’s ID of the line'],
  ['account', 'Your account'],
  ['currency', 'Currency'],
];

/** Drops a bank's file: shows what it adds, asks what it needs, and takes it. */
export function BankFileForm() {
  const chosen = useSignal<Chosen | undefined>(undefined);
  const preview = useSignal<BankFilePreview | undefined>(undefined);
  const dates = useSignal<'' | 'dmy' | 'mdy'>('');
  const layoutName = useSignal('');
  const columns = useSignal(noColumns);
  const { error, attempt } = useAttempt();

  const body = () => ({
    ...(chosen.value as Chosen),
    ...(dates.value && { dates: dates.value }),
    ...(layoutName.value.trim() && {
      layout: {
        name: layoutName.value.trim(),
        columns: Object.fromEntries(
          Object.entries(columns.value).filter(([, heading]) => heading !== ''),
        ) as { date: string },
      },
    }),
  });
  const look = () =>
    attempt(async () => {
      preview.value = await api.post('/api/staff/bank/preview', { body: body() });
    });
  const clear = () => {
    chosen.value = undefined;
    preview.value = undefined;
    dates.value = '';
    layoutName.value = '';
    columns.value = noColumns;
  };
  const choose = async (file: File) => {
    clear();
    chosen.value = { name: file.name, content_base64: await base64Of(file) };
    await look();
  };
  const take = () =>
    attempt(async () => {
      const { added } = await api.post('/api/staff/bank/files', { body: body() });
      announce(`${count(added, 'payment')} added.`);
      clear();
    });

  const shown = preview.value;
  if (!chosen.value || !shown)
    return (
      <>
        <ErrorNotice error={error.value} />
        <DropZone
          title="Drop your bank’s CSV file here, or"
          accept=".csv,.txt,text/csv"
          hint="ANZ, ASB, BNZ, Westpac and Kiwibank are known by their headings; of another bank you name the columns once."
          limitBytes={limitBytes}
          tooLarge="Export a shorter period."
          several="Overlapping files are fine: no payment is added twice."
          onChoose={choose}
        />
      </>
    );
  return (
    <>
      <p>
        <strong class="break">{chosen.value.name}</strong>
      </p>
      <ErrorNotice error={error.value} />
      {shown.needs === 'layout' && (
        <>
          <Notice
            tone="info"
            title="This is a file of no known bank."
            text="Say once which column is which: its next files are known by their headings."
          />
          <TextField
            label="Name of the bank or account"
            name="layout-name"
            maxLength={100}
            value={layoutName}
          />
          <div class="filters">
            {columnWords.map(([name, words]) => (
              <Select
                key={name}
                label={words}
                name={`column-${name}`}
                options={[['', 'None'], ...shown.headings.map((one) => [one, one] as const)]}
                value={fieldOf(columns, name)}
              />
            ))}
          </div>
        </>
      )}
      {shown.needs === 'dates' && (
        <>
          <Notice tone="info" title="03/04 may be a day of April or of March: the file does not say which." />
          <Select
            label="Dates begin with"
            name="date-order"
            options={[
              ['', 'Choose one'],
              ['dmy', 'The day: 31/12/2026'],
              ['mdy', 'The month: 12/31/2026'],
            ]}
            value={dates}
          />
        </>
      )}
      {shown.needs === null && <Adds preview={shown} />}
      <div class="actions">
        {shown.needs !== null ? (
          <Button kind="primary" onClick={look}>
            Go on
          </Button>
        ) : (
          shown.added > 0 && (
            <Button kind="primary" icon="check" onClick={take}>
              Add {count(shown.added, 'payment')}
            </Button>
          )
        )}
        <Button onClick={clear}>{shown.needs === null && shown.added === 0 ? 'Close' : 'Cancel'}</Button>
      </div>
    </>
  );
}

function Adds({ preview }: { preview: BankFilePreview }) {
  const { bank, account, account_is_new: isNew, from, to, added, known, debits, zeros, alike } = preview;
  const ignored = [
    debits > 0 && `${count(debits, 'line')} of money out`,
    zeros > 0 && `${count(zeros, 'line')} of nothing`,
  ];
  return (
    <>
      <Facts
        list={[
          ['Bank', [bank, account].filter(Boolean).join(', ')],
          ['Days', from && to ? `${dateName(from)} to ${dateName(to)}` : 'None'],
          ['Adds', `${count(added, 'payment')}, ${money(preview.amount_cents)}`],
          ['Known before', count(known, 'payment')],
          ['Ignored', ignored.filter(Boolean).join(', ') || 'Nothing'],
        ]}
      />
      {added === 0 && <Notice tone="info" title="This file adds nothing: all its payments are known." />}
      {isNew && (
        <Notice
          tone="warning"
          title="No file before was of this account."
          text="Is it the account to which customers pay?"
        />
      )}
      {alike > 0 && (
        <Notice
          tone="warning"
          title={`${count(alike, 'payment')} of it ${alike === 1 ? 'has' : 'have'} the day and the amount of a line of another bank or account.`}
          text="Does it have the same payments in another form? Then do not add it."
        />
      )}
      {preview.first.length > 0 && (
        <Table
          caption="The first payments that it adds"
          rowKey={({ line }) => line}
          rows={preview.first}
          columns={[
            { title: 'Payer', heading: true, cell: ({ payer }) => payer || 'No name' },
            { title: 'Day', cell: ({ on_day: day }) => dateName(day) },
            { title: 'Texts', cell: ({ text }) => text },
            { title: 'Amount', numeric: true, cell: ({ amount_cents: cents }) => money(cents) },
          ]}
        />
      )}
    </>
  );
}

/** A file in Base64, as JSON has it. */
export async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  const piece = 32_768;
  for (let at = 0; at < bytes.length; at += piece)
    text += String.fromCharCode(...bytes.subarray(at, at + piece));
  return btoa(text);
}
