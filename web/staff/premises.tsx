import { useComputed } from '@preact/signals';
import { useInAddress } from '../shared/address.ts';
import { api } from '../shared/client.ts';
import type { PremisesStatistics, RegionLayer, StatisticsRow } from '../shared/schemas.ts';
import { CsvLink } from '../shared/ui/button.tsx';
import { Figures } from '../shared/ui/facts.tsx';
import { Select, TextField } from '../shared/ui/fields.tsx';
import { Notice } from '../shared/ui/notice.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { useInterval } from '../shared/use-interval.ts';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { count, number } from '../shared/words.ts';
import { RegionMap } from './region-map.tsx';

const askAgainMs = 3_000;
/** Rows that are shown; all are in the file. */
const maxRows = 300;

const ofAddresses = [
  ['authority', 'Authorities'],
  ['town', 'Towns'],
  ['suburb', 'Suburbs'],
] as const;

type Total = NonNullable<PremisesStatistics['total']>;
/** What is shown of all counts: from which speed, by its place among the thresholds. */
type Shown = { of: PremisesStatistics; total: Total; speed: number };

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);
const percent = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole);
const shareText = (part: number, whole: number) => `${percent(part, whole).toFixed(1)}%`;
const atSpeed = (mbps: number) => (mbps === 0 ? '' : ` at ${mbps} Mbps or more`);
const speedText = (mbps: number) => (mbps === 0 ? 'Any speed' : `${mbps} Mbps or more`);

/** What is where: premises by region, on a day, and what changed since another. */
export function PremisesView() {
  const layers = useResource(() => api.get('/api/staff/regions'), 'anywhere');
  const by = useInAddress('by', 'authority');
  const technology = useInAddress('technology');
  const day = useInAddress('day');
  const compared = useInAddress('compared');
  const speed = useInAddress('speed', '0');
  const query = useComputed(() => ({
    by: by.value,
    ...(technology.value && { technology: technology.value }),
    ...(day.value && { day: day.value }),
    ...(compared.value && { compared_with: compared.value }),
  }));
  const found = useResource(() => api.get('/api/staff/premises', { query: query.value }), 'anywhere');
  useInterval(found.refresh, askAgainMs, found.data.value?.state === 'counting');
  const known = found.data.value;
  const all = layers.data.value?.layers ?? [];
  const thresholds = known?.thresholds_mbps ?? [0];
  return (
    <View
      title="Premises"
      lead={known?.use ?? 'For staff of this service alone.'}
      back={{ href: '#/addresses', label: 'Addresses' }}
      actions={
        <CsvLink href={`/api/staff/premises?${new URLSearchParams({ ...query.value, format: 'csv' })}`} />
      }
    >
      <Card title="What to count" silent>
        <div class="filters">
          <Select
            label="Regions"
            name="by"
            options={[...ofAddresses, ...all.map(({ name }) => [name, name] as const)]}
            value={by}
          />
          <Select
            label="Technology"
            name="technology"
            options={[
              ['', 'Any'],
              ...(known?.technologies.map(({ name, label }) => [name, label] as const) ??
                (technology.value ? [[technology.value, technology.value] as const] : [])),
            ]}
            value={technology}
          />
          <Select
            label="Download speed"
            name="speed"
            options={thresholds.map((mbps) => [String(mbps), speedText(mbps)] as const)}
            value={speed}
          />
          <TextField label="At the end of (optional)" name="day" type="date" value={day} />
          <TextField label="Compared with (optional)" name="compared" type="date" value={compared} />
        </div>
        <p class="hint">
          {all.length > 0
            ? 'Layers of regions are imported by npm run admin -- regions.'
            : 'Other regions, such as wards, are imported by npm run admin -- regions "wards" wards.zip, and are then on a map here.'}
        </p>
      </Card>
      <Loaded of={found}>
        {(of) => (
          <Statistics
            of={of}
            speed={Math.max(
              0,
              of.thresholds_mbps.findIndex((mbps) => String(mbps) === speed.value),
            )}
            layer={all.find(({ name }) => name === of.by)}
          />
        )}
      </Loaded>
    </View>
  );
}

function Statistics({
  of,
  speed,
  layer,
}: {
  of: PremisesStatistics;
  speed: number;
  layer: RegionLayer | undefined;
}) {
  const { state, total } = of;
  if (state === 'no_addresses')
    return (
      <Notice
        tone="info"
        title="There are no addresses"
        text="Premises are the places of addresses: import a list first."
      >
        <a class="button" href="#/addresses">
          Import addresses
        </a>
      </Notice>
    );
  if (state === 'counting' || !total)
    return (
      <Notice
        tone="info"
        title="Counting …"
        text="Some coverage of that day is not counted with these addresses yet. This page shows it as soon as all of it is."
      />
    );
  const shown = { of, total, speed };
  return (
    <>
      <Totals {...shown} />
      {layer && <RegionMap key={layer.id} layer={layer} of={of} speed={speed} />}
      <Regions {...shown} />
      <Planned {...shown} />
    </>
  );
}

