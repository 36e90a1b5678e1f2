/* The classes of a raster's pixels in the form: colours or values, and ranges with common limits. */

import type { Meaning, PixelClass, PixelSummary } from '../shared/schemas.ts';
import { maximums, meaningProblems, type Problems, rowControl, stated } from './meaning.ts';

/** A colour, a value or a range. */
export interface PixelRow extends Meaning {
  colour?: string;
  tolerance?: number;
  value?: number;
  /** The range's lower limit, the upper one of the range below. -Infinity for the lowest; NaN while the field is empty. */
  limit?: number;
  /** The upper limit belongs to this range, and not to the one above, as in classes of 0 to 9 and 10 to 19. */
  takesUpperLimit?: true;
}

/** Colours and values come first, then ranges, the highest first. */
export type PixelTable = readonly PixelRow[];

/** The table with open questions. @param classes as the inspection suggests them */
export function tableOf(summaries: readonly PixelSummary[], classes: readonly PixelClass[]): PixelTable {
  if (classes.length > 0) return tableOfClasses(classes);
  const colours = summaries.flatMap((one) => (one.kind === 'colours' ? one.colours : []));
  const rows = colours.map(({ colour, tolerance }) => [colour, { colour, tolerance }] as const);
  return [...new Map(rows).values()];
}

/** The table of a manifest's classes. Where they overlap the first counts; gaps are no coverage. */
export function tableOfClasses(classes: readonly PixelClass[]): PixelTable {
  const spans = classes.map(spanOf);
  const ownerOf = (low: number, high: number) =>
    spans.findIndex((span) => span !== undefined && span.min <= low && high <= span.max);
  const singles = classes.flatMap((one, i): PixelRow[] => {
    const { colour, tolerance = 0 } = one;
    if (colour !== undefined) return [{ ...meaningOf(one), colour, tolerance }];
    const span = spans[i];
    // A value within an earlier class belongs to that class.
    return span && span.min === span.max && ownerOf(span.min, span.max) === i
      ? [{ ...meaningOf(one), value: span.min }]
      : [];
  });
  const wide = spans.flatMap((span) => (span && span.min < span.max ? [span.min, span.max] : []));
  const finite = [...new Set(wide)].filter(Number.isFinite).sort((a, b) => b - a);
  const limits = finite.length > 0 ? [...finite, -Infinity] : [];
  const owners = limits.map((low, i) => ownerOf(low, limits[i - 1] ?? Infinity));
  const ranges = owners.map((owner, i): PixelRow => {
    const meaning = meaningOf(classes[owner] ?? { coverage: false });
    const upper = limits[i - 1];
    const isOwn =
      owner >= 0 && upper !== undefined && owner !== owners[i - 1] && ownerOf(upper, upper) === owner;
    return { ...meaning, limit: limits[i] as number, ...(isOwn ? { takesUpperLimit: true } : {}) };
  });
  return [...singles, ...ranges];
}

/** The values of a class, both limits included; undefined for a colour. */
function spanOf({ value, min, max }: PixelClass): { min: number; max: number } | undefined {
  if (value !== undefined) return { min: value, max: value };
  if (min === undefined && max === undefined) return undefined;
  return { min: min ?? -Infinity, max: max ?? Infinity };
}

function meaningOf({ colour, tolerance, value, min, max, ...meaning }: PixelClass): Meaning {
  return meaning;
}

/** The classes of a table. Of two that share a limit the first counts: the higher, unless the lower takes it. */
export function toClasses(table: PixelTable): PixelClass[] {
  const classes: PixelClass[] = [];
  let taken = 0;
  for (const [i, row] of table.entries()) {
    const { colour, tolerance, value, limit, takesUpperLimit, ...meaning } = row;
    const pixelClass = { ...pixelsOf(table, i), ...stated(meaning) };
    // A class with an upper limit comes before the range that it takes the limit from.
    if (takesUpperLimit) classes.splice(taken, 0, pixelClass);
    else taken = classes.push(pixelClass) - 1;
  }
  return classes;
}

function pixelsOf(table: PixelTable, i: number): PixelClass {
  const { colour, tolerance, value } = table[i] as PixelRow;
  if (colour !== undefined) return { colour, ...(tolerance ? { tolerance } : {}) };
  if (value !== undefined) return { value };
  const { low, high } = boundsOf(table, i);
  return { ...(low === -Infinity ? {} : { min: low }), ...(high === Infinity ? {} : { max: high }) };
}

export function boundsOf(table: PixelTable, i: number): { low: number; high: number } {
  return { low: table[i]?.limit ?? -Infinity, high: table[i - 1]?.limit ?? Infinity };
}

export function isRange({ limit }: PixelRow): boolean {
  return limit !== undefined;
}

/** Splits a range into two with the same meaning. */
export function splitRange(table: PixelTable, i: number, summaries: readonly PixelSummary[]): PixelTable {
  const { low, high } = boundsOf(table, i);
  const values = summaries.filter((one) => one.kind === 'values');
  // The part of an open range that the raster has.
  const [min, max] = [values.map((one) => one.min ?? Infinity), values.map((one) => one.max ?? -Infinity)];
  const from = Number.isFinite(low) ? low : Math.min(...min, high - 10);
  const to = Number.isFinite(high) ? high : Math.max(...max, low + 10);
  const { takesUpperLimit: _, ...below } = table[i] as PixelRow;
  const above = { ...(table[i] as PixelRow), limit: roundBetween(from, to) };
  return table.toSpliced(i, 1, above, below);
}

