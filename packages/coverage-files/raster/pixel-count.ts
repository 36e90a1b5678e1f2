import type { ColourSummary, PixelSummary, ValueSummary } from '../pixel-summary.ts';

/* Counts the values or colours of a raster in bounded memory: many values are counted in bins, colours beyond a limit as one. */

const maxShownValues = 20;
const maxShownColours = 20;
/** The limit of different values counted one by one; more are counted in bins. */
const maxExact = 1024;
const maxBins = 512;
/** The limit of different colours counted one by one. */
const maxColours = 65_536;
/** The number of most frequent colours in which similar ones are merged. */
const maxCompared = 5000;
/** The tolerance of red, green and blue for a suggested class. */
const suggestedTolerance = 8;

/** Values that programs write for "no data", some without saying so in the file. */
const noDataHabits = new Set([
  ...[0, 255, -999, -9999, 9999, -99999, 32767, -32767, -32768, 65535, -2147483648, 2147483647],
  ...[1e20, -1e20, 3.4028234663852886e38, -3.4028234663852886e38, Number.MAX_VALUE, -Number.MAX_VALUE],
]);

const dbm = { min: -174, max: -10, middle: -35 };

/** Counts values: one by one while they are few, else in bins. */
export class ValueCount {
  #exact: Map<number, number> | undefined = new Map();
  readonly #habits = new Map<number, number>();
  readonly #bins = new Bins();

