import './class-editor.css';
import '../shared/map/colours.ts';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { fieldOf, type Value } from '../shared/field-value.ts';
import { focusWhenDrawn } from '../shared/focus.ts';
import { icons } from '../shared/icons.ts';
import type { PixelClass, PixelSummary, SpeedField } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { Checkbox, NumberField, Select, TextField, useTypedNumber } from '../shared/ui/fields.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { number } from '../shared/words.ts';
import { Histogram } from './histogram.tsx';
import {
  boundsOf,
  coveredShare,
  mergeDown,
  type PixelTable,
  type RowMeaning,
  type RowStatus,
  rowControl,
  sharesOf,
  splitRange,
  suggestSpeeds,
  type TableProblems,
  tableOfClasses,
} from './pixel-table.ts';

/** The classes of an earlier file, to be used again. */
export interface EarlierClasses {
  file_name: string;
  classes: PixelClass[];
}

export interface ClassEditorProps {
  table: Value<PixelTable>;
  summaries: readonly PixelSummary[];
  /** What the table begins with. */
  initial: PixelTable;
  earlier: readonly EarlierClasses[];
  problems: TableProblems;
  /** YYYY-MM-DD. */
  today: string;
}

type RowKind = 'single' | 'range';

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
const maximums: readonly SpeedField[] = ['bandwidth_max_mbps', 'bandwidth_up_max_mbps'];
const minimums: readonly SpeedField[] = ['bandwidth_min_mbps', 'bandwidth_up_min_mbps'];

/** The table that says what the pixels of a raster stand for. */
export function ClassEditor(props: ClassEditorProps) {
  const { table, summaries } = props;
  const { kind, singles, ranges, limits } = table.value;
  const hasMinimums = useSignal(saysMinimums(table.value));
  const speeds = hasMinimums.value ? [...maximums, ...minimums] : maximums;
  const values = summaries.filter((one) => one.kind === 'values');
  const unit = values[0]?.unit ?? '';
  const shares = sharesOf(table.value, summaries);
  const row = { ...props, unit, speeds };
  return (
    <fieldset class={hasMinimums.value ? 'classes with-minimums' : 'classes'}>
      <legend>Speeds per class</legend>
      <Intro kind={kind} summaries={summaries} />
      <Tools
        {...props}
        onReuse={(classes) => {
          table.value = tableOfClasses(classes);
          hasMinimums.value ||= saysMinimums(table.value);
        }}
      />
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
        {singles.map((_, i) => (
          <Row
            key={rowControl('single', i, 'status')}
            {...row}
            kind="single"
            i={i}
            share={shares.singles[i]}
          />
        ))}
        {ranges.map((_, i) => (
          <Row key={rowControl('range', i, 'status')} {...row} kind="range" i={i} share={shares.ranges[i]} />
        ))}
        <Below {...props} hasMinimums={hasMinimums} />
      </div>
      <Total table={table.value} summaries={summaries} />
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
        ? ` Shares are from a sample of ${percent(counted / all)} of the pixels.`
        : ' Shares are of all pixels.'}
    </p>
  );
}

