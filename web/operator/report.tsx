import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { set } from '../shared/field-value.ts';
import { Swatch } from '../shared/map/legend.tsx';
import { type ProblemPlace, problemPlaces } from '../shared/map/overlays.ts';
import type { Problem, Report, Tier } from '../shared/schemas.ts';
import { Figures } from '../shared/ui/facts.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Notice } from '../shared/ui/notice.tsx';
import { type Column, Table } from '../shared/ui/table.tsx';
import { area, availabilityWords, calendarDay, count, number, speedRange } from '../shared/words.ts';
import { technologyLabel } from './context.ts';
import { inOrder } from './tier-order.ts';

/** The number of tiers listed at first. */
const fewTiers = 8;

/** The chosen place of a problem, and where it was chosen. */
export type SelectedPlace = { place: ProblemPlace; by: 'map' | 'report' };

type Selected = Signal<SelectedPlace | undefined>;

export function ReportView({ report, selected }: { report: Report; selected: Selected }) {
  const { features, warnings, problems, text } = report;
  const dropped = features.read - features.loaded;
  return (
    <>
      {warnings.map(({ message }) => (
        <Notice key={message} tone="warning" title={message} />
      ))}
      <Figures
        list={[
          { label: 'Area covered', value: area(report.area_km2) },
          ...(report.premises === undefined
            ? []
            : [{ label: 'Premises covered', value: number(report.premises) }]),
          { label: 'Features', value: number(features.read) },
          {
            label: 'Loaded',
            value: number(features.loaded),
            note: dropped > 0 ? `${number(dropped)} dropped` : 'all',
          },
        ]}
      />
      <h3>Speed tiers</h3>
      <Tiers tiers={report.tiers} />
      {report.excluded && <ExcludedGround excluded={report.excluded} />}
      <h3>Issues</h3>
      {problems.length === 0 ? (
        <NoIssues warnings={warnings.length} />
      ) : (
        <ul class="bare-list stack tight">
          {problems.map((problem, index) => (
            <li key={`${problem.kind} ${problem.reason}`}>
              <Issue problem={problem} index={index} layers={report.layers.length} selected={selected} />
            </li>
          ))}
        </ul>
      )}
      {text && (
        <details>
          <summary>Full report</summary>
          <ul class="plain-list small">
            {text.map((line) => (
              <li key={line} class="break">
                {line}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** What exclusions took from the file. */
function ExcludedGround({ excluded }: { excluded: NonNullable<Report['excluded']> }) {
  return (
    <>
      <h3>Exclusions</h3>
      <ul class="plain-list">
        {excluded.map(({ exclusion, technology, reason, km2 }) => (
          <li key={`${exclusion} ${technology}`} class="break">
            {area(km2)} of {technologyLabel(technology)} taken off: {reason} (
            <a href="#/exclusions">exclusion {exclusion}</a>)
          </li>
        ))}
      </ul>
    </>
  );
}

/** Issues are about features, warnings about the whole file. */
function NoIssues({ warnings }: { warnings: number }) {
  if (warnings > 0)
    return <p>None with single features; see the {warnings === 1 ? 'warning' : 'warnings'} above.</p>;
  return (
    <p class="row done">
      <Icon name="check" />
      No issues found.
    </p>
  );
}

type IssueProps = { problem: Problem; index: number; layers: number; selected: Selected };

function Issue({ problem, index, layers, selected }: IssueProps) {
  const places = problemPlaces([problem]).map((place) => ({ ...place, problem: index }));
  const summary = (
    <>
      <Swatch name={problem.kind} />
      <span>{sentence(problem)}</span>
    </>
  );
  if (places.length === 0) return <div class="problem-head">{summary}</div>;
  return (
    <details open={index === 0 && problem.kind !== 'clipped'}>
      <summary class="problem-head">{summary}</summary>
      <ul class="bare-list problem-places">
        {places.map((place) => (
          <li key={place.example}>
            <Place place={place} layer={layers > 1 ? place.layer : undefined} selected={selected} />
          </li>
        ))}
      </ul>
      {problem.count > places.length && (
        <p class="hint">
          The first {places.length} of {number(problem.count)}.
        </p>
      )}
    </details>
  );
}

type PlaceProps = { place: ProblemPlace; layer: string | undefined; selected: Selected };

function Place({ place, layer, selected }: PlaceProps) {
  const entry = useRef<HTMLButtonElement>(null);
  const now = selected.value;
  const isSelected = now?.place.problem === place.problem && now.place.example === place.example;
  const isFromMap = isSelected && now.by === 'map';
  useEffect(() => {
    if (!isFromMap) return;
    entry.current?.closest('details')?.setAttribute('open', '');
    entry.current?.scrollIntoView({ block: 'nearest' });
  }, [isFromMap]);
  return (
    <button
      ref={entry}
      type="button"
      class="bare-button place"
      aria-current={isSelected ? 'true' : undefined}
      onClick={() => set(selected, { place, by: 'report' })}
    >
      <Icon name="pin" size={16} />
      <span class="break">
        {place.name ? `“${place.name}”` : `Feature ${number(place.feature)}`}
        {layer !== undefined && ` in ${layer}`}
      </span>
      <span class="visually-hidden">, show on the map</span>
    </button>
  );
}

function sentence({ text, kind, count: many, reason }: Problem): string {
  if (text) return text;
  const features = count(many, 'feature');
  return kind === 'clipped'
    ? `${features} clipped at the edge of the service area`
    : `${features} ${kind}: ${reason}`;
}

function Tiers({ tiers }: { tiers: readonly Tier[] }) {
  const sorted = inOrder(tiers);
  const hasOneTechnology = new Set(tiers.map(({ technology }) => technology)).size === 1;
  const technology: Column<Tier> = {
    title: 'Technology',
    heading: true,
    cell: (tier) => technologyLabel(tier.technology),
  };
  const columns: Column<Tier>[] = [
    ...(hasOneTechnology ? [] : [technology]),
    {
      title: 'Download',
      heading: hasOneTechnology,
      cell: (tier) => speedRange(tier.bandwidth_min_mbps, tier.bandwidth_max_mbps),
    },
    { title: 'Upload', cell: (tier) => speedRange(tier.bandwidth_up_min_mbps, tier.bandwidth_up_max_mbps) },
    {
      title: 'Availability',
      cell: ({ availability, planned_date: date }) =>
        availabilityWords[availability] + (date ? `, ${calendarDay(date)}` : ''),
    },
    { title: 'Area', numeric: true, cell: (tier) => area(tier.area_km2) },
    ...(tiers.some(({ premises }) => premises !== undefined)
      ? [{ title: 'Premises', numeric: true, cell: (tier: Tier) => number(tier.premises ?? 0) }]
      : []),
  ];
  const more = sorted.slice(fewTiers);
  return (
    <div>
      <Table caption="Speeds and their area" columns={columns} rows={sorted.slice(0, fewTiers)} />
      {more.length > 0 && (
        <details>
          <summary>{count(more.length, 'more combination')} of speeds</summary>
          <Table caption="More speeds and their area" columns={columns} rows={more} />
        </details>
      )}
    </div>
  );
}
