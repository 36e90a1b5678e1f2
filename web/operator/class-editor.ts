import './class-editor.css';
import { button } from '../shared/button.ts';
import { fill, h, icon, icons } from '../shared/dom.ts';
import { checkbox, field, numberInput, select, textInput } from '../shared/fields.ts';
import '../shared/map/colours.ts';
import type { PixelClass, PixelSummary, SpeedField } from '../shared/types.ts';
import { number } from '../shared/words.ts';
import { histogram } from './histogram.ts';
import {
  boundsOf,
  coveredShare,
  mergeDown,
  type PixelTable,
  type RowMeaning,
  type RowStatus,
  rowControl,
  type Shares,
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

export interface ClassEditorState {
  table: PixelTable;
  summaries: PixelSummary[];
  /** What the table begins with. */
  initial: PixelTable;
  earlier: EarlierClasses[];
  problems: TableProblems;
}

export interface ClassEditor {
  element: HTMLElement;
  show(state: ClassEditorState): void;
}

type RowKind = 'single' | 'range';

const statusWords: readonly (readonly [RowStatus, string])[] = [
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

/**
 * The table that says what the pixels of a raster stand for. Typing changes figures in place; what adds or removes rows
 * draws it again.
 * @param change told of each change
 */
export function classEditor(today: string, change: (table: PixelTable) => void): ClassEditor {
  let state: ClassEditorState;
  let hasMinimums = false;
  const strongest: { download: number | undefined; upload: number | undefined } = {
    download: undefined,
    upload: undefined,
  };
  /** What is brought up to date while somebody types. */
  let live: (() => void)[] = [];
  const element = h('fieldset', { class: 'classes' });

  function set(table: PixelTable, reshapes: boolean): void {
    state = { ...state, table };
    change(table);
    if (reshapes) draw();
    else for (const update of live) update();
  }

  function draw(focus?: string): void {
    const { table, summaries } = state;
    const focused = document.activeElement;
    const id = focus ?? (focused instanceof HTMLElement && element.contains(focused) ? focused.id : '');
    live = [];
    element.classList.toggle('with-minimums', hasMinimums);
    fill(
      element,
      h('legend', {}, 'Speeds per class'),
      intro(),
      tools(),
      summaries.some((one) => one.kind === 'values' && one.histogram) && chart(),
      h(
        'div',
        { class: 'class-rows' },
        columnHeads(),
        ...table.singles.map((row, i) => rowOf('single', i, row)),
        ...table.ranges.map((row, i) => rowOf('range', i, row)),
        below(),
      ),
      total(),
    );
    for (const update of live) update();
    if (id) document.getElementById(id)?.focus();
  }

  function intro(): HTMLElement {
    const { summaries, table } = state;
    const counted = summaries.reduce((sum, one) => sum + one.counted, 0);
    const all = summaries.reduce((sum, one) => sum + one.total, 0);
    const what =
      table.kind === 'colours'
        ? 'Say what each colour stands for.'
        : summaries.some((one) => one.kind === 'values' && one.unit === 'dBm')
          ? 'The values look like signal strength in dBm. Set the ranges that you sell, and their speeds.'
          : 'Say what the values stand for.';
    const sample =
      counted < all
        ? ` Shares are from a sample of ${percent(counted / all)} of the pixels.`
        : ' Shares are of all pixels.';
    return h('p', { class: 'hint' }, what, sample);
  }

  function tools(): HTMLElement | null {
    const { table, earlier } = state;
    if (earlier.length === 0 && table.ranges.length === 0) return null;
    return h(
      'div',
      { class: 'class-tools' },
      ...earlier.map(({ file_name, classes }) =>
        button(`Use the classes of ${file_name}`, () => set(tableOfClasses(classes), true), {
          icon: icons.copy,
        }),
      ),
      table.ranges.length > 0 && suggestion(),
    );
  }

  /** Speeds are the operator's to say; from those of the strongest signal the others can be worked out, to begin with. */
  function suggestion(): HTMLElement {
    const download = numberInput('strongest-download', strongest.download, (mbps) => {
      strongest.download = mbps;
    });
    const upload = numberInput('strongest-upload', strongest.upload, (mbps) => {
      strongest.upload = mbps;
    });
    const fillIn = button('Suggest speeds', () => {
      const { download: down, upload: up } = strongest;
      if (!down || !up) return (down ? upload : download).focus();
      set(suggestSpeeds(state.table, { download: down, upload: up }), true);
    });
    return h(
      'div',
      { class: 'suggest', role: 'group', 'aria-label': 'Suggest speeds' },
      h('p', { class: 'span suggest-title' }, 'Speeds at the strongest signal'),
      field('Download, Mbps', download),
      field('Upload, Mbps', upload),
      fillIn,
      h(
        'p',
        { class: 'hint span' },
        'Fills in the table: each weaker class an equal step less. A suggestion only; check every speed before you submit.',
      ),
    );
  }

  function chart(): HTMLElement {
    const drawn = histogram();
    live.push(() =>
      drawn.show(
        state.summaries.filter((one) => one.kind === 'values'),
        state.table.limits,
        (range) => rangeColour(range),
      ),
    );
    return drawn.element;
  }

  function columnHeads(): HTMLElement {
    return h(
      'div',
      { class: 'class-row class-heads', 'aria-hidden': 'true' },
      h('span', {}, state.table.kind === 'colours' ? 'Colour' : unit() ? `Signal, ${unit()}` : 'Values'),
      h('span', {}, 'Share'),
      h('span', {}, 'Status'),
      ...shownSpeeds().map((name) => h('span', {}, `${speedWords[name]}, Mbps`)),
      h('span', {}),
    );
  }

  const shownSpeeds = () => (hasMinimums ? [...maximums, ...minimums] : maximums);
  const unit = () => state.summaries.find((one) => one.kind === 'values')?.unit ?? '';

  function rowOf(kind: RowKind, i: number, row: RowMeaning): HTMLElement {
    const isCovered = row.status !== 'none';
    const share = h('span', { class: 'class-share' });
    live.push(() => {
      const shares = sharesOf(state.table, state.summaries);
      const part = (kind === 'single' ? shares.singles[i] : shares.ranges[i]) ?? 0;
      fill(share, h('span', { class: 'visually-hidden' }, 'Share '), percent(part));
    });
    const isLater = row.status === 'planned' || row.status === 'underway';
    const group = h(
      'div',
      { class: `class-row${isCovered ? '' : ' none'}`, role: 'group' },
      h('div', { class: 'class-what' }, kind === 'single' ? singleWhat(i) : rangeWhat(i)),
      share,
      select(
        rowControl(kind, i, 'status'),
        statusWords,
        row.status === 'available' ? 'covered' : row.status,
        (status) => replace(kind, i, { status }, true),
        { 'aria-label': 'Status' },
      ),
      ...(isCovered
        ? shownSpeeds().map((name) => speedField(kind, i, row, name))
        : [h('span', { class: 'class-nothing' })]),
      h('div', { class: 'class-actions' }, ...actions(kind, i)),
      isLater && dateField(kind, i, row),
    );
    live.push(() => group.setAttribute('aria-label', rowWords(kind, i)));
    return group;
  }

  function speedField(kind: RowKind, i: number, row: RowMeaning, name: SpeedField): HTMLElement {
    const id = rowControl(kind, i, name);
    const input = numberInput(id, row.speeds[name], (mbps) => {
      const { [name]: _, ...speeds } = rowsOf(kind)[i]?.speeds ?? {};
      replace(kind, i, { speeds: mbps === undefined ? speeds : { ...speeds, [name]: mbps } }, false);
    });
    return field(`${speedWords[name]}, Mbps`, input, { error: state.problems[id] });
  }

  function dateField(kind: RowKind, i: number, row: RowMeaning): HTMLElement {
    const id = rowControl(kind, i, 'date');
    const input = textInput(id, row.plannedDate, (plannedDate) => replace(kind, i, { plannedDate }, false), {
      type: 'date',
      min: today,
    });
    const labelled = field('Planned date (optional)', input, { error: state.problems[id] });
    labelled.classList.add('class-date');
    return labelled;
  }

  function singleWhat(i: number): HTMLElement {
    const { colour, value } = state.table.singles[i] ?? {};
    if (colour === undefined)
      return h('strong', {}, `${unit() ? '' : 'Value '}${value}`, unit() && ` ${unit()}`);
    const chip = h('span', { class: 'class-swatch', 'aria-hidden': 'true' });
    live.push(() => {
      // Set by script, as the page allows no styles in its markup.
      chip.style.backgroundColor = state.table.singles[i]?.colour ?? '';
    });
    const id = rowControl('single', i, 'colour');
    const input = textInput(id, colour, (text) => replaceSingle(i, text.trim().toLowerCase()), {
      'aria-label': 'Colour',
      class: 'class-colour',
      spellcheck: 'false',
      autocomplete: 'off',
      maxlength: 7,
    });
    return h('div', { class: 'class-range' }, chip, withError(input, id));
  }

  function rangeWhat(i: number): HTMLElement {
    const chip = h('span', { class: 'class-swatch', 'aria-hidden': 'true' });
    live.push(() => {
      chip.style.backgroundColor = rangeColour(i);
    });
    const { limits } = state.table;
    if (i === limits.length) {
      const text = h('span', {});
      live.push(() =>
        fill(text, `below ${shownNumber(limits.length > 0 ? (state.table.limits[i - 1] as number) : NaN)}`),
      );
      return h('div', { class: 'class-range' }, chip, text);
    }
    const id = rowControl('range', i, 'limit');
    const input = numberInput(id, limits[i], (limit) => {
      const next = state.table.limits.with(i, limit ?? Number.NaN);
      set({ ...state.table, limits: next }, false);
    });
    input.setAttribute('aria-label', 'From');
    input.classList.add('class-limit');
    const upper = h('span', {});
    live.push(() => fill(upper, i === 0 ? 'and above' : upTo(i)));
    return h('div', { class: 'class-range' }, chip, withError(input, id), upper);
  }

  /** Where a range with a lower limit ends, in words. */
  function upTo(i: number): string {
    const { limits, ranges } = state.table;
    return `to ${ranges[i]?.takesUpperLimit ? '' : 'below '}${shownNumber(limits[i - 1] as number)}`;
  }

  function withError(input: HTMLInputElement, id: string): HTMLElement {
    const error = state.problems[id];
    if (error) {
      input.setAttribute('aria-invalid', 'true');
      input.setAttribute('aria-describedby', `${id}-error`);
    }
    return h(
      'span',
      { class: 'class-input' },
      input,
      error && h('span', { class: 'field-error', id: `${id}-error` }, error),
    );
  }

  function actions(kind: RowKind, i: number): (HTMLElement | false)[] {
    const { table } = state;
    if (kind === 'single') {
      return [
        table.kind === 'colours' &&
          iconButton('Remove: no coverage', icons.remove, `remove-${i}`, () => {
            set({ ...table, singles: table.singles.toSpliced(i, 1) }, true);
          }),
      ];
    }
    return [
      iconButton('Split in two', icons.split, `split-${i}`, () => {
        set(splitRange(state.table, i, state.summaries), true);
        document.getElementById(rowControl('range', i, 'limit'))?.focus();
      }),
      i < table.limits.length &&
        table.limits.length > 1 &&
        iconButton('Merge with the range below', icons.merge, `merge-${i}`, () => {
          set(mergeDown(state.table, i), true);
          document.getElementById(rowControl('range', i, 'status'))?.focus();
        }),
    ];
  }

  /** Beneath the rows: what is seldom needed. */
  function below(): HTMLElement {
    const reset = h('button', { type: 'button', class: 'button quiet', id: 'classes-reset' }, 'Start over');
    reset.addEventListener('click', () => set(state.initial, true));
    live.push(() => {
      reset.hidden = JSON.stringify(state.table) === JSON.stringify(state.initial);
    });
    return h(
      'div',
      { class: 'class-more' },
      checkbox('class-minimums', 'Minimum speeds, where they differ', hasMinimums, (isWanted) => {
        hasMinimums = isWanted;
        draw();
      }),
      reset,
      state.table.kind === 'colours' &&
        button(
          'Add a colour',
          () => {
            const { table } = state;
            set({ ...table, singles: [...table.singles, newColour()] }, true);
            document.getElementById(rowControl('single', table.singles.length, 'colour'))?.focus();
          },
          { icon: icons.plus },
        ),
    );
  }

  /** How much of the raster will be coverage, as it is now. */
  function total(): HTMLElement {
    const bar = h('div', { class: 'class-bar', 'aria-hidden': 'true' });
    const text = h('output', { class: 'class-total', 'aria-live': 'polite' });
    live.push(() => {
      const shares = sharesOf(state.table, state.summaries);
      const covered = coveredShare(state.table, shares);
      const none = Math.max(0, 1 - covered - shares.empty);
      fill(bar, ...barParts(shares));
      fill(
        text,
        h('strong', {}, `${percent(covered)} of the raster will be coverage`),
        `, ${percent(none)} no coverage${shares.empty > 0 ? `, ${percent(shares.empty)} ${state.table.kind === 'colours' ? 'transparent' : 'no data'}` : ''}.`,
        shares.others > 0.0005 &&
          ` ${percent(shares.others)} is of colours or values that are not listed: no coverage.`,
      );
    });
    return h('div', { class: 'class-sum' }, bar, text);
  }

  function barParts(shares: Shares): HTMLElement[] {
    const { table } = state;
    const part = (share: number, colour: string | undefined) => {
      const shown = h('span', { class: colour ? '' : 'none' });
      shown.style.flexGrow = String(share);
      if (colour) shown.style.backgroundColor = colour;
      return shown;
    };
    const covered = [
      ...table.singles.map(
        (row, i) => [row, shares.singles[i] as number, row.colour ?? 'var(--accent)'] as const,
      ),
      ...table.ranges.map((row, i) => [row, shares.ranges[i] as number, rangeColour(i)] as const),
    ].filter(([row, share]) => row.status !== 'none' && share > 0);
    const sum = covered.reduce((all, [, share]) => all + share, 0);
    return [
      ...covered.map(([, share, colour]) => part(share, colour)),
      part(Math.max(0, 1 - sum), undefined),
    ];
  }

  function rowsOf(kind: RowKind): readonly RowMeaning[] {
    return kind === 'single' ? state.table.singles : state.table.ranges;
  }

  function replace(kind: RowKind, i: number, next: Partial<RowMeaning>, reshapes: boolean): void {
    const { table } = state;
    if (kind === 'single') {
      const row = table.singles[i];
      if (row) set({ ...table, singles: table.singles.with(i, { ...row, ...next }) }, reshapes);
    } else {
      const row = table.ranges[i];
      if (row) set({ ...table, ranges: table.ranges.with(i, { ...row, ...next }) }, reshapes);
    }
  }

  function replaceSingle(i: number, colour: string): void {
    const { table } = state;
    const row = table.singles[i];
    if (row) set({ ...table, singles: table.singles.with(i, { ...row, colour }) }, false);
  }

  /** Covered ranges from strong to pale, as the map shows speeds; what is no coverage has none. */
  function rangeColour(range: number): string {
    const { ranges } = state.table;
    if (!ranges[range] || ranges[range].status === 'none') return 'var(--class-none)';
    const covered = ranges.flatMap(({ status }, i) => (status === 'none' ? [] : [i]));
    const place = covered.indexOf(range);
    const step = covered.length === 1 ? 4 : 4 - Math.round((place * 4) / Math.max(4, covered.length - 1));
    return `var(--map-speeds-${Math.max(0, step)})`;
  }

  function rowWords(kind: RowKind, i: number): string {
    if (kind === 'single') {
      const { colour, value } = state.table.singles[i] ?? {};
      return colour ? `Colour ${colour}` : `Value ${value} ${unit()}`.trim();
    }
    const { low, high } = boundsOf(state.table, i);
    const words =
      high === Infinity
        ? `${shownNumber(low)} and above`
        : low === -Infinity
          ? `below ${shownNumber(high)}`
          : `${shownNumber(low)} ${upTo(i)}`;
    return `${words} ${unit()}`.trim();
  }

  return {
    element,
    show(next) {
      state = next;
      hasMinimums ||= [...next.table.singles, ...next.table.ranges].some(({ speeds }) =>
        minimums.some((name) => speeds[name] !== undefined),
      );
      draw();
    },
  };
}

function newColour() {
  return { colour: '#', tolerance: 8, status: 'covered' as const, speeds: {}, plannedDate: '' };
}

function iconButton(label: string, path: string, id: string, act: () => void): HTMLElement {
  return h(
    'button',
    {
      type: 'button',
      class: 'icon-button',
      id: `class-${id}`,
      'aria-label': label,
      title: label,
      onclick: act,
    },
    icon(path, 18),
  );
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
