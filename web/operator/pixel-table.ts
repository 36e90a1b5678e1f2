/*
 * What the pixels of a raster stand for, as the form edits it: single values or colours, and ranges that share their
 * limits, so that between two of them there is neither a gap nor an overlap. No page in here: class-editor.ts shows it.
 */

import {
  type Availability,
  type Meaning,
  type PixelClass,
  type PixelSummary,
  type SpeedField,
  type Speeds,
  speedFields,
} from '../shared/types.ts';

/** `covered`: with the availability that is said of the whole file. */
export type RowStatus = 'covered' | Availability | 'none';

/** What some pixels stand for. */
export interface RowMeaning {
  status: RowStatus;
  speeds: Speeds;
  plannedDate: string;
}

/** One colour, or one value. */
export interface SingleRow extends RowMeaning {
  colour?: string;
  tolerance?: number;
  value?: number;
}

export interface PixelTable {
  kind: 'values' | 'colours';
  singles: SingleRow[];
  /** Between ranges, from the highest down. NaN while somebody has a limit cleared. */
  limits: number[];
  /** From the highest down, one more than there are limits; none where there are no limits. */
  ranges: RowMeaning[];
}

const undecided: RowMeaning = { status: 'covered', speeds: {}, plannedDate: '' };
const noCoverage: RowMeaning = { ...undecided, status: 'none' };

/** The highest speed that a manifest may name. Mbps */
const maxMbps = 1_000_000;

/** The table that asks for what nobody has said yet. @param classes to fill in, as the inspection suggests them */
export function tableOf(summaries: readonly PixelSummary[], classes: readonly PixelClass[]): PixelTable {
  if (classes.length > 0) return tableOfClasses(classes);
  const colours = new Map<string, SingleRow>();
  for (const summary of summaries) {
    if (summary.kind !== 'colours') continue;
    for (const { colour, tolerance } of summary.colours)
      colours.set(colour, { ...undecided, colour, tolerance });
  }
  if (colours.size > 0) return { kind: 'colours', singles: [...colours.values()], limits: [], ranges: [] };
  return { kind: 'values', singles: [], limits: [], ranges: [] };
}

/** The table that says what a manifest's classes say; where they leave a gap, there is no coverage. */
export function tableOfClasses(classes: readonly PixelClass[]): PixelTable {
  const singles = classes
    .filter(({ colour, value }) => colour !== undefined || value !== undefined)
    .map(
      (one): SingleRow => ({
        ...meaningOf(one),
        ...(one.colour === undefined
          ? { value: one.value as number }
          : { colour: one.colour, tolerance: one.tolerance ?? 0 }),
      }),
    );
  const bounded = classes.filter(({ min, max }) => min !== undefined || max !== undefined);
  const limits = [...new Set(bounded.flatMap(({ min, max }) => [min, max]))]
    .filter((limit) => limit !== undefined)
    .sort((a, b) => b - a);
  const ranges =
    limits.length === 0
      ? []
      : [...limits, -Infinity].map((low, i) => {
          const middle = middleOf(low, limits[i - 1] ?? Infinity);
          const fitting = bounded.find(
            ({ min = -Infinity, max = Infinity }) => min <= middle && middle <= max,
          );
          return fitting ? meaningOf(fitting) : noCoverage;
        });
  return { kind: singles.some(({ colour }) => colour) ? 'colours' : 'values', singles, limits, ranges };
}

function meaningOf({ coverage, speeds = {}, availability, planned_date }: Meaning): RowMeaning {
  return {
    status: coverage === false ? 'none' : (availability ?? 'covered'),
    speeds,
    plannedDate: planned_date ?? '',
  };
}

/** Somewhere between two limits, of which one may be missing. */
function middleOf(low: number, high: number): number {
  if (low === -Infinity) return high === Infinity ? 0 : high - 1;
  return high === Infinity ? low + 1 : (low + high) / 2;
}

/** The classes of a manifest that say what the table says. Where two ranges share a limit, the first counts: the higher. */
export function toClasses({ singles, limits, ranges }: PixelTable): PixelClass[] {
  return [
    ...singles.map(({ colour, tolerance, value, ...row }) => ({
      ...(colour === undefined
        ? { value: value as number }
        : { colour, ...(tolerance ? { tolerance } : {}) }),
      ...toMeaning(row),
    })),
    ...ranges.map((row, i) => ({
      ...(i < limits.length ? { min: limits[i] as number } : {}),
      ...(i > 0 ? { max: limits[i - 1] as number } : {}),
      ...toMeaning(row),
    })),
  ];
}

