import './class-editor.css';
import '../shared/map/colours.ts';
import { useSignal } from '@preact/signals';
import { asValue, fieldOf, itemOf, set, type Value } from '../shared/field-value.ts';
import { focusWhenDrawn } from '../shared/focus.ts';
import type { EarlierClasses, PixelClass, PixelSummary, SpeedField } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { Checkbox, NumberField, Select, TextField } from '../shared/ui/fields.tsx';
import { Icon, type IconName } from '../shared/ui/icon.tsx';
import { percent } from '../shared/words.ts';
import { Histogram } from './histogram.tsx';
import {
  boundsOf,
  coveredShare,
  maximums,
  mergeDown,
  minimums,
  type PixelTable,
  type RowMeaning,
  type RowStatus,
  rowControl,
  rowsOf,
  type Shares,
  sharesOf,
  splitRange,
  suggestSpeeds,
  type TableProblems,
  tableOfClasses,
} from './pixel-table.ts';

interface ClassEditorProps {
  table: Value<PixelTable>;
  summaries: readonly PixelSummary[];
  initial: PixelTable;
  earlier: readonly EarlierClasses[];
  problems: TableProblems;
  /** YYYY-MM-DD. */
  today: string;
}

const statuses: readonly (readonly [RowStatus, string])[] = [
  ['covered', 'Coverage'],
  ['underway', 'Under construction'],
  ['planned', 'Planned'],
  ['none', 'No coverage'],
];
const speedWords: Record<SpeedField, string> = {
  bandwidth_max_mbps: 'Download',
  bandwidth_up_max_mbps: 'Upload',
  bandwidth_min_mbps: 'Min. download',
  bandwidth_up_min_mbps: 'Min. upload',
};
const newColour = { colour: '#', tolerance: 8, status: 'covered' as const, speeds: {}, plannedDate: '' };

/** The table that says what the pixels of a raster stand for. */
export function ClassEditor({ table, summaries, initial, earlier, problems, today }: ClassEditorProps) {
  const { kind, singles, ranges, limits } = table.value;
  const hasMinimums = useSignal(saysMinimums(table.value));
  const speeds = hasMinimums.value ? [...maximums, ...minimums] : maximums;
  const values = summaries.filter((one) => one.kind === 'values');
  const unit = values[0]?.unit ?? '';
  const shares = sharesOf(table.value, summaries);
  const row = { table, summaries, problems, today, unit, speeds };
  const reuse = (classes: readonly PixelClass[]) => {
    table.value = tableOfClasses(classes);
    hasMinimums.value ||= saysMinimums(table.value);
  };
  const addColour = () => {
    table.value = { ...table.value, singles: [...singles, newColour] };
    focusWhenDrawn(rowControl('single', singles.length, 'colour'));
  };
  const startOver = () => set(table, initial);
  return (
    <fieldset class={hasMinimums.value ? 'stack small-gap classes with-minimums' : 'stack small-gap classes'}>
      <legend>Speeds per class</legend>
      <Intro kind={kind} summaries={summaries} />
      <div class="actions">
        {earlier.map(({ file_name, classes }) => (
          <Button key={file_name} icon="copy" onClick={() => reuse(classes)}>
            Use the classes of {file_name}
          </Button>
        ))}
        {ranges.length > 0 && <Suggestion table={table} />}
      </div>
      {values.some((one) => one.histogram) && (
        <Histogram summaries={values} limits={limits} colourOf={(range) => rangeColour(table.value, range)} />
      )}
      <div class="class-rows">
        <div class="class-row class-heads" aria-hidden="true">
          <span>{kind === 'colours' ? 'Colour' : unit ? `Signal, ${unit}` : 'Values'}</span>
          <span>Share</span>
          <span>Status</span>
          {speeds.map((name) => (
            <span key={name}>{speedWords[name]}, Mbps</span>
          ))}
          <span />
        </div>
        {rowsOf(table.value, shares).map(({ kind, i, share }) => (
          <Row key={rowControl(kind, i, 'status')} {...row} kind={kind} i={i} share={share} />
        ))}
        <div class="row class-more">
          <Checkbox name="class-minimums" value={hasMinimums}>
            Minimum speeds, where they differ
          </Checkbox>
          {JSON.stringify(table.value) !== JSON.stringify(initial) && (
            <Button kind="quiet" onClick={startOver}>
              Start over
            </Button>
          )}
          {kind === 'colours' && (
            <Button icon="plus" onClick={addColour}>
              Add a colour
            </Button>
          )}
        </div>
      </div>
      <Total table={table.value} shares={shares} />
    </fieldset>
  );
}

function saysMinimums({ singles, ranges }: PixelTable): boolean {
  return [...singles, ...ranges].some(({ speeds }) => minimums.some((name) => speeds[name] !== undefined));
}

