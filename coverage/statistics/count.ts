import { eachNumber, type PremisesSet, union } from '../premises/premises-set.ts';

/* How many premises have what, region by region. Knows no database. */

/** Mbps down. The first: at any speed. */
export const thresholds = [0, 10, 25, 50, 100, 300, 900] as const;
/** Of what is available at premises: 0 for nothing, else how many thresholds it reaches. */
const classes = thresholds.length + 1;
/** Numbers of providers that are told apart: 0, 1, 2, and 3 or more. */
const providerClasses = 4;
/** Texts of dates that are told apart. */
const maxDates = 36;

/** A tier with its premises. */
export interface CountedTier {
  /** Its place in the list of technologies. */
  technology: number;
  providerId: number;
  availability: 'available' | 'underway' | 'planned';
  /** YYYY-MM-DD */
  plannedDate: string | null;
  /** Mbps down. */
  bandwidthMax: number;
  set: PremisesSet;
}

/** What is at each of the premises on a day, by technology; the last one stands for any of them. */
export class DayOfPremises {
  readonly #length: number;
  readonly #dates: readonly string[];
  /** By technology, then by premises: the class of the fastest that is available. */
  readonly best: Uint8Array[];
  readonly providers: Uint8Array[];
  /** The earliest date on which it is planned, by its place in the list from 1, where nothing is available. */
  readonly planned: (Uint8Array | undefined)[];
  #served: { providerId: number; sets: (PremisesSet | undefined)[] } | undefined;

  /** @param length one more than the highest number of premises @param dates of {@link shownDates} */
  constructor(length: number, technologies: number, dates: readonly string[]) {
    this.#length = length;
    this.#dates = dates;
    const perTechnology = () => Array.from({ length: technologies + 1 }, () => new Uint8Array(length));
    this.best = perTechnology();
    this.providers = perTechnology();
    this.planned = Array.from({ length: technologies + 1 }, () => undefined);
  }

  /** Adds a tier; those of a provider follow each other. */
  add({ technology, providerId, availability, plannedDate, bandwidthMax, set }: CountedTier): void {
    const any = this.best.length - 1;
    if (availability !== 'available') {
      const date = dateIndex(this.#dates, plannedDate);
      for (const of of [technology, any]) {
        this.planned[of] ??= new Uint8Array(this.#length);
        lower(this.planned[of], set, date);
      }
      return;
    }
    const reached = thresholds.filter((threshold) => threshold <= bandwidthMax).length;
    for (const of of [technology, any]) raise(this.best[of] as Uint8Array, set, reached);
    if (this.#served?.providerId !== providerId) this.#countProvider();
    this.#served ??= { providerId, sets: [] };
    for (const of of [technology, any]) {
      const before = this.#served.sets[of];
      this.#served.sets[of] = before ? union(before, set) : set;
    }
  }

  end(): void {
    this.#countProvider();
    for (const [of, planned] of this.planned.entries()) {
      const best = this.best[of] as Uint8Array;
      for (let i = 0; planned && i < planned.length; i++) if (best[i] !== 0) planned[i] = 0;
    }
  }

  #countProvider(): void {
    for (const [of, set] of this.#served?.sets.entries() ?? []) {
      const providers = this.providers[of] as Uint8Array;
      if (!set) continue;
      eachNumber(set, (number) => {
        const before = providers[number] as number;
        if (before < providerClasses - 1) providers[number] = before + 1;
      });
    }
    this.#served = undefined;
  }
}

function raise(values: Uint8Array, set: PremisesSet, to: number): void {
  eachNumber(set, (number) => {
    if ((values[number] as number) < to) values[number] = to;
  });
}

/** 0 is no value. */
function lower(values: Uint8Array, set: PremisesSet, to: number): void {
  eachNumber(set, (number) => {
    const before = values[number] as number;
    if (before === 0 || before > to) values[number] = to;
  });
}

/** Dates as they are told apart, ascending: as days, months, years or centuries, whichever are few enough. @param dates YYYY-MM-DD */
export function shownDates(dates: readonly string[]): string[] {
  for (const length of [10, 7, 4]) {
    const shown = [...new Set(dates.map((date) => date.slice(0, length)))].sort();
    if (shown.length <= maxDates) return shown;
  }
  return [...new Set(dates.map((date) => date.slice(0, 2)))].sort();
}

/** From 1; after all others for a date that is not known. */
function dateIndex(dates: readonly string[], date: string | null): number {
  if (date === null) return dates.length + 1;
  return dates.indexOf(date.slice(0, dates[0]?.length)) + 1;
}

/** Which region each of the premises is in. */
export interface RegionsOfPremises {
  /** By number of the premises: the region's place from 1, 0 where it is in none. */
  regionOf: Int32Array;
  /** How many regions there are. */
  regions: number;
}

/** Counts of a row for a technology. All of them add up over regions. */
export interface Counts {
  /** By threshold: available at that speed or more. */
  atLeast: number[];
  /** With 0, 1, 2, and 3 or more providers. */
  providers: number[];
  /** Not available, but to come: by date, then without one. */
  planned: number[];
  /** By threshold, since the day that it is compared with. */
  gained: number[];
  lost: number[];
}

/** Counts by region, the first for premises in none; a column of `counts` a value. */
export interface CountedRegions {
  premises: Int32Array;
  /** Row by row: of each technology in turn, its columns. */
  counts: Int32Array;
  technologies: number;
  dates: number;
}

const columnsOf = (dates: number) => thresholds.length + providerClasses + dates + 1 + 2 * thresholds.length;

/** @param numbers of all premises @param before the day that it is compared with */
export function countRegions(
  numbers: Int32Array,
  { regionOf, regions }: RegionsOfPremises,
  { best, providers, planned }: DayOfPremises,
  dates: number,
  before: DayOfPremises | undefined,
): CountedRegions {
  const rows = regions + 1;
  const technologies = best.length;
  const width = columnsOf(dates);
  const premises = new Int32Array(rows);
  const counts = new Int32Array(rows * technologies * width);
  for (const number of numbers) increase(premises, regionOf[number] as number);
  for (let technology = 0; technology < technologies; technology++) {
    const [is, by] = [best[technology] as Uint8Array, providers[technology] as Uint8Array];
    const was = before?.best[technology];
    const moves = tally(numbers, regionOf, rows, classes * classes, (number) => {
      const now = is[number] as number;
      return (was ? (was[number] as number) : now) * classes + now;
    });
    const served = tally(numbers, regionOf, rows, providerClasses, (number) => by[number] as number);
    const later = planned[technology];
    const due = later && tally(numbers, regionOf, rows, dates + 2, (number) => later[number] as number);
    for (let row = 0; row < rows; row++) {
      const at = (row * technologies + technology) * width;
      addMoves(counts, at, width, moves, row * classes * classes);
      for (let i = 0; i < providerClasses; i++)
        counts[at + thresholds.length + i] = served[row * providerClasses + i] as number;
      for (let i = 0; due && i <= dates; i++)
        counts[at + thresholds.length + providerClasses + i] = due[row * (dates + 2) + i + 1] as number;
    }
  }
  return { premises, counts, technologies, dates };
}

/** How many premises of each row have each value. */
function tally(
  numbers: Int32Array,
  regionOf: Int32Array,
  rows: number,
  values: number,
  classOf: (number: number) => number,
): Int32Array {
  const counts = new Int32Array(rows * values);
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] as number;
    increase(counts, (regionOf[number] as number) * values + classOf(number));
  }
  return counts;
}