function toMeaning({ status, speeds, plannedDate }: RowMeaning): Meaning {
  if (status === 'none') return { coverage: false };
  const isLater = status === 'planned' || status === 'underway';
  return {
    speeds,
    ...(status === 'covered' ? {} : { availability: status }),
    ...(isLater && plannedDate ? { planned_date: plannedDate } : {}),
  };
}

/** Where a range begins and where the next higher one does. */
export function boundsOf({ limits }: PixelTable, range: number): { low: number; high: number } {
  return { low: limits[range] ?? -Infinity, high: limits[range - 1] ?? Infinity };
}

/** Makes two ranges of one, which mean the same until somebody says otherwise. */
export function splitRange(table: PixelTable, range: number, summaries: readonly PixelSummary[]): PixelTable {
  const { low, high } = boundsOf(table, range);
  const { min, max } = extremes(summaries);
  // Of an open range, the part that the raster has.
  const from = Number.isFinite(low) ? low : Math.min(min, high - 10);
  const to = Number.isFinite(high) ? high : Math.max(max, low + 10);
  const limit = roundBetween(from, to);
  const row = table.ranges[range] as RowMeaning;
  return {
    ...table,
    limits: table.limits.toSpliced(range, 0, limit),
    ranges: table.ranges.toSpliced(range, 1, row, { ...row }),
  };
}

/** Joins a range with the one below it; what the higher one means stays. The last limit stays, too. */
export function mergeDown(table: PixelTable, range: number): PixelTable {
  if (table.limits.length < 2 || range >= table.limits.length) return table;
  return {
    ...table,
    limits: table.limits.toSpliced(range, 1),
    ranges: table.ranges.toSpliced(range + 1, 1),
  };
}

/** The roundest number near the middle of two. */
function roundBetween(low: number, high: number): number {
  const middle = (low + high) / 2;
  for (let unit = 10 ** Math.ceil(Math.log10(high - low)); unit > (high - low) / 1000; unit /= 10) {
    for (const part of [unit, unit / 2]) {
      const rounded = Number((Math.round(middle / part) * part).toPrecision(12));
      if (rounded - low > (high - low) / 4 && high - rounded > (high - low) / 4) return rounded;
    }
  }
  return middle;
}

export function extremes(summaries: readonly PixelSummary[]): { min: number; max: number } {
  const of = summaries.filter((one) => one.kind === 'values');
  return {
    min: Math.min(...of.map(({ min }) => min ?? Infinity)),
    max: Math.max(...of.map(({ max }) => max ?? -Infinity)),
  };
}

/** Shares of all pixels of all rasters, 0 to 1. */
export interface Shares {
  singles: number[];
  ranges: number[];
  /** Transparent, or no data. */
  empty: number;
  /** What no row takes in. */
  others: number;
}

export function sharesOf(table: PixelTable, summaries: readonly PixelSummary[]): Shares {
  const total = summaries.reduce((sum, one) => sum + one.total, 0);
  const shares: Shares = {
    singles: table.singles.map(() => 0),
    ranges: table.ranges.map(() => 0),
    empty: 0,
    others: 0,
  };
  for (const summary of summaries) {
    const weight = total > 0 ? summary.total / total : 0;
    shares.empty += weight * summary.empty;
    for (const { at, share } of piecesOf(summary)) {
      const single = table.singles.findIndex((row) => takesIn(row, at));
      if (single >= 0) {
        shares.singles[single] = (shares.singles[single] as number) + weight * share;
        continue;
      }
      if (typeof at === 'string' || table.ranges.length === 0) {
        shares.others += weight * share;
        continue;
      }
      const width = summary.kind === 'values' ? (summary.histogram?.step ?? 0) : 0;
      for (const [i, part] of partsOf(table.limits, at, width)) {
        shares.ranges[i] = (shares.ranges[i] as number) + weight * share * part;
      }
    }
    if (summary.kind === 'colours') shares.others += weight * summary.others;
  }
  return shares;
}

/** The share that is coverage. */
export function coveredShare(table: PixelTable, shares: Shares): number {
  const covered = (rows: readonly RowMeaning[], of: readonly number[]) =>
    rows.reduce((sum, { status }, i) => (status === 'none' ? sum : sum + (of[i] as number)), 0);
  return covered(table.singles, shares.singles) + covered(table.ranges, shares.ranges);
}

/** What a summary tells one by one: colours, values, or bins by where they begin. */
function piecesOf(summary: PixelSummary): { at: number | string; share: number }[] {
  if (summary.kind === 'colours') return summary.colours.map(({ colour, share }) => ({ at: colour, share }));
  const { values, histogram, doubtful } = summary;
  return [
    ...doubtful.map(({ value, share }) => ({ at: value, share })),
    ...(values ?? []).map(({ value, share }) => ({ at: value, share })),
    ...(histogram?.shares ?? []).map((share, i) => ({
      at: (histogram as { from: number }).from + i * (histogram as { step: number }).step,
      share,
    })),
  ];
}