/** Joins a range with the one below; the higher one's meaning stays. */
export function mergeDown(table: PixelTable, i: number): PixelTable {
  const limit = table[i + 1]?.limit as number;
  return table.toSpliced(i, 2, { ...(table[i] as PixelRow), limit });
}

/** At least one limit stays. */
export function canMerge(table: PixelTable, i: number): boolean {
  return table[i + 1] !== undefined && table.filter(isRange).length > 2;
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

/** Shares of all pixels of all rasters, 0 to 1. */
export interface Shares {
  rows: number[];
  /** Transparent pixels and no data. */
  empty: number;
  /** In no row. */
  others: number;
}

export function sharesOf(table: PixelTable, summaries: readonly PixelSummary[]): Shares {
  const total = summaries.reduce((sum, one) => sum + one.total, 0);
  const shares: Shares = { rows: table.map(() => 0), empty: 0, others: 0 };
  for (const summary of summaries) {
    const weight = total > 0 ? summary.total / total : 0;
    shares.empty += weight * summary.empty;
    if (summary.kind === 'colours') shares.others += weight * summary.others;
    for (const { at, share, width } of piecesOf(summary)) {
      const parts = partsOf(table, at, width);
      for (const [i, part] of parts) shares.rows[i] = (shares.rows[i] as number) + weight * share * part;
      if (parts.length === 0) shares.others += weight * share;
    }
  }
  return shares;
}

export function coveredShare(table: PixelTable, { rows }: Shares): number {
  return rows.reduce((sum, share, i) => (table[i]?.coverage === false ? sum : sum + share), 0);
}

/** The parts of a summary: colours, values, or bins by their lower end. */
function piecesOf(summary: PixelSummary): { at: number | string; share: number; width?: number }[] {
  if (summary.kind === 'colours') return summary.colours.map(({ colour, share }) => ({ at: colour, share }));
  const { values, histogram, doubtful } = summary;
  const { from = 0, step = 0, shares = [] } = histogram ?? {};
  return [
    ...[...doubtful, ...(values ?? [])].map(({ value, share }) => ({ at: value, share })),
    ...shares.map((share, i) => ({ at: from + i * step, share, width: step })),
  ];
}

/** The rows of a piece, each with its share of the piece; colours and values have no width. */
function partsOf(table: PixelTable, at: number | string, width = 0): [row: number, part: number][] {
  const owner = table.findIndex((row, i) =>
    isRange(row) ? width === 0 && isWithin(table, i, at) : isOf(row, at),
  );
  if (owner >= 0) return [[owner, 1]];
  if (typeof at === 'string' || width === 0) return [];
  return table.flatMap((row, i): [number, number][] => {
    const { low, high } = boundsOf(table, i);
    const part = (Math.min(high, at + width) - Math.max(low, at)) / width;
    return isRange(row) && part > 0 ? [[i, part]] : [];
  });
}

function isOf({ colour, tolerance = 0, value }: PixelRow, at: number | string): boolean {
  if (typeof at === 'number') return value === at;
  if (colour === undefined) return false;
  return channels(colour).every((part, i) => Math.abs(part - (channels(at)[i] as number)) <= tolerance);
}

function isWithin(table: PixelTable, i: number, at: number | string): boolean {
  const { low, high } = boundsOf(table, i);
  if (at === low) return !table[i + 1]?.takesUpperLimit;
  return at === high ? table[i]?.takesUpperLimit === true : low < Number(at) && Number(at) < high;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((from) => Number.parseInt(colour.slice(from, from + 2), 16));
}

/** Suggests speeds: the strongest class has those entered, each weaker one an equal step less, rounded down. */
export function suggestSpeeds(
  table: PixelTable,
  strongest: { download: number; upload: number },
): PixelTable {
  const covered = table.filter((row) => isRange(row) && row.coverage !== false);
  return table.map((row) => {
    const place = covered.indexOf(row);
    if (place < 0) return row;
    const part = 1 - place / covered.length;
    const speedOf = (mbps: number) => (part === 1 ? mbps : roundDown(mbps * part));
    const bandwidth_max_mbps = speedOf(strongest.download);
    const bandwidth_up_max_mbps = speedOf(strongest.upload);
    return { ...row, speeds: { ...row.speeds, bandwidth_max_mbps, bandwidth_up_max_mbps } };
  });
}

/** Rounds Mbps down to two digits, so that no suggestion is more exact or higher than the entered speed. */
function roundDown(mbps: number): number {
  const unit = 10 ** (Math.floor(Math.log10(mbps)) - 1);
  return Number((Math.floor(Number((mbps / unit).toPrecision(12))) * unit).toPrecision(12));
}

export function tableProblems(table: PixelTable, today: string): Problems {
  return Object.assign(
    {},
    ...table.map((row, i) => ({
      ...limitProblem(table, i),
      ...colourProblem(row, i),
      ...meaningProblems(row, i, today, maximums),
    })),
  );
}

function limitProblem(table: PixelTable, i: number): Problems {
  const { low, high } = boundsOf(table, i);
  if (low === -Infinity) return {};
  const text = !Number.isFinite(low) ? 'Enter a number' : low >= high ? `Must be below ${high}` : undefined;
  return text ? { [rowControl(i, 'limit')]: text } : {};
}

function colourProblem({ colour }: PixelRow, i: number): Problems {
  if (colour === undefined || /^#[0-9a-f]{6}$/i.test(colour)) return {};
  return { [rowControl(i, 'colour')]: 'A colour such as #ff8800' };
}
