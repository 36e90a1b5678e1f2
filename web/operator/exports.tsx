import { useSignal } from '@preact/signals';
import { api } from '../shared/client.ts';
import { fieldOf, set } from '../shared/field-value.ts';
import type { CoverageExport } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { RadioGroup, Select, TextField } from '../shared/ui/fields.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Badge, ErrorNotice, useAttempt } from '../shared/ui/notice.tsx';
import { Progress } from '../shared/ui/progress.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { bytes, calendarDay, count, when } from '../shared/words.ts';
import { backHome, catalog, isStaff, technologyLabel } from './context.ts';

const askAgainMs = 2_000;

type Format = CoverageExport['format'];
const formats: readonly (readonly [Format, string, string])[] = [
  ['geopackage', 'GeoPackage', 'One file for a GIS, with a layer of areas and one of premises.'],
  ['flatgeobuf', 'FlatGeobuf', 'Areas, and premises as CSV, zipped.'],
  ['geoparquet', 'GeoParquet', 'Areas, and premises as CSV, zipped.'],
  ['geojson', 'GeoJSON', 'Areas, and premises as CSV, zipped.'],
  ['csv', 'CSV', 'Premises alone, zipped.'],
];
const formatLabel = (format: Format) => formats.find(([name]) => name === format)?.[1] ?? format;

/** Published coverage as files. @param technology and provider: chosen at first */
export function ExportsView({ technology, provider }: { technology?: string; provider?: string }) {
  const all = useResource(() => api.get('/api/operator/exports'), 'anywhere', askAgainMs);
  return (
    <View
      title="Exports"
      back={backHome()}
      lead="What is published, as a file: areas as lookups have them, and the premises in them."
    >
      <Card title="Export coverage">
        <ExportForm technology={technology ?? ''} provider={provider} />
      </Card>
      <Card title="Exports" silent>
        <Loaded of={all}>
          {({ exports }) => (
            <Table
              caption="Exports, newest first"
              columns={columns()}
              rows={exports}
              rowKey={({ id }) => id}
              empty="Nothing was exported yet."
            />
          )}
        </Loaded>
      </Card>
    </View>
  );
}

function ExportForm({ technology, provider }: { technology: string; provider: string | undefined }) {
  const { published, providers, technologies, today } = catalog();
  const publishing = providers.filter(({ id }) => published.some((one) => one.provider_id === id));
  const choices = useSignal({
    provider: provider ?? publishing[0]?.name ?? '',
    technology,
    format: 'geopackage' as Format,
    day: '',
  });
  const { error, attempt } = useAttempt();
  const { provider: chosen, day, format } = choices.value;
  const send = () =>
    attempt(async () => {
      const body = {
        ...(isStaff() && { provider: chosen }),
        ...(choices.value.technology && { technology: choices.value.technology }),
        ...(day && { day }),
        format,
      };
      await api.post('/api/operator/exports', { body });
      set(fieldOf(choices, 'day'), '');
    });
  return (
    <>
      {isStaff() && (
        <Select
          label="Operator"
          name="provider"
          options={publishing.map(({ name }) => [name, name] as const)}
          value={fieldOf(choices, 'provider')}
        />
      )}
      <Select
        label="Technology"
        name="technology"
        options={[['', 'All'] as const, ...technologies.map(({ name, label }) => [name, label] as const)]}
        value={fieldOf(choices, 'technology')}
      />
      <TextField
        label="As of the end of a day"
        name="day"
        type="date"
        max={today}
        hint="Empty: what is live now."
        value={fieldOf(choices, 'day')}
      />
      <RadioGroup legend="Format" name="format" options={formats} value={fieldOf(choices, 'format')} />
      <ErrorNotice error={error.value} />
      <div class="actions">
        <Button kind="primary" icon="download" onClick={send}>
          Export
        </Button>
      </div>
    </>
  );
}

const columns = (): Column<CoverageExport>[] => [
  {
    title: 'Coverage',
    heading: true,
    cell: ({ provider, technology, day, format }) => (
      <span>
        {isStaff() && `${provider.name}, `}
        {technology === null ? 'All technologies' : technologyLabel(technology)}
        <span class="small muted below">
          {formatLabel(format)}, {day === null ? 'as live when it was made' : `of ${calendarDay(day)}`}
        </span>
      </span>
    ),
  },
  { title: 'State', cell: (one) => <State of={one} /> },
  {
    title: 'Asked for',
    cell: ({ created_at: at, asked_by: by }) => (
      <span>
        {when(at)}
        <span class="small muted below">{by}</span>
      </span>
    ),
  },
  { title: 'Actions', silent: true, cell: (one) => <Actions of={one} /> },
];

function State({
  of: { state, progress, error, size_bytes: size, areas, premises, expires_at: expires },
}: Of) {
  if (state === 'queued')
    return (
      <Progress
        label={progress ? capital(progress.step) : 'Waits for a worker'}
        percent={progress?.percent ?? null}
      />
    );
  if (state === 'failed')
    return (
      <span>
        <Badge tone="bad">Failed</Badge>
        <span class="small below break">{error?.message}</span>
      </span>
    );
  const contents = [
    areas !== null && count(areas, 'area'),
    premises !== null && `${count(premises, 'premises', 'premises')}`,
    bytes(size ?? 0),
  ];
  return (
    <span>
      <Badge tone="good">Done</Badge>
      <span class="small muted below">{contents.filter(Boolean).join(', ')}</span>
      {expires && <span class="small muted below">kept until {when(expires)}</span>}
    </span>
  );
}

type Of = { of: CoverageExport };

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function Actions({ of: { id, state, file_name: name, links } }: Of) {
  const label = name ?? 'this export';
  const remove = () => api.delete('/api/operator/exports/{id}', { path: { id } });
  const askToRemove = () =>
    ask(
      {
        title: `Remove ${label}?`,
        body: 'Its file is removed, too. You can export the same again.',
        confirm: 'Remove export',
        danger: true,
        done: 'The export is removed.',
      },
      remove,
    );
  return (
    <div class="actions">
      {links.file && (
        <a class="button" href={links.file} download aria-label={`Download ${label}`}>
          <Icon name="download" size={18} />
          Download
        </a>
      )}
      {state === 'queued' ? (
        <Button kind="quiet" onClick={remove}>
          Cancel
        </Button>
      ) : (
        <Button kind="quiet" label={`Remove ${label}`} onClick={askToRemove}>
          Remove
        </Button>
      )}
    </div>
  );
}
