import type { Word } from './words.ts';

/* Numbers of houses: unit, number, letter and range, as texts and lists write them. */

export interface HouseNumber {
  number: number;
  /** The letter behind the number: `a`; else empty. */
  suffix: string;
  /** The end of a range, with its letter: `16`; else empty. */
  high: string;
  /** Of a flat, a shop or an apartment: `2`, `7a`; else empty. */
  unit: string;
  /** Of a building; else empty. */
  level: string;
}

/** What some words say about the number of a house. */
interface ReadNumber {
  house: HouseNumber | undefined;
  /** The positions of the words that say it. */
  used: Set<number>;
  /** True where it may be meant otherwise: two numbers with nothing between them, or more numbers. */
  isDoubtful: boolean;
}

/** Words before the value of a unit. */
export const unitWords = new Set(
  'flat unit apt apartment suite ste shop villa flt office studio u f room townhouse cottage kiosk tenancy bach'.split(
    ' ',
  ),
);
export const levelWords = new Set('level lvl floor l'.split(' '));
const numberWords = new Set(['no', 'number', 'num']);
const numeric = /^(\d{1,7})([a-z]?)$/;
const value = /^(?:\d{1,5}[a-z]?|[a-z])$/;
/** A unit with its word and without a blank: u2, flat3, l5. */
const compact = /^(flat|unit|apt|apartment|suite|shop|villa|u|f|level|lvl|l)(\d{1,5}[a-z]?)$/;

/**
 * Reads the number of a house from words on both sides of the name of a road.
 * @param free tells if a word at a position may be read
 * @param from @param to where the name of the road stands; it ends at `to`, exclusive
 */
export function readNumber(
  words: readonly Word[],
  free: (at: number) => boolean,
  from: number,
  to: number,
): ReadNumber {
  const read: ReadNumber = { house: undefined, used: new Set(), isDoubtful: false };
  let [unit, level] = ['', ''];
  let named: { value: string; end: number } | undefined;
  const groups: { at: number; end: number; house: HouseNumber; isDoubtful: boolean }[] = [];
  for (let at = 0; at < words.length; ) {
    const isFree = free(at) && (at < from || at >= to);
    const part = isFree ? namedPart(words, free, at) : undefined;
    if (part) {
      named = part;
      if (part.isLevel) level ||= part.value;
      else unit ||= part.value;
      for (let i = at; i < part.end; i++) read.used.add(i);
      at = part.end;
      continue;
    }
    const group = isFree ? numberGroup(words, free, at) : undefined;
    if (group) groups.push({ at, ...group });
    at = group?.end ?? at + 1;
  }
  // The number stands before the road; in other countries' order, behind it, also after its unit.
  const isBehind = (at: number) =>
    at >= to && (words[at]?.before === ',' || allBetween(to, at, (i) => read.used.has(i)));
  const before = groups.filter(({ end }) => end <= from);
  const chosen = before.at(-1) ?? groups.find(({ at }) => isBehind(at));
  if (!chosen) return withoutNumber(read, unit, level, named);
  for (let i = chosen.at; i < chosen.end; i++) read.used.add(i);
  read.house = { ...chosen.house };
  read.isDoubtful = chosen.isDoubtful;
  // "2, 14 Rata Street" and "2 14 Rata Street".
  const earlier = before.at(-2);
  if (
    earlier &&
    earlier.end === chosen.at &&
    chosen === before.at(-1) &&
    !unit &&
    !chosen.house.unit &&
    isUnit(earlier.house)
  ) {
    unit = `${earlier.house.number}${earlier.house.suffix}`;
    for (let i = earlier.at; i < earlier.end; i++) read.used.add(i);
    read.isDoubtful = true;
  }
  if (unit && chosen.house.unit && unit !== chosen.house.unit) read.isDoubtful = true;
  read.house.unit ||= unit;
  read.house.level ||= level;
  // "No. 14".
  const word = words[chosen.at - 1];
  if (word && free(chosen.at - 1) && numberWords.has(word.plain)) read.used.add(chosen.at - 1);
  return read;
}

