import { signal, useSignal } from '@preact/signals';
import { announce } from '../shared/announce.ts';
import { moneyColumn } from '../shared/billing/columns.tsx';
import { dateName } from '../shared/billing/words.ts';
import { api } from '../shared/client.ts';
import type { Value } from '../shared/field-value.ts';
import { newest } from '../shared/newest.ts';
import type { XeroExport, XeroNews } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { Badge, ErrorNotice, Notice, useAttempt } from '../shared/ui/notice.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { count, moment } from '../shared/words.ts';
import { Reason } from './fields.tsx';

type NewFile = XeroNews['files'][number];

const kindWords: Record<NewFile['kind'], string> = {
  invoices: 'Invoices',
  credit_notes: 'Credit notes',
  payments: 'Payments',
};

const pageSize = 10;
/** The API's page size. */
const maxPage = 500;

/** What of a period is in no files for Xero, and the files that were made. */
export function XeroFiles({ from, to, today }: { from: Value<string>; to: Value<string>; today: string }) {
  const wanted = useSignal(pageSize);
  const { error, attempt } = useAttempt();
  const news = useResource(
    () => api.get('/api/staff/xero/new', { query: { from: from.value, to: to.value } }),
    'here',
  );
  const exports = useResource(
    () => newest('exports', wanted, maxPage, (page) => api.get('/api/staff/xero/exports', { query: page })),
    'here',
  );
  const make = () =>
    attempt(async () => {
      const period = { from: from.value, to: to.value };
      const { files } = await api.post('/api/staff/xero/exports', { body: period });
      announce(`${count(files.length, 'file')} made.`);
    });
  return (
    <Card title="Files for Xero">
      <ErrorNotice error={error.value} />
      <Loaded of={news}>
        {(answer) => (
          <>
            <Table
              caption="What of the period is in no files yet"
              columns={newColumns}
              rows={answer.files}
              empty="Everything of this period is in files already."
            />
            {answer.earlier > 0 && (
              <Notice
                tone="info"
                title={`${count(answer.earlier, 'row')} of days before ${dateName(answer.from)} ${answer.earlier === 1 ? 'is' : 'are'} in no files.`}
                text="To have them, begin the period earlier."
              />
            )}
            {answer.files.length > 0 && answer.to >= today && (
              <p class="small muted">The period has not ended: what is added later is in the next files.</p>
            )}
            {answer.files.length > 0 && (
              <div class="actions">
                <Button kind="primary" icon="check" onClick={make}>
                  Make files
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
      <h3>Files that were made</h3>
      <p class="small muted">
        Import invoices and credit notes under Business &gt; Invoices &gt; Import, with amounts tax exclusive;
        payments as a statement of the bank account, where Xero has no feed of it.
      </p>
      <Loaded of={exports}>
        {({ entries, hasMore }) => (
          <>
            <Table
              caption="Files for Xero, newest first"
              columns={exportColumns}
              rows={entries}
              empty="No files yet."
            />
            {hasMore && (
              <div class="actions">
                <Button
                  onClick={() => {
                    wanted.value += pageSize;
                  }}
                >
                  Show earlier files
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

const newColumns: Column<NewFile>[] = [
  { title: 'New file', heading: true, cell: ({ kind }) => kindWords[kind] },
  { title: 'Papers or payments', numeric: true, cell: ({ documents }) => documents },
  { title: 'Lines', numeric: true, cell: ({ lines }) => lines },
  moneyColumn('Total', ({ total_cents: cents }) => cents),
];

/** Asks why files were not imported, and says so. */
function askNotImported({ id, from, to }: XeroExport) {
  const reason = signal('');
  return ask(
    {
      title: 'Were these files not imported?',
      body: [
        `What is in them is in the next files of ${dateName(from)} to ${dateName(to)}. If Xero has imported any of them, delete it there first: else it is in Xero twice.`,
        <Reason key="reason" hint="Kept with the files." value={reason} />,
      ],
      confirm: 'Not imported',
      danger: true,
      done: 'What was in these files is new again.',
    },
    () =>
      api.post('/api/staff/xero/exports/{id}/not-imported', {
        path: { id },
        body: { reason: reason.value.trim() },
      }),
  );
}

const exportColumns: Column<XeroExport>[] = [
  {
    title: 'Files',
    heading: true,
    cell: ({ id, files, taken_back_at: back }) => (
      <span>
        {files.map(({ position, kind, documents, name }) => (
          <span key={position} class="below">
            <a href={`/api/staff/xero/exports/${id}/files/${position}`} download={`${name}.csv`}>
              {kindWords[kind]}
            </a>
            <span class="muted">: {documents}</span>
          </span>
        ))}
        {back && <Badge tone="warning">Not imported</Badge>}
      </span>
    ),
  },
  { title: 'Period', cell: ({ from, to }) => `${dateName(from)} to ${dateName(to)}` },
  {
    title: 'Made',
    cell: ({ made_at: at, made_by: by, taken_back_by: backBy, reason }) => (
      <span>
        {moment(at)}
        <span class="small muted below">{by}</span>
        {reason && <span class="small muted below">{`Not imported, says ${backBy}: ${reason}`}</span>}
      </span>
    ),
  },
  {
    title: 'Actions',
    silent: true,
    cell: (made) =>
      made.taken_back_at === null && (
        <Button
          kind="quiet"
          label={`Not imported: files of ${dateName(made.from)} to ${dateName(made.to)}`}
          onClick={() => askNotImported(made)}
        >
          Not imported …
        </Button>
      ),
  },
];
