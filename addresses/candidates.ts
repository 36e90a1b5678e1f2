import { addressText, metresBetween, unitsPerDegree } from './address.ts';
import type { Found } from './found.ts';
import { type HouseNumber, readNumber } from './number.ts';
import type { Reading } from './reading.ts';
import { wordsOf } from './words.ts';

/* The addresses that the readings of a text lead to, how well they agree with it, and which one is exact. */

/** A row of `address` with some number on some street. */
export interface NumberRow {
  id: string;
  label: string;
  postcode: string | null;
  lng: number;
  lat: number;
}

export interface Candidate extends Found {
  isExact: boolean;
}

/** The number that a label says. */
export function houseOf(label: string): HouseNumber | undefined {
  const words = wordsOf(label);
  return readNumber(words, () => true, words.length, words.length).house;
}

/** What a reading of a text leads to: addresses of its number, or the street. @param rows addresses of that number there */
export function candidatesOf(reading: Reading, rows: readonly NumberRow[]): Candidate[] {
  const { street, house } = reading;
  const names = {
    ...{ road: street.road.name, suburb: street.suburb?.name ?? '', town: street.town?.name ?? '' },
  };
  const addresses = rows.flatMap((row): Candidate[] => {
    const listed = houseOf(row.label);
    if (!house || !listed) return [];
    // A list without levels has the building alone.
    const isBuilding = listed.level === '' && rows.length === 1;
    const cost = differenceOf(isBuilding ? { ...house, level: '' } : house, listed);
    const isOtherPostcode =
      reading.postcode !== undefined && row.postcode !== null && row.postcode !== reading.postcode;
    const isExact = reading.isSure && cost === 0 && !isOtherPostcode;
    const score = reading.score - cost - (isOtherPostcode ? otherPostcode : 0);
    return [
      {
        ...{ kind: 'address', id: row.id, text: addressText(row.label, names), isExact },
        ...{ lat: row.lat / unitsPerDegree, lng: row.lng / unitsPerDegree },
        match: isExact ? 'exact' : 'uncertain',
        score: Math.max(0.01, isExact ? score : Math.min(score, mostUncertain)),
      },
    ];
  });
  if (addresses.some(({ isExact }) => isExact)) return addresses;
  const score = house ? reading.score - noSuchNumber : reading.score;
  return [
    ...addresses,
    {
      ...{ kind: 'street', id: null, text: addressText('', names), isExact: false },
      ...{ lat: street.lat, lng: street.lng },
      match: reading.isSure ? 'street' : 'uncertain',
      score: Math.max(0.01, Math.min(score, mostUncertain)),
    },
  ];
}

/** The score of what is not exact. */
const mostUncertain = 0.95;
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
/** Leaves a candidate exact only where no other place is said by the text as well. */
export function onlyOneExact(found: Candidate[], mayBeOthers: boolean): Candidate[] {
  const [first, ...others] = found.filter(({ isExact }) => isExact).sort(byId);
  if (!first) return bestFirst(found);
  const isOne =
    !mayBeOthers &&
    others.every((other) => other.text === first.text && metresBetween(other, first) < samePlaceMetres);
  if (isOne) return [first, ...bestFirst(found.filter((one) => one !== first))];
  const unsure = found.map((one) => ({
    ...one,
    ...(one.isExact && {
      isExact: false,
      match: 'uncertain' as const,
      score: Math.min(one.score, mostUncertain),
    }),
  }));
  return bestFirst(unsure);
}

const bestFirst = (found: Candidate[]) => found.sort((a, b) => b.score - a.score);

/** Ids of numbers in their order. */
const byId = (a: Candidate, b: Candidate) =>
  (a.id ?? '').length - (b.id ?? '').length || ((a.id ?? '') < (b.id ?? '') ? -1 : 1);

/** Both, each place once with its better score. */
export function merged(some: readonly Candidate[], others: readonly Candidate[]): Candidate[] {
  const all = new Map<string, Candidate>();
  for (const one of [...some, ...others]) {
    const key = one.id ?? `${one.kind} ${one.text}`;
    const known = all.get(key);
    if (!known || known.score < one.score) all.set(key, one);
  }
  return bestFirst([...all.values()]);
}

export const shown = ({ kind, id, text, lat, lng, match, score }: Candidate): Found => ({
  ...{ kind, id, text, lat, lng, match },
  score: Math.min(1, Math.round(score * 100) / 100),
});
