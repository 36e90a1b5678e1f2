/* What the pixels of a raster stand for, as the form edits it: values or colours, and ranges that share limits. */

import {
  type Availability,
  type Meaning,
  type PixelClass,
  type PixelSummary,
  type SpeedField,
  type Speeds,
  speedFields,
} from '../shared/schemas.ts';

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

/** What is between two limits. Its lower limit is its own, unless the range below takes it. */
export interface RangeRow extends RowMeaning {
  /** Its upper limit is its own, too, and not that of the range above: as in classes of 0 to 9 and 10 to 19. */
  takesUpperLimit?: true;
}

export interface PixelTable {
  kind: 'values' | 'colours';
  singles: SingleRow[];
  /** Between ranges, from the highest down. NaN while somebody has a limit cleared. */
  limits: number[];
  /** From the highest down, one more than there are limits; none where there are no limits. */
  ranges: RangeRow[];
}

const undecided: RowMeaning = { status: 'covered', speeds: {}, plannedDate: '' };
const noCoverage: RowMeaning = { ...undecided, status: 'none' };

/** The highest speed that a manifest may name. Mbps */
export const maxMbps = 1_000_000;
export const maximums = ['bandwidth_max_mbps', 'bandwidth_up_max_mbps'] as const;
export const minimums = ['bandwidth_min_mbps', 'bandwidth_up_min_mbps'] as const;
/** A minimum, and the maximum that it must not be above. */
export const speedPairs = minimums.map((min, i) => [min, maximums[i] as SpeedField] as const);

/** The table that asks for what nobody has said yet. @param classes to fill in, as the inspection suggests them */
export function tableOf(summaries: readonly PixelSummary[], classes: readonly PixelClass[]): PixelTable {
  if (classes.length > 0) return tableOfClasses(classes);
  const colours = summaries.flatMap((one) => (one.kind === 'colours' ? one.colours : []));
  const rows = colours.map(({ colour, tolerance }) => [colour, { ...undecided, colour, tolerance }] as const);
  const singles = [...new Map(rows).values()];
  return { kind: singles.length > 0 ? 'colours' : 'values', singles, limits: [], ranges: [] };
}

/** The table of a manifest's classes. Of those that take in the same value the first counts; a gap is no coverage. */
export function tableOfClasses(classes: readonly PixelClass[]): PixelTable {
  const spans = classes.map(spanOf);
  const ownerOf = (low: number, high: number) =>
    spans.findIndex((span) => span !== undefined && span.min <= low && high <= span.max);
  const singles = classes.flatMap((one, i): SingleRow[] => {
    const { colour, tolerance = 0 } = one;
    if (colour !== undefined) return [{ ...meaningOf(one), colour, tolerance }];
    const span = spans[i];
    // A value that an earlier class takes in is of that one.
    return span && span.min === span.max && ownerOf(span.min, span.max) === i
      ? [{ ...meaningOf(one), value: span.min }]
      : [];
  });
  const wide = spans.filter((span) => span !== undefined && span.min < span.max);
  const limits = [...new Set(wide.flatMap((span) => (span ? [span.min, span.max] : [])))]
    .filter(Number.isFinite)
    .sort((a, b) => b - a);
  const owners =
    limits.length === 0
      ? []
      : [...limits, -Infinity].map((low, i) => ownerOf(low, limits[i - 1] ?? Infinity));
  const ranges = owners.map((owner, i): RangeRow => {
    const meaning = classes[owner] ? meaningOf(classes[owner]) : noCoverage;
    const upper = limits[i - 1];
    const isOwn =
      owner >= 0 && upper !== undefined && owner !== owners[i - 1] && ownerOf(upper, upper) === owner;
    return isOwn ? { ...meaning, takesUpperLimit: true } : meaning;
  });
  return { kind: singles.some(({ colour }) => colour) ? 'colours' : 'values', singles, limits, ranges };
}