/** "Kauri Shop 14 Rata Street" has a number and no unit; or the number is missing. */
function withoutNumber(
  read: ReadNumber,
  unit: string,
  level: string,
  last: { value: string } | undefined,
): ReadNumber {
  const parts = numeric.exec(last?.value ?? '');
  const house = parts && { number: Number(parts[1]), suffix: parts[2] ?? '', high: '', unit: '', level: '' };
  return { ...read, house: house ?? undefined, isDoubtful: unit !== '' || level !== '' };
}

function allBetween(from: number, to: number, test: (at: number) => boolean): boolean {
  for (let at = from; at < to; at++) if (!test(at)) return false;
  return true;
}

const isUnit = ({ unit, high }: HouseNumber) => unit === '' && high === '';

/** "Ground floor", "3rd level": floors by their names. */
const floors = new Map(
  [
    ...[
      'ground',
      'first',
      'second',
      'third',
      'fourth',
      'fifth',
      'sixth',
      'seventh',
      'eighth',
      'ninth',
      'tenth',
    ].entries(),
  ].map(([number, name]) => [name, `${number || 'g'}`]),
);

function namedPart(words: readonly Word[], free: (at: number) => boolean, at: number) {
  const { plain, key } = words[at] as Word;
  const floor = floors.get(key);
  if (floor !== undefined && free(at + 1) && /^(?:floor|level)$/.test(words[at + 1]?.plain ?? ''))
    return { value: floor, isLevel: true, end: at + 2 };
  const short = compact.exec(plain);
  if (short) return { value: short[2] as string, isLevel: levelWords.has(short[1] as string), end: at + 1 };
  const isLevel = levelWords.has(plain);
  if (!isLevel && !unitWords.has(plain)) return undefined;
  let next = at + 1;
  if (numberWords.has(words[next]?.plain ?? '')) next++;
  const given = words[next];
  if (!given || !free(next) || given.before === ',' || !value.test(given.plain)) return undefined;
  // A letter alone is a unit, but not where it begins a name: "Flat A 14".
  return { value: given.plain, isLevel, end: next + 1 };
}

function numberGroup(words: readonly Word[], free: (at: number) => boolean, at: number) {
  const word = words[at] as Word;
  const isValue = value.test(word.plain);
  const second = words[at + 1];
  // 2/14, A/14, 1-3/14
  if (isValue && second?.before === '/' && free(at + 1) && numeric.test(second.plain)) {
    const base = baseNumber(words, free, at + 1);
    if (base) return { ...base, house: { ...base.house, unit: word.plain } };
  }
  const third = words[at + 2];
  if (
    isValue &&
    second?.before === '-' &&
    third?.before === '/' &&
    numeric.test(third.plain) &&
    value.test(second.plain)
  ) {
    const base = baseNumber(words, free, at + 2);
    if (base) return { ...base, house: { ...base.house, unit: `${word.plain}-${second.plain}` } };
  }
  return baseNumber(words, free, at);
}

/** A number with its letter and the end of its range. */
function baseNumber(words: readonly Word[], free: (at: number) => boolean, at: number) {
  const parts = numeric.exec(words[at]?.plain ?? '');
  if (!parts) return undefined;
  let [suffix, high, end, isDoubtful] = [parts[2] ?? '', '', at + 1, false];
  const letter = words[end];
  // "14 B Rata Street"; but "14 E Coast Road" may be East.
  // "14-A" as well; of "14/A", the letter may be a flat.
  const isLetter = letter && free(end) && letter.before !== ',' && /^[a-z]$/.test(letter.plain);
  if (suffix === '' && isLetter) {
    suffix = letter.plain;
    isDoubtful = letter.before === '/';
    end++;
  }
  const last = words[end];
  if (last?.before === '-' && free(end) && numeric.test(last.plain)) {
    high = last.plain;
    end++;
    isDoubtful ||= Number.parseInt(high, 10) < Number(parts[1]);
  }
  return { house: { number: Number(parts[1]), suffix, high, unit: '', level: '' }, end, isDoubtful };
}