function Intro({ kind, summaries }: { kind: PixelTable['kind']; summaries: readonly PixelSummary[] }) {
  const counted = summaries.reduce((sum, one) => sum + one.counted, 0);
  const all = summaries.reduce((sum, one) => sum + one.total, 0);
  const isSignal = summaries.some((one) => one.kind === 'values' && one.unit === 'dBm');
  return (
    <p class="hint">
      {kind === 'colours'
        ? 'Say what each colour stands for.'
        : isSignal
          ? 'The values look like signal strength in dBm. Set the ranges that you sell, and their speeds.'
          : 'Say what the values stand for.'}
      {counted < all
        ? ` Shares are from a sample of ${percent(counted, all)} of the pixels.`
        : ' Shares are of all pixels.'}
    </p>
  );
}

/** Speeds are the operator's to say; from those of the strongest signal the others can be worked out, to begin with. */
function Suggestion({ table }: { table: Value<PixelTable> }) {
  const download = useSignal<number | undefined>(undefined);
  const upload = useSignal<number | undefined>(undefined);
  const suggest = () => {
    if (!download.value || !upload.value) {
      return focusWhenDrawn(download.value ? 'strongest-upload' : 'strongest-download');
    }
    table.value = suggestSpeeds(table.value, { download: download.value, upload: upload.value });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that can be seen
    <div class="suggest" role="group" aria-label="Suggest speeds">
      <p class="span suggest-title">Speeds at the strongest signal</p>
      <NumberField label="Download, Mbps" name="strongest-download" value={download} />
      <NumberField label="Upload, Mbps" name="strongest-upload" value={upload} />
      <Button onClick={suggest}>Suggest speeds</Button>
      <p class="hint span">
        Fills in the table: each weaker class an equal step less. A suggestion only; check every speed before
        you submit.
      </p>
    </div>
  );
}

interface RowProps extends Pick<ClassEditorProps, 'table' | 'summaries' | 'problems' | 'today'> {
  kind: 'single' | 'range';
  i: number;
  share: number;
  unit: string;
  speeds: readonly SpeedField[];
}

/** What some pixels stand for: a colour, a value or a range of them. */
function Row({ table, summaries, kind, i, share, unit, speeds, problems, today }: RowProps) {
  const rows = fieldOf(table, kind === 'single' ? 'singles' : 'ranges') as Value<RowMeaning[]>;
  const row = itemOf(rows, i);
  const { status } = row.value;
  const dateId = rowControl(kind, i, 'date');
  const shownStatus = asValue<RowStatus>(
    () => (status === 'available' ? 'covered' : status),
    (status) => set(row, { ...row.value, status }),
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that can be seen
    <div
      class={status === 'none' ? 'class-row none' : 'class-row'}
      role="group"
      aria-label={rowWords(table.value, kind, i, unit)}
    >
      <div class="class-what">
        {kind === 'single' ? (
          <SingleWhat table={table} i={i} unit={unit} problems={problems} />
        ) : (
          <RangeWhat table={table} i={i} problems={problems} />
        )}
      </div>
      <span class="class-share">
        <span class="label">Share </span>
        {percent(share)}
      </span>
      <Select
        label="Status"
        name={rowControl(kind, i, 'status')}
        silent
        options={statuses}
        value={shownStatus}
      />
      {status !== 'none' &&
        speeds.map((name) => {
          const id = rowControl(kind, i, name);
          return (
            <NumberField
              key={name}
              label={`${speedWords[name]}, Mbps`}
              name={id}
              error={problems[id]}
              value={fieldOf(fieldOf(row, 'speeds'), name) as Value<number | undefined>}
            />
          );
        })}
      <div class="class-actions">
        {kind === 'single' ? (
          <RemoveColour table={table} i={i} />
        ) : (
          <RangeActions table={table} i={i} summaries={summaries} />
        )}
      </div>
      {(status === 'planned' || status === 'underway') && (
        <div class="class-date">
          <TextField
            label="Planned date (optional)"
            name={dateId}
            type="date"
            min={today}
            error={problems[dateId]}
            value={fieldOf(row, 'plannedDate')}
          />
        </div>
      )}
    </div>
  );
}

type WhatProps = Pick<ClassEditorProps, 'table' | 'problems'> & { i: number };

function SingleWhat({ table, i, unit, problems }: WhatProps & { unit: string }) {
  const { colour, value } = table.value.singles[i] ?? {};
  if (colour === undefined) return <strong>{unit ? `${value} ${unit}` : `Value ${value}`}</strong>;
  const row = itemOf(fieldOf(table, 'singles'), i);
  const id = rowControl('single', i, 'colour');
  const text = asValue(
    () => colour,
    (typed) => set(row, { ...row.value, colour: typed.trim().toLowerCase() }),
  );
  return (
    <div class="class-range">
      <Swatch colour={colour} />
      <TextField
        silent
        label="Colour"
        name={id}
        class="class-colour"
        spellcheck={false}
        maxLength={7}
        error={problems[id]}
        value={text}
      />
    </div>
  );
}