function takesIn({ colour, tolerance = 0, value }: SingleRow, at: number | string): boolean {
  if (typeof at === 'number') return value === at;
  if (colour === undefined) return false;
  return channels(colour).every((part, i) => Math.abs(part - (channels(at)[i] as number)) <= tolerance);
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((from) => Number.parseInt(colour.slice(from, from + 2), 16));
}

/** The ranges that a bin lies in, each with the part of the bin in it; a single value has no width. */
function partsOf(limits: readonly number[], from: number, width: number): [range: number, part: number][] {
  const inside = limits.filter((limit) => limit > from && limit < from + width);
  const above = limits.filter(
    (limit) => limit >= from + Math.max(width, Number.MIN_VALUE) && limit > from,
  ).length;
  const edges = [from + width, ...inside, from];
  return edges
    .slice(1)
    .map((low, i): [number, number] => [above + i, width > 0 ? ((edges[i] as number) - low) / width : 1]);
}

/**
 * Speeds to begin with: the strongest class has those that somebody entered, each weaker one an equal step less. What is no
 * coverage stays so.
 */
export function suggestSpeeds(
  table: PixelTable,
  strongest: { download: number; upload: number },
): PixelTable {
  const covered = table.ranges.filter(({ status }) => status !== 'none').length;
  let place = 0;
  const ranges = table.ranges.map((row) => {
    if (row.status === 'none') return row;
    const part = (covered - place++) / covered;
    const speeds: Speeds = {
      ...row.speeds,
      bandwidth_max_mbps: roundSpeed(strongest.download * part),
      bandwidth_up_max_mbps: roundSpeed(strongest.upload * part),
    };
    return { ...row, speeds };
  });
  return { ...table, ranges };
}

/** To two digits: more would say more than anybody knows. */
function roundSpeed(mbps: number): number {
  return Number(mbps.toPrecision(2));
}

/** Of a row: `limit`, `date`, or a speed. */
export type RowField = SpeedField | 'limit' | 'date' | 'colour';
/** What is missing, by the control: {@link rowControl}. */
export type TableProblems = Record<string, string>;

export function rowControl(kind: 'single' | 'range', row: number, field: RowField | 'status'): string {
  return `${kind}-${row}-${field}`;
}

export function tableProblems(table: PixelTable, today: string): TableProblems {
  const problems: TableProblems = {};
  for (const [i, limit] of table.limits.entries()) {
    const above = table.limits[i - 1];
    if (!Number.isFinite(limit)) problems[rowControl('range', i, 'limit')] = 'Enter a number';
    else if (above !== undefined && limit >= above) {
      problems[rowControl('range', i, 'limit')] = `Must be below ${above}`;
    }
  }
  for (const [i, { colour }] of table.singles.entries()) {
    if (colour !== undefined && !/^#[0-9a-f]{6}$/i.test(colour)) {
      problems[rowControl('single', i, 'colour')] = 'A colour such as #ff8800';
    }
  }
  const rows = [
    ...table.singles.map((row, i) => ['single', i, row] as const),
    ...table.ranges.map((row, i) => ['range', i, row] as const),
  ];
  for (const [kind, i, row] of rows) {
    for (const [field, text] of Object.entries(rowProblems(row, today))) {
      problems[rowControl(kind, i, field as RowField)] = text;
    }
  }
  return problems;
}

function rowProblems(
  { status, speeds, plannedDate }: RowMeaning,
  today: string,
): Partial<Record<RowField, string>> {
  if (status === 'none') return {};
  const problems: Partial<Record<RowField, string>> = {};
  for (const field of speedFields) {
    const mbps = speeds[field];
    const isMax = field.includes('_max_');
    if (mbps === undefined) {
      if (isMax) problems[field] = 'Enter a speed';
    } else if (!(mbps >= 0 && mbps <= maxMbps) || (isMax && mbps === 0)) {
      problems[field] = isMax ? 'More than 0 Mbps' : 'A number of Mbps';
    }
  }
  for (const [least, most] of [
    ['bandwidth_min_mbps', 'bandwidth_max_mbps'],
    ['bandwidth_up_min_mbps', 'bandwidth_up_max_mbps'],
  ] as const) {
    if ((speeds[least] ?? 0) > (speeds[most] ?? Infinity)) problems[least] = 'Above the maximum';
  }
  if (status !== 'covered' && status !== 'available' && plannedDate && plannedDate < today) {
    problems.date = 'This day is in the past';
  }
  return problems;
}
