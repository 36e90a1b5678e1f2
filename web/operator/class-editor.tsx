import '../shared/map/colours.ts';
import { useSignal } from '@preact/signals';
import { asValue, itemOf, set, type Value } from '../shared/field-value.ts';
import { focusWhenDrawn } from '../shared/focus.ts';
import type { EarlierClasses, PixelClass, PixelSummary } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { NumberField, TextField } from '../shared/ui/fields.tsx';
import { Icon, type IconName } from '../shared/ui/icon.tsx';
import { percent } from '../shared/words.ts';
import { type Problems, rowControl } from './meaning.ts';
import { MeaningTable } from './meaning-table.tsx';
import {
  boundsOf,
  canMerge,
  coveredShare,
  isRange,
  mergeDown,
  type PixelRow,
  type PixelTable,
  type Shares,
  sharesOf,
  splitRange,
  suggestSpeeds,
  tableOfClasses,
} from './pixel-table.ts';

interface ClassEditorProps {
  table: Value<PixelTable>;
  summaries: readonly PixelSummary[];
  initial: PixelTable;
  earlier: readonly EarlierClasses[];
  problems: Problems;
}

/** The table of meanings of a raster's pixels. */
export function ClassEditor({ table, summaries, initial, earlier, problems }: ClassEditorProps) {
  const rows = table.value;
  const hasColours = [...rows, ...initial].some(({ colour }) => colour !== undefined);
  const unit = summaries.find((one) => one.kind === 'values')?.unit ?? '';
  const shares = sharesOf(rows, summaries);
  const ranges = rows.filter(isRange);
  const reuse = (classes: readonly PixelClass[]) => {
    table.value = tableOfClasses(classes);
  };
  const addColour = () => {
    const singles = rows.filter((row) => !isRange(row));
    table.value = [...singles, { colour: '#', tolerance: 8 }, ...ranges];
    focusWhenDrawn(rowControl(singles.length, 'colour'));
  };
  return (
    <fieldset class="stack small-gap classes">
      <legend>Speeds per class</legend>
      <Intro hasColours={hasColours} summaries={summaries} />
      <div class="actions">
        {earlier.map(({ file_name, classes }) => (
          <Button key={file_name} icon="copy" onClick={() => reuse(classes)}>
            Use the classes of {file_name}
          </Button>
        ))}
        {ranges.length > 0 && <Suggestion table={table} />}
      </div>
      <MeaningTable
        heading={hasColours ? 'Colour' : unit ? `Signal, ${unit}` : 'Values'}
        rows={rows.map((_, i) => ({
          words: rowWords(rows, i, unit),
          what: <What table={table} i={i} unit={unit} problems={problems} />,
          share: shares.rows[i] ?? 0,
          meaning: itemOf(table, i),
          actions: <RowActions table={table} i={i} summaries={summaries} />,
        }))}
        problems={problems}
      >
        {JSON.stringify(rows) !== JSON.stringify(initial) && (
          <Button kind="quiet" onClick={() => set(table, initial)}>
            Start over
          </Button>
        )}
        {hasColours && (
          <Button icon="plus" onClick={addColour}>
            Add a colour
          </Button>
        )}
      </MeaningTable>
      <Total table={rows} shares={shares} emptyWord={hasColours ? 'transparent' : 'no data'} />
    </fieldset>
  );
}