function RangeWhat({ table, i, problems }: WhatProps) {
  const { limits } = table.value;
  const limit = itemOf(fieldOf(table, 'limits'), i);
  const id = rowControl('range', i, 'limit');
  const known = asValue(
    () => (Number.isNaN(limit.value) ? undefined : limit.value),
    (typed) => set(limit, typed ?? Number.NaN),
  );
  return (
    <div class="class-range">
      <Swatch colour={rangeColour(table.value, i)} />
      {i === limits.length ? (
        <span>below {shownNumber(limits[i - 1] ?? Number.NaN)}</span>
      ) : (
        <>
          <NumberField silent label="From" name={id} class="class-limit" error={problems[id]} value={known} />
          <span>{i === 0 ? 'and above' : upTo(table.value, i)}</span>
        </>
      )}
    </div>
  );
}

function Swatch({ colour }: { colour: string }) {
  return <span class="class-swatch" aria-hidden="true" style={{ backgroundColor: colour }} />;
}

/** A colour that is not listed is no coverage; the values that a file has stay. */
function RemoveColour({ table, i }: Pick<WhatProps, 'table' | 'i'>) {
  const { singles } = table.value;
  const remove = () => set(table, { ...table.value, singles: singles.toSpliced(i, 1) });
  if (singles[i]?.colour === undefined) return null;
  return <IconButton label="Remove: no coverage" icon="remove" onClick={remove} />;
}

type RangeActionsProps = Pick<ClassEditorProps, 'table' | 'summaries'> & { i: number };

function RangeActions({ table, i, summaries }: RangeActionsProps) {
  const { limits } = table.value;
  const split = () => {
    table.value = splitRange(table.value, i, summaries);
    focusWhenDrawn(rowControl('range', i, 'limit'));
  };
  const merge = () => {
    table.value = mergeDown(table.value, i);
    focusWhenDrawn(rowControl('range', i, 'status'));
  };
  return (
    <>
      <IconButton label="Split in two" icon="split" onClick={split} />
      {i < limits.length && limits.length > 1 && (
        <IconButton label="Merge with the range below" icon="merge" onClick={merge} />
      )}
    </>
  );
}

function IconButton({ label, icon, onClick }: { label: string; icon: IconName; onClick(): void }) {
  return (
    <button type="button" class="bare-button icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} size={18} />
    </button>
  );
}

/** How much of the raster will be coverage, as it is now. */
function Total({ table, shares }: { table: PixelTable; shares: Shares }) {
  const covered = coveredShare(table, shares);
  const none = Math.max(0, 1 - covered - shares.empty);
  const parts = rowsOf(table, shares).filter(({ row, share }) => row.status !== 'none' && share > 0);
  const colourOf = (kind: RowProps['kind'], i: number) =>
    kind === 'range' ? rangeColour(table, i) : (table.singles[i]?.colour ?? 'var(--accent)');
  return (
    <div>
      <div class="class-bar" aria-hidden="true">
        {parts.map(({ kind, i, share }) => (
          <span
            key={`${kind} ${i}`}
            style={{ flexGrow: String(share), backgroundColor: colourOf(kind, i) }}
          />
        ))}
        <span key="none" style={{ flexGrow: String(Math.max(0, 1 - covered)) }} />
      </div>
      <output aria-live="polite">
        <strong>{percent(covered)} of the raster will be coverage</strong>, {percent(none)} no coverage
        {shares.empty > 0 &&
          `, ${percent(shares.empty)} ${table.kind === 'colours' ? 'transparent' : 'no data'}`}
        .
        {shares.others > 0.0005 &&
          ` ${percent(shares.others)} is of colours or values that are not listed: no coverage.`}
      </output>
    </div>
  );
}

/** Where a range with a lower limit ends, in words. */
function upTo({ limits, ranges }: PixelTable, i: number): string {
  return `to ${ranges[i]?.takesUpperLimit ? '' : 'below '}${shownNumber(limits[i - 1] as number)}`;
}

/** Covered ranges from strong to pale, as the map shows speeds; what is no coverage has none. */
function rangeColour({ ranges }: PixelTable, range: number): string {
  if (!ranges[range] || ranges[range].status === 'none') return 'var(--class-none)';
  const covered = ranges.flatMap(({ status }, i) => (status === 'none' ? [] : [i]));
  const place = covered.indexOf(range);
  const step = covered.length === 1 ? 4 : 4 - Math.round((place * 4) / Math.max(4, covered.length - 1));
  return `var(--map-speeds-${Math.max(0, step)})`;
}

function rowWords(table: PixelTable, kind: RowProps['kind'], i: number, unit: string): string {
  if (kind === 'single') {
    const { colour, value } = table.singles[i] ?? {};
    return colour ? `Colour ${colour}` : `Value ${value} ${unit}`.trim();
  }
  const { low, high } = boundsOf(table, i);
  const words =
    high === Infinity
      ? `${shownNumber(low)} and above`
      : low === -Infinity
        ? `below ${shownNumber(high)}`
        : `${shownNumber(low)} ${upTo(table, i)}`;
  return `${words} ${unit}`.trim();
}

function shownNumber(value: number): string {
  return Number.isFinite(value) ? String(value).replace('-', '−') : '…';
}