/** The values that a class takes in, both limits included; undefined where it is of a colour. */
function spanOf({ value, min, max }: PixelClass): { min: number; max: number } | undefined {
  if (value !== undefined) return { min: value, max: value };
  if (min === undefined && max === undefined) return undefined;
  return { min: min ?? -Infinity, max: max ?? Infinity };
}

function meaningOf({ coverage, speeds = {}, availability, planned_date }: Meaning): RowMeaning {
  return {
    status: coverage === false ? 'none' : (availability ?? 'covered'),
    speeds,
    plannedDate: planned_date ?? '',
  };
}

/** The classes of a table. Of two that share a limit the first counts: the higher, unless the lower takes it. */
export function toClasses({ singles, limits, ranges }: PixelTable): PixelClass[] {
  const bounded = ranges.map(
    (row, i): PixelClass => ({
      ...(i < limits.length ? { min: limits[i] as number } : {}),
      ...(i > 0 ? { max: limits[i - 1] as number } : {}),
      ...toMeaning(row),
    }),
  );
  // From the highest down; those that take the limits above them stand before the ranges that they take them from.
  const ordered: PixelClass[] = [];
  let from = 0;
  for (let i = 1; i <= ranges.length; i++) {
    if (ranges[i]?.takesUpperLimit) continue;
    ordered.push(...bounded.slice(from, i).reverse());
    from = i;
  }
  return [
    ...singles.map(({ colour, tolerance, value, ...row }) => ({
      ...(colour === undefined
        ? { value: value as number }
        : { colour, ...(tolerance ? { tolerance } : {}) }),
      ...toMeaning(row),
    })),
    ...ordered,
  ];
}