/** Adds what a row's moves from class to class say of each threshold. */
function addMoves(counts: Int32Array, at: number, width: number, moves: Int32Array, from: number): void {
  const gained = at + width - 2 * thresholds.length;
  const lost = gained + thresholds.length;
  for (let was = 0; was < classes; was++) {
    for (let is = 0; is < classes; is++) {
      const count = moves[from + was * classes + is] as number;
      if (count === 0) continue;
      for (let reached = 1; reached < classes; reached++) {
        if (is >= reached) increase(counts, at + reached - 1, count);
        if (is >= reached && was < reached) increase(counts, gained + reached - 1, count);
        if (was >= reached && is < reached) increase(counts, lost + reached - 1, count);
      }
    }
  }
}

function increase(counts: Int32Array, at: number, by = 1): void {
  counts[at] = (counts[at] as number) + by;
}

/** @param row 0 for premises in no region @param technology the last one: any */
export function countsOf(
  { counts, technologies, dates }: CountedRegions,
  row: number,
  technology: number,
): Counts {
  const width = columnsOf(dates);
  let at = (row * technologies + technology) * width;
  const take = (length: number) => {
    at += length;
    return [...counts.subarray(at - length, at)];
  };
  return {
    atLeast: take(thresholds.length),
    providers: take(providerClasses),
    planned: take(dates + 1),
    gained: take(thresholds.length),
    lost: take(thresholds.length),
  };
}

/** The sum of rows. */
export function sumOf(rows: readonly Counts[], dates: number): Counts {
  const sum = (of: keyof Counts, length: number) =>
    Array.from({ length }, (_, i) => rows.reduce((all, row) => all + (row[of][i] as number), 0));
  return {
    atLeast: sum('atLeast', thresholds.length),
    providers: sum('providers', providerClasses),
    planned: sum('planned', dates + 1),
    gained: sum('gained', thresholds.length),
    lost: sum('lost', thresholds.length),
  };
}
