import { onceForEach } from '../platform/once-for-each.ts';
import { metresBetween } from './address.ts';
import { type HouseNumber, readNumber } from './number.ts';
import type { Area, Locality, Road, Street, StreetIndex } from './street-index.ts';
import { isKind, joined, keyOf, spellingOf, typedText, type Word, wordsOf } from './words.ts';

/* The readings of a text: which street its words name, and what is left of it. No database is asked here. */

type Position = Record<'lat' | 'lng', number>;

/** Max words of a text: an address on five lines of an invoice has fewer. */
const maxWords = 40;
/** Words of the longest names of roads and towns. */
const maxNameWords = 6;
/** Names of roads that begin as the text ends, and streets of all readings. */
const maxBeginnings = 60;
const maxStreets = 2_000;
/** Corrected spellings of one name. */
const maxSpellings = 24;

/** `sure`: only streets that the text surely says, of many with one name. `plain`: names as they are spelt. `unknown`: also without the kind of street, and with words that no name has corrected. `all`: with any word corrected. */
export type Effort = 'sure' | 'plain' | 'unknown' | 'all';

const isPlain = (effort: Effort) => effort === 'sure' || effort === 'plain';

/** A text in words, without what no list has. */
export interface AskedText {
  words: Word[];
  /** Four digits at the end, which a list may have. */
  postcode: string | undefined;
  /** True where somebody still types the last word. */
  isTyping: boolean;
}

/** A street that a text may mean, and how well the text agrees with it. */
export interface Reading {
  street: Street;
  house: HouseNumber | undefined;
  /** From 0 to 1, without the number. */
  score: number;
  /** True where every word is accounted for, no letter is corrected, and the place is named or the only one. */
  isSure: boolean;
  postcode: string | undefined;
}

/** The name of a road at some words of a text. */
interface RoadAt {
  from: number;
  /** Exclusive. */
  to: number;
  road: Road;
  /** Letters corrected. */
  corrected: number;
  /** The kind of street is not given, or the name is not typed to its end. */
  isPart: boolean;
  isTyped: boolean;
}

/** What the words beside the name of a road say. */
interface Rest {
  house: HouseNumber | undefined;
  isDoubtful: boolean;
  /** For each place that is named, what it may be. */
  places: { localities: readonly Locality[]; corrected: number; isTyped: boolean }[];
  /** Words that mean nothing. */
  left: number;
  /** Names of people and firms before the number, which mean nothing, either. */
  addressees: number;
}

const countries = [['new', 'zealand'], ['nz'], ['aotearoa', 'new', 'zealand'], ['aotearoa']];

/** The words of a text, without the country, rural delivery numbers, and the postcode. */
export function askedText(text: string, isTyping: boolean): AskedText {
  const words = wordsOf(text.slice(0, 300)).slice(0, maxWords);
  for (const country of countries) {
    const start = words.length - country.length;
    if (start > 0 && country.every((word, i) => words[start + i]?.plain === word)) words.length = start;
  }
  const hasNumberBefore = (at: number) => words.slice(0, at).some(({ plain }) => /^\d/.test(plain));
  removePostBoxes(words);
  let postcode: string | undefined;
  const last = words.at(-1);
  if (last && /^\d{4}$/.test(last.plain) && hasNumberBefore(words.length - 1)) {
    postcode = last.plain;
    words.pop();
  }
  for (let at = words.length - 1; at > 0; at--) {
    const length = ruralDeliveryAt(words, at);
    // "Rata Rd 14" has its number behind the road.
    if (length > 0 && (hasNumberBefore(at) || words[at]?.before === ',')) words.splice(at, length);
  }
  const isUnended = isTyping && /[\p{L}\p{N}]$/u.test(text) && postcode === undefined;
  return { words, postcode, isTyping: isUnended };
}

/** What stands in an address and is no part of a place: words as patterns, the digits of a number last. */
const postBoxes = ['po box #', 'p o box #', 'pobox #', 'private bag #', 'private bag'];
const ruralDeliveries = ['rd #', 'r d #', 'rural delivery #'];

/** The length of the longest pattern that stands at a word; 0 for none. */
function patternAt(words: readonly Word[], at: number, patterns: readonly string[]): number {
  const isThere = (pattern: string) =>
    pattern.split(' ').every((part, i) => {
      const word = words[at + i];
      return part === '#' ? /^\d+$/.test(word?.plain ?? '') && word?.before !== '/' : part === word?.plain;
    });
  return Math.max(0, ...patterns.filter(isThere).map((pattern) => pattern.split(' ').length));
}

/** "PO Box 45" goes where another number is left: a postal address is no place. */
function removePostBoxes(words: Word[]): void {
  for (let at = 0; at < words.length; at++) {
    const length = patternAt(words, at, postBoxes);
    const isElsewhere = ({ plain }: Word, i: number) => (i < at || i >= at + length) && /^\d/.test(plain);
    if (length > 0 && words.some(isElsewhere)) words.splice(at, length);
  }
}