function Intro({ hasColours, summaries }: { hasColours: boolean; summaries: readonly PixelSummary[] }) {
  const counted = summaries.reduce((sum, one) => sum + one.counted, 0);
  const all = summaries.reduce((sum, one) => sum + one.total, 0);
  const isSignal = summaries.some((one) => one.kind === 'values' && one.unit === 'dBm');
  return (
    <p class="hint">
      {hasColours
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

/** Suggests speeds: the operator enters those of the strongest signal, the others are calculated. */
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
      <p class="span label">Speeds at the strongest signal</p>
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

type OfRow = { table: Value<PixelTable>; i: number };
function What({ table, i, unit, problems }: OfRow & { unit: string; problems: Problems }) {
  const row = itemOf(table, i);
  const { colour, value, limit = 0 } = row.value;
  if (value !== undefined) return <strong>{unit ? `${value} ${unit}` : `Value ${value}`}</strong>;
  const id = rowControl(i, colour === undefined ? 'limit' : 'colour');
  const typedColour = asValue(colour ?? '', (typed) =>
    set(row, { ...row.value, colour: typed.trim().toLowerCase() }),
  );
  const typedLimit = asValue(Number.isNaN(limit) ? undefined : limit, (typed) =>
    set(row, { ...row.value, limit: typed ?? Number.NaN }),
  );
  const { high } = boundsOf(table.value, i);
  return (
    <div class="class-range">
      <span class="class-swatch" aria-hidden="true" style={{ backgroundColor: colourOf(table.value, i) }} />
      {colour !== undefined ? (
        <TextField
          silent
          label="Colour"
          name={id}
          class="class-colour"
          spellcheck={false}
          maxLength={7}
          error={problems[id]}
          value={typedColour}
        />
      ) : limit === -Infinity ? (
        <span>below {shownNumber(high)}</span>
      ) : (
        <>
          <NumberField
            silent
            label="From"
            name={id}
            class="class-limit"
            error={problems[id]}
            value={typedLimit}
          />
          <span>{high === Infinity ? 'and above' : upTo(table.value, i)}</span>
        </>
      )}
    </div>
  );
}

function RowActions({ table, i, summaries }: OfRow & Pick<ClassEditorProps, 'summaries'>) {
  const row = table.value[i] as PixelRow;
  const split = () => {
    table.value = splitRange(table.value, i, summaries);
    focusWhenDrawn(rowControl(i, 'limit'));
  };
  const merge = () => {
    table.value = mergeDown(table.value, i);
    focusWhenDrawn(rowControl(i, 'status'));
  };
  // An unlisted colour is no coverage. Rows of values that the file has cannot be removed.
  const remove = () => set(table, table.value.toSpliced(i, 1));
  return (
    <>
      {row.colour !== undefined && <IconButton label="Remove: no coverage" icon="remove" onClick={remove} />}
      {isRange(row) && <IconButton label="Split in two" icon="split" onClick={split} />}
      {isRange(row) && canMerge(table.value, i) && (
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

/** The share of the raster that will be coverage. @param emptyWord names pixels without a class */
function Total({ table, shares, emptyWord }: { table: PixelTable; shares: Shares; emptyWord: string }) {
  const covered = coveredShare(table, shares);
  const none = Math.max(0, 1 - covered - shares.empty);
  const bar = (key: string, share: number, backgroundColor?: string) => (
    <span key={key} style={{ flexGrow: String(share), backgroundColor }} />
  );
  return (
    <div>
      <div class="class-bar" aria-hidden="true">
        {table.map((row, i) => {
          const share = shares.rows[i] ?? 0;
          return row.coverage !== false && share > 0 && bar(String(i), share, colourOf(table, i));
        })}
        {bar('none', Math.max(0, 1 - covered))}
      </div>
      <output aria-live="polite">
        <strong>{percent(covered)} of the raster will be coverage</strong>, {percent(none)} no coverage
        {shares.empty > 0 && `, ${percent(shares.empty)} ${emptyWord}`}.
        {shares.others > 0.0005 &&
          ` ${percent(shares.others)} is of colours or values that are not listed: no coverage.`}
      </output>
    </div>
  );
}

function upTo(table: PixelTable, i: number): string {
  return `to ${table[i]?.takesUpperLimit ? '' : 'below '}${shownNumber(boundsOf(table, i).high)}`;
}

/** Covered ranges from strong to pale, as the map shows speeds; others have no colour. */
function colourOf(table: PixelTable, i: number): string {
  const row = table[i];
  if (row && !isRange(row)) return row.colour ?? 'var(--accent)';
  if (!row || row.coverage === false) return 'var(--class-none)';
  const covered = table.filter((one) => isRange(one) && one.coverage !== false);
  const step = Math.round((covered.indexOf(row) * 4) / Math.max(4, covered.length - 1));
  return `var(--map-speeds-${4 - step})`;
}

function rowWords(table: PixelTable, i: number, unit: string): string {
  const { colour, value } = table[i] as PixelRow;
  if (colour) return `Colour ${colour}`;
  const { low, high } = boundsOf(table, i);
  const words =
    value !== undefined
      ? `Value ${value}`
      : high === Infinity
        ? `${shownNumber(low)} and above`
        : low === -Infinity
          ? `below ${shownNumber(high)}`
          : `${shownNumber(low)} ${upTo(table, i)}`;
  return `${words} ${unit}`.trim();
}

function shownNumber(value: number): string {
  return Number.isFinite(value) ? String(value).replace('-', '−') : '…';
}
