import { addressText, metresBetween, unitsPerDegree } from './address.ts';
import type { Found, Match } from './found.ts';
import { type HouseNumber, readNumber } from './number.ts';
import type { Reading } from './reading.ts';
import type { Street } from './street-index.ts';
import { wordsOf } from './words.ts';

/* The addresses that the readings of a text lead to, how well they agree with it, and which one is exact. */

/** A row of `address` with some number on some street. */
export interface NumberRow {
  id: string;
  label: string;
  postcode: string | null;
  /** In 1e-7 degrees. */
  lng: number;
  lat: number;
}

/** An address that a text may mean; without a row, the street. */
export interface Candidate {
  street: Street;
  row: NumberRow | undefined;
  match: Match;
  score: number;
}

export const isExact = ({ match }: Candidate): boolean => match === 'exact';

const plainLabel = /^\d{1,7}$/;

/** The number that a label says. */
function houseOf(label: string): HouseNumber | undefined {
  // Most are. A search reads a hundred.
  if (plainLabel.test(label)) return { number: Number(label), suffix: '', high: '', unit: '', level: '' };
  const words = wordsOf(label);
  return readNumber(words, () => true, words.length, words.length).house;
}

/** What a reading of a text leads to: addresses of its number, or the street. @param rows addresses of that number there */
export function candidatesOf(reading: Reading, rows: readonly NumberRow[]): Candidate[] {
  const { street, house } = reading;
  const found: Candidate[] = [];
  for (const row of rows) {
    const listed = houseOf(row.label);
    if (!house || !listed) continue;
    // A list without levels has the building alone.
    const isBuilding = house.level !== '' && listed.level === '' && rows.length === 1;
    const cost = differenceOf(isBuilding ? { ...house, level: '' } : house, listed);
    const isOtherPostcode =
      reading.postcode !== undefined && row.postcode !== null && row.postcode !== reading.postcode;
    if (reading.isSure && cost === 0 && !isOtherPostcode) {
      found.push({ street, row, match: 'exact', score: reading.score });
    } else {
      const score = reading.score - cost - (isOtherPostcode ? otherPostcode : 0);
      found.push({ street, row, match: 'uncertain', score: uncertainScore(score) });
    }
  }
  if (found.some(isExact)) return found;
  // A street that the text surely says goes before others that have the number.
  const isMissing = reading.isSure && found.length === 0;
  const score = house ? reading.score - (isMissing ? numberMissing : noSuchNumber) : reading.score;
  found.push({
    street,
    row: undefined,
    match: reading.isSure ? 'street' : 'uncertain',
    score: uncertainScore(score),
  });
  return found;
}

const uncertainScore = (score: number) => Math.max(0.01, Math.min(score, mostUncertain));

/** The score of what is not exact. */
const mostUncertain = 0.95;
/** Of a street without an address of the number, where the street is sure and where it is not. */
const numberMissing = 0.06;
const noSuchNumber = 0.3;
const otherPostcode = 0.1;
const differences = {
  unitMissing: 0.1,
  unitOther: 0.25,
  letterMissing: 0.15,
  letterOther: 0.2,
  range: 0.05,
  level: 0.05,
};

/** The cost of the differences between an asked number and one of the list; 0: none. */
function differenceOf(asked: HouseNumber, listed: HouseNumber): number {
  const differ = (a: string, b: string, missing: number, other: number) =>
    a === b ? 0 : a === '' || b === '' ? missing : other;
  return (
    differ(asked.unit, listed.unit, differences.unitMissing, differences.unitOther) +
    differ(asked.suffix, listed.suffix, differences.letterMissing, differences.letterOther) +
    differ(asked.high, listed.high, differences.range, differences.range) +
    differ(asked.level, listed.level, differences.level, differences.level)
  );
}

/** Metres within which two addresses with one text are one place. */
const samePlaceMetres = 100;
/** The candidates, best first, of which one is exact only where no other place is said by the text as well. */
export function onlyOneExact(found: Candidate[], mayBeOthers: boolean): Candidate[] {
  const [first, ...others] = found.filter(isExact).sort(byId);
  if (!first) return bestFirst(found);
  const isSame = ({ street, row }: Candidate) =>
    street === first.street &&
    row?.label === first.row?.label &&
    metresBetween(positionOf(street, row), positionOf(first.street, first.row)) < samePlaceMetres;
  if (!mayBeOthers && others.every(isSame))
    return [first, ...bestFirst(found.filter((one) => one !== first))];
  return bestFirst(
    found.map((one) =>
      isExact(one) ? { ...one, match: 'uncertain', score: uncertainScore(one.score) } : one,
    ),
  );
}

const bestFirst = (found: Candidate[]) => found.sort((a, b) => b.score - a.score);

/** Ids of numbers in their order. */
function byId({ row: a }: Candidate, { row: b }: Candidate): number {
  const [first, second] = [a?.id ?? '', b?.id ?? ''];
  return first.length - second.length || (first < second ? -1 : 1);
}

/** Both, each place once with its better score. */
export function merged(some: readonly Candidate[], others: readonly Candidate[]): Candidate[] {
  const all = new Map<string | Street, Candidate>();
  for (const one of [...some, ...others]) {
    const key = one.row?.id ?? one.street;
    const known = all.get(key);
    if (!known || known.score < one.score) all.set(key, one);
  }
  return bestFirst([...all.values()]);
}

/** In degrees. */
const positionOf = (street: Street, row: NumberRow | undefined) =>
  row
    ? { lat: row.lat / unitsPerDegree, lng: row.lng / unitsPerDegree }
    : { lat: street.lat, lng: street.lng };

export function shown({ street, row, match, score }: Candidate): Found {
  const { road, suburb, town } = street;
  const names = { road: road.name, suburb: suburb?.name ?? '', town: town?.name ?? '' };
  const { lat, lng } = positionOf(street, row);
  return {
    kind: row ? 'address' : 'street',
    id: row?.id ?? null,
    text: addressText(row?.label ?? '', names),
    lat,
    lng,
    match,
    score: Math.min(1, Math.round(score * 100) / 100),
  };
}