/** RD 2, R D 2, RD2: how many words. */
function ruralDeliveryAt(words: readonly Word[], at: number): number {
  if (/^rd\d{1,2}$/.test(words[at]?.plain ?? '')) return 1;
  const length = patternAt(words, at, ruralDeliveries);
  // "Rata Rd 2/14" and "Rata Rd 214" go on with a house.
  const isHouse = words[at + length]?.before === '/' || (words[at + length - 1]?.plain.length ?? 0) > 2;
  return isHouse ? 0 : length;
}

/**
 * The streets that a text may mean, best first.
 */
export function readStreets(
  index: StreetIndex,
  asked: AskedText,
  effort: Effort,
  near?: Position,
): Reading[] {
  const rests = new Map<string, Rest>();
  const readings = new Map<Street, Reading>();
  let seen = 0;
  for (const at of roadsIn(index, asked, effort)) {
    const key = `${at.from} ${at.to}`;
    const rest = rests.get(key) ?? restOf(index, asked, at, effort);
    rests.set(key, rest);
    const ofRoad = roadReading(asked, at, rest);
    if (effort === 'sure' && !ofRoad.isSure) continue;
    for (const street of at.road.streets) {
      const reading = streetReading(index, asked.postcode, at, rest, ofRoad, street);
      if (effort === 'sure' && !reading.isSure) continue;
      if (++seen > maxStreets) break;
      const other = readings.get(street);
      if (!other || other.score < reading.score) readings.set(street, reading);
    }
  }
  const all = [...readings.values()];
  if (near) for (const reading of all) reading.score += nearness(reading.street, near);
  return all.sort((a, b) => b.score - a.score || b.street.addresses - a.street.addresses);
}

/** A little more for what is near: less than any difference of the text. */
const nearness = (street: Position, near: Position): number =>
  0.004 * Math.exp(-metresBetween(street, near) / 20_000);

/** Suburbs and towns that a whole text names, best first. */
export function readAreas(
  index: StreetIndex,
  { words, isTyping }: AskedText,
): { area: Area; score: number }[] {
  const found = new Map<Area, number>();
  const add = (locality: Locality, rest: readonly Word[], score: number) => {
    for (const area of index.areasOf(locality)) {
      const isIn = rest.length === 0 || (area.town && area.town.key === joined(rest));
      if (isIn) found.set(area, Math.max(found.get(area) ?? 0, score));
    }
  };
  if (words.length === 0) return [];
  for (let end = Math.min(words.length, maxNameWords); end > 0; end--) {
    for (const locality of index.localities(joined(words.slice(0, end)))) add(locality, words.slice(end), 1);
  }
  if (isTyping)
    for (const locality of index.localitiesFrom(typedText(words), maxBeginnings)) add(locality, [], 0.8);
  return [...found]
    .map(([area, score]) => ({ area, score }))
    .sort((a, b) => b.score - a.score || b.area.addresses - a.area.addresses);
}

function* roadsIn(index: StreetIndex, asked: AskedText, effort: Effort): Generator<RoadAt> {
  const { words, isTyping } = asked;
  const correctionsOf = onceForEach((word: Word) =>
    effort === 'all' || !index.isKnown(word) ? index.roadCorrections(word) : [],
  );
  for (let from = 0; from < words.length; from++) {
    for (let to = Math.min(words.length, from + maxNameWords); to > from; to--) {
      const span = words.slice(from, to);
      const isNumeric = span.every(({ plain }) => /^\d/.test(plain));
      if (isNumeric) continue;
      const at = { from, to, corrected: 0, isPart: false, isTyped: false };
      const key = joined(span);
      for (const road of index.roads(key)) yield { ...at, road };
      const isLast = isTyping && to === words.length;
      if (isLast && key.length > 1) {
        for (const road of index.roadsFrom(typedText(span), maxBeginnings))
          yield { ...at, road, isTyped: true };
      }
      if (isPlain(effort)) continue;
      for (const road of index.roadsOfBase(key)) yield { ...at, road, isPart: true };
      for (const { key, corrected } of spellings(span, correctionsOf)) {
        for (const road of index.roads(key)) yield { ...at, road, corrected };
        for (const road of index.roadsOfBase(key)) yield { ...at, road, corrected, isPart: true };
      }
    }
  }
}

/** Keys of names with corrected words. */
function spellings(span: readonly Word[], correctionsOf: (word: Word) => string[]) {
  let all: { key: string; corrected: number }[] = [{ key: '', corrected: 0 }];
  for (const word of span) {
    const others = correctionsOf(word);
    all = all.flatMap(({ key, corrected }) => [
      { key: key + word.key, corrected },
      ...others.map((other) => ({ key: key + keyOf(other), corrected: corrected + 1 })),
    ]);
    if (all.length > maxSpellings) all = all.sort((a, b) => a.corrected - b.corrected).slice(0, maxSpellings);
  }
  return all.filter(({ corrected }) => corrected > 0);
}

/** Words that say that another place than the named one is meant. */
const besides = new Set('near opposite opp behind next beside cnr lot box between'.split(' '));

