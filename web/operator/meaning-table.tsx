import './meaning-table.css';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { asValue, set, type Value } from '../shared/field-value.ts';
import type { Meaning, SpeedField } from '../shared/schemas.ts';
import { Checkbox, NumberField, Select, TextField } from '../shared/ui/fields.tsx';
import { percent } from '../shared/words.ts';
import { catalog } from './context.ts';
import {
  dateOf,
  isLater,
  maximums,
  minimums,
  type Problems,
  rowControl,
  type Status,
  speedOf,
  statusOf,
  withStatus,
} from './meaning.ts';

/** A category, a colour, a value or a range, and its meaning. */
export interface MeaningRow {
  /** For screen readers. */
  words: string;
  what: ComponentChildren;
  /** The share of the pixels, 0 to 1. */
  share?: number;
  meaning: Value<Meaning>;
  actions?: ComponentChildren;
}

interface MeaningTableProps {
  /** Of the first column. */
  heading: string;
  rows: readonly MeaningRow[];
  problems: Problems;
  /** Controls for the whole table. */
  children?: ComponentChildren;
}

const statuses: readonly (readonly [Status, string])[] = [
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

/** The table of the meanings of categories or of a raster's classes: status, speeds and date. */
export function MeaningTable({ heading, rows, problems, children }: MeaningTableProps) {
  const saysMinimums = rows.some(({ meaning }) =>
    minimums.some((name) => meaning.value.speeds?.[name] !== undefined),
  );
  const hasMinimums = useSignal(saysMinimums);
  useEffect(() => {
    if (saysMinimums) hasMinimums.value = true;
  }, [saysMinimums, hasMinimums]);
  const speeds = hasMinimums.value ? [...maximums, ...minimums] : maximums;
  const hasShares = rows.some(({ share }) => share !== undefined);
  const kinds = ['class-rows', hasMinimums.value && 'with-minimums', !hasShares && 'without-shares'];
  return (
    <div class={kinds.filter(Boolean).join(' ')}>
      <div class="caption class-row class-heads" aria-hidden="true">
        <span>{heading}</span>
        {hasShares && <span class="class-share">Share</span>}
        <span>Status</span>
        {speeds.map((name) => (
          <span key={name}>{speedWords[name]}, Mbps</span>
        ))}
        {hasShares && <span />}
      </div>
      {rows.map((row, i) => (
        <Row key={rowControl(i, 'status')} {...row} {...{ i, speeds, problems }} />
      ))}
      <div class="row class-more">
        <Checkbox name="class-minimums" value={hasMinimums}>
          Minimum speeds, where they differ
        </Checkbox>
        {children}
      </div>
    </div>
  );
}

type RowProps = MeaningRow &
  Pick<MeaningTableProps, 'problems'> & { i: number; speeds: readonly SpeedField[] };

function Row({ words, what, share, meaning, actions, i, speeds, problems }: RowProps) {
  const status = statusOf(meaning.value);
  const dateId = rowControl(i, 'date');
  const shownStatus = asValue<Status>(status === 'available' ? 'covered' : status, (status) =>
    set(meaning, withStatus(meaning.value, status)),
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that can be seen
    <div class={status === 'none' ? 'class-row none' : 'class-row'} role="group" aria-label={words}>
      <div class="class-what">{what}</div>
      {share !== undefined && (
        <span class="class-share">
          <span class="label">Share </span>
          {percent(share)}
        </span>
      )}
      <Select label="Status" name={rowControl(i, 'status')} silent options={statuses} value={shownStatus} />
      {status !== 'none' &&
        speeds.map((name) => (
          <NumberField
            key={name}
            label={`${speedWords[name]}, Mbps`}
            name={rowControl(i, name)}
            error={problems[rowControl(i, name)]}
            value={speedOf(meaning, name)}
          />
        ))}
      {actions && <div class="class-actions">{actions}</div>}
      {isLater(status) && (
        <div class="class-date">
          <TextField
            label="Planned date (optional)"
            name={dateId}
            type="date"
            min={catalog().today}
            error={problems[dateId]}
            value={dateOf(meaning)}
          />
        </div>
      )}
    </div>
  );
}
