import { api } from '../shared/client.ts';
import type { AddressImport, AddressImportReport, AddressList } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { Facts, Figures } from '../shared/ui/facts.tsx';
import { Badge, ErrorNotice, Notice, type Tone } from '../shared/ui/notice.tsx';
import { Progress } from '../shared/ui/progress.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { bytes, count, number, when } from '../shared/words.ts';
import { AddressForm, acceptable } from './address-form.tsx';

const askAgainMs = 2_000;

const states: Record<AddressImport['state'], { name: string; tone?: Tone }> = {
  received: { name: 'Waiting or at work', tone: 'info' },
  done: { name: 'Done', tone: 'good' },
  failed: { name: 'Failed', tone: 'bad' },
  cancelled: { name: 'Cancelled' },
};

/** The list of addresses: what it is, and its imports. */
export function AddressesView() {
  const list = useResource(() => api.get('/api/staff/addresses'), 'anywhere', askAgainMs);
  const imports = useResource(() => api.get('/api/staff/address-imports'), 'anywhere', askAgainMs);
  return (
    <View
      title="Addresses"
      lead="The list by which an address is found: on the map, in the checker, and by applications."
    >
      <Card title="The list">
        <Loaded of={list}>{(now) => <TheList list={now} />}</Loaded>
      </Card>
      <Card title="Import a file">
        <p class="muted">A worker imports all of it, or nothing. Until it is done, the list is as it was.</p>
        <Loaded of={list}>{({ file_limit_bytes: limit }) => <AddressForm limitBytes={limit} />}</Loaded>
      </Card>
      <Card title="Imports">
        <Loaded of={imports}>
          {(answer) => (
            <Table
              caption="Imports, newest first"
              columns={columns}
              rows={answer.imports}
              rowKey={({ id }) => id}
              empty="Nothing was imported yet."
            />
          )}
        </Loaded>
      </Card>
    </View>
  );
}

function TheList({ list }: { list: AddressList }) {
  if (list.is_empty)
    return (
      <Notice
        tone="info"
        title="There is no list of addresses"
        text="Without one, places are found by position and by town alone. LINZ publishes the addresses of New Zealand, “NZ Addresses”, on data.linz.govt.nz (layer 123113), free of charge: export the whole layer as CSV, GeoPackage or shapefile, and drop it below."
      />
    );
  return (
    <>
      <Figures
        list={[
          { label: 'Addresses', value: number(list.addresses) },
          ...(list.premises === null ? [] : [{ label: 'Premises', value: number(list.premises) }]),
          { label: 'Streets', value: number(list.streets) },
          { label: 'Changed', value: when(list.changed_at as string), note: `version ${list.version}` },
        ]}
      />
      <p>
        <a href="#/premises">What is where: premises by region</a>
      </p>
    </>
  );
}

const columns: Column<AddressImport>[] = [
  {
    title: 'File',
    heading: true,
    cell: ({ id, file_name: name, size_bytes: size }) => (
      <span>
        <a class="break" href={`#/addresses/${encodeURIComponent(id)}`}>
          {name}
        </a>
        <span class="small muted below">{bytes(size)}</span>
      </span>
    ),
  },
  {
    title: 'State',
    cell: ({ state, progress, options, error }) => (
      <span>
        <Badge tone={states[state].tone}>{states[state].name}</Badge>
        {options.dry_run && <span class="small muted below">rehearsal</span>}
        {progress && <span class="small muted below">{progressWords(progress)}</span>}
        {error && <span class="small below break">{error.message}</span>}
      </span>
    ),
  },
  {
    title: 'Changed',
    cell: ({ report }) => (report ? changedWords(report) : <span class="muted">nothing</span>),
  },
  {
    title: 'Received',
    cell: ({ created_at: at, actor }) => (
      <span>
        {when(at)}
        <span class="small muted below">{actor}</span>
      </span>
    ),
  },
];

const progressWords = ({ step, percent }: NonNullable<AddressImport['progress']>) =>
  percent === null ? step : `${step}, ${percent}%`;

function changedWords({ changed }: AddressImportReport): string {
  const { added, changed: other, removed } = changed;
  const parts = [
    added > 0 && `${number(added)} added`,
    other > 0 && `${number(other)} changed`,
    removed > 0 && `${number(removed)} removed`,
  ];
  return parts.filter(Boolean).join(', ') || 'nothing';
}