function restOf(
  index: StreetIndex,
  { words, isTyping }: AskedText,
  { from, to }: RoadAt,
  effort: Effort,
): Rest {
  const isRoad = (at: number) => at >= from && at < to;
  const { house, used, isDoubtful } = readNumber(words, (at) => !isRoad(at), from, to);
  const isFree = (at: number) => at < words.length && !isRoad(at) && !used.has(at);
  const rest: Rest = { house, isDoubtful, places: [], left: 0, addressees: 0 };
  const firstUsed = Math.min(from, ...used);
  for (let at = 0; at < words.length; at++) {
    if (!isFree(at)) continue;
    const place = placeAt(index, words, at, isFree, isTyping, effort);
    if (place) {
      rest.places.push(place);
      at = place.end - 1;
      continue;
    }
    const { plain, key } = words[at] as Word;
    const isAddressee = at < firstUsed && !/\d/.test(plain) && !besides.has(key) && !isKind(key);
    if (isAddressee) rest.addressees++;
    else if (!(rest.places.length > 0 && /^(?:city|district|region|council)$/.test(plain))) rest.left++;
  }
  return rest;
}

/** The longest name of a suburb, a town or an authority that begins at a word. */
function placeAt(
  index: StreetIndex,
  words: readonly Word[],
  at: number,
  isFree: (at: number) => boolean,
  isTyping: boolean,
  effort: Effort,
) {
  let end = at;
  while (
    end < words.length &&
    end - at < maxNameWords &&
    isFree(end) &&
    (end === at || words[end]?.before !== ',')
  )
    end++;
  for (let to = end; to > at; to--) {
    const span = words.slice(at, to);
    const localities = index.localities(joined(span));
    if (localities.length > 0) return { localities, corrected: 0, isTyped: false, end: to };
    if (isTyping && to === words.length) {
      const begun = index.localitiesFrom(typedText(span), maxBeginnings);
      if (begun.length > 0) return { localities: begun, corrected: 0, isTyped: true, end: to };
    }
  }
  if (isPlain(effort)) return undefined;
  const correctionsOf = onceForEach((word: Word) =>
    effort === 'all' || !index.isKnown(word) ? index.localityCorrections(word) : [],
  );
  for (let to = end; to > at; to--) {
    for (const { key, corrected } of spellings(words.slice(at, to), correctionsOf)) {
      const localities = index.localities(key);
      if (localities.length > 0) return { localities, corrected, isTyped: false, end: to };
    }
  }
  return undefined;
}

/* What a difference between text and street costs of the score. */
const costs = {
  corrected: 0.06,
  kindMissing: 0.06,
  kindOther: 0.15,
  spelling: { same: 0, 'other length': 0.005, other: 0.02 },
  otherPlace: 0.2,
  left: 0.07,
  leftMax: 0.35,
  doubtful: 0.03,
  unnamed: 0.02,
  typed: 0.01,
};

/** What all streets of a road have in common, as the text agrees with it. */
function roadReading(asked: AskedText, at: RoadAt, rest: Rest) {
  const { words } = asked;
  const isOtherKind = at.isPart && isKind(words[at.to]?.key ?? '');
  const spelling =
    at.corrected > 0 || at.isPart || at.isTyped
      ? 'same'
      : spellingOf(words.slice(at.from, at.to), wordsOf(at.road.name));
  return {
    score:
      1 -
      costs.corrected * at.corrected -
      (at.isPart ? (isOtherKind ? costs.kindOther : costs.kindMissing) : 0) -
      costs.spelling[spelling] -
      Math.min(costs.leftMax, costs.left * rest.left) -
      (rest.isDoubtful ? costs.doubtful : 0) -
      (at.isTyped ? costs.typed : 0),
    isSure:
      at.corrected === 0 &&
      !at.isPart &&
      !at.isTyped &&
      spelling !== 'other' &&
      rest.left === 0 &&
      !rest.isDoubtful,
  };
}

/** A reading of a street of the road. @param of of {@link roadReading} */
function streetReading(
  index: StreetIndex,
  postcode: string | undefined,
  { road }: RoadAt,
  rest: Rest,
  of: ReturnType<typeof roadReading>,
  street: Street,
): Reading {
  const isKnownPostcode = postcode !== undefined && street.postcodes.length > 0;
  let isPlaced = isKnownPostcode && street.postcodes.includes(postcode);
  let cost = isKnownPostcode && !isPlaced ? costs.otherPlace : 0;
  let { isSure } = of;
  if (cost > 0) isSure = false;
  for (const { localities, corrected, isTyped } of rest.places) {
    const { suburb, town, authority } = street;
    const isThere = localities.some((one) => one === suburb || one === town || one === authority);
    cost += isThere ? costs.corrected * corrected : costs.otherPlace;
    if (isThere && !isTyped) isPlaced = true;
    if (!isThere || isTyped || corrected > 0) isSure = false;
  }
  if (!isPlaced) {
    cost += costs.unnamed;
    isSure &&= road.streets.length === 1 && index.roads(road.key).length === 1;
  }
  const score = Math.max(0.05, of.score - cost);
  return { street, house: rest.house, score, isSure, postcode: isKnownPostcode ? postcode : undefined };
}
