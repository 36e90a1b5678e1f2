import { api } from '../shared/client.ts';
import type { PieceOfWork, Work, WorkCount, WorkKind } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { Badge, ErrorNotice, Notice, type Tone, useAttempt } from '../shared/ui/notice.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { number, when } from '../shared/words.ts';

const askAgainMs = 5_000;

const kinds: Record<WorkKind, string> = {
  inspect: 'Inspect files',
  'read-towers': 'Read towers',
  predict: 'Model coverage',
  load: 'Load coverage',
  compare: 'Compare coverage',
  publish: 'Publish coverage',
  archive: 'Archive versions',
  discard: 'Remove withdrawn coverage',
  draw: 'Draw for the map',
  rollback: 'Roll back versions',
  'bulk-lookup': 'Look up positions',
  'import-addresses': 'Import addresses',
  'count-premises': 'Count premises',
  'export-coverage': 'Export coverage',
};

/** Jobs that staff may withdraw or run again. */
const isReading = (kind: WorkKind) => kind === 'load' || kind === 'read-towers';

const states: Record<PieceOfWork['state'], { name: string; tone?: Tone }> = {
  waiting: { name: 'Waiting' },
  running: { name: 'Running', tone: 'info' },
  delayed: { name: 'Will be retried', tone: 'warning' },
  failed: { name: 'Failed', tone: 'bad' },
};

/** The work that is running, waiting or failed. */
export function WorkView() {
  const work = useResource(() => api.get('/api/staff/work'), 'anywhere', askAgainMs);
  return (
    <View
      title="Work"
      lead="What workers load, compare, inspect, model and look up. It is up to date while you look at it."
    >
      <Loaded of={work}>{(answer) => <Known {...answer} />}</Loaded>
    </View>
  );
}

function Known({ queue, kinds: counts, work }: Work) {
  const unserved = counts.filter(({ workers, waiting }) => workers === 0 && waiting > 0);
  return (
    <>
      {queue === 'unreachable' && (
        <Notice
          tone="warning"
          title="The job queue is unreachable"
          text="Work waits in the database and goes on when the queue is back. How many workers there are is not known."
        />
      )}
      {unserved.length > 0 && (
        <Notice
          tone="warning"
          title="Work waits, and no worker takes it"
          text={`${unserved.map(({ kind }) => kinds[kind]).join(', ')}: start a worker (npm run worker), or look into its log.`}
        />
      )}
      <Card title="By kind">
        <Table caption="Work by kind" columns={countColumns} rows={counts} rowKey={({ kind }) => kind} />
      </Card>
      <Card title="Unfinished and failed">
        <Table
          caption="Work that is not done"
          columns={columns}
          rows={work}
          rowKey={({ kind, id, state }) => `${kind} ${id} ${state}`}
          empty="Nothing waits, and nothing has failed within the last week."
        />
      </Card>
    </>
  );
}

const countColumns: Column<WorkCount>[] = [
  { title: 'Kind', heading: true, cell: ({ kind }) => kinds[kind] },
  { title: 'Waiting', numeric: true, cell: ({ waiting }) => number(waiting) },
  { title: 'Running', numeric: true, cell: ({ running }) => number(running) },
  { title: 'To be retried', numeric: true, cell: ({ delayed }) => number(delayed) },
  { title: 'Failed in 7 days', numeric: true, cell: ({ failed }) => number(failed) },
  {
    title: 'Oldest waits since',
    cell: ({ waiting_since: since }) => (since ? when(since) : <span class="muted">none</span>),
  },
  {
    title: 'Workers',
    numeric: true,
    cell: ({ workers }) => (workers === null ? <span class="muted">not known</span> : number(workers)),
  },
];

const columns: Column<PieceOfWork>[] = [
  {
    title: 'Work',
    heading: true,
    cell: ({ kind, file, submission, owner }) => (
      <span>
        {kinds[kind]}
        {file && (
          <span class="small below break">
            {submission ? (
              <a href={`/operator#/submission/${encodeURIComponent(submission)}`}>{file}</a>
            ) : (
              file
            )}
          </span>
        )}
        <span class="small muted below">{owner ?? 'Staff'}</span>
      </span>
    ),
  },
  {
    title: 'State',
    cell: ({ state, error, retry_at: at }) => (
      <span>
        <Badge tone={states[state].tone}>{states[state].name}</Badge>
        {error && (
          <span class="small below break">
            {error.message} <code>{error.code}</code>
          </span>
        )}
        {at && state === 'delayed' && <span class="small muted below">{when(at)}</span>}
      </span>
    ),
  },
  { title: 'Since', cell: ({ since }) => when(since) },
  {
    title: 'Tries',
    cell: ({ tries, process }) => (
      <span>
        {number(tries)}
        {process && (
          <span class="small muted below">
            process <code title={process}>{process.slice(0, 8)}</code>
          </span>
        )}
      </span>
    ),
  },
  { title: 'Actions', silent: true, cell: (piece) => <Actions piece={piece} /> },
];

/** The same operations as on the operators' page, with the same audit entries. */
function Actions({ piece: { kind, state, submission, file } }: { piece: PieceOfWork }) {
  const { error, attempt } = useAttempt();
  if (!isReading(kind) || !submission) return null;
  const path = { id: submission };
  const again = async () => {
    const draft = await api.post('/api/operator/submissions/{id}/reprocess', { path });
    location.href = `/operator#/file/${encodeURIComponent(draft.id)}`;
  };
  const withdraw = () =>
    ask(
      {
        title: `Withdraw ${file}?`,
        body: 'It will not be loaded or published. Live coverage is unchanged.',
        confirm: 'Withdraw submission',
        danger: true,
        done: `${file} is withdrawn.`,
      },
      () => api.post('/api/operator/submissions/{id}/withdraw', { path }),
    );
  return (
    <div class="stack small-gap">
      <div class="actions end">
        {state === 'failed' ? (
          <Button kind="quiet" label={`Run again: ${file}`} onClick={() => attempt(again)}>
            Run again
          </Button>
        ) : (
          <Button kind="quiet" label={`Withdraw ${file}`} onClick={withdraw}>
            Withdraw
          </Button>
        )}
      </div>
      <ErrorNotice error={error.value} />
    </div>
  );
}