  add(value: number, pixels: number): void {
    const exact = noDataHabits.has(value) ? this.#habits : this.#exact;
    if (!exact) this.#bins.add(value, pixels);
    else exact.set(value, (exact.get(value) ?? 0) + pixels);
    if (!this.#exact || this.#exact.size <= maxExact) return;
    for (const [one, count] of this.#exact) this.#bins.add(one, count);
    this.#exact = undefined;
  }

  get isUniform(): boolean {
    return this.#exact !== undefined && this.#exact.size + this.#habits.size <= 1;
  }

  summary({ counted, total, empty }: PixelCounts): ValueSummary {
    const share = (pixels: number) => pixels / Math.max(1, counted);
    const bins = this.#bins;
    const exact = this.#exact;
    for (const [value, pixels] of exact ?? []) bins.add(value, pixels);
    const isMany = (exact?.size ?? maxExact) > maxShownValues;
    // All are tested before the first is added, which would make others near. No signal has 0 dBm, however near to others that is.
    const isSignal = looksLikeDbm(bins);
    const isDoubtful = (value: number) => !bins.isNear(value) || (isSignal && value > dbm.max);
    const doubtful = [...this.#habits].filter(([value]) => isMany && isDoubtful(value));
    for (const [value, pixels] of this.#habits) {
      if (doubtful.some(([one]) => one === value)) continue;
      exact?.set(value, pixels);
      bins.add(value, pixels);
    }
    const isFew = exact !== undefined && exact.size <= maxShownValues;
    const listed = (some: Iterable<[number, number]>) =>
      [...some].sort(([a], [b]) => a - b).map(([value, pixels]) => ({ value, share: share(pixels) }));
    return {
      kind: 'values',
      counted,
      total,
      empty: share(empty),
      min: bins.isEmpty ? null : bins.min,
      max: bins.isEmpty ? null : bins.max,
      unit: looksLikeDbm(bins) ? 'dBm' : null,
      values: isFew ? listed(exact) : null,
      histogram: isFew ? null : bins.histogram(share),
      doubtful: listed(doubtful),
    };
  }
}

/** A growing histogram: bins are a power of two wide, so that two merge into one of the next width. */
class Bins {
  min = Infinity;
  max = -Infinity;
  #counts = new Float64Array(0);
  /** Bin i begins at (first + i) * 2 ** exponent. */
  #first = 0;
  #exponent = 0;

  add(value: number, pixels: number): void {
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    let bin = Math.floor(value / 2 ** this.#exponent) - this.#first;
    if (!(bin >= 0 && bin < this.#counts.length)) {
      this.#makeRoom();
      bin = Math.floor(value / 2 ** this.#exponent) - this.#first;
    }
    this.#counts[bin] = (this.#counts[bin] as number) + pixels;
  }

  get isEmpty(): boolean {
    return this.max < this.min;
  }

  /** Tells if a value is among the others, or no further from them than half of their span. */
  isNear(value: number): boolean {
    const reach = (this.max - this.min) / 2;
    return value >= this.min - reach && value <= this.max + reach;
  }

  histogram(share: (pixels: number) => number): ValueSummary['histogram'] {
    const step = 2 ** this.#exponent;
    const last = Math.floor(this.max / step) - this.#first;
    const skipped = Math.floor(this.min / step) - this.#first;
    return {
      from: (this.#first + skipped) * step,
      step,
      shares: Array.from(this.#counts.subarray(skipped, last + 1), share),
    };
  }

  #makeRoom(): void {
    const bins = (exponent: number) =>
      Math.floor(this.max / 2 ** exponent) - Math.floor(this.min / 2 ** exponent) + 1;
    let exponent = this.#exponent;
    // As fine as possible while no wider bins are in use.
    if (this.#counts.length === 0) exponent = finestExponent;
    while (bins(exponent) > maxBins) exponent++;
    const first = Math.floor(this.min / 2 ** exponent);
    const counts = new Float64Array(maxBins);
    const together = 2 ** (exponent - this.#exponent);
    for (const [i, pixels] of this.#counts.entries()) {
      if (pixels === 0) continue;
      const bin = Math.floor((this.#first + i) / together) - first;
      counts[bin] = (counts[bin] as number) + pixels;
    }
    this.#counts = counts;
    this.#first = first;
    this.#exponent = exponent;
  }
}

/** Bins a quarter of a unit wide suit a signal in whole decibels and one in tenths. */
const finestExponent = -2;

function looksLikeDbm({ min, max, isEmpty }: Bins): boolean {
  return !isEmpty && min >= dbm.min && max <= dbm.max && min <= dbm.middle;
}

export class ColourCount {
  readonly #counts = new Map<number, number>();
  #uncounted = 0;

  /** @param colour red in the lowest byte, then green and blue */
  add(colour: number, pixels: number): void {
    const before = this.#counts.get(colour);
    if (before !== undefined || this.#counts.size < maxColours) {
      this.#counts.set(colour, (before ?? 0) + pixels);
    } else this.#uncounted += pixels;
  }

  ranked(max: number): [colour: number, pixels: number][] {
    return [...this.#counts].sort(([, a], [, b]) => b - a).slice(0, max);
  }

  summary({ counted, total, empty }: PixelCounts): ColourSummary {
    const share = (pixels: number) => pixels / Math.max(1, counted);
    const shown = this.#distinct().slice(0, maxShownColours);
    const drawn = [...this.#counts.values()].reduce((sum, pixels) => sum + pixels, this.#uncounted);
    const rest = drawn - shown.reduce((sum, [, pixels]) => sum + pixels, 0);
    const colours = shown.map(([colour, pixels]) => ({
      colour: hexColour(colour),
      tolerance: suggestedTolerance,
      share: share(pixels),
    }));
    return { kind: 'colours', counted, total, empty: share(empty), colours, others: share(rest) };
  }

  /** Without colours close to a more frequent one: JPEG has many. */
  #distinct(): [colour: number, pixels: number][] {
    const distinct: [colour: number, pixels: number][] = [];
    for (const [colour, pixels] of this.ranked(maxCompared)) {
      const near = distinct.find(([other]) => distance(colour, other) <= suggestedTolerance);
      if (near) near[1] += pixels;
      else distinct.push([colour, pixels]);
    }
    return distinct.sort(([, a], [, b]) => b - a);
  }
}

/** `empty`: transparent pixels and no data. */
type PixelCounts = Pick<PixelSummary, 'counted' | 'total' | 'empty'>;

export const hexColour = (colour: number) =>
  `#${[0, 8, 16].map((shift) => ((colour >> shift) & 255).toString(16).padStart(2, '0')).join('')}`;

const distance = (a: number, b: number) =>
  Math.max(difference(a, b, 0), difference(a, b, 8), difference(a, b, 16));

const difference = (a: number, b: number, shift: number) =>
  Math.abs(((a >> shift) & 255) - ((b >> shift) & 255));

/** A class of a manifest, without the speeds that only the operator knows. */
type ClassToFillIn =
  | { colour: string; tolerance: number; coverage?: false }
  | { value: number; coverage?: false }
  | { min?: number; max?: number; coverage?: false };

/** Levels of a signal that are asked about one by one. */
const maxSignalLevels = 8;
/** In dBm: the limits of very good, good, fair and weak signals; below the last one there is no coverage. */
const dbmLimits = [-75, -85, -95, -105];

/** Suggested classes, ranges from the highest down: of two that share a limit the first counts, so no value is between them. */
export function classesToFillIn(summary: PixelSummary): ClassToFillIn[] {
  if (summary.kind === 'colours') {
    return summary.colours.map(({ colour, tolerance }) => ({ colour, tolerance }));
  }
  const { min, max, unit, values, doubtful } = summary;
  const nothing = doubtful.map(({ value }): ClassToFillIn => ({ value, coverage: false }));
  const asRanges = unit === 'dBm' && values && values.length > maxSignalLevels;
  if (values && !asRanges) return [...nothing, ...values.map(({ value }) => ({ value }))];
  if (min === null || max === null) return nothing;
  const floor = dbmLimits.at(-1) as number;
  const limits =
    unit === 'dBm' ? dbmLimits.filter((limit) => limit <= max || limit === floor) : evenLimits(min, max);
  const ranges = limits.map((limit, i): ClassToFillIn => {
    const above = limits[i - 1];
    return above === undefined ? { min: limit } : { min: limit, max: above };
  });
  const rest = { max: limits.at(-1) as number };
  return [...nothing, ...ranges, unit === 'dBm' ? { ...rest, coverage: false } : rest];
}

function evenLimits(min: number, max: number): number[] {
  const quarter = (max - min) / 4;
  const unit = 10 ** Math.floor(Math.log10(quarter));
  return [3, 2, 1].map((i) => Number((Math.round((min + i * quarter) / unit) * unit).toPrecision(12)));
}