/** One import: its progress, its report, or why it failed. */
export function AddressImportView({ id }: { id: string }) {
  const path = { id };
  const one = useResource(() => api.get('/api/staff/address-imports/{id}', { path }), 'anywhere', askAgainMs);
  return (
    <View
      title={one.data.value?.file_name ?? 'Import'}
      back={{ href: '#/addresses', label: 'Addresses' }}
      actions={one.data.value?.state === 'received' && <Cancel of={one.data.value} />}
    >
      <Loaded of={one}>{(now) => <Import of={now} />}</Loaded>
    </View>
  );
}

function Cancel({ of: { id, file_name: name } }: { of: AddressImport }) {
  const cancel = () =>
    ask(
      {
        title: `Cancel the import of ${name}?`,
        body: 'The list stays as it is, and the file is removed.',
        confirm: 'Cancel import',
        danger: true,
        done: `The import of ${name} is cancelled.`,
      },
      () => api.post('/api/staff/address-imports/{id}/cancel', { path: { id } }),
    );
  return <Button onClick={cancel}>Cancel import</Button>;
}

/** The errors that ask to accept something, and what. */
const asking: Record<string, string> = {
  addresses_shrink: 'gone',
  addresses_dropped: 'dropped',
  addresses_do_not_fit: 'mismatch',
};

function Import({ of }: { of: AddressImport }) {
  const { state, progress, error, report, options } = of;
  const accepts = acceptable.find(([what]) => what === asking[error?.code ?? ''])?.[1];
  return (
    <>
      <Card title="Import">
        <Facts
          list={[
            [
              'State',
              <Badge key="state" tone={states[state].tone}>
                {states[state].name}
              </Badge>,
            ],
            ['Received', `${when(of.created_at)}, from ${of.actor}`],
            ['Ended', of.finished_at && when(of.finished_at)],
            ['Size', bytes(of.size_bytes)],
            ['IDs of', options.system],
            [
              'Accepted',
              options.accept?.map((one) => acceptable.find(([what]) => what === one)?.[1]).join('; '),
            ],
            ['Rehearsal', options.dry_run && 'The list is as it was: this is what the file would change.'],
          ]}
        />
        {state === 'received' && (
          <Progress
            label={progress ? capital(progress.step) : 'Waits for a worker'}
            percent={progress?.percent ?? null}
          />
        )}
        <ErrorNotice error={error && accepts ? { ...error, hint: accept(accepts) } : (error ?? undefined)} />
      </Card>
      {report && <Report of={report} />}
    </>
  );
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
const accept = (label: string) =>
  `If that is right, import the file again with “${label}” under “More options”. Else get a newer file.`;

function Report({ of: report }: { of: AddressImportReport }) {
  const { added, changed, removed, unchanged } = report.changed;
  return (
    <>
      <Card title="Report">
        <Figures
          list={[
            { label: 'Rows read', value: number(report.read), note: `${number(report.taken)} taken` },
            { label: 'Added', value: number(added) },
            { label: 'Changed', value: number(changed) },
            { label: 'Removed', value: number(removed) },
            { label: 'Unchanged', value: number(unchanged) },
          ]}
        />
        <p>
          The list then has {count(report.addresses, 'address', 'addresses')} at{' '}
          {count(report.premises, 'point')}, on {count(report.streets, 'street')}. It took{' '}
          {count(Math.round(report.seconds), 'second')}.
        </p>
        {report.assumed.length > 0 && (
          <ul class="plain-list">
            {report.assumed.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
      </Card>
      <Card title="Rows that were not taken">
        <Table
          caption="Rows that were not taken, by reason"
          columns={droppedColumns}
          rows={report.dropped}
          rowKey={({ reason }) => reason}
          empty="None: every row was taken."
        />
      </Card>
    </>
  );
}

const droppedColumns: Column<AddressImportReport['dropped'][number]>[] = [
  { title: 'Reason', heading: true, cell: ({ message }) => capital(message) },
  { title: 'Rows', numeric: true, cell: ({ count: rows }) => number(rows) },
  {
    title: 'Lines',
    cell: ({ lines, count: rows }) => `${lines.map(number).join(', ')}${rows > lines.length ? ', …' : ''}`,
  },
];