function Tools({
  table,
  earlier,
  onReuse,
}: ClassEditorProps & { onReuse(classes: readonly PixelClass[]): void }) {
  const hasRanges = table.value.ranges.length > 0;
  if (earlier.length === 0 && !hasRanges) return null;
  return (
    <div class="class-tools">
      {earlier.map(({ file_name, classes }) => (
        <Button key={file_name} icon={icons.copy} onClick={() => onReuse(classes)}>
          Use the classes of {file_name}
        </Button>
      ))}
      {hasRanges && <Suggestion table={table} />}
    </div>
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

interface RowProps extends ClassEditorProps {
  kind: RowKind;
  i: number;
  /** Of all pixels, 0 to 1. */
  share: number | undefined;
  unit: string;
  speeds: readonly SpeedField[];
}

function Row(props: RowProps) {
  const { table, kind, i, share = 0, unit, speeds, problems, today } = props;
  const row = rowValue(table, kind, i);
  const { status } = row.value;
  const dateId = rowControl(kind, i, 'date');
  const shownStatus: Value<RowStatus> = {
    get value() {
      return status === 'available' ? 'covered' : status;
    },
    set value(status) {
      row.value = { ...row.value, status };
    },
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that can be seen
    <div
      class={status === 'none' ? 'class-row none' : 'class-row'}
      role="group"
      aria-label={rowWords(table.value, kind, i, unit)}
    >
      <div class="class-what">{kind === 'single' ? <SingleWhat {...props} /> : <RangeWhat {...props} />}</div>
      <span class="class-share">
        <span class="visually-hidden">Share </span>
        {percent(share)}
      </span>
      <Select
        label="Status"
        name={rowControl(kind, i, 'status')}
        silent
        options={statuses}
        value={shownStatus}
      />
      {status === 'none' ? (
        <span class="class-nothing" />
      ) : (
        speeds.map((name) => {
          const id = rowControl(kind, i, name);
          return (
            <NumberField
              key={name}
              label={`${speedWords[name]}, Mbps`}
              name={id}
              error={problems[id]}
              value={speedValue(row, name)}
            />
          );
        })
      )}
      <div class="class-actions">
        <RowActions {...props} />
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

/** One row of the table. */
function rowValue(table: Value<PixelTable>, kind: RowKind, i: number): Value<RowMeaning> {
  const list = kind === 'single' ? 'singles' : 'ranges';
  return {
    get value() {
      return table.value[list][i] as RowMeaning;
    },
    set value(row) {
      table.value = { ...table.value, [list]: table.value[list].with(i, row) };
    },
  };
}

function speedValue(row: Value<RowMeaning>, name: SpeedField): Value<number | undefined> {
  return {
    get value() {
      return row.value.speeds[name];
    },
    set value(mbps) {
      const { [name]: _, ...speeds } = row.value.speeds;
      row.value = { ...row.value, speeds: mbps === undefined ? speeds : { ...speeds, [name]: mbps } };
    },
  };
}

function SingleWhat({ table, i, unit, problems }: RowProps) {
  const { colour, value } = table.value.singles[i] ?? {};
  if (colour === undefined) {
    return <strong>{unit ? `${value} ${unit}` : `Value ${value}`}</strong>;
  }
  const id = rowControl('single', i, 'colour');
  return (
    <div class="class-range">
      <Swatch colour={colour} />
      <Tied id={id} problems={problems}>
        {(tied) => (
          <input
            {...tied}
            type="text"
            aria-label="Colour"
            class="class-colour"
            spellcheck={false}
            autoComplete="off"
            maxLength={7}
            value={colour}
            onInput={({ currentTarget }) => {
              const singles = table.value.singles;
              const next = currentTarget.value.trim().toLowerCase();
              table.value = {
                ...table.value,
                singles: singles.map((one, at) => (at === i ? { ...one, colour: next } : one)),
              };
            }}
          />
        )}
      </Tied>
    </div>
  );
}

function RangeWhat({ table, i, problems }: RowProps) {
  const { limits } = table.value;
  const limit = useTypedNumber({
    get value() {
      const limit = table.value.limits[i];
      return Number.isNaN(limit) ? undefined : limit;
    },
    set value(limit) {
      table.value = { ...table.value, limits: table.value.limits.with(i, limit ?? Number.NaN) };
    },
  });
  const swatch = <Swatch colour={rangeColour(table.value, i)} />;
  if (i === limits.length) {
    return (
      <div class="class-range">
        {swatch}
        <span>below {shownNumber(limits[i - 1] ?? Number.NaN)}</span>
      </div>
    );
  }
  const id = rowControl('range', i, 'limit');
  return (
    <div class="class-range">
      {swatch}
      <Tied id={id} problems={problems}>
        {(tied) => (
          <input
            {...tied}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            aria-label="From"
            class="class-limit"
            value={limit.value}
            onInput={({ currentTarget }) => {
              limit.value = currentTarget.value;
            }}
          />
        )}
      </Tied>
      <span>{i === 0 ? 'and above' : upTo(table.value, i)}</span>
    </div>
  );
}

function Swatch({ colour }: { colour: string }) {
  return <span class="class-swatch" aria-hidden="true" style={{ backgroundColor: colour }} />;
}

interface TiedProps {
  id: string;
  problems: TableProblems;
  children(tied: object): ComponentChildren;
}

/** A control of a row with its error; its label is what the row and the column say. */
function Tied({ id, problems, children }: TiedProps) {
  const error = problems[id];
  const tied = error ? { 'aria-invalid': 'true', 'aria-describedby': `${id}-error` } : {};
  return (
    <span class="class-input">
      {children({ id, name: id, ...tied })}
      {error && (
        <span class="field-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </span>
  );
}

function RowActions({ table, kind, i, summaries }: RowProps) {
  const { limits, singles } = table.value;
  if (kind === 'single') {
    return (
      table.value.kind === 'colours' && (
        <IconButton
          label="Remove: no coverage"
          icon={icons.remove}
          onClick={() => {
            table.value = { ...table.value, singles: singles.toSpliced(i, 1) };
          }}
        />
      )
    );
  }
  return (
    <>
      <IconButton
        label="Split in two"
        icon={icons.split}
        onClick={() => {
          table.value = splitRange(table.value, i, summaries);
          focusWhenDrawn(rowControl('range', i, 'limit'));
        }}
      />
      {i < limits.length && limits.length > 1 && (
        <IconButton
          label="Merge with the range below"
          icon={icons.merge}
          onClick={() => {
            table.value = mergeDown(table.value, i);
            focusWhenDrawn(rowControl('range', i, 'status'));
          }}
        />
      )}
    </>
  );
}

function IconButton({ label, icon, onClick }: { label: string; icon: string; onClick(): void }) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon path={icon} size={18} />
    </button>
  );
}

const newColour = { colour: '#', tolerance: 8, status: 'covered' as const, speeds: {}, plannedDate: '' };

/** Beneath the rows: what is seldom needed. */
function Below({ table, initial, hasMinimums }: ClassEditorProps & { hasMinimums: Value<boolean> }) {
  const { kind, singles } = table.value;
  return (
    <div class="class-more">
      <Checkbox name="class-minimums" value={hasMinimums}>
        Minimum speeds, where they differ
      </Checkbox>
      {JSON.stringify(table.value) !== JSON.stringify(initial) && (
        <Button
          kind="quiet"
          onClick={() => {
            table.value = initial;
          }}
        >
          Start over
        </Button>
      )}
      {kind === 'colours' && (
        <Button
          icon={icons.plus}
          onClick={() => {
            table.value = { ...table.value, singles: [...singles, newColour] };
            focusWhenDrawn(rowControl('single', singles.length, 'colour'));
          }}
        >
          Add a colour
        </Button>
      )}
    </div>
  );
}

/** How much of the raster will be coverage, as it is now. */
function Total({ table, summaries }: { table: PixelTable; summaries: readonly PixelSummary[] }) {
  const shares = sharesOf(table, summaries);
  const covered = coveredShare(table, shares);
  const none = Math.max(0, 1 - covered - shares.empty);
  const parts = [
    ...table.singles.map((row, i) => ({
      row,
      share: shares.singles[i] ?? 0,
      colour: row.colour ?? 'var(--accent)',
    })),
    ...table.ranges.map((row, i) => ({ row, share: shares.ranges[i] ?? 0, colour: rangeColour(table, i) })),
  ].filter(({ row, share }) => row.status !== 'none' && share > 0);
  const sum = parts.reduce((all, { share }) => all + share, 0);
  const empty = table.kind === 'colours' ? 'transparent' : 'no data';
  return (
    <div class="class-sum">
      <div class="class-bar" aria-hidden="true">
        {parts.map(({ share, colour }, i) => (
          <span key={i} style={{ flexGrow: String(share), backgroundColor: colour }} />
        ))}
        <span key="none" class="none" style={{ flexGrow: String(Math.max(0, 1 - sum)) }} />
      </div>
      <output class="class-total" aria-live="polite">
        <strong>{percent(covered)} of the raster will be coverage</strong>, {percent(none)} no coverage
        {shares.empty > 0 && `, ${percent(shares.empty)} ${empty}`}.
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

function rowWords(table: PixelTable, kind: RowKind, i: number, unit: string): string {
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

/** @param share 0 to 1 */
function percent(share: number): string {
  const value = 100 * share;
  if (value === 0) return '0%';
  return value < 0.1 ? '< 0.1%' : value < 10 ? `${value.toFixed(1)}%` : `${number(value)}%`;
}
