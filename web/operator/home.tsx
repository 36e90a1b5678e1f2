import { useSignal } from '@preact/signals';
import { api } from '../shared/client.ts';
import { set } from '../shared/field-value.ts';
import { newest } from '../shared/newest.ts';
import type { Dataset, ProviderProfile, Submission, UploadedFile } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Badge, Notice } from '../shared/ui/notice.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { useInterval } from '../shared/use-interval.ts';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { area, bytes, coverageLabel, when } from '../shared/words.ts';
import { arrivalOf, exportsPath, isStaff, labelOf, technologyLabel, versionsPath } from './context.ts';
import { CoverageDropZone } from './drop-zone.tsx';
import { describeNew } from './pending.ts';
import { withoutAddress } from './providers.tsx';
import { isUnderWork, StatusBadge } from './status.tsx';
import { isUnusable, reasonAgainst } from './unreadable.tsx';

/** The interval of reloading the list while something in it is being processed. */
const refreshMs = 3000;
const pageSize = 10;
/** The number of live coverages listed at first. */
const fewLive = 6;
/** The API's page size. */
const maxPage = 200;

/** The first view: upload, live coverage, and submissions. */
export function HomeView() {
  const wanted = useSignal(pageSize);
  const all = useResource(async () => {
    const [submissions, { datasets }, { files }, { providers }] = await Promise.all([
      newest('submissions', wanted, maxPage, (query) => api.get('/api/operator/submissions', { query })),
      api.get('/api/operator/datasets', { query: { state: 'published', limit: 500 } }),
      api.get('/api/operator/files'),
      api.get('/api/operator/providers'),
    ]);
    return { submissions: submissions.entries, hasMore: submissions.hasMore, datasets, files, providers };
  }, 'elsewhere');
  const now = all.data.value;
  useInterval(all.refresh, refreshMs, now?.submissions.some(isUnderWork) ?? false);
  // The order on a phone; on wider screens live coverage stands beside the rest.
  return (
    <View title={isStaff() ? 'Coverage of all operators' : 'Your coverage'}>
      <MissingAddress providers={now?.providers ?? []} />
      <div class="columns home">
        <Card title="Upload coverage">
          <CoverageDropZone onChoose={describeNew} />
        </Card>
        <Card title="Live coverage">
          {!now ? (
            <p class="muted">Loading …</p>
          ) : now.datasets.length === 0 ? (
            <p class="muted">Nothing published yet.</p>
          ) : (
            <LiveCoverage datasets={now.datasets} />
          )}
        </Card>
        <div class="stack large">
          {now && now.files.length > 0 && <Drafts files={now.files} />}
          <Card title="Submissions">
            <Loaded of={all}>
              {({ submissions, hasMore }) => (
                <>
                  <Table
                    caption="Submissions, newest first"
                    columns={columns()}
                    rows={submissions}
                    empty={<HowItWorks />}
                  />
                  {hasMore && (
                    <div class="actions">
                      <Button onClick={() => set(wanted, submissions.length + pageSize)}>
                        Show earlier submissions
                      </Button>
                    </div>
                  )}
                </>
              )}
            </Loaded>
          </Card>
        </div>
      </div>
    </View>
  );
}

function Drafts({ files }: { files: UploadedFile[] }) {
  return (
    <Card title="Drafts">
      <ul class="plain-list">
        {files.map((draft) => (
          <li class="row" key={draft.id}>
            <Icon name="file" />
            <a class="break" href={`#/file/${draft.id}`}>
              {draft.file.name}
            </a>
            {isUnusable(draft) ? (
              <>
                <Badge tone="bad">Cannot be used</Badge>
                <span class="muted small break">{reasonAgainst(draft).message}</span>
              </>
            ) : (
              <span class="muted small">{draftWords(draft)}</span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function draftWords({ state, file, received_bytes: received }: UploadedFile): string {
  if (state === 'receiving') return `${bytes(received)} of ${bytes(file.size_bytes ?? 0)} uploaded`;
  return state === 'inspecting' ? 'is being inspected' : 'needs details';
}

/** Asks for the web address that every answer shows: without it nothing is published. */
function MissingAddress({ providers }: { providers: ProviderProfile[] }) {
  const [first, ...others] = providers.filter(({ url }) => url === '');
  if (!first) return null;
  const who = others.length === 0 ? `${first.name} has` : `${others.length + 1} providers have`;
  const [title, text, href, action] = isStaff()
    ? ([`${who} no web address.`, withoutAddress, '#/providers', 'Show providers'] as const)
    : ([
        'Your web address is missing.',
        'Every answer shows it: coverage cannot be published without it.',
        '#/profile',
        'Complete profile',
      ] as const);
  return (
    <Notice tone="warning" title={title} text={text}>
      <a class="button" href={href}>
        {action}
      </a>
    </Notice>
  );
}

function HowItWorks() {
  return (
    <ol class="stack tight how muted">
      <li>
        <strong>Upload</strong> the file that your radio planner or GIS made.
      </li>
      <li>
        <strong>Review</strong> it on the map, with the validation report and what would change.
      </li>
      <li>
        <strong>Publish.</strong> Until then only you can see it, and you can roll back afterwards.
      </li>
    </ol>
  );
}

function columns(): Column<Submission>[] {
  const operator: Column<Submission> = { title: 'Operator', cell: ({ provider }) => provider.name };
  return [
    {
      title: 'File',
      heading: true,
      cell: ({ id, file, note }) => (
        <>
          <a href={`#/submission/${id}`}>{file.name}</a>
          {note !== '' && <span class="small muted below">{note}</span>}
        </>
      ),
    },
    ...(isStaff() ? [operator] : []),
    {
      title: 'Technology',
      cell: ({ technologies, datasets }) =>
        coverageLabel(technologies.map(technologyLabel).join(', ') || '–', datasets[0]?.scope ?? ''),
    },
    { title: 'Status', cell: (one) => <StatusBadge submission={one} /> },
    { title: 'Uploaded', cell: (one) => <span class="muted">{arrivalOf('', one)}</span> },
  ];
}

function LiveCoverage({ datasets }: { datasets: Dataset[] }) {
  const items = datasets.map((dataset) => {
    const { id, technology, provider, area_km2: km2, published_at: since } = dataset;
    return (
      <li key={id}>
        <div class="between">
          <strong>{isStaff() ? `${labelOf(dataset)}, ${provider.name}` : labelOf(dataset)}</strong>
          {km2 !== null && <span class="figure">{area(km2)}</span>}
        </div>
        <p class="muted small">
          <a href={`#/submission/${dataset.submission_id}`}>{dataset.file_name}</a>
          {since && `, since ${when(since)}`}
        </p>
        <p class="small">
          <a href={versionsPath(technology, provider)}>Version history of {technologyLabel(technology)}</a>
          {' · '}
          <a href={exportsPath(technology, provider.name)}>
            Export<span class="visually-hidden"> {labelOf(dataset)}</span>
          </a>
        </p>
      </li>
    );
  });
  return (
    <div>
      <ul class="divided">{items.slice(0, fewLive)}</ul>
      {items.length > fewLive && (
        <details>
          <summary>{items.length - fewLive} more</summary>
          <ul class="divided">{items.slice(fewLive)}</ul>
        </details>
      )}
    </div>
  );
}