function toMeaning({ status, speeds, plannedDate }: RowMeaning): Meaning {
  if (status === 'none') return { coverage: false };
  return {
    speeds,
    ...(status === 'covered' ? {} : { availability: status }),
    ...(isLater(status) && plannedDate ? { planned_date: plannedDate } : {}),
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
  const row = table.ranges[range] as RangeRow;
  const { takesUpperLimit: _, ...below } = row;
  return {
    ...table,
    limits: table.limits.toSpliced(range, 0, limit),
    ranges: table.ranges.toSpliced(range, 1, row, below),
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

function extremes(summaries: readonly PixelSummary[]): { min: number; max: number } {
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
      for (const [i, part] of partsOf(table, at, width)) {
        shares.ranges[i] = (shares.ranges[i] as number) + weight * share * part;
      }
    }
    if (summary.kind === 'colours') shares.others += weight * summary.others;
  }
  return shares;
}

/** The share that is coverage. */
export function coveredShare(table: PixelTable, shares: Shares): number {
  return rowsOf(table, shares).reduce(
    (sum, { row, share }) => (row.status === 'none' ? sum : sum + share),
    0,
  );
}

/** All rows of a table, each with its share of the pixels. */
export function rowsOf({ singles, ranges }: PixelTable, shares: Shares) {
  return [
    ...singles.map((row, i) => ({ kind: 'single' as const, i, row, share: shares.singles[i] ?? 0 })),
    ...ranges.map((row, i) => ({ kind: 'range' as const, i, row, share: shares.ranges[i] ?? 0 })),
  ];
}

/** What a summary tells one by one: colours, values, or bins by where they begin. */
function piecesOf(summary: PixelSummary): { at: number | string; share: number }[] {
  if (summary.kind === 'colours') return summary.colours.map(({ colour, share }) => ({ at: colour, share }));
  const { values, histogram, doubtful } = summary;
  return [
    ...doubtful.map(({ value, share }) => ({ at: value, share })),
    ...(values ?? []).map(({ value, share }) => ({ at: value, share })),
    ...(histogram
      ? histogram.shares.map((share, i) => ({ at: histogram.from + i * histogram.step, share }))
      : []),
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
function partsOf(
  { limits, ranges }: PixelTable,
  from: number,
  width: number,
): [range: number, part: number][] {
  if (width === 0) {
    const above = limits.filter((limit) => limit > from).length;
    const isTaken = limits[above] === from && ranges[above + 1]?.takesUpperLimit;
    return [[isTaken ? above + 1 : above, 1]];
  }
  const inside = limits.filter((limit) => limit > from && limit < from + width);
  const above = limits.filter((limit) => limit >= from + width).length;
  const edges = [from + width, ...inside, from];
  return edges.slice(1).map((low, i): [number, number] => [above + i, ((edges[i] as number) - low) / width]);
}

/** Speeds to begin with: the strongest class has those entered, each weaker one an equal step less, rounded down. */
export function suggestSpeeds(
  table: PixelTable,
  strongest: { download: number; upload: number },
): PixelTable {
  const covered = table.ranges.filter(({ status }) => status !== 'none').length;
  let place = 0;
  const ranges = table.ranges.map((row) => {
    if (row.status === 'none') return row;
    const part = (covered - place++) / covered;
    const speedOf = (mbps: number) => (part === 1 ? mbps : roundDown(mbps * part));
    const speeds: Speeds = {
      ...row.speeds,
      bandwidth_max_mbps: speedOf(strongest.download),
      bandwidth_up_max_mbps: speedOf(strongest.upload),
    };
    return { ...row, speeds };
  });
  return { ...table, ranges };
}

/** Down to two digits: more would say more than anybody knows, and a higher speed more than anybody entered. Mbps */
function roundDown(mbps: number): number {
  const unit = 10 ** (Math.floor(Math.log10(mbps)) - 1);
  return Number((Math.floor(Number((mbps / unit).toPrecision(12))) * unit).toPrecision(12));
}

/** Of a row: `limit`, `date`, or a speed. */
export type RowField = SpeedField | 'limit' | 'date' | 'colour';
/** What is missing, by the control: {@link rowControl}. */
export type TableProblems = Record<string, string>;

export function rowControl(kind: 'single' | 'range', row: number, field: RowField | 'status'): string {
  return `${kind}-${row}-${field}`;
}

export function tableProblems({ limits, singles, ranges }: PixelTable, today: string): TableProblems {
  const problems: TableProblems = {};
  for (const [i, limit] of limits.entries()) {
    const above = limits[i - 1] ?? Infinity;
    const id = rowControl('range', i, 'limit');
    if (!Number.isFinite(limit)) problems[id] = 'Enter a number';
    else if (limit >= above) problems[id] = `Must be below ${above}`;
  }
  for (const [i, { colour }] of singles.entries()) {
    if (colour !== undefined && !/^#[0-9a-f]{6}$/i.test(colour)) {
      problems[rowControl('single', i, 'colour')] = 'A colour such as #ff8800';
    }
  }
  for (const [kind, rows] of [['single', singles] as const, ['range', ranges] as const]) {
    for (const [i, row] of rows.entries()) {
      for (const [field, text] of rowProblems(row, today)) problems[rowControl(kind, i, field)] = text;
    }
  }
  return problems;
}

function rowProblems({ status, speeds, plannedDate }: RowMeaning, today: string): [RowField, string][] {
  if (status === 'none') return [];
  const problems: [RowField, string][] = [];
  for (const field of speedFields) {
    const mbps = speeds[field];
    const isMax = field.includes('_max_');
    if (mbps === undefined) {
      if (isMax) problems.push([field, 'Enter a speed']);
    } else if (!(mbps >= 0 && mbps <= maxMbps) || (isMax && mbps === 0)) {
      problems.push([field, isMax ? 'More than 0 Mbps' : 'A number of Mbps']);
    }
  }
  for (const [min, max] of speedPairs) {
    if ((speeds[min] ?? 0) > (speeds[max] ?? Infinity)) problems.push([min, 'Above the maximum']);
  }
  if (isLater(status) && plannedDate && plannedDate < today)
    problems.push(['date', 'This day is in the past']);
  return problems;
}

function isLater(status: RowStatus): boolean {
  return status === 'planned' || status === 'underway';
}