function Totals({ of, total, speed }: Shown) {
  const { premises, at_least: served, providers, planned, gained, lost } = total;
  const available = served[speed] as number;
  const note = (part: number) => shareText(part, premises);
  return (
    <Card title="All regions">
      <Figures
        list={[
          { label: 'Premises', value: number(premises) },
          {
            label: `Available${atSpeed(of.thresholds_mbps[speed] as number)}`,
            value: number(available),
            note: note(available),
          },
          ...['No provider', '1 provider', '2 providers', '3 or more'].map((label, i) => ({
            label,
            value: number(providers[i] as number),
            note: note(providers[i] as number),
          })),
          { label: 'Planned', value: number(sum(planned)), note: 'where it is not available' },
          ...(gained && lost
            ? [
                { label: `Gained since ${of.compared_with}`, value: number(gained[speed] as number) },
                { label: `Lost since ${of.compared_with}`, value: number(lost[speed] as number) },
              ]
            : []),
        ]}
      />
      {of.shared > 0 && (
        <p class="hint">
          {count(of.shared, 'of the premises lies', 'of the premises lie')} on a border or in several regions:
          each counts in the first by name.
        </p>
      )}
    </Card>
  );
}

function Regions({ of, total, speed }: Shown) {
  const rows = [...of.regions].sort((a, b) => b.premises - a.premises);
  const listed = rows.slice(0, maxRows);
  const others = rows.slice(maxRows);
  return (
    <Card title="By region">
      <Table
        caption="Premises by region"
        columns={columnsOf(of, speed)}
        rows={others.length > 0 ? [...listed, together(others)] : listed}
        rowKey={({ region, within }) => `${region} ${within}`}
        empty="There are no regions of this kind."
        totals={{ title: 'All', cells: cellsOf(of, total, speed) }}
      />
      {others.length > 0 && <p class="hint">The {maxRows} largest are listed; all are in the file.</p>}
    </Card>
  );
}

const othersName = (regions: number) => `${number(regions)} other regions`;

/** Rows as one. */
function together(rows: readonly StatisticsRow[]): StatisticsRow {
  const add = (of: 'at_least' | 'providers' | 'planned' | 'gained' | 'lost') =>
    (rows[0]?.[of] ?? []).map((_, i) => sum(rows.map((row) => row[of]?.[i] ?? 0)));
  return {
    ...{ region: othersName(rows.length), within: '', premises: sum(rows.map(({ premises }) => premises)) },
    ...{ at_least: add('at_least'), providers: add('providers'), planned: add('planned') },
    ...{ gained: add('gained'), lost: add('lost') },
  };
}

type Counted = readonly [title: string, value: (row: Total) => number];

/** The columns of counts, in order. */
function countsOf(
  { thresholds_mbps: thresholds, compared_with: compared }: PremisesStatistics,
  speed: number,
): Counted[] {
  const at = (i: number) => (counts: number[] | null) => counts?.[i] ?? 0;
  return [
    ['Premises', ({ premises }) => premises],
    ...thresholds.map(
      (mbps, i): Counted => [mbps === 0 ? 'Any speed' : `${mbps}+ Mbps`, (row) => at(i)(row.at_least)],
    ),
    ...['No provider', '1 provider', '2 providers', '3+ providers'].map(
      (title, i): Counted => [title, (row) => at(i)(row.providers)],
    ),
    ['Planned', ({ planned }) => sum(planned)],
    ...(compared
      ? ([
          ['Gained', ({ gained }) => at(speed)(gained)],
          ['Lost', ({ lost }) => at(speed)(lost)],
        ] as Counted[])
      : []),
  ];
}

const cellsOf = (of: PremisesStatistics, total: Total, speed: number) =>
  Object.fromEntries(countsOf(of, speed).map(([title, value]) => [title, number(value(total))]));

const nameOf = ({ region, within }: StatisticsRow) =>
  region === '' ? 'In no region' : within && within !== region ? `${region}, ${within}` : region;

function columnsOf(of: PremisesStatistics, speed: number): Column<StatisticsRow>[] {
  const [premises, ...others] = countsOf(of, speed).map(
    ([title, value]): Column<StatisticsRow> => ({
      ...{ title, numeric: true, sortBy: value },
      cell: (row) => number(value(row)),
    }),
  );
  const share = (row: StatisticsRow) => percent(row.at_least[speed] as number, row.premises);
  return [
    { title: 'Region', heading: true, cell: nameOf, sortBy: nameOf },
    premises as Column<StatisticsRow>,
    {
      title: 'Available',
      sortBy: share,
      cell: (row) => (
        <div class="bundle-cell">
          <div class="bundle" aria-hidden="true">
            <div class="bundle-used" style={{ width: `${share(row)}%` }} />
          </div>
          <span class="small muted">{`${share(row).toFixed(1)}%`}</span>
        </div>
      ),
    },
    ...others,
  ];
}

function Planned({ of, total }: Shown) {
  const rows = of.planned_dates.map((date, i) => ({ id: i, date, premises: total.planned[i] as number }));
  return (
    <Card title="Planned">
      <p class="muted">Premises where it is not available, by the earliest date on which it is planned.</p>
      <Table
        caption="Planned premises by date"
        columns={[
          { title: 'Date', heading: true, cell: ({ date }) => date ?? 'No date' },
          { title: 'Premises', numeric: true, cell: ({ premises }) => number(premises) },
        ]}
        rows={rows.filter(({ premises }) => premises > 0)}
        empty="None."
        totals={{ title: 'All', cells: { Premises: number(sum(total.planned)) } }}
      />
    </Card>
  );
}
